#include "tagging/tagger_answers.hpp"

#include <algorithm>
#include <set>

#include "base/stop_check.hpp"
#include "text/chunks.hpp"

namespace sapwood {

namespace {

std::vector<std::string> shown_names(const std::vector<std::string>& labels, bool iobes) {
    std::vector<std::string> names;
    for (const std::string& label : labels) names.push_back(iobes ? iobes_to_bio(label) : label);
    return names;
}

}  // namespace

TaggerAnswers::TaggerAnswers(const SequenceSpec& spec, bool iobes) : shown_(shown_names(spec.labels, iobes)) {}

size_t TaggerAnswers::annotated_size(const Columns& data, const std::vector<Label>& guess) const {
    const std::string_view in = data.bytes();
    size_t size = in.size() + data.tokens() + (!in.empty() && in.back() != '\n');
    size += data.document_starts().size() * (1 + of_document_start().size());
    for (Label y : guess) size += labels()[y].size();
    return size;
}

void TaggerAnswers::annotate(const Columns& data, const std::vector<Label>& guess, char* to) const {
    const std::string_view in = data.bytes();
    const char separator = data.width() == 1 ? '\t' : data.separator();
    size_t at = 0;
    auto start = data.document_starts().begin();
    const auto add_behind = [&](size_t end, std::string_view label) {
        to = std::copy(in.data() + at, in.data() + end, to);
        *to++ = separator;
        to = std::copy(label.begin(), label.end(), to);
        at = end;
    };
    const auto add_starts_before = [&](size_t end) {
        for (; start != data.document_starts().end() && *start < end; ++start) add_behind(*start, of_document_start());
    };
    for (size_t t = 0; t < data.tokens(); ++t) {
        StopCheck::every(t);
        add_starts_before(data.row_end(t));
        add_behind(data.row_end(t), labels()[guess[t]]);
    }
    add_starts_before(in.size() + 1);
    to = std::copy(in.data() + at, in.data() + in.size(), to);
    if (!in.empty() && in.back() != '\n') *to = '\n';
}

std::string_view TaggerAnswers::of_document_start() const {
    return std::ranges::find(labels(), "O") == labels().end() ? "-X-" : "O";
}

std::vector<Tagger::Ranked> TaggerAnswers::n_best(const Tagger& tagger, const Columns& data, size_t sentence,
                                                  size_t count) const {
    if (shown_.all_differ()) return tagger.n_best(data, sentence, count);
    std::vector<Tagger::Ranked> kept;
    for (size_t asked = count;; asked *= 2) {
        std::vector<Tagger::Ranked> ranked = tagger.n_best(data, sentence, asked);
        const bool last = ranked.size() < asked || asked / 16 >= count;
        std::set<std::vector<uint32_t>> seen;
        kept.clear();
        for (Tagger::Ranked& r : ranked) {
            std::vector<uint32_t> as_shown;
            for (const Label y : r.labels) as_shown.push_back(shown_.number(y));
            if (kept.size() < count && seen.insert(std::move(as_shown)).second) kept.push_back(std::move(r));
        }
        if (last || kept.size() == count) return kept;
    }
}

}  // namespace sapwood

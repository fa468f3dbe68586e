#include "rewriting/rewriter.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr std::string_view kUnchanged = "[:]";
constexpr size_t kAtOnce = 32;  // rows of a sequence, where rows are tagged one by one

bool looks_at_one_row(const Template& pattern) {
    return std::ranges::all_of(pattern.lines(), [](const Line& line) {
        return std::ranges::all_of(line.parts, [](const Part& part) { return part.offset == 0 && !part.absolute; });
    });
}

// Equal rows get equal numbers, in the order of their first appearance.
class RowKinds {
  public:
    RowKinds(const Columns& rows, size_t columns) : rows_(rows), columns_(columns) {}

    uint32_t number(size_t row) {
        uint64_t hash = 0;
        for (size_t c = 0; c < columns_; ++c) hash = combine(hash, hash_bytes(rows_.cell(row, c)));
        for (;; ++hash) {  // a hash that belongs to another row counts on
            const auto [at, fresh] = kinds_.try_emplace(hash, static_cast<uint32_t>(first_.size()));
            if (fresh) first_.push_back(row);
            if (fresh || equal(row, first_[at->second])) return at->second;
        }
    }
    const std::vector<size_t>& first() const { return first_; }

  private:
    bool equal(size_t a, size_t b) const {
        for (size_t c = 0; c < columns_; ++c)
            if (rows_.cell(a, c) != rows_.cell(b, c)) return false;
        return true;
    }

    const Columns& rows_;
    size_t columns_;
    std::unordered_map<uint64_t, uint32_t> kinds_;
    std::vector<size_t> first_;  // [kinds] their first rows
};

}  // namespace

Rewriter::Rewriter(const Tagger& tagger, size_t most_words, LemmaLexicon lexicon)
    : tagger_(tagger), lexicon_(std::move(lexicon)), alone_(looks_at_one_row(tagger.extractor().pattern())) {
    if (!lexicon_.empty() && tagger.columns_needed() < 2)
        throw ModelError("its lexicon goes by tags, which it does not read");
    if (tagger.spec().search != Search::argmax) throw ModelError("edit scripts are chosen by argmax search alone");
    for (const std::string& label : tagger.spec().labels) {
        scripts_.emplace_back(std::string_view(label));
        if (scripts_.back().words() > most_words)
            throw ModelError("its edit script '" + std::string(prefix(label, 60)) + "' makes " +
                             std::to_string(scripts_.back().words()) + " words");
    }
    scripts_.emplace_back(kUnchanged);
}

Rewriter::Choices Rewriter::choose(const Columns& rows, size_t threads) const {
    tagger_.check_columns(rows);
    Choices choices;
    choices.of.reserve(rows.tokens());
    Columns different(tagger_.columns_needed(), rows.name());
    if (alone_) {
        RowKinds kinds(rows, tagger_.columns_needed());
        for (size_t t = 0; t < rows.tokens(); ++t) choices.of.push_back(kinds.number(t));
        choices.rows = kinds.first();
        for (size_t k = 0; k < choices.rows.size(); ++k) {
            for (size_t c = 0; c < different.width(); ++c) different.add_cell(rows.cell(choices.rows[k], c));
            if ((k + 1) % kAtOnce == 0 || k + 1 == choices.rows.size()) different.end_sentence();
        }
    } else {
        choices.rows.resize(rows.tokens());
        std::iota(choices.rows.begin(), choices.rows.end(), size_t{0});
        choices.of.assign(choices.rows.begin(), choices.rows.end());
    }
    const Columns& tagged = alone_ ? different : rows;
    choices.scripts = tagger_.tag(tagged, threads);
    for (size_t s = 0; s < tagged.sentences(); ++s)
        for (size_t t = tagged.begin(s); t < tagged.end(s); ++t) {
            Label& script = choices.scripts[t];
            if (!lexicon_.empty())
                if (const auto given = lexicon_.find(tagged.cell(t, 0), tagged.cell(t, 1));
                    given && fits(*given, tagged, t))
                    script = *given;
            if (!fits(script, tagged, t)) script = fitting(tagged, s, t);
        }
    return choices;
}

bool Rewriter::fits(Label script, const Columns& rows, size_t row) const {
    const size_t shortest = scripts_[script].shortest();
    return shortest == 1 || code_points(rows.cell(row, 0)) >= shortest;
}

// The best script that fits the form of a row.
Label Rewriter::fitting(const Columns& rows, size_t sentence, size_t row) const {
    for (const Label script : tagger_.ranked(rows, sentence, row))
        if (fits(script, rows, row)) return script;
    return static_cast<Label>(scripts_.size() - 1);
}

Rewriter::Forms Rewriter::first_words(const Columns& rows, size_t threads) const {
    Choices choices = choose(rows, threads);
    Forms forms;
    forms.texts.reserve(choices.rows.size());
    for (size_t k = 0; k < choices.rows.size(); ++k)
        forms.texts.push_back(std::move(scripts_[choices.scripts[k]].apply(rows.cell(choices.rows[k], 0))->front()));
    forms.of = std::move(choices.of);
    return forms;
}

std::vector<Rewriter::Changed> Rewriter::changed(const Columns& rows, size_t threads) const {
    const Choices choices = choose(rows, threads);
    std::vector<Changed> found;
    for (size_t t = 0; t < rows.tokens(); ++t) {
        const EditScript& script = scripts_[choices.scripts[choices.of[t]]];
        if (script.text() != kUnchanged) found.push_back({t, *script.apply(rows.cell(t, 0))});
    }
    return found;
}

}  // namespace sapwood

#include "segmenting/segment_rows.hpp"

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

namespace {

constexpr size_t kShown = 24;  // characters of a chunk

}  // namespace

std::vector<Paragraph> paragraphs(std::string_view text) {
    std::vector<Paragraph> found;
    bool blank = true;  // the line so far, and so every line since the last paragraph's
    size_t line = 0;    // where it begins
    for (size_t at = 0, round = 0; at < text.size(); ++round) {
        StopCheck::every(round);
        const size_t begin = at;
        const char32_t c = next_code_point(text, at);
        if (ends_line(text, begin)) {
            if (blank && !found.empty() && found.back().end == std::string_view::npos) found.back().end = line;
            blank = true;
            line = at;
        } else if (!is_space(c) && blank) {
            blank = false;
            if (found.empty() || found.back().end != std::string_view::npos)
                found.push_back({begin, std::string_view::npos});
        }
    }
    if (!found.empty()) found.back().end = std::min(found.back().end, text.size());
    return found;
}

std::vector<Paragraph> lines(std::string_view text) {
    std::vector<Paragraph> found;
    bool blank = true;  // the line so far
    for (size_t at = 0, round = 0; at < text.size(); ++round) {
        StopCheck::every(round);
        const size_t begin = at;
        if (!is_space(next_code_point(text, at)) && blank) {
            blank = false;
            found.push_back({begin, std::string_view::npos});
        }
        if (!ends_line(text, begin)) continue;
        if (!blank) found.back().end = at;
        blank = true;
    }
    if (!found.empty()) found.back().end = std::min(found.back().end, text.size());
    return found;
}

SegmentRows::SegmentRows(std::string_view text, const SegmentChoices& choices, bool labelled)
    : text_(text),
      choices_(choices),
      columns_(Columns::over(std::string(text), kSegmentColumns + labelled, "text")),
      outside_(columns_.keep(kOutside)) {
    for (size_t k = 0; k < kGapMarks.size(); ++k) {
        gaps_[k] = columns_.keep(kGapMarks.substr(k, 1));
        labels_[k] = columns_.keep(kBeginsLabels[k]);
    }
}

Columns::Cell SegmentRows::last_of(size_t begin, size_t end) const {
    return Columns::part(end - suffix(text_.substr(begin, end - begin), kShown).size(), end);
}

Columns::Cell SegmentRows::first_of(size_t begin, size_t end) const {
    return Columns::part(begin, begin + prefix(text_.substr(begin, end - begin), kShown).size());
}

Columns::Cell SegmentRows::chunk(size_t number) const {
    if (number >= chunks_.size()) return outside_;  // also below 0
    return first_of(chunks_[number].begin, chunks_[number].end);
}

Columns::Cell SegmentRows::kind(const Place& place, Gap gap) {
    const auto [at, fresh] = kinds_.try_emplace(kind_of(place, gap));
    if (fresh) {
        std::string text;
        append_kind(text, at->first);
        at->second = columns_.keep(text);
    }
    return at->second;
}

void SegmentRows::find_chunks(size_t begin, size_t end) {
    chunks_.clear();
    chunk_ = 0;
    bool inside = false;
    for (size_t at = begin, round = 0; at < end; ++round) {
        StopCheck::every(round);
        const size_t from = at;
        const bool space = is_space(next_code_point(text_, at));
        if (!space && !inside) chunks_.push_back({from, from});
        if (!space) chunks_.back().end = at;
        inside = !space;
    }
}

void SegmentRows::add_row(const Place& place, size_t offset, Gap gap) {
    StopCheck::after(100);
    const size_t at = offset + place.at;
    while (chunks_[chunk_].end <= at) ++chunk_;
    const bool apart = place.gap != Gap::none;
    const size_t left = apart ? chunk_ - 1 : chunk_;
    columns_.add_cell(kind(place, gap));
    columns_.add_cell(gaps_[static_cast<size_t>(gap)]);
    columns_.add_cell(last_of(chunks_[left].begin, offset + place.before_end));
    columns_.add_cell(first_of(at, chunks_[chunk_].end));
    columns_.add_cell(left == 0 ? outside_ : last_of(chunks_[left - 1].begin, chunks_[left - 1].end));
    columns_.add_cell(chunk(chunk_ + 1));
    columns_.add_cell(chunk(chunk_ + 2));
}

}  // namespace sapwood

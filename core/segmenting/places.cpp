#include "segmenting/places.hpp"

#include "base/errors.hpp"

namespace sapwood {

namespace {

constexpr std::string_view kBeginsMarks = ".TS";
constexpr std::array kAllBegins = {Begins::nothing, Begins::token, Begins::sentence};

}  // namespace

void append_kind(std::string& out, uint64_t kind) {
    append_utf8(out, static_cast<char32_t>(kind >> 32));
    out += kGapMarks[kind & 0xFF];
    append_utf8(out, static_cast<char32_t>(kind >> 8 & 0xFFFFFF));
}

void SegmentChoices::count(const Place& place, Begins what) {
    if (place.rule) return;
    line_ends_ |= place.gap == Gap::line_end;
    ++counts_[kind_of(place, place.gap)][static_cast<size_t>(what)];
}

void SegmentChoices::settle(size_t rarity) {
    for (const auto& [kind, counts] : counts_) {
        const size_t total = counts[0] + counts[1] + counts[2];
        BeginsSet set = 0;
        for (Begins what : kAllBegins)
            if (counts[static_cast<size_t>(what)] * rarity > total) set |= set_of(what);
        add(kind, set);
    }
    counts_.clear();
}

void SegmentChoices::add(uint64_t kind, BeginsSet set) {
    sets_.emplace(kind, set);
    by_gap_[kind & 0xFF] |= set;
    line_ends_ |= (kind & 0xFF) == static_cast<uint64_t>(Gap::line_end);
}

std::string SegmentChoices::to_text() const {
    const std::map<uint64_t, BeginsSet> sorted(sets_.begin(), sets_.end());
    std::string text;
    for (const auto& [kind, set] : sorted) {
        append_kind(text, kind);
        for (Begins what : kAllBegins)
            if (set & set_of(what)) text += kBeginsMarks[static_cast<size_t>(what)];
        text += '\n';
    }
    return text;
}

SegmentChoices SegmentChoices::from_text(std::string_view text) {
    const auto broken = [] { return ModelError("its table of places is not one"); };
    if (find_invalid_utf8(text) != std::string_view::npos) throw broken();
    SegmentChoices choices;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        if (end == std::string_view::npos) throw broken();
        const uint64_t before = next_code_point(text, at);
        const size_t gap = at < end ? kGapMarks.find(text[at++]) : std::string_view::npos;
        if (gap == std::string_view::npos || at >= end) throw broken();
        const uint64_t after = next_code_point(text, at);
        BeginsSet set = 0;
        for (; at < end; ++at) {
            const size_t what = kBeginsMarks.find(text[at]);
            if (what == std::string_view::npos) throw broken();
            set |= set_of(kAllBegins[what]);
        }
        if (set == 0) throw broken();
        choices.add(before << 32 | after << 8 | gap, set);
        at = end + 1;
    }
    if (choices.by_gap_[0] == 0) choices.by_gap_[0] = set_of(Begins::nothing);
    if (choices.by_gap_[1] == 0) choices.by_gap_[1] = set_of(Begins::token);
    return choices;
}

}  // namespace sapwood

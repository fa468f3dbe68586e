// Places in a text where a token may begin, and what training data did at such places.
//
// Between two letters without a space an English token never begins, and before a letter after a space it always does.
// A segmenter learns and decides only where the data ever had a choice. In Chinese that is between all characters.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "segmenting/addresses.hpp"
#include "segmenting/list_lines.hpp"
#include "text/characters.hpp"
#include "text/graphemes.hpp"
#include "text/utf8.hpp"

namespace sapwood {

// What begins at a character: nothing, a token, or a sentence and its first token.
enum class Begins : uint8_t { nothing, token, sentence };

enum class Gap : uint8_t { none, space, line_end };
constexpr std::string_view kGapMarks = "-_/";  // as tables and rows show them

// A place between two characters that are no spaces.
struct Place {
    size_t before_end, at;          // where the character before it ends, and the one after it begins
    char32_t before, after;         // their classes (text/characters.hpp)
    Gap gap;                        // what is between them
    std::optional<Begins> rule;     // what begins there whatever the data say: at an item of a list
    std::optional<Begins> address;  // and whatever a tagger says: nothing inside an address, a token where it is closed
};

// The kind of a place: the two classes and the gap.
constexpr uint64_t kind_of(const Place& place, Gap gap) {
    return uint64_t{place.before} << 32 | uint64_t{place.after} << 8 | static_cast<uint64_t>(gap);
}
// Writes a kind as text: "a-." for a letter and a full stop without a gap.
void append_kind(std::string& out, uint64_t kind);

// Calls visit(place) for the places of a text from left to right: before each character that is no space and does not
// belong to the one before it, but the first. The text must be well-formed UTF-8; offsets count from its begin.
template <class Visit>
void each_place(std::string_view text, Visit&& visit) {
    Place place = {0, 0, 0, 0, Gap::none, {}, {}};
    Graphemes graphemes;
    ListLines list;
    Addresses addresses;
    for (size_t at = 0; at < text.size();) {
        place.at = at;
        const char32_t c = next_code_point(text, at);
        if (is_space(c)) {
            if (place.gap == Gap::none) place.gap = Gap::space;
            if (c == '\n' || c == '\r') place.gap = Gap::line_end;
            continue;
        }
        const bool first = place.before == 0;
        place.address.reset();
        if (addresses.pass(text, place.at, c))
            place.address = Begins::nothing;
        else if (place.gap == Gap::none && addresses.closed_by(place.at, c))
            place.address = Begins::token;
        if (first || place.gap == Gap::line_end)
            place.rule = list.begin(text, place.at) && !first ? std::optional(Begins::sentence) : std::nullopt;
        else if (place.gap == Gap::space)
            place.rule = list.pass_mark() ? std::optional(Begins::token) : std::nullopt;
        else
            place.rule.reset();
        if (!graphemes.extends(c, first || place.gap != Gap::none)) {
            place.after = character_class(c);
            if (!first) visit(static_cast<const Place&>(place));
            place.before = place.after;
        }
        place.before_end = at;
        place.gap = Gap::none;
    }
}

// A set of what may begin at a place, one bit each.
using BeginsSet = uint8_t;
constexpr BeginsSet set_of(Begins what) {
    return static_cast<BeginsSet>(1u << static_cast<unsigned>(what));
}

class SegmentChoices {
  public:
    // Learning: counts what begins at the places of training data, and ends counting. What begins at fewer than one in
    // `rarity` places of a kind is left out.
    void count(const Place& place, Begins what);
    void settle(size_t rarity);

    // A line for each kind of place: the class before it, the gap (-, _ or /), the class after it, and what may begin
    // there ('.' for nothing, T, S).
    std::string to_text() const;
    // Throws ModelError if the text is not of this form.
    static SegmentChoices from_text(std::string_view text);

    // What may begin at a place; at a kind of place that training data did not have, all that they have at such a gap.
    BeginsSet operator()(const Place& place) const {
        if (place.rule) return set_of(*place.rule);
        const auto at = sets_.find(kind_of(place, gap(place)));
        return at != sets_.end() ? at->second : by_gap_[static_cast<size_t>(gap(place))];
    }
    // What may begin at places of kinds that training data did not have, whatever their kind.
    SegmentChoices of_other_kinds() const {
        SegmentChoices others = *this;
        others.sets_.clear();
        return others;
    }
    // The gap at a place, where a line end is a space if training data have no line ends inside of paragraphs.
    Gap gap(const Place& place) const { return place.gap == Gap::line_end && !line_ends_ ? Gap::space : place.gap; }

  private:
    static constexpr size_t kGaps = kGapMarks.size();

    void add(uint64_t kind, BeginsSet set);

    bool line_ends_ = false;
    std::map<uint64_t, std::array<size_t, 3>> counts_;  // by kind, of each Begins
    std::unordered_map<uint64_t, BeginsSet> sets_;      // by kind
    std::array<BeginsSet, kGaps> by_gap_ = {};
};

}  // namespace sapwood

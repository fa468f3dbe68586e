// Templates for a parser's decisions: conjunctions of atoms, one per line, as papers list them.
//
//     S0w S0t N0w         the word and the tag on top of the stack together with the next word
//     # a comment
//
// An atom is a value from the decision's context, such as the tag of a nearby word, an earlier label or a distance.
// Each search names its atoms (S0w, h+1t, p2lc), and a line conjoins any of them. The value of an atom is 0 if it is
// missing, for example the tag of a child that does not exist; a line with a missing atom gives no feature.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace sapwood {

// Writes the key of a line and returns whether none of its atoms is missing.
inline bool make_key(uint64_t seed, std::span<const uint16_t> atoms, const uint64_t* values, uint64_t* to) {
    uint64_t key = seed;
    bool whole = true;
    for (const uint16_t atom : atoms) {
        whole &= values[atom] != 0;
        key = combine(key, values[atom]);
    }
    *to = key;
    return whole;
}

class Conjunctions {
  public:
    // Throws TemplateError "name:line: what" for an atom that is not in `atoms`, for a repeated line, and for a
    // template without lines. Lines with an atom that is `absent(name)` are left out.
    using Absent = bool (*)(std::string_view);
    Conjunctions(std::string_view text, const std::string& name, const std::vector<std::string>& atoms,
                 Absent absent = nullptr);

    size_t lines() const { return seeds_.size(); }
    uint64_t seed(size_t line) const { return seeds_[line]; }
    std::span<const uint16_t> atoms(size_t line) const {
        return {atoms_.data() + first_[line], atoms_.data() + first_[line + 1]};
    }

    // Writes the keys of a context's features to out[0], out[1], ... and returns how many there are, at most lines().
    // `values` has one value per atom.
    size_t keys(const uint64_t* values, uint64_t* out) const;

    // The same, with the line of each key.
    size_t keys(const uint64_t* values, uint64_t* out, uint32_t* lines) const;

    // Whether no atom of a line is missing.
    bool whole(size_t line, const uint64_t* values) const {
        const auto these = atoms(line);
        return std::none_of(these.begin(), these.end(), [&](uint16_t atom) { return values[atom] == 0; });
    }

    // The text of a feature, such as "S0w=saw S0t=VBD". `text_of` gives the text of an atom's value.
    std::string text(size_t line, const uint64_t* values, const std::function<std::string(uint64_t)>& text_of) const;

  private:
    bool key(size_t line, const uint64_t* values, uint64_t* to) const {
        return make_key(seeds_[line], atoms(line), values, to);
    }

    std::vector<std::string> names_;  // names of the atoms
    std::vector<uint64_t> seeds_;     // [lines] hash of the line's text
    std::vector<uint32_t> first_;     // [lines + 1] first atom of each line in atoms_
    std::vector<uint16_t> atoms_;     // atoms of all lines, by number
};

}  // namespace sapwood

// Features of a parser's decisions: conjunctions of atoms, one a line, as papers list them.
//
//     S0w S0t N0w         the word and the tag on top of the stack together with the next word
//     # a comment
//
// An atom is a value of the decision's context: the tag of a word near it, a label given before, a distance. Each
// search names its atoms (S0w, h+1t, p2lc); a line is any of them. An atom that has no value, such as the
// tag of a child that is not there, is 0, and lines with it are left out.
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

class Conjunctions {
  public:
    // Throws TemplateError "name:line: what" for an atom that is not in `atoms`, a line that is there already,
    // or when there is no line.
    Conjunctions(std::string_view text, const std::string& name, const std::vector<std::string>& atoms);

    size_t lines() const { return seeds_.size(); }
    uint64_t seed(size_t line) const { return seeds_[line]; }
    std::span<const uint16_t> atoms(size_t line) const {
        return {atoms_.data() + first_[line], atoms_.data() + first_[line + 1]};
    }

    // Writes the keys of a context's features to out[0..] and returns how many there are, at most lines().
    // values: one for each atom.
    size_t keys(const uint64_t* values, uint64_t* out) const;

    // The same for some of the lines.
    size_t keys(std::span<const uint32_t> lines, const uint64_t* values, uint64_t* out) const;

    // Whether none of a line's atoms is missing.
    bool whole(size_t line, const uint64_t* values) const {
        const auto these = atoms(line);
        return std::none_of(these.begin(), these.end(), [&](uint16_t atom) { return values[atom] == 0; });
    }

    // "S0w=saw S0t=VBD": the text of a feature; `text_of` gives the text of an atom's value.
    std::string text(size_t line, const uint64_t* values,
                     const std::function<std::string(uint64_t)>& text_of) const;

  private:
    // Writes the key of a line, and returns whether it counts: none of its atoms is missing.
    bool key(size_t line, const uint64_t* values, uint64_t* to) const {
        uint64_t key = seeds_[line];
        bool whole = true;
        for (uint16_t atom : atoms(line)) {
            whole &= values[atom] != 0;
            key = combine(key, values[atom]);
        }
        *to = key;
        return whole;
    }

    std::vector<std::string> names_;  // of the atoms
    std::vector<uint64_t> seeds_;     // [lines] hash of the line's text
    std::vector<uint32_t> first_;     // [lines + 1]
    std::vector<uint16_t> atoms_;
};

}  // namespace sapwood

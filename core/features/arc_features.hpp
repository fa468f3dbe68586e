// Features of arcs and of pairs of sibling arcs, for parsers that score all arcs (McDonald 2006, table 3.1).
//
//     h m              head and modifier
//     h-1 h+1 m-1 m+1  their neighbours in the sentence
//     b                a word between them; the line gives one feature for each different value of b
//     s                the next sibling of the modifier towards the head, or the boundary if there is none
//     + w l p s t c f  an attribute of that word (features/words.hpp), x y z of its cluster
//
// McDonald conjoins each feature with the arc's direction and distance. Here these are the outputs of a feature, so
// that one lookup serves all arcs: output 0 is the feature itself, and the others are its 14 conjunctions.
//
// A sentence of n words has n^2 arcs, so everything that depends on one word is computed once per word. Lines about
// only the head or only the modifier are scored n times. For other lines, the values of each word are combined in
// advance, which leaves one multiplication per key.
#pragma once
#include <string>
#include <vector>

#include "features/conjunctions.hpp"
#include "features/words.hpp"

namespace sapwood {

// The output for an arc's direction (left, right) and distance (1, 2, 3, 4, 5, 6-10, more).
inline uint32_t distance_output(size_t head, size_t modifier) {
    const size_t d = modifier > head ? modifier - head : head - modifier;
    const uint32_t bucket = d <= 5 ? static_cast<uint32_t>(d) - 1 : d <= 10 ? 5 : 6;
    return 1 + 2 * bucket + (modifier > head);
}
constexpr size_t kArcOutputs = 15;

class ArcFeatures {
  public:
    // Names of the atoms. `third` names the third word besides head and modifier: "b" or "s".
    static std::vector<std::string> atoms(const std::string& third);

    explicit ArcFeatures(Conjunctions conjunctions);

    // Prepares the features of a sentence. The methods below are about the sentence read last.
    void read(const Words& words);

    // Write the keys of the features of a head, a modifier, an arc, or an arc with a third word to out[0], out[1], ...
    // and return how many there are, at most lines().
    size_t head_keys(size_t h, uint64_t* out) const;
    size_t modifier_keys(size_t m, uint64_t* out) const;
    size_t arc_keys(size_t h, size_t m, uint64_t* out) const;
    size_t triple_keys(size_t h, size_t third, size_t m, uint64_t* out) const;
    // The same for an arc with every different word between head and modifier: at most lines() * |h - m| keys.
    size_t between_keys(size_t h, size_t m, uint64_t* out) const;

    size_t lines() const { return conjunctions_.lines(); }

    // A feature of an arc, with its template line and, if it looks at a third word, that word: enough to make its text.
    struct Found {
        uint64_t key;
        uint32_t line, third;
    };
    // The first appends the features of an arc itself, among them those of the words between its ends. The second appends
    // the features of an arc with a third word.
    void add_arc(size_t h, size_t m, std::vector<Found>& out) const;
    void add_triple(size_t h, size_t third, size_t m, std::vector<Found>& out) const;
    std::string text(const Found& found, const Words& words, size_t h, size_t m,
                     const std::function<std::string(uint64_t)>& text_of) const;

  private:
    std::vector<uint64_t> values(const Words& words, size_t h, size_t third, size_t m) const;

    struct Line {
        size_t number;                                // in conjunctions_
        std::vector<uint16_t> head, modifier, third;  // the atoms of each word
        // [n + 2] the combined values of a word's atoms, 0 if one is missing
        std::vector<uint64_t> heads, modifiers, thirds;
        std::vector<uint32_t> before;  // [n + 2] the closest word before with the same value in `thirds`, 0 if none
    };

    Conjunctions conjunctions_;
    std::vector<Line> head_, modifier_, arc_, triple_;  // the lines, grouped by the words that they mention
};

}  // namespace sapwood

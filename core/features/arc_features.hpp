// Features of arcs, and of neighbouring arcs, for parsers that score all of them (McDonald 2006, table 3.1).
//
//     h m              head and modifier
//     h-1 h+1 m-1 m+1  their neighbours in the sentence
//     b                a word between them: a line with it holds for each different value
//     s                the modifier's neighbour among the head's children, on the side of the head, or the
//                      boundary if there is none
//     + w l p s t c f  an attribute of that word (features/words.hpp)
//
// McDonald joins each feature with the arc's direction and distance. Here these are the outputs of a feature,
// so that one lookup serves all arcs: output 0 is the feature by itself, the others are its 14 conjunctions.
//
// n words have n^2 arcs, so what depends on one word is computed once: lines about the head or the modifier alone
// are scored n times; in the key of any other line the values of each word are folded before, which leaves
// one multiplication a key.
#pragma once
#include <string>
#include <vector>

#include "features/conjunctions.hpp"
#include "features/words.hpp"

namespace sapwood {

// Output of an arc's direction and distance: 1, 2, 3, 4, 5, 6-10, more; to the left or to the right.
inline uint32_t distance_output(size_t head, size_t modifier) {
    const size_t d = modifier > head ? modifier - head : head - modifier;
    const uint32_t bucket = d <= 5 ? static_cast<uint32_t>(d) - 1 : d <= 10 ? 5 : 6;
    return 1 + 2 * bucket + (modifier > head);
}
constexpr size_t kArcOutputs = 15;

class ArcFeatures {
  public:
    // Names of the atoms; `third` is the word beside head and modifier: "b" or "s".
    static std::vector<std::string> atoms(const std::string& third);

    explicit ArcFeatures(Conjunctions conjunctions);

    // Takes in a sentence.
    void read(const Words& words);

    // Keys of the features of one head, one modifier, an arc, and an arc with a third word, written from out[0]
    // on. Each returns how many there are, at most lines().
    size_t head_keys(size_t h, uint64_t* out) const;
    size_t modifier_keys(size_t m, uint64_t* out) const;
    size_t arc_keys(size_t h, size_t m, uint64_t* out) const;
    size_t triple_keys(size_t h, size_t third, size_t m, uint64_t* out) const;
    // Those of an arc with all different words between: at most lines() * |h - m|.
    size_t between_keys(size_t h, size_t m, uint64_t* out) const;

    size_t lines() const { return conjunctions_.lines(); }

    // The text of a feature that has this key and is about these words.
    std::string text(uint64_t key, const Words& words, size_t h, size_t third, size_t m,
                     const std::function<std::string(uint64_t)>& text_of) const;

  private:
    struct Line {
        size_t number;                                // in conjunctions_
        std::vector<uint16_t> head, modifier, third;  // atoms
        // The values of a word's atoms in one, 0 if one is missing; seeded for heads. [n + 2]
        std::vector<uint64_t> heads, modifiers, thirds;
        std::vector<uint32_t> before;  // [n + 2] the last word before that has the same third value, 0: none
    };

    Conjunctions conjunctions_;
    std::vector<Line> head_, modifier_, arc_, triple_;  // by the words that they are about
};

}  // namespace sapwood

// Non-projective trees, for searches that know only projective ones: pseudo-projective parsing.
//
// An arc h -> m is projective if every word between h and m is a descendant of h; the root 0 stands left of
// all words. Nivre & Nilsson (2005), section 2, make a tree projective by lifting: a word whose arc is not is
// attached to its head's head, the shortest such arc first (the leftmost of equally short ones), until
// none is left. So that a parser can learn where the words came from, a lifted word's label becomes "d↑h"
// (their encoding Head): d is its own relation, h that of the head it was lifted from. On the way back each
// marked word looks below its present head for the first word with relation h, breadth first and left to
// right, and hangs itself there.
#pragma once
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "search/tree.hpp"
#include "text/label_set.hpp"

namespace sapwood {

constexpr std::string_view kLiftMark = "\xE2\x86\x91";  // ↑

// The words whose arcs are not projective, in order. Linear in the length of the sentence.
std::vector<uint32_t> non_projective_words(const Tree& tree);
bool is_projective(const Tree& tree);

// Lifts words until the tree is projective and marks their labels. Returns how many words were lifted.
size_t projectivise(Tree& tree, LabelSet& labels);

// Labels taken apart, once for a whole set, so that the way back handles numbers only.
class LiftedLabels {
  public:
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
    struct Parts {
        uint32_t plain;  // d
        uint32_t head;   // h; kNone if no word can have it
        bool lifted;
    };

    explicit LiftedLabels(LabelSet& labels);  // adds the d that the set lacks
    const Parts& operator[](uint32_t label) const { return parts_[label]; }

  private:
    std::vector<Parts> parts_;  // [labels]
};

// Attaches marked words as their labels say, words nearer the root first, and takes off all marks. A word that
// finds no head as it says stays where it is. Any label of the set is taken, also malformed ones.
void deprojectivise(Tree& tree, const LiftedLabels& labels);

}  // namespace sapwood

// Pseudo-projective parsing: non-projective trees for searches that build only projective ones.
//
// An arc h -> m is projective if every word between h and m is a descendant of h; the root 0 stands to the left of all
// words. Nivre & Nilsson (2005), section 2, make a tree projective by lifting: a word whose arc is not projective is
// attached to the head of its head, the shortest such arc first (the leftmost of equally short ones), until all arcs
// are projective. To let a parser learn the original heads, the label of a lifted word becomes "d↑h" (their encoding
// Head), where d is the word's own relation and h the relation of the head from which it was lifted. The inverse
// searches the descendants of the word's present head, breadth first and from left to right, for the first word with
// relation h, and attaches the word to it.
#pragma once
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "search/tree.hpp"
#include "text/label_set.hpp"

namespace sapwood {

constexpr std::string_view kLiftMark = "\xE2\x86\x91";  // ↑

// The words whose arcs are not projective, in order. Takes time linear in the length of the sentence.
std::vector<uint32_t> non_projective_words(const Tree& tree);
bool is_projective(const Tree& tree);

// Lifts words until the tree is projective and marks their labels. Returns how many words were lifted.
size_t projectivise(Tree& tree, LabelSet& labels);

// The labels of a set, each split into the parts of "d↑h". Splitting once lets deprojectivise work with numbers only.
class LiftedLabels {
  public:
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
    struct Parts {
        uint32_t plain;  // d
        uint32_t head;   // h; kNone if there is no mark, or if h is not in the set
        bool lifted;
    };

    explicit LiftedLabels(LabelSet& labels);  // adds each relation d that is missing in the set
    const Parts& operator[](uint32_t label) const { return parts_[label]; }

  private:
    std::vector<Parts> parts_;  // [labels]
};

// Attaches the marked words as described above, those nearer to the root first, and removes all marks. A word for which
// no such head is found keeps its present head. Malformed labels are accepted.
void deprojectivise(Tree& tree, const LiftedLabels& labels);

}  // namespace sapwood

// The context for labelling an arc of a finished tree (the second stage of McDonald, Lerman & Pereira 2006).
//
//     h m g             head, modifier, head of the head
//     h-1 h+1 m-1 m+1   the neighbours of head and modifier in the sentence
//     ml mr             outermost children of the modifier; mvl mvr the number of its children on each side
//     i o               the head's next child on the inner and on the outer side of the modifier
//     d                 direction and distance of the arc
//     + w l p s t c f   an attribute of that word (features/words.hpp), x y z of its cluster
#pragma once
#include <string>
#include <vector>

#include "features/words.hpp"
#include "search/tree.hpp"

namespace sapwood {

class ArcLabelContext {
  public:
    static std::vector<std::string> atoms();

    // Prepares a tree, whose heads must be set.
    void look(const Tree& tree);

    // The values of the atoms, in their order, for the arc to a modifier. Valid until the next call.
    const uint64_t* values(const Words& words, uint32_t modifier);

  private:
    struct Family {
        uint32_t leftmost = 0, rightmost = 0;  // outermost children
        uint32_t lefts = 0, rights = 0;        // numbers of children
        uint32_t inner = 0, outer = 0;         // adjacent siblings on the same side of the head
    };

    const Tree* tree_ = nullptr;
    std::vector<Family> families_;  // [n + 1]
    std::vector<uint64_t> values_;
};

}  // namespace sapwood

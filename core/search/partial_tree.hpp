// The children that a word has got so far, with the properties that a parser's features use, and the tree that is made of
// them. The children of a word must be attached from the inside out.
#pragma once
#include <cstdint>
#include <vector>

#include "search/tree.hpp"

namespace sapwood {

enum class Side : uint8_t { left, right };

struct Child {
    uint32_t word = 0, label = 0;  // word 0: there is none
};

// The children on one side of a word.
struct SideChildren {
    Child outermost, second;
    uint64_t labels = 0;  // set of their labels, one bit per hash bucket
    uint16_t count = 0;

    void attach(Child child, uint64_t label_hash) {
        second = outermost;
        outermost = child;
        ++count;
        labels |= uint64_t{1} << (label_hash >> 58);
    }
};

struct Children {
    SideChildren left, right;
};

class PartialTree {
  public:
    struct Node {
        uint32_t head = 0, label = 0;
        Children children;
    };

    void start(size_t words) { nodes_.assign(words + 1, Node{}); }

    size_t words() const { return nodes_.size() - 1; }
    const Node& node(uint32_t word) const { return nodes_[word]; }

    // `side` is the side of the head on which the modifier stands.
    void attach(uint32_t head, uint32_t modifier, Side side, uint32_t label, uint64_t label_hash) {
        nodes_[modifier].head = head;
        nodes_[modifier].label = label;
        Children& children = nodes_[head].children;
        (side == Side::left ? children.left : children.right).attach({modifier, label}, label_hash);
    }

    void tree(Tree& out) const {
        out.resize(words());
        for (size_t m = 1; m <= words(); ++m) {
            out.heads[m] = nodes_[m].head;
            out.labels[m] = nodes_[m].label;
        }
    }

  private:
    std::vector<Node> nodes_;  // [words + 1]
};

}  // namespace sapwood

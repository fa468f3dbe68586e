// The arcs that a parser has built so far, and what its features ask about them: each word's outermost children and
// how many there are. A word's children must be attached from the inside out.
#pragma once
#include <cstdint>
#include <vector>

#include "search/tree.hpp"

namespace sapwood {

enum class Side : uint8_t { left, right };

class PartialTree {
  public:
    // 0 stands for "no word" where a child is asked for.
    struct Node {
        uint32_t head = 0, label = 0;
        uint32_t left[2] = {}, right[2] = {};        // outermost child and the one before it, on either side
        uint16_t lefts = 0, rights = 0;              // children
        uint64_t left_labels = 0, right_labels = 0;  // of the children, as a set
    };

    void start(size_t words) { nodes_.assign(words + 1, Node{}); }

    size_t words() const { return nodes_.size() - 1; }
    const Node& node(uint32_t word) const { return nodes_[word]; }

    // side: on which side of its head the modifier is counted.
    void attach(uint32_t head, uint32_t modifier, Side side, uint32_t label, uint64_t label_hash) {
        nodes_[modifier].head = head;
        nodes_[modifier].label = label;
        Node& h = nodes_[head];
        uint32_t* children = side == Side::left ? h.left : h.right;
        children[1] = children[0];
        children[0] = modifier;
        ++(side == Side::left ? h.lefts : h.rights);
        (side == Side::left ? h.left_labels : h.right_labels) |= uint64_t{1} << (label_hash >> 58);
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

// The arcs that a parser has built so far, with the properties that its features use: each word's outermost children
// and their number. The children of a word must be attached from the inside out.
#pragma once
#include <cstdint>
#include <vector>

#include "search/tree.hpp"

namespace sapwood {

enum class Side : uint8_t { left, right };

class PartialTree {
  public:
    // For children, 0 means that there is none.
    struct Node {
        uint32_t head = 0, label = 0;
        uint32_t left[2] = {}, right[2] = {};        // outermost and second outermost child on each side
        uint16_t lefts = 0, rights = 0;              // number of children on each side
        uint64_t left_labels = 0, right_labels = 0;  // set of the children's labels, one bit per hash bucket
    };

    void start(size_t words) { nodes_.assign(words + 1, Node{}); }

    size_t words() const { return nodes_.size() - 1; }
    const Node& node(uint32_t word) const { return nodes_[word]; }

    // `side` is the side of the head on which the modifier stands.
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

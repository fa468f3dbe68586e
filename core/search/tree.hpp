// A dependency tree over the words 1..n of a sentence and the root 0. Every word has one head, and following the heads
// from any word leads to 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

struct Tree {
    std::vector<uint32_t> heads;   // [n + 1] heads[0] is not used
    std::vector<uint32_t> labels;  // [n + 1] number of the relation to the head; labels[0] is not used

    void resize(size_t words) {
        heads.assign(words + 1, 0);
        labels.assign(words + 1, 0);
    }
    size_t words() const { return heads.empty() ? 0 : heads.size() - 1; }
};

// The labels that a parser chooses from: separate lists, taken from the training data, for arcs from the root, arcs to
// the left and arcs to the right.
struct Relations {
    std::vector<uint64_t> hashes;    // [labels] hashes of the names
    std::vector<uint32_t> of_root;   // labels of the root's children, ascending
    std::vector<uint32_t> of_left;   // labels of words to the left of their heads, ascending
    std::vector<uint32_t> of_right;  // labels of words to the right of their heads, ascending

    size_t size() const { return hashes.size(); }
    const std::vector<uint32_t>& of(size_t head, size_t modifier) const {
        return head == 0 ? of_root : modifier < head ? of_left : of_right;
    }

    // The relations of a parser that does not label its arcs: every arc has label 0.
    static Relations unlabelled() { return {{1}, {0}, {0}, {0}}; }
};

}  // namespace sapwood

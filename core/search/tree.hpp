// A dependency tree over the words 1..n of a sentence; 0 is the root above them. Every word has one head,
// following the heads from any word ends at 0.
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

}  // namespace sapwood

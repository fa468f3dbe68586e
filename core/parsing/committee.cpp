#include "parsing/committee.hpp"

#include <algorithm>

namespace sapwood {

size_t chosen_member(const std::vector<std::vector<Tree>>& trees, size_t sentence) {
    size_t chosen = 0, most = 0;
    for (size_t k = 0; k < trees.size(); ++k) {
        size_t common = 0;
        for (const std::vector<Tree>& other : trees)
            for (size_t m = 1; m <= trees[k][sentence].words(); ++m)
                common += has_arc(other[sentence], trees[k][sentence], m);
        if (common > most) chosen = k, most = common;
    }
    return chosen;
}

void turn(Tree& tree) {
    const auto end = static_cast<uint32_t>(tree.words() + 1);
    for (uint32_t& head : tree.heads)
        if (head != 0) head = end - head;
    if (end == 1) return;
    std::reverse(tree.heads.begin() + 1, tree.heads.end());
    std::reverse(tree.labels.begin() + 1, tree.labels.end());
}

}  // namespace sapwood

// All dependency trees of a few words, by the definition of a tree and of projectivity.
#pragma once
#include <cstdint>
#include <vector>

using Heads = std::vector<uint32_t>;  // [n + 1] the head of each word; [0] is 0

// Whether following the heads leads from m to h; in a cycle without h, no.
inline bool dominates(const Heads& heads, size_t h, size_t m) {
    for (size_t steps = 0; steps < heads.size(); ++steps, m = heads[m]) {
        if (m == h) return true;
        if (m == 0) return false;
    }
    return false;
}

// Each word hangs below the root, and each arc spans descendants of its head only.
inline bool projective_tree(const Heads& heads) {
    for (size_t m = 1; m < heads.size(); ++m) {
        if (!dominates(heads, 0, m)) return false;
        const size_t h = heads[m];
        for (size_t between = std::min(h, m) + 1; between < std::max(h, m); ++between)
            if (!dominates(heads, h, between)) return false;
    }
    return true;
}

inline size_t root_children(const Heads& heads) {
    size_t children = 0;
    for (size_t m = 1; m < heads.size(); ++m) children += heads[m] == 0;
    return children;
}

inline std::vector<Heads> projective_trees(size_t n, bool single_root) {
    std::vector<Heads> trees;
    Heads heads(n + 1, 0);
    for (;;) {
        if (projective_tree(heads) && (!single_root || root_children(heads) == 1)) trees.push_back(heads);
        size_t m = 1;  // count up in base n + 1
        while (m <= n && heads[m] == n) heads[m++] = 0;
        if (m > n) return trees;
        ++heads[m];
    }
}

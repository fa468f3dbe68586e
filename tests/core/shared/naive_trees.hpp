// Enumerates the dependency trees of a few words, by the definitions of a tree and of projectivity.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

using Heads = std::vector<uint32_t>;  // [n + 1] the head of each word; [0] is 0

// Whether following the heads leads from m to h. False in a cycle without h.
inline bool dominates(const Heads& heads, size_t h, size_t m) {
    for (size_t steps = 0; steps < heads.size(); ++steps, m = heads[m]) {
        if (m == h) return true;
        if (m == 0) return false;
    }
    return false;
}

// Whether each word is a descendant of the root and each arc spans only descendants of its head.
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

// The score of the best tree, literally by Eisner's recurrences, for sentences with too many trees to enumerate. arc(h,
// m) is the score of an arc. The root may have any number of children.
template <class Arc>
double naive_eisner(size_t n, Arc&& arc) {
    using Chart = std::vector<std::vector<double>>;  // [s][t]
    const Chart empty(n + 1, std::vector<double>(n + 1, 0));
    Chart C_right = empty, C_left = empty, I_right = empty, I_left = empty;
    const double none = -std::numeric_limits<double>::infinity();
    for (size_t w = 1; w <= n; ++w)
        for (size_t s = 0, t = w; t <= n; ++s, ++t) {
            double both = none, right = none, left = none;
            for (size_t r = s; r < t; ++r) both = std::max(both, C_right[s][r] + C_left[r + 1][t]);
            I_right[s][t] = both + arc(s, t);
            I_left[s][t] = s == 0 ? none : both + arc(t, s);
            for (size_t r = s + 1; r <= t; ++r) right = std::max(right, I_right[s][r] + C_right[r][t]);
            for (size_t r = s; r < t; ++r) left = std::max(left, C_left[s][r] + I_left[r][t]);
            C_right[s][t] = right;
            C_left[s][t] = left;
        }
    return C_right[0][n];
}

// The parts whose scores add up to a tree's score, for training and for explanations: arcs, and in order 2 also each arc
// with the neighbouring child of the same head on the side of the head.
#pragma once
#include <cstdint>
#include <vector>

#include "search/tree.hpp"

namespace sapwood {

// For each word the child of the same head before it, counted from the head outwards on its side; the boundary
// n + 1 for the first.
inline std::vector<uint32_t> inner_siblings(const Tree& tree) {
    const auto n = static_cast<uint32_t>(tree.words());
    std::vector<uint32_t> inner(n + 1), last(n + 1, n + 1);
    const auto visit = [&](uint32_t m) {
        inner[m] = last[tree.heads[m]];
        last[tree.heads[m]] = m;
    };
    for (uint32_t m = 1; m <= n; ++m)
        if (tree.heads[m] < m) visit(m);
    last.assign(n + 1, n + 1);
    for (uint32_t m = n; m >= 1; --m)
        if (tree.heads[m] > m) visit(m);
    return inner;
}

// Calls arc(h, m) and, with siblings, sibling(h, s, m) for the parts of a tree that another one does not have. The
// sibling s is the boundary n + 1 if there is none.
template <class Arc, class Sibling>
void each_own_part(const Tree& tree, const Tree& other, bool siblings, Arc&& arc, Sibling&& sibling) {
    std::vector<uint32_t> inner, other_inner;
    if (siblings) inner = inner_siblings(tree), other_inner = inner_siblings(other);
    for (uint32_t m = 1; m <= tree.words(); ++m) {
        const uint32_t h = tree.heads[m];
        const bool same = h == other.heads[m];
        if (!same) arc(h, m);
        if (siblings && !(same && inner[m] == other_inner[m])) sibling(h, inner[m], m);
    }
}

}  // namespace sapwood

// The tree that a committee of parsers gives a sentence: that of the member with most arcs, and their relations, in common
// with the others.
//
// Members differ in their search and in the direction in which they read, so they make different mistakes (Sagae & Lavie
// 2006 build a new tree of the arcs that most members have, which gives hardly more and may have several roots).
#pragma once
#include <cstddef>
#include <vector>

#include "search/tree.hpp"

namespace sapwood {

inline bool has_arc(const Tree& tree, const Tree& of, size_t word) {
    return tree.heads[word] == of.heads[word] && tree.labels[word] == of.labels[word];
}

// The member whose tree of a sentence has most arcs in common with those of the others; the first of equal ones.
// trees: [members][sentences], at least one.
size_t chosen_member(const std::vector<std::vector<Tree>>& trees, size_t sentence);

// The tree of a sentence that is read from its end, and the other way round.
void turn(Tree& tree);

}  // namespace sapwood

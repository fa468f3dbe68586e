// A binary tree over word classes (Brown et al. 1992): the two classes whose merging loses least of the average mutual
// information of neighbouring classes become one, until one is left. Its bit string is a class's path from the root.
//
// With counts N as in clustering/exchange.hpp and h(n) = n log n, merging i and j loses
//
//     sum_{c not i, j} t_c(i, j) + h(N(i, i)) + h(N(i, j)) + h(N(j, i)) + h(N(j, j)) - h(N(i, i) + N(i, j) + N(j, i) + N(j, j))
//         - 2 (h(N(i)) + h(N(j)) - h(N(i) + N(j))),
//     t_c(i, j) = h(N(i, c)) + h(N(j, c)) - h(N(i, c) + N(j, c)) + h(N(c, i)) + h(N(c, j)) - h(N(c, i) + N(c, j)).
//
// The loss of every pair is stored. A merger of a and b changes the loss of another pair by three terms: t_a and t_b go,
// t of the new class comes. So a merger takes n^2 steps and the tree n^3.
#pragma once
#include <string>
#include <vector>

#include "clustering/exchange.hpp"

namespace sapwood {

class ClassTree {
  public:
    explicit ClassTree(const Exchange& exchange);

    // Merges two classes, and returns whether there is more than one left. Of pairs that lose as little the first one is
    // taken.
    bool merge();

    size_t left() const { return alive_.size(); }

    // After the last merger: the bit string of each class, "" for the boundary and for unknown words. The class
    // with the lower number is the child 0.
    std::vector<std::string> strings() const;

  private:
    struct Pair {
        uint32_t kept, merged;
    };

    int64_t& loss(uint32_t i, uint32_t j) { return losses_[std::min(i, j) * classes_ + std::max(i, j)]; }
    uint64_t count(uint32_t i, uint32_t j) const { return counts_[i * classes_ + j]; }
    int64_t term(uint32_t c, uint32_t i, uint32_t j) const;
    int64_t whole_loss(uint32_t i, uint32_t j) const;

    size_t classes_;
    const EntropyTable& h_;
    std::vector<uint64_t> counts_;   // [classes][classes]
    std::vector<uint64_t> members_;  // [classes]
    std::vector<int64_t> losses_;    // [classes][classes] of i < j
    std::vector<uint32_t> alive_;    // classes to be merged, ascending
    std::vector<uint32_t> beside_;   // those, and the ones that are never merged
    std::vector<Pair> mergers_;
};

}  // namespace sapwood

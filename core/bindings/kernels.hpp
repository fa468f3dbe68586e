// Types that the bindings of kernels and of the learners in dual form share.
#pragma once
#include <nanobind/nanobind.h>

#include <vector>

#include "bindings/bindings.hpp"
#include "kernel/subsequence_kernel.hpp"
#include "kernel/tree_kernel.hpp"

namespace sapwood::bindings {

// The numbering of labels, words and productions that compared trees share.
struct TreeTable {
    Symbols symbols;
    Productions productions;
};

struct KernelTrees {
    std::vector<KernelTree> trees;
};

// Sequences of 32-bit symbols, each given as the bytes of an array.
inline std::vector<SubsequenceKernel::Item> sequences_of(const std::vector<nanobind::bytes>& each) {
    std::vector<SubsequenceKernel::Item> items;
    for (const nanobind::bytes& bytes : each) items.push_back(numbers_of<uint32_t>(bytes));
    return items;
}

}  // namespace sapwood::bindings

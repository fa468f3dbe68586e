// What the bindings of kernels and of what learns with them share.
#pragma once
#include <nanobind/nanobind.h>

#include <cstring>
#include <vector>

#include "bindings/bindings.hpp"
#include "kernel/subsequence_kernel.hpp"
#include "kernel/tree_kernel.hpp"

namespace sapwood::bindings {

// What trees that are compared share.
struct TreeTable {
    Symbols symbols;
    Productions productions;
};

struct KernelTrees {
    std::vector<KernelTree> trees;
};

// Numbers in the bytes of an array.
template <class T>
std::vector<T> numbers_of(const nanobind::bytes& bytes) {
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(T));
    return numbers;
}

template <class T>
nanobind::bytes bytes_of_numbers(const std::vector<T>& numbers) {
    return nanobind::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

// Sequences of 32-bit symbols, each in the bytes of an array.
inline std::vector<SubsequenceKernel::Item> sequences_of(const std::vector<nanobind::bytes>& each) {
    std::vector<SubsequenceKernel::Item> items;
    for (const nanobind::bytes& bytes : each) items.push_back(numbers_of<uint32_t>(bytes));
    return items;
}

}  // namespace sapwood::bindings

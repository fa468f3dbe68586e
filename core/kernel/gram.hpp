// Gram matrices: the kernel of every pair of examples from two lists, computed in parallel. The values do not depend on
// the number of threads.
//
// A kernel type has a type Item, the objects that it compares, and a type Row. Each thread makes a Row from the kernel,
// fixes one item in it and compares the others with that item. Its advice() says what makes values smaller.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/threads.hpp"

namespace sapwood {

// The advice of kernels with a decay.
inline std::string lower_decay(double decay) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", decay);
    return std::string("lower its decay of ") + text;
}

// Returns the value. Throws DataError with the advice of a kernel if it is not a finite number.
template <class Advises>
double finite_kernel(const Advises& kernel, double value, size_t a, size_t b) {
    if (!std::isfinite(value))
        throw DataError("the kernel of examples " + std::to_string(a + 1) + " and " + std::to_string(b + 1) +
                        " is larger than a number can be; " + kernel.advice());
    return value;
}

// The norm sqrt(K(x, x)) of each item. Throws DataError if a kernel is not a finite number.
template <class Kernel, class Items>
std::vector<double> kernel_norms(const Kernel& kernel, const Items& items, size_t threads) {
    std::vector<double> norms(items.size());
    for_each_sentence(items.size(), threads, [&] {
        return [&, row = typename Kernel::Row(kernel)](size_t k) mutable {
            row.fix(items[k]);
            norms[k] = std::sqrt(finite_kernel(kernel, row(items[k]), k, k));
        };
    });
    return norms;
}

// The matrix [a][b] of K(a, b), or, normalised, of K(a, b) / sqrt(K(a, a) K(b, b)), where 0 / 0 counts as 0. If a and b
// are the same object, one half is computed and mirrored. Throws DataError if a kernel is not a finite number.
template <class Kernel, class Items>
std::vector<double> gram(const Kernel& kernel, const Items& a, const Items& b, bool normalise, size_t threads) {
    constexpr size_t strip = 32;  // number of cells of a row that form one task
    const size_t rows = a.size(), columns = b.size(), strips = (columns + strip - 1) / strip;
    const bool symmetric = &a == &b;
    std::vector<double> norms_a, norms_b;
    if (normalise) {
        norms_a = kernel_norms(kernel, a, threads);
        norms_b = symmetric ? norms_a : kernel_norms(kernel, b, threads);
    }
    const auto ratio = [&](double k, size_t i, size_t j) {
        return norms_a[i] == 0 || norms_b[j] == 0 ? 0 : k / norms_a[i] / norms_b[j];
    };
    std::vector<double> cells(rows * columns);
    for_each_sentence(
        rows * strips, threads,
        [&] {
            return [&, row = typename Kernel::Row(kernel)](size_t item) mutable {
                const size_t i = item % rows, begin = item / rows * strip;  // a strip of b stays in cache
                const size_t end = std::min(begin + strip, columns);
                if (symmetric && end <= i) return;
                row.fix(a[i]);
                for (size_t j = symmetric ? std::max(begin, i) : begin; j < end; ++j) {
                    const double k = finite_kernel(kernel, row(b[j]), i, j);
                    const double cell = normalise ? ratio(k, i, j) : k;
                    cells[i * columns + j] = cell;
                    if (symmetric) cells[j * columns + i] = cell;
                }
            };
        },
        1);
    return cells;
}

}  // namespace sapwood

// std::sort that looks whether to stop (base/stop_check.hpp) if there is much to sort.
#pragma once
#include <algorithm>
#include <functional>

#include "base/stop_check.hpp"

namespace sapwood {

template <class Range, class Before = std::less<>>
void long_sort(Range& range, Before before = {}) {
    constexpr size_t few = 1 << 16;
    if (range.size() < few) return std::sort(range.begin(), range.end(), before);
    std::sort(range.begin(), range.end(), [&before](const auto& a, const auto& b) {
        StopCheck::after(8);
        return before(a, b);
    });
}

}  // namespace sapwood

#include "learner/violation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/long_sort.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

namespace {

// Sorts the parts by their 64-bit `weight` field: radix sort from the lowest byte on, without bytes that are the same in
// all parts.
void sort_bytes(std::vector<Violation::Part>& parts, std::vector<Violation::Part>& scratch) {
    uint32_t count[8][256] = {};
    for (const Violation::Part& part : parts)
        for (unsigned byte = 0; byte < 8; ++byte) ++count[byte][part.weight >> 8 * byte & 255];
    scratch.resize(parts.size());
    for (unsigned byte = 0; byte < 8; ++byte) {
        uint32_t* next = count[byte];
        if (next[parts[0].weight >> 8 * byte & 255] == parts.size()) continue;
        uint32_t before = 0;
        for (unsigned value = 0; value < 256; ++value) before += std::exchange(next[value], before);
        StopCheck::every(byte, parts.size());
        for (const Violation::Part& part : parts) scratch[next[part.weight >> 8 * byte & 255]++] = part;
        parts.swap(scratch);
    }
}

}  // namespace

void Violation::condense() {
    constexpr size_t few = 256;  // fewer parts are sorted faster by comparing them
    const auto before = [](const Part& a, const Part& b) { return a.weight < b.weight; };
    // The order of equal weights decides how a sum of fractions is rounded, but not one of whole numbers.
    const auto is_whole = [](const Part& part) { return part.delta == std::trunc(part.delta); };
    if (std::is_sorted(parts_.begin(), parts_.end(), before)) {
    } else if (parts_.size() < few || !std::all_of(parts_.begin(), parts_.end(), is_whole)) {
        long_sort(parts_, before);
    } else {
        sort_bytes(parts_, scratch_);
    }
    size_t kept = 0;
    for (size_t k = 0; k < parts_.size();) {
        Part sum = parts_[k];
        for (++k; k < parts_.size() && parts_[k].weight == sum.weight; ++k) sum.delta += parts_[k].delta;
        if (sum.delta != 0) parts_[kept++] = sum;
    }
    parts_.resize(kept);
}

double dot(const Violation& a, const Violation& b) {
    double sum = 0;
    auto q = b.parts_.begin();
    for (const Violation::Part& p : a.parts_) {
        while (q != b.parts_.end() && q->weight < p.weight) ++q;
        if (q != b.parts_.end() && q->weight == p.weight)
            sum += static_cast<double>(p.delta) * static_cast<double>(q->delta);
    }
    return sum;
}

}  // namespace sapwood

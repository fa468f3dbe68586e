// Sums of rows are those of plain loops in the order of the rows, to the bit, for every type and width.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/sum_rows.hpp"
#include "check.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

// `most`: no weight is larger.
template <class W, class S>
void test_sums(Random& random, int most) {
    for (const size_t width : {1u, 16u, 17u, 40u, 64u, 100u, 128u, 129u, 176u, 299u}) {
        const size_t stride = padded(width) + kLanes, rows = 9;
        AlignedVector<W> base(rows * stride);
        for (W& w : base)
            w = static_cast<W>(random.between(-most, most)) / static_cast<W>(std::is_same_v<W, float> ? 7 : 1);
        std::fill_n(base.begin(), stride, static_cast<W>(-most));
        for (const size_t n : {0u, 1u, 2u, 7u, 256u}) {
            std::vector<uint32_t> chosen(n);  // the first row, with the largest sums, or any
            if (random.chance(2))
                for (uint32_t& row : chosen) row = static_cast<uint32_t>(random.below(rows));
            AlignedVector<S> sums(padded(width), S{77});
            sum_rows(base.data(), stride, chosen.data(), n, width, sums.data());
            for (size_t y = 0; y < width; ++y) {
                S expected = 0;
                for (const uint32_t row : chosen) expected = static_cast<S>(expected + base[row * stride + y]);
                CHECK_EQ(sums[y], expected);
            }
        }
    }
}

// More rows of int8 than 16 bits have room for the sums of.
void test_many_rows() {
    const std::vector<uint32_t> rows(100000, 0);
    for (const size_t width : {5u, 70u}) {
        const AlignedVector<int8_t> base(padded(width), int8_t{-127});
        AlignedVector<int32_t> sums(padded(width));
        sum_rows(base.data(), padded(width), rows.data(), rows.size(), width, sums.data());
        for (size_t y = 0; y < width; ++y) CHECK_EQ(sums[y], -12700000);
    }
}

}  // namespace

int main() {
    Random random(1);
    test_sums<float, float>(random, 100);
    test_sums<int8_t, int32_t>(random, 127);
    test_sums<int16_t, int32_t>(random, 32767);
    test_sums<int32_t, int32_t>(random, 1000000);
    test_sums<int8_t, int16_t>(random, 127);
    test_sums<int16_t, int16_t>(random, 100);
    test_many_rows();
    return check::failures();
}

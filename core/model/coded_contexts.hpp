// What writers and readers of coded tables (model/coded_table.hpp) agree on: alphabets, contexts, and the order in which
// weights are visited.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "base/rans.hpp"
#include "base/stop_check.hpp"

namespace sapwood::table_code {

// No array is shorter than this, so that a few bytes cannot ask for much memory.
constexpr uint64_t kMostWeightsPerByte = 32, kMostKeysPerByte = 8;

// The number of plain bits in the code of a gap between keys: a few less than a gap of average size has.
inline unsigned gap_bits(unsigned key_bits, uint64_t count) {
    const auto used = static_cast<unsigned>(std::bit_width(count)) + 2;
    return key_bits > used ? key_bits - used : 1;
}

// The number of plain bits in the code of an output: 0 in tables of up to 1,024 outputs.
inline unsigned output_low_bits(uint64_t width) {
    return std::max(10u, bits_for(width - 1)) - 10;
}
inline uint32_t output_alphabet(uint64_t width) {
    return static_cast<uint32_t>((width - 1) >> output_low_bits(width)) + 1;
}

struct OutputContext {
    static ContextTree tree(uint32_t alphabet) { return {alphabet + 1, 3}; }
    uint32_t outer = 0;  // 0, or 1 + the symbol before

    size_t of(uint32_t to_come) const { return size_t{outer} * 3 + std::min(to_come, 3u) - 1; }
};

// The context of a weight. Outer: the size of its feature, at most 6, and whether the weight is the last of several.
// Inner: the sign and the number of bits, at most 7, of the sum of the feature's weights before it. The sum is divided by
// 256 if weights have 16 bits.
struct WeightContext {
    static constexpr unsigned kSizes = 6, kWidths = 8, kFarthest = 64;
    static constexpr ContextTree kTree{2 * kSizes, 3 * kWidths};
    int64_t sum = 0;

    template <class W>
    size_t of(uint32_t size, bool last) const {
        constexpr int64_t unit = sizeof(W) == 1 ? 1 : 256, farthest = kFarthest;
        const int64_t units = std::clamp(sum / unit, -farthest, farthest);
        return kTree.at((last ? kSizes : 0) + std::min(size, kSizes) - 1,
                        kInner[static_cast<size_t>(units + farthest)]);
    }

  private:
    static constexpr std::array<uint8_t, 2 * kFarthest + 1> kInner = [] {
        std::array<uint8_t, 2 * kFarthest + 1> inner{};
        for (unsigned k = 0; k < inner.size(); ++k) {
            const unsigned magnitude = k < kFarthest ? kFarthest - k : k - kFarthest;
            const unsigned sign = k < kFarthest ? 0 : k == kFarthest ? 1 : 2;
            inner[k] = static_cast<uint8_t>(static_cast<unsigned>(std::bit_width(magnitude)) * 3 + sign);
        }
        return inner;
    }();
};

// How weights are written: the first kModeBits of their section. The next kWidthBits are the bytes of a weight.
// kPlain: not coded. kAlone: each weight is coded. kBalanced: a feature's last weight is coded as the sum of all.
enum Mode : unsigned { kPlain = 0, kAlone = 1, kBalanced = 2 };
constexpr unsigned kModeBits = 2, kWidthBits = 3;

template <class W>
unsigned opening(Mode mode) {
    return mode | static_cast<unsigned>(sizeof(W)) << kModeBits;
}

constexpr uint32_t kWeightAlphabet = 2 * (16 + 13 * 8);  // numbers below 2^17, with their sign

// Weights are read in lanes: the features are cut into four parts, and one weight of each part is read in turn. The
// context of a lane's next weight is known before its turn comes again, so the processor need not wait for it.
constexpr size_t kWeightLanes = 4;
constexpr size_t kBlock = 1 << 16;  // weights of a lane between two looks whether to stop

struct Lane {
    const uint32_t* next;  // size
    size_t at, end;        // weights
    uint32_t size = 0, to_come = 1;

    // Goes to the next weight. Returns whether it is the first of its feature. There is no branch, because a processor
    // cannot predict where features end.
    bool step() {
        --to_come;
        const bool begins = to_come == 0;
        size = begins ? *next : size;
        to_come = begins ? size : to_come;
        next += begins;
        return begins;
    }
    bool is_last() const { return (to_come == 1) & (size > 1); }
};

inline std::array<Lane, kWeightLanes> lanes_of(const std::vector<uint32_t>& sizes) {
    std::array<Lane, kWeightLanes> lanes;
    size_t feature = 0, at = 0;
    for (size_t k = 0; k < kWeightLanes; ++k) {
        lanes[k] = {sizes.data() + feature, at, 0};
        for (; feature < sizes.size() * (k + 1) / kWeightLanes; ++feature) at += sizes[feature];
        lanes[k].end = at;
    }
    return lanes;
}

// Calls visit(number of the lane, lane, whether a feature begins) for all weights; lane.at is the weight's place.
template <class Visit>
void each_weight(const std::vector<uint32_t>& sizes, Visit&& visit) {
    std::array<Lane, kWeightLanes> lanes = lanes_of(sizes);
    size_t together = SIZE_MAX, longest = 0;
    for (const Lane& lane : lanes) {
        together = std::min(together, lane.end - lane.at);
        longest = std::max(longest, lane.end - lane.at);
    }
    const auto go = [&](size_t k) __attribute__((always_inline)) {
        const bool begins = lanes[k].step();
        visit(k, lanes[k], begins);
        ++lanes[k].at;
    };
    for (size_t round = 0; round < together;) {
        StopCheck::now();
        for (const size_t stop = std::min(together, round + kBlock); round < stop; ++round) go(0), go(1), go(2), go(3);
    }
    for (size_t round = together; round < longest; ++round) {
        StopCheck::every(round - together);
        for (size_t k = 0; k < kWeightLanes; ++k)
            if (lanes[k].at < lanes[k].end) go(k);
    }
}

}  // namespace sapwood::table_code

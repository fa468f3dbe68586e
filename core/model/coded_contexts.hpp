// How the arrays of a table of weights are coded (docs/model-format.md): what writing them and reading them share.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/rans.hpp"
#include "model/packed_table.hpp"

namespace sapwood::coding {

constexpr uint64_t kMostWeightsPerByte = 32;

// Plain bits of a gap between keys: some fewer than a mean gap has.
inline unsigned gap_bits(unsigned key_bits, uint64_t count) {
    const auto used = static_cast<unsigned>(std::bit_width(count)) + 2;
    return key_bits > used ? key_bits - used : 1;
}

// Outputs of wide tables are a symbol and some plain bits.
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

// The context of a weight: the size of its feature, 6 for more than 5, and whether it is the last of several; and the sum
// of the feature's weights before, in units of 1 for weights of 8 bits and 256 for 16: its sign and how many bits it has,
// 7 for more than 6.
struct WeightContext {
    static constexpr unsigned kSizes = 6, kWidths = 8, kFarthest = 64;
    static constexpr ContextTree kTree{2 * kSizes, 3 * kWidths};
    int64_t sum = 0;

    template <class W>
    size_t of(uint32_t outer) const {
        constexpr int64_t unit = sizeof(W) == 1 ? 1 : 256, farthest = kFarthest;
        const int64_t units = std::clamp(sum / unit, -farthest, farthest);
        return kTree.at(outer, kInner[static_cast<size_t>(units + farthest)]);
    }
    static constexpr uint32_t outer(uint32_t size, bool last) {
        return (last ? kSizes : 0) + std::min(size, kSizes) - 1;
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

// How weights are written, in the first bits of their section; then come kWidthBits for their bytes.
enum Mode : unsigned { kPlain = 0, kAlone = 1, kBalanced = 2 };  // balanced: the last one as the sum of all
constexpr unsigned kModeBits = 2, kWidthBits = 3;

template <class W>
unsigned opening(Mode mode) {
    return mode | static_cast<unsigned>(sizeof(W)) << kModeBits;
}

constexpr uint32_t kWeightAlphabet = 2 * (16 + 13 * 8);  // numbers below 2^17, with their sign

// Weights are read in lanes: of four parts of the features, one after the other, one weight each in turn. What the next
// weight of a lane needs is known before its turn comes again, so that a processor does not wait for it.
constexpr size_t kLanes = 4;

struct Lane {
    const uint32_t* next;  // size
    size_t at, end;        // weights
    uint32_t size = 0, to_come = 1;

    // Goes to the next weight; whether it is the first of its feature.
    bool step() {
        if (--to_come > 0) return false;
        size = to_come = *next++;
        return true;
    }
    bool is_last() const { return (to_come == 1) & (size > 1); }
};

inline std::array<Lane, kLanes> lanes_of(const std::vector<uint32_t>& sizes) {
    std::array<Lane, kLanes> lanes;
    size_t feature = 0, at = 0;
    for (size_t k = 0; k < kLanes; ++k) {
        lanes[k] = {sizes.data() + feature, at, 0};
        for (; feature < sizes.size() * (k + 1) / kLanes; ++feature) at += sizes[feature];
        lanes[k].end = at;
    }
    return lanes;
}

}  // namespace sapwood::coding

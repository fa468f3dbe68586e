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

// The place of a weight in its feature, as far as contexts depend on it, in one byte.
class Place {
  public:
    static constexpr uint32_t kSizes = 6;   // sizes that contexts tell apart; the last stands for all larger ones
    static constexpr uint32_t kToCome = 3;  // the same of numbers of weights to come
    static constexpr size_t kCount = 256;

    Place() = default;
    constexpr explicit Place(size_t number) : bits_(static_cast<uint8_t>(number)) {}
    // The k-th weight of a feature of so many.
    constexpr Place(uint32_t size, uint32_t k) {
        const bool last = k + 1 == size && size > 1;
        bits_ = static_cast<uint8_t>((last ? kSizes : 0) + std::min(size, kSizes) - 1 +
                                     (std::min(size - k, kToCome) - 1) * 16 + (k == 0 ? kBegins : 0));
    }

    size_t number() const { return bits_; }  // below kCount
    bool begins() const { return bits_ >= kBegins; }
    // How many weights of the feature are still to come, with this one, at most 3, less 1.
    uint32_t to_come() const { return bits_ / 16 % 4; }
    // 0 to 11: the feature's size, and whether the weight is the last of several.
    uint32_t of_size() const { return bits_ % 16; }
    bool is_last() const { return of_size() >= kSizes; }  // of several

  private:
    static constexpr uint32_t kBegins = 128;
    uint8_t bits_ = 0;
};

// The context of an output. Outer: 0 for the feature's first, otherwise 1 + the symbol before. Inner: how many are
// still to come.
struct OutputContext {
    static ContextTree tree(uint32_t alphabet) { return {alphabet + 1, Place::kToCome}; }
    static size_t of(size_t outer, uint32_t to_come) { return outer * Place::kToCome + to_come; }
};

// The context of a weight. Outer: the size of its feature, at most 6, and whether the weight is the last of several.
// Inner: the sign and the number of bits, at most 7, of the sum of the feature's weights before it. The sum is divided by
// 256 if weights have 16 bits.
struct WeightContext {
    static constexpr unsigned kWidths = 8;
    static constexpr int64_t kFarthest = 64;
    static constexpr ContextTree kTree{2 * Place::kSizes, 3 * kWidths};

    // The sum in its unit, at least -kFarthest and at most kFarthest.
    template <class W>
    static int64_t units(int64_t sum) {
        return std::clamp<int64_t>(sum / (sizeof(W) == 1 ? 1 : 256), -kFarthest, kFarthest);
    }
    static size_t of(Place place, int64_t units) {
        return kTree.at(place.of_size(), kInner[static_cast<size_t>(units + kFarthest)]);
    }

  private:
    static constexpr std::array<uint8_t, 2 * kFarthest + 1> kInner = [] {
        std::array<uint8_t, 2 * kFarthest + 1> inner{};
        for (int64_t units = -kFarthest; units <= kFarthest; ++units) {
            const auto magnitude = static_cast<uint64_t>(units < 0 ? -units : units);
            const int sign = units < 0 ? 0 : units == 0 ? 1 : 2;
            inner[static_cast<size_t>(units + kFarthest)] =
                static_cast<uint8_t>(static_cast<int>(std::bit_width(magnitude)) * 3 + sign);
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

// The order in which weights are read, and their places. The features are cut into four lanes, and one weight of each
// lane is read in turn. The context of a lane's next weight is known before its turn comes again, so the processor need
// not wait for it.
class WeightOrder {
  public:
    static constexpr size_t kLanes = 4;

    // weights: the sum of the sizes
    WeightOrder(const std::vector<uint32_t>& sizes, size_t weights) : places_(weights + kTogether) {
        size_t at = 0;
        for (size_t feature = 0, lane = 0; lane < kLanes; cuts_[++lane] = at)
            for (; feature < sizes.size() * (lane + 1) / kLanes; at += sizes[feature++]) put(at, sizes[feature]);
    }

    // Calls visit(lane, weight, its place) for all weights, and begin() before each round: one weight of each lane.
    template <class Visit, class Begin>
    void each(Visit&& visit, Begin&& begin) const {
        const auto cuts = cuts_;
        const Place* const places = places_.data();
        const auto go = [&](size_t lane, size_t round) __attribute__((always_inline)) {
            visit(lane, cuts[lane] + round, places[cuts[lane] + round]);
        };
        const auto length = [&](size_t lane) { return cuts[lane + 1] - cuts[lane]; };
        const size_t together = std::min({length(0), length(1), length(2), length(3)});
        const size_t longest = std::max({length(0), length(1), length(2), length(3)});
        for (size_t round = 0; round < together;) {
            StopCheck::now();
            const size_t stop = std::min(together, round + kBlock);
            for (; round < stop; ++round) begin(), go(0, round), go(1, round), go(2, round), go(3, round);
        }
        for (size_t round = together; round < longest; ++round) {
            StopCheck::every(round - together);
            begin();
            if (round < length(0)) go(0, round);
            if (round < length(1)) go(1, round);
            if (round < length(2)) go(2, round);
            if (round < length(3)) go(3, round);
        }
    }

    template <class Visit>
    void each(Visit&& visit) const {
        each(visit, [] {});
    }

  private:
    static constexpr size_t kBlock = 1 << 16;  // rounds between two looks whether to stop
    static constexpr size_t kTogether = 8;     // places that are written together

    static constexpr auto kPlaces = [] {
        std::array<std::array<Place, kTogether>, kTogether + 1> all{};
        for (uint32_t size = 1; size <= kTogether; ++size)
            for (uint32_t k = 0; k < size; ++k) all[size][k] = Place(size, k);
        return all;
    }();

    // Writes the places of a feature; some behind them are overwritten by the next one's.
    void put(size_t at, uint32_t size) {
        if (size <= kTogether) [[likely]]
            return void(std::ranges::copy(kPlaces[size], places_.data() + at));
        for (uint32_t k = 0; k < size; ++k) places_[at + k] = Place(size, k);
    }

    std::vector<Place> places_;  // [weights and some to spare]
    std::array<size_t, kLanes + 1> cuts_{};
};

}  // namespace sapwood::table_code

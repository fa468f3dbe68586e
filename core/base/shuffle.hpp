// The order in which examples are presented: the same for the same seed, on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sapwood {

// SplitMix64 (Steele, Lea & Flood 2014).
inline uint64_t next_random(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

// Fisher & Yates; a number below k is the high half of a product.
inline void shuffle(std::vector<uint32_t>& order, uint64_t& state) {
    for (size_t k = order.size(); k > 1; --k) {
        const auto j = static_cast<size_t>(static_cast<unsigned __int128>(next_random(state)) * k >> 64);
        std::swap(order[k - 1], order[j]);
    }
}

}  // namespace sapwood

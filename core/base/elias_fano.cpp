#include "base/elias_fano.hpp"

#include <bit>
#include <limits>

#include "base/bits.hpp"
#include "base/errors.hpp"

namespace sapwood {

namespace {

// The number of low bits: log2(universe / n), rounded down.
unsigned low_bits(unsigned key_bits, uint64_t n) {
    const auto used = n == 0 ? 0u : static_cast<unsigned>(std::bit_width(n) - 1);
    return key_bits > used ? key_bits - used : 0;
}

}  // namespace

EliasFano pack_keys(const std::vector<uint64_t>& keys, unsigned key_bits) {
    EliasFano packed;
    const unsigned l = low_bits(key_bits, keys.size());
    BitWriter low(packed.low);
    for (size_t k = 0; k < keys.size(); ++k) {
        const uint64_t bit = (l == 64 ? 0 : keys[k] >> l) + k;
        if (packed.high.size() <= bit / 8) packed.high.resize(bit / 8 + 1);
        char& byte = packed.high[bit / 8];
        byte = static_cast<char>(static_cast<unsigned char>(byte) | 1u << bit % 8);
        low.put(keys[k], l);
    }
    return packed;
}

std::vector<uint64_t> unpack_keys(std::string_view high, std::string_view low, uint64_t count, unsigned key_bits,
                                  const std::string& what) {
    const auto require = [&](bool condition, const char* otherwise) {
        if (!condition) throw ModelError(what + otherwise);
    };
    require(key_bits >= 1 && key_bits <= 64, "'s key_bits is out of range");
    require(count <= high.size() * 8, " has fewer keys than it says");
    const unsigned l = low_bits(key_bits, count);
    require(low.size() == bytes_for(count, l), "'s keys.low has the wrong length");
    std::vector<uint64_t> keys;
    keys.reserve(count);
    BitReader lows(low);
    for (uint64_t byte = 0; byte < high.size(); ++byte)
        for (auto ones = static_cast<unsigned char>(high[byte]); ones != 0;
             ones &= static_cast<unsigned char>(ones - 1)) {
            const uint64_t k = keys.size();
            require(k < count, " has more keys than it says");
            const uint64_t top = byte * 8 + static_cast<unsigned>(std::countr_zero(ones)) - k;
            require(l == 64 || top <= std::numeric_limits<uint64_t>::max() >> l, "'s key is out of range");
            const uint64_t key = (l == 64 ? 0 : top << l) | lows.get(l);
            require(key_bits == 64 || key >> key_bits == 0, "'s key is out of range");
            require(k == 0 || key > keys.back(), "'s keys do not ascend");
            keys.push_back(key);
        }
    require(keys.size() == count, " has fewer keys than it says");
    require(high.empty() || high.back() != 0, "'s keys.high has bytes to spare");
    return keys;
}

}  // namespace sapwood

// A table of weights as it lies in a model file: sorted keys, and for each key a short list of outputs and
// weights. In files the arrays are coded (see model/coded_table.hpp). In memory, after training, they
// are packed:
//
//     keys      the top `key_bits` bits of the 64-bit keys, ascending, in Elias-Fano form (Elias 1974): the
//               low halves packed bit by bit, the high halves as a bitmap in unary
//     sizes     outputs of each key, `size_bits` bits each
//     outputs   ascending within a key, `output_bits` bits each
//     weights   int8 or int16, to be multiplied by one scale for all tables; or float32
//
// Bits are packed from the lowest of the first byte on. Everything is checked by unpack(), which is the only
// way in.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

struct PackedTable {
    uint64_t features = 0, weights = 0, width = 0;
    unsigned key_bits = 1, size_bits = 1, output_bits = 1;  // a coded table uses only key_bits
    std::string high, low, sizes, outputs, values;  // the arrays; if coded, `low` has the keys and `high` nothing
    bool coded = false;
};

// A table in plain form, as it comes from training and goes into a FrozenTable.
template <class W>
struct PlainTable {
    uint64_t width = 0;             // outputs are 0 .. width - 1
    unsigned key_bits = 64;         // `keys` hold so many bits
    std::vector<uint64_t> keys;     // [features] strictly ascending
    std::vector<uint32_t> sizes;    // [features] at least 1
    std::vector<uint32_t> outputs;  // [weights] strictly ascending within a feature
    std::vector<W> values;          // [weights] not 0
};

template <class W>
PackedTable pack(const PlainTable<W>& table);

// Returns the same table coded, or packed. `bits`: bits of a weight. Throws ModelError as unpack() does.
PackedTable coded(const PackedTable& table, unsigned bits);
PackedTable uncoded(const PackedTable& table, unsigned bits);

// Whether a file may have this weight: not 0, finite, and -w is also a number of its type.
template <class W>
bool is_weight(W w) {
    if constexpr (std::is_floating_point_v<W>) return std::isfinite(w) && w != 0;
    return w != 0 && w != std::numeric_limits<W>::min();
}

// Weights have so many bits, as files have them.
inline bool is_width_of_weights(unsigned bits) {
    return bits == 8 || bits == 16 || bits == 32;
}

// Calls f(W{}) for the type W of weights of so many bits.
template <class F>
void with_weight_type(unsigned bits, F&& f) {
    if (bits == 8)
        f(int8_t{});
    else if (bits == 16)
        f(int16_t{});
    else
        f(float{});
}

// Throws ModelError when anything is not as written above.
template <class W>
PlainTable<W> unpack(const PackedTable& packed);

}  // namespace sapwood

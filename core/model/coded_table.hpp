// The coded arrays of a table of weights in files: keys, sizes, outputs and weights. Each is a stream of the
// coder of base/rans.hpp, with these contexts:
//
//     keys      gaps between ascending keys, without contexts. The low bits of a gap are plain.
//     sizes     the number of outputs of each key, minus 1; without contexts
//     outputs   context: the feature's previous output, and how many outputs are still to come (1, 2, more)
//     weights   context: the feature's size, whether the weight is the last of the feature, and sign and magnitude of
//               the sum of the feature's weights before it. Where that is shorter, the last weight is coded as the sum
//               of all: an update adds as much to the gold outputs as it takes from the guessed ones, so the sum is
//               near 0.
//
// Weights are not coded if they are floats, or if coding would not make them shorter.
#pragma once
#include <string>

#include "base/errors.hpp"
#include "model/packed_table.hpp"

namespace sapwood {

// Throws ModelError(what) where a table is not as it must be.
inline void require_table(bool condition, const char* what) {
    if (!condition) throw ModelError(what);
}

template <class W>
std::string code_weights(const PlainTable<W>& table);
std::string code_keys(const std::vector<uint64_t>& keys, unsigned key_bits);
// The keys of a code. Throws ModelError.
std::vector<uint64_t> decode_keys(std::string_view code, uint64_t count, unsigned key_bits);
std::string code_sizes(const std::vector<uint32_t>& sizes);
template <class W>
std::string code_outputs(const PlainTable<W>& table);

// Reads the arrays of a table into `table`, whose width and key_bits are set. Throws ModelError.
template <class W>
void decode(const PackedTable& packed, PlainTable<W>& table);

}  // namespace sapwood

// The coded arrays of a table of weights, as files of format 2 have them: keys, sizes, outputs and weights, each a
// stream of the coder of base/rans.hpp with the contexts below.
//
//     keys      gaps between ascending keys; the low bits of a gap are plain. About 1.45 bits a key more than the bits
//               that tell how often an unknown feature passes for a known one.
//     sizes     outputs of each key, less 1
//     outputs   given the output before, and how many are to come (1, 2, more)
//     weights   given the feature's size, whether it is the last one, and sign and magnitude of the sum of the feature's
//               weights before it. Where that pays, the last weight is coded as the sum of all: an update adds
//               as much to the gold outputs as it takes from the guessed ones, so that sum is near 0.
//
// Weights are plain where coding does not pay, and if they are floats.
#pragma once
#include <string>

#include "model/packed_table.hpp"

namespace sapwood {

template <class W>
std::string code_weights(const PlainTable<W>& table);
std::string code_keys(const std::vector<uint64_t>& keys, unsigned key_bits);
std::string code_sizes(const std::vector<uint32_t>& sizes);
template <class W>
std::string code_outputs(const PlainTable<W>& table);

// Reads the arrays of a table into `table`, whose width and key_bits are set. Throws ModelError.
template <class W>
void decode(const PackedTable& packed, PlainTable<W>& table);

}  // namespace sapwood

// Ascending keys in Elias-Fano form (Elias 1974): the low halves of the keys packed bit by bit, the high halves as a
// bitmap in unary, in which the k-th one is bit high + k. That takes at most 2 + log2(universe / n) bits a key.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

struct EliasFano {
    std::string high, low;
};

// `keys` ascend strictly, and have `key_bits` bits.
EliasFano pack_keys(const std::vector<uint64_t>& keys, unsigned key_bits);

// Returns `count` keys. Throws ModelError if the arrays do not hold as many ascending keys of at most `key_bits` bits
// (1 to 64) and nothing else; messages call what the keys are of `what`, as in "a table".
std::vector<uint64_t> unpack_keys(std::string_view high, std::string_view low, uint64_t count, unsigned key_bits,
                                  const std::string& what);

}  // namespace sapwood

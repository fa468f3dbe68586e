// Entropy-constrained scalar quantisation (Chou, Lookabaugh & Gray 1989): rounds weights to integers so that
//
//     sum over weights of  importance * (weight - integer)^2  +  bit_price * bits
//
// is small, where `bits` is what the coder of model/coded_table.hpp spends on the integer. The code lengths follow from the
// integers, and the integers from the code lengths, so both are computed in turns (Lloyd 1982). Integers that few weights
// have get long codes and fall out of use. The integers that stay in use are the levels; they are spaced unevenly.
//
// The importance of a weight is its feature's number of updates, divided by the mean of all weights: an error in the weight
// of a feature that occurs twice as often moves twice as many scores.
#pragma once
#include <cstdint>
#include <vector>

namespace sapwood {

// The weights of a table before they are rounded, in units of the scale.
struct RealWeights {
    std::vector<float> weights;     // [weights]
    std::vector<uint32_t> sizes;    // [features] weights of each, at least 1
    std::vector<uint32_t> updates;  // [features] that each took part in
};

// Returns integers from -127 to 127 other than 0.
std::vector<int8_t> to_levels(const RealWeights& real, double bit_price);

}  // namespace sapwood

// What a model leaves out, and how many bits its weights have. Trainers only pass this on, so freeze.hpp does not need it.
#pragma once
#include <cstdint>

namespace sapwood {

struct FreezeOptions {
    unsigned bits = 8;
    double shrink = 0;         // drop weights smaller than `shrink` times the largest weight
    double group = 0;          // then drop features whose weights have a norm below `group` times that threshold
    uint32_t min_updates = 0;  // drop features that took part in fewer updates
    // The step of a group L1 penalty on the remaining features (the proximal operator of the group lasso: Yuan & Lin 2006;
    // Martins, Smith, Figueiredo & Aguiar 2011): the weights of a feature become max(0, 1 - lambda / norm) of what they
    // were. lambda is `group_l1` times the largest weight.
    double group_l1 = 0;
    // Of a bit of a weight, in squares of the scale: weights of 8 bits are rounded to levels with short codes
    // (model/levels.hpp). 0: to the nearest integers.
    double bit_price = 0;
};

}  // namespace sapwood

// The words of a part of a text, and how many of them are frequent ones of a model (model/familiarity.hpp).
#pragma once
#include <cstdint>

namespace sapwood {

struct FamiliarWords {
    uint64_t words = 0, known = 0;
};

}  // namespace sapwood

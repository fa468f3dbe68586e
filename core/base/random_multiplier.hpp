// A number that an attacker does not know, for tables that hold what comes from outside.
#pragma once
#include <cstdint>
#include <random>

namespace sapwood {

// An odd number, the same in one process and another in the next.
inline uint64_t random_multiplier() {
    static const uint64_t drawn = [] {
        std::random_device source;
        return (uint64_t{source()} << 32 | source()) | 1;
    }();
    return drawn;
}

}  // namespace sapwood

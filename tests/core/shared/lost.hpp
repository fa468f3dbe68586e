// What tests of learners present to them.
#pragma once
#include <string>
#include <utility>

#include "base/hash.hpp"
#include "learner/violation.hpp"

// A decision that gold has lost by a violation, unless that is empty.
struct Lost {
    sapwood::Violation& violation;

    bool search(float) const { return !violation.empty(); }
    size_t mistakes() const { return 1; }
    double loss() const { return violation.loss; }
    void differ(sapwood::Violation& difference) const { std::swap(difference, violation); }
};

// The key of a feature that is known by a number.
inline uint64_t key_of(unsigned feature) {
    return sapwood::hash_bytes(std::to_string(feature));
}

// Thresholds of decisions for or against a label, chosen on held-out examples by their F1, each label by itself (SCut of
// Yang 2001; Fan & Lin 2007, "A study on threshold selection for multi-label classification").
//
//     F1(t) = 2 * |{gold, s > t}| / (|{s > t}| + |{gold}|)
//
// Between two neighbouring scores F1 is the same, and t is 0 if it lies there, else the middle. Of several best places
// the one nearest to 0 is taken, and 0 if no example has the label: what training found stands unless F1 says otherwise.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace sapwood {

struct Threshold {
    double at = 0;
    size_t gold = 0, guessed = 0, correct = 0;  // examples that have the label, are given it, and both
};

// decisions: score and whether the example has the label; they are sorted.
Threshold best_threshold(std::vector<std::pair<double, bool>>& decisions);

}  // namespace sapwood

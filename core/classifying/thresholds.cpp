#include "classifying/thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/long_sort.hpp"

namespace sapwood {

Threshold best_threshold(std::vector<std::pair<double, bool>>& decisions) {
    long_sort(decisions, [](const auto& a, const auto& b) { return a.first > b.first; });
    const auto is_gold = [](const auto& decision) { return decision.second; };
    const auto gold = static_cast<size_t>(std::count_if(decisions.begin(), decisions.end(), is_gold));
    const auto above = [&](double at) {
        Threshold found{at, gold};
        for (; found.guessed < decisions.size() && decisions[found.guessed].first > at; ++found.guessed)
            found.correct += decisions[found.guessed].second;
        return found;
    };
    if (gold == 0) return above(0);

    // Gives the label to the first k of the examples, for every k at which the score changes.
    constexpr double lowest = -std::numeric_limits<double>::infinity();
    Threshold best;
    for (size_t k = 1, correct = 0; k <= decisions.size(); ++k) {
        correct += decisions[k - 1].second;
        const double last = decisions[k - 1].first;
        const bool at_end = k == decisions.size();
        const double next = at_end ? lowest : decisions[k].first;
        if (next == last) continue;
        // [next, last) are the thresholds with this F1.
        const double just_below = std::nextafter(last, lowest);
        const double middle = at_end ? just_below : std::min(next + (last - next) / 2, just_below);
        const double at = next <= 0 && 0 < last ? 0 : middle;
        const size_t mine = correct * (best.guessed + gold), other = best.correct * (k + gold);
        if (mine > other || (mine == other && std::abs(at) < std::abs(best.at))) best = {at, gold, k, correct};
    }
    return best;
}

}  // namespace sapwood

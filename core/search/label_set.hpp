// A set of labels, of which each is decided by itself: y is in the set if score(y) > 0 (binary relevance).
//
//     wrong     the labels y with [score(y) - cost > 0] != 1 where y is in gold, [score(y) + cost > 0] != 0 where not
//     loss      sum over the wrong labels of cost - score(y), and of score(y) + cost
//     update    w_y <- w_y + phi(x) for those in gold, w_y <- w_y - phi(x) for the others
#pragma once
#include <span>
#include <vector>

#include "search/search.hpp"

namespace sapwood {

// differ(difference, wrong) names the features, given the wrong labels, rising. A wrong label costs `unit`.
template <class Differ>
struct LabelSetChoice {
    std::span<const float> scores;  // [labels]
    std::span<const uint8_t> has;   // [labels] whether gold has it
    std::vector<Label>& wrong;      // scratch
    Differ name_features;
    double unit = 1;
    float cost = 0;

    bool search(float added) {
        cost = static_cast<float>(static_cast<double>(added) * unit);
        wrong.clear();
        for (Label y = 0; y < scores.size(); ++y)
            if (has[y] != 0 ? !(scores[y] > cost) : scores[y] + cost > 0) wrong.push_back(y);
        return !wrong.empty();
    }
    size_t mistakes() const { return wrong.size(); }
    double loss() const {
        double sum = 0;
        for (Label y : wrong)
            sum += static_cast<double>(cost) + static_cast<double>(has[y] != 0 ? -scores[y] : scores[y]);
        return sum;
    }
    template <class Difference>
    void differ(Difference& difference) {
        name_features(difference, wrong);
    }
};

}  // namespace sapwood

// Greedy left to right: multiclass classification in which the two labels given before are features
// (Goldberg & Elhadad 2011, section 4, "determined dynamically at test times based on the previous
// classifier decisions").
#pragma once
#include "search/argmax.hpp"

namespace sapwood {

// Fills a path of as many labels as there are tokens. scores: [labels] of one token, scratch.
// score(i, l2, l1, scores): fills the scores of token i, given the labels two and one before it.
// allowed(i): the labels that token i may have, in ascending order, none if all; where there is one, nothing is scored.
template <class S, class Score, class Allowed>
void greedy(size_t labels, S* scores, std::span<Label> path, Score&& score, Allowed&& allowed) {
    Label l2 = boundary_label(labels), l1 = l2;
    for (size_t i = 0; i < path.size(); ++i) {
        const std::span<const Label> choice = allowed(i);
        if (choice.size() != 1) score(i, l2, l1, scores);
        path[i] = choice.size() == 1 ? choice[0] : argmax(scores, labels, choice);
        l2 = l1;
        l1 = path[i];
    }
}

}  // namespace sapwood

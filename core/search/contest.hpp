// Choices among candidates as decisions (search.hpp): one label of many, or one candidate of a list of which several
// may be right. A loss says how wrong a candidate is; the right ones are those of least loss.
#pragma once
#include <optional>
#include <utility>

#include "search/argmax.hpp"

namespace sapwood {

// One of `labels` numbered labels, of which one is right. differ(difference, gold, guess) names the features. A wrong
// label has a loss of `unit`.
template <class Differ>
struct LabelChoice {
    float* scores;  // [labels], changed by the search
    size_t labels;
    Label gold;
    Differ name_features;
    double unit = 1;
    Label guess = gold;

    bool search(float cost) {
        if (cost > 0) add_cost(scores, labels, gold, static_cast<float>(static_cast<double>(cost) * unit));
        guess = argmax(scores, labels);
        return guess != gold;
    }
    size_t mistakes() const { return 1; }
    double loss() const { return static_cast<double>(scores[guess]) - static_cast<double>(scores[gold]); }
    template <class Difference>
    void differ(Difference& difference) {
        name_features(difference, gold, guess);
    }
};
template <class Differ>
LabelChoice(float*, size_t, Label, Differ) -> LabelChoice<Differ>;
template <class Differ>
LabelChoice(float*, size_t, Label, Differ, double) -> LabelChoice<Differ>;

// One of several candidates, numbered in ascending order. differ(difference, right, guess) names the features.
//
//     right   the candidate of least loss, of several the one that scores highest
//     guess   argmax over c of score(c) + cost * (loss(c) - loss(right))
template <class Candidates, class Score, class Loss, class Differ>
struct Contest {
    const Candidates& candidates;
    Score score;   // score(candidate)
    Loss loss_of;  // loss_of(candidate), at least 0
    Differ name_features;
    float cost = 0;
    uint32_t right = 0, guess = 0;

    auto competing(uint32_t c) { return score(c) + cost * (loss_of(c) - loss_of(right)); }

    bool search(float added) {
        cost = added;
        auto c = candidates.begin();
        if (c == candidates.end()) return false;
        right = guess = static_cast<uint32_t>(*c);
        for (++c; c != candidates.end(); ++c) {
            const auto k = static_cast<uint32_t>(*c);
            if (loss_of(k) < loss_of(right) || (loss_of(k) == loss_of(right) && score(k) > score(right))) right = k;
        }
        for (c = candidates.begin(); c != candidates.end(); ++c)
            if (const auto k = static_cast<uint32_t>(*c); competing(k) > competing(guess)) guess = k;
        return loss_of(guess) > loss_of(right);
    }
    size_t mistakes() const { return 1; }
    double loss() { return static_cast<double>(competing(guess)) - static_cast<double>(score(right)); }
    template <class Difference>
    void differ(Difference& difference) {
        name_features(difference, right, guess);
    }
};
template <class Candidates, class Score, class Loss, class Differ>
Contest(const Candidates&, Score, Loss, Differ) -> Contest<Candidates, Score, Loss, Differ>;

// A scored output at a place of the sentence, in searches that decide on both at once; elsewhere the place is 0.
struct Choice {
    uint32_t place, output;
    float score;
};

// The best right choice against the best wrong one, in searches that rank both apart. A wrong one that ties wins, so
// gold has to be ahead; without a wrong choice the right one wins. differ(difference, right, wrong) names the features.
template <class Differ>
struct Duel {
    Choice right;
    std::optional<Choice> wrong;
    Differ name_features;
    float cost = 0;

    bool search(float added) {
        cost = added;
        return wrong && wrong->score + cost >= right.score;
    }
    size_t mistakes() const { return 1; }
    double loss() const { return static_cast<double>(wrong->score + cost) - static_cast<double>(right.score); }
    template <class Difference>
    void differ(Difference& difference) {
        name_features(difference, right, *wrong);
    }
};
template <class Differ>
Duel(Choice, std::optional<Choice>, Differ) -> Duel<Differ>;

}  // namespace sapwood

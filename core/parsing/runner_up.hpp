// What a decision is compared with, for its margin and for its explanation.
#pragma once
#include <optional>

namespace sapwood {

template <class Choice, class Score>
struct Scored {
    Choice choice;
    Score score;
};

// The choice of highest score; ties go to the first. each(offer) calls offer(choice, score) for all choices but the chosen
// one. Empty if there is no other choice.
template <class Choice, class Score, class Each>
std::optional<Scored<Choice, Score>> runner_up(Each&& each) {
    std::optional<Scored<Choice, Score>> best;
    each([&](const Choice& choice, Score score) {
        if (!best || score > best->score) best = {choice, score};
    });
    return best;
}

// score(chosen) - score(against)
template <class Score>
double margin_of(Score chosen, Score against) {
    return static_cast<double>(chosen) - static_cast<double>(against);
}

}  // namespace sapwood

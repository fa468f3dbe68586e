// Lists of candidates, and what learning to rank them is, whatever scores them (Collins & Duffy 2002).
//
// Each candidate has a loss; the oracle is the one with the least, of several that which scores highest. With a margin, a
// candidate competes with `cost` times what its loss is above the oracle's. It is a mistake if the one that competes
// best has more loss than the oracle.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/errors.hpp"
#include "learner/epochs.hpp"

namespace sapwood {

struct RankingMistake {
    size_t oracle, guess;  // candidates of the list
    double loss;           // score of the guess with its margin, less that of the oracle
};

// scores, losses: [n] of a list's candidates.
template <class Score>
std::optional<RankingMistake> ranking_mistake(const std::vector<Score>& scores, const float* losses,
                                              float cost) {
    size_t oracle = 0, guess = 0;
    for (size_t c = 1; c < scores.size(); ++c)
        if (losses[c] < losses[oracle] || (losses[c] == losses[oracle] && scores[c] > scores[oracle]))
            oracle = c;
    const auto competing = [&](size_t c) { return scores[c] + cost * (losses[c] - losses[oracle]); };
    for (size_t c = 1; c < scores.size(); ++c)
        if (competing(c) > competing(guess)) guess = c;
    if (scores.empty() || losses[guess] <= losses[oracle]) return std::nullopt;
    return RankingMistake{oracle, guess,
                          static_cast<double>(competing(guess)) - static_cast<double>(scores[oracle])};
}

// The training set and the walk over it.
class RankingLists {
  public:
    RankingLists(uint64_t seed, bool shuffled) : seed_(seed), shuffled_(shuffled) {}

    // starts: [lists + 1] first candidates; losses: [candidates]. Throws DataError if they are not of so many
    // candidates.
    void add(size_t candidates, const std::vector<size_t>& starts, const std::vector<double>& losses) {
        if (starts.empty() || starts.front() != 0 || starts.back() != candidates ||
            losses.size() != candidates || !std::is_sorted(starts.begin(), starts.end()))
            throw DataError("lists, candidates and losses differ in number");
        for (double loss : losses)
            if (!std::isfinite(loss)) throw DataError("the loss of a candidate is not a finite number");
        const size_t before = losses_.size();
        for (size_t k = 1; k < starts.size(); ++k) starts_.push_back(before + starts[k]);
        for (double loss : losses) losses_.push_back(static_cast<float>(loss));
        epochs_.reset();
    }

    // Calls learn(begin, end, losses of these candidates), which tells whether there was a mistake, for so many lists or
    // until the epoch is over; true if it is over. Throws DataError if there is no list.
    template <class Learn>
    bool step(size_t lists, Learn&& learn) {
        if (starts_.size() == 1) throw DataError("there is no list of candidates to train on");
        if (!epochs_) epochs_.emplace(starts_.size() - 1, seed_, shuffled_);
        return epochs_->step(lists, [&](size_t list) {
            const size_t begin = starts_[list];
            if (learn(begin, starts_[list + 1], losses_.data() + begin)) epochs_->count_mistakes(1);
            return 1;
        });
    }

    size_t candidates() const { return losses_.size(); }
    Progress progress() const { return epochs_ ? epochs_->progress() : Progress{}; }

  private:
    uint64_t seed_;
    bool shuffled_;
    std::vector<size_t> starts_ = {0};  // [lists + 1] first candidate
    std::vector<float> losses_;         // [candidates]
    std::optional<Epochs> epochs_;
};

}  // namespace sapwood

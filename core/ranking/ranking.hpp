// Lists of candidates, whatever scores them (Collins & Duffy 2002; Clark 2015, "A Ranking Perceptron").
//
//     y' <- argmax over j of score(x_j);  if x_y' is not the best: the oracle's score is to rise, that of x_y' to fall
//
// Each candidate has a loss; the oracle is the one with the least, of several the one that scores highest. With a margin,
// a candidate competes with `cost` times what its loss is above the oracle's (search/contest.hpp).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/store.hpp"
#include "search/contest.hpp"

namespace sapwood {

class RankingLists {
  public:
    // In memory, or in scratch files in this folder (base/store.hpp).
    explicit RankingLists(const std::string& scratch = {}) : losses_(scratch) {}

    // starts: [lists + 1] first candidates; losses: [candidates]. Throws DataError if they are not of so many
    // candidates.
    void add(size_t candidates, const std::vector<size_t>& starts, const std::vector<double>& losses) {
        if (starts.empty() || starts.front() != 0 || starts.back() != candidates || losses.size() != candidates ||
            !std::is_sorted(starts.begin(), starts.end()))
            throw DataError("lists, candidates and losses differ in number");
        for (double loss : losses)
            if (!std::isfinite(loss)) throw DataError("the loss of a candidate is not a finite number");
        const size_t before = losses_.size();
        for (size_t k = 1; k < starts.size(); ++k) starts_.push_back(before + starts[k]);
        for (double loss : losses) losses_.push_back(static_cast<float>(loss));
    }

    // To be called when all are added, before any is presented.
    void seal() { losses_.seal(); }

    // See Store.
    void arrange(std::span<const uint32_t> order, size_t from, size_t group) {
        losses_.arrange(order, from, group, [&](size_t list) { return starts_[list]; });
    }
    void reach(std::span<const uint32_t> order, size_t position) {
        losses_.reach(order, position, [&](size_t list) { return starts_[list]; });
    }

    // Throws DataError if there is no list.
    void require() const {
        if (size() == 0) throw DataError("there is no list of candidates to train on");
    }

    // Presents a list to the learner. scores: [its candidates]; differ(violation, oracle, guess), given the numbers of two
    // candidates, names their features.
    template <class Learner, class Score, class Differ>
    void present(size_t list, Learner& learner, const std::vector<Score>& scores, Differ&& differ) const {
        const size_t first = begin(list);
        const float* losses = losses_.at(first);
        learner.present(Contest{std::views::iota(size_t{0}, scores.size()), [&](uint32_t c) { return scores[c]; },
                                [&](uint32_t c) { return losses[c]; },
                                [&](auto& violation, uint32_t oracle, uint32_t guess) {
                                    differ(violation, first + oracle, first + guess);
                                }});
    }

    size_t size() const { return starts_.size() - 1; }
    size_t begin(size_t list) const { return starts_[list]; }  // its first candidate
    size_t end(size_t list) const { return starts_[list + 1]; }

  private:
    std::vector<uint64_t> starts_ = {0};  // [lists + 1] first candidate
    Store<float> losses_;                 // [candidates]
};

}  // namespace sapwood

// The walk of an online learner over its training set: every sentence once an epoch, in a new seeded order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/shuffle.hpp"
#include "learner/trainer.hpp"

namespace sapwood {

class Epochs {
  public:
    // Not `shuffled`: in the order of the data.
    Epochs(size_t sentences, uint64_t seed, bool shuffled = true)
        : order_(sentences), position_(sentences), random_(seed), shuffled_(shuffled) {
        std::iota(order_.begin(), order_.end(), 0);
    }

    // Calls learn(sentence), which returns the sentence's tokens, until about `tokens` have been seen or the epoch is
    // over; true if it is over.
    template <class Learn>
    bool step(size_t tokens, Learn&& learn) {
        if (position_ == order_.size()) {
            if (shuffled_) shuffle(order_, random_);
            position_ = 0;
            progress_.examples = progress_.mistakes = 0;
        }
        const size_t stop = progress_.examples + std::min(tokens, SIZE_MAX - progress_.examples);
        while (position_ < order_.size() && progress_.examples < stop)
            progress_.examples += learn(order_[position_++]);
        if (position_ < order_.size()) return false;
        ++progress_.epoch;
        return true;
    }

    void count_mistakes(size_t mistakes) { progress_.mistakes += mistakes; }
    const Progress& progress() const { return progress_; }

  private:
    std::vector<uint32_t> order_;  // of the sentences, shuffled every epoch
    size_t position_;              // in order_; at its end the next step shuffles
    uint64_t random_;
    bool shuffled_;
    Progress progress_;
};

}  // namespace sapwood

// Scores that were computed before in the same sentence, by a digest of the context that they depend on.
// Configurations in a beam differ far down their stacks, and have the same scores.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "learner/rows.hpp"

namespace sapwood {

template <class S>
class ScoreCache {
  public:
    explicit ScoreCache(size_t width) : stride_(padded(width)), slots_(1024) {}

    void clear() {
        used_ = 0;
        if (++round_ == 0) {  // after 2^32 sentences
            std::fill(slots_.begin(), slots_.end(), Slot{});
            round_ = 1;
        }
    }

    // The scores of a digest, [padded(width)], valid until the next call; compute(scores) fills new ones.
    template <class Compute>
    const S* get(uint64_t digest, Compute&& compute) {
        if (2 * used_ >= slots_.size()) grow();
        Slot& slot = find(digest);
        if (slot.round != round_) {
            slot = {digest, round_, static_cast<uint32_t>(used_++)};
            if (scores_.size() < used_ * stride_) scores_.resize(2 * used_ * stride_);
            compute(scores_.data() + slot.number * stride_);
        }
        return scores_.data() + slot.number * stride_;
    }

  private:
    struct Slot {
        uint64_t digest = 0;
        uint32_t round = 0, number = 0;
    };

    Slot& find(uint64_t digest) {
        for (size_t at = digest;; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.round != round_ || slot.digest == digest) return slot;
        }
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.round == round_) find(slot.digest) = slot;
    }

    size_t stride_;
    size_t used_ = 0;
    uint32_t round_ = 1;
    std::vector<Slot> slots_;
    AlignedVector<S> scores_;  // [used][stride]
};

}  // namespace sapwood

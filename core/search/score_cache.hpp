// A cache of the scores of one sentence, keyed by a digest of everything that they depend on. The configurations in a
// beam differ in few words only, so they share most of their scores.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/sum_rows.hpp"

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

    size_t size() const { return used_; }

    void prefetch(uint64_t digest) const { __builtin_prefetch(&slots_[digest & (slots_.size() - 1)]); }

    struct Place {
        uint32_t number;
        bool fresh;  // whether its scores have yet to be computed
    };

    // The place of a digest's scores. Places remain valid until clear(), pointers to scores until the next call.
    Place find(uint64_t digest) {
        if (2 * used_ >= slots_.size()) grow();
        Slot& slot = probe(digest);
        if (slot.round == round_) return {slot.number, false};
        slot = {digest, round_, static_cast<uint32_t>(used_++)};
        if (scores_.size() < used_ * stride_) scores_.resize(2 * used_ * stride_);
        return {slot.number, true};
    }

    S* operator[](uint32_t number) { return scores_.data() + number * stride_; }  // [padded(width)]

    // Overwrites total, [padded(width)], with the sum of the scores at n places.
    void sum(const uint32_t* numbers, size_t n, S* total) const {
        sum_rows(scores_.data(), stride_, numbers, n, stride_, total);
    }

  private:
    struct Slot {
        uint64_t digest = 0;
        uint32_t round = 0, number = 0;
    };

    Slot& probe(uint64_t digest) {
        for (size_t at = digest;; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.round != round_ || slot.digest == digest) return slot;
        }
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.round == round_) probe(slot.digest) = slot;
    }

    size_t stride_;
    size_t used_ = 0;
    uint32_t round_ = 1;
    std::vector<Slot> slots_;
    AlignedVector<S> scores_;  // [used][stride]
};

}  // namespace sapwood

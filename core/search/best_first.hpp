// The agenda of a best-first search: a priority queue of items 0..n-1 with scores. The highest score is on top; ties go
// to the lowest item. Each decision changes the scores of neighbouring items, so a new offer replaces the item's last
// one.
//
// This is a heap with lazy invalidation: an outdated offer stays in the heap and is dropped when it reaches the top. A
// search that makes n decisions, each of which changes the scores of a few neighbours, takes O(n log n) time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

template <class S>
class BestFirst {
  public:
    // Starts over with items that have no offers.
    void reset(size_t items) {
        heap_.clear();
        valid_.assign(items, 0);
        offers_ = 0;
    }

    void offer(size_t item, S score) {
        valid_[item] = ++offers_;
        heap_.push_back({score, item, offers_});
        std::push_heap(heap_.begin(), heap_.end());
    }

    void withdraw(size_t item) { valid_[item] = 0; }

    // Whether no item has an offer.
    bool empty() {
        drop_outdated();
        return heap_.empty();
    }

    // The item with the best offer, which stays in the agenda. The agenda must not be empty.
    size_t top() {
        drop_outdated();
        return heap_.front().item;
    }

  private:
    struct Offer {
        S score;
        size_t item;
        uint64_t number;
        bool operator<(const Offer& other) const {
            return score != other.score ? score < other.score : item > other.item;
        }
    };

    void drop_outdated() {
        while (!heap_.empty() && valid_[heap_.front().item] != heap_.front().number) {
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
        }
    }

    std::vector<Offer> heap_;
    std::vector<uint64_t> valid_;  // [items] number of the current offer, 0 if there is none
    uint64_t offers_ = 0;
};

}  // namespace sapwood

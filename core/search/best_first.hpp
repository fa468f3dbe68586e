// The agenda of a best-first search: items 0..n-1, each offered at a score, the highest on top; ties go to the
// lowest number. What is decided changes the scores around it, so an offer replaces the item's last one.
//
// A heap with lazy invalidation: an outdated offer stays in the heap and is dropped when it comes to the top.
// A search that makes n decisions, each of which changes the scores of a few neighbours, takes O(n log n).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

template <class S>
class BestFirst {
  public:
    // Starts anew with items that are not on offer yet.
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

    // Whether no item is on offer.
    bool empty() {
        drop_outdated();
        return heap_.empty();
    }

    // The best item on offer, where there is one. It stays on offer.
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
    std::vector<uint64_t> valid_;  // [items] number of the offer that holds, 0: none
    uint64_t offers_ = 0;
};

}  // namespace sapwood

// The scores of a fixed set of items under sum_j alpha_j K(x_j, .), kept up to date: a change of alpha_j adds a row of the
// kernel matrix to them. So an item is scored at no cost, and a row is computed again only if it is no longer in the
// cache, which holds those that were last used. A row is rounded to float32, cached or not, so the scores do not depend
// on the size of the cache, nor on the number of threads.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "learner/state.hpp"
#include "ranking/kernel_items.hpp"

namespace sapwood {

class CachedSum {
  public:
    // Of items that have an index, and outlive this. cache: bytes; one row is held at least.
    CachedSum(const KernelItems& items, size_t cache, size_t threads);

    void add(size_t item, double alpha);
    double score(size_t item) const { return scores_[item]; }
    // The scores (learner/state.hpp); rows are computed again.
    template <class State>
    void state(State s) {
        const size_t items = scores_.size();
        s("scores", scores_);
        if constexpr (State::kReads) s.require(scores_.size() == items, "scores", "is not of all candidates");
    }

    size_t computed() const { return computed_; }  // rows

  private:
    struct CachedRow {
        size_t item;
        std::vector<float> values;  // [items]
    };

    const std::vector<float>& row(size_t item);

    const KernelItems& items_;
    std::unique_ptr<KernelIndex> index_;
    size_t capacity_;  // rows
    size_t threads_;
    std::vector<double> scores_;  // [items]
    std::vector<double> exact_;   // [items] scratch: a row before it is rounded
    std::list<CachedRow> rows_;   // the last used first
    std::unordered_map<size_t, std::list<CachedRow>::iterator> places_;
    size_t computed_ = 0;
};

}  // namespace sapwood

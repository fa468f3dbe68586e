#include "ranking/cached_sum.hpp"

#include <algorithm>

#include "base/threads.hpp"

namespace sapwood {

CachedSum::CachedSum(const KernelItems& items, size_t cache, size_t threads)
    : items_(items),
      index_(items.index()),
      capacity_(std::max<size_t>(1, cache / std::max<size_t>(1, items.size() * sizeof(float)))),
      threads_(threads),
      scores_(items.size()),
      exact_(items.size()) {}

void CachedSum::add(size_t item, double alpha) {
    const std::vector<float>& values = row(item);
    for (size_t k = 0; k < values.size(); ++k) scores_[k] += alpha * static_cast<double>(values[k]);
}

const std::vector<float>& CachedSum::row(size_t item) {
    const auto found = places_.find(item);
    if (found != places_.end()) {
        rows_.splice(rows_.begin(), rows_, found->second);
        return rows_.front().values;
    }
    if (rows_.size() < capacity_) {
        rows_.push_front({item, std::vector<float>(scores_.size())});
    } else {
        places_.erase(rows_.back().item);
        rows_.splice(rows_.begin(), rows_, std::prev(rows_.end()));
        rows_.front().item = item;
    }
    places_.emplace(item, rows_.begin());
    std::vector<float>& values = rows_.front().values;
    for_each_sentence(
        index_->strips(), threads_, [&] { return [&](size_t strip) { index_->compute(item, strip, exact_.data()); }; },
        1);
    for (size_t k = 0; k < values.size(); ++k)
        values[k] =
            static_cast<float>(finite_kernel(items_, static_cast<double>(static_cast<float>(exact_[k])), item, k));
    ++computed_;
    return values;
}

}  // namespace sapwood

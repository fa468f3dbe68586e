// An inverted index of rows: for each feature, the rows that have it. The cost of the dot products of one row with all
// others is then proportional to the features that they share. Sums are taken in the order of the keys, as they are
// when rows are compared one by one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/long_sort.hpp"
#include "base/stop_check.hpp"
#include "kernel/polynomial_kernel.hpp"

namespace sapwood {

class RowIndex {
  public:
    explicit RowIndex(const SortedRows& rows) {
        for (size_t r = 0; r < rows.size(); ++r) keys_.insert(keys_.end(), rows[r].keys.begin(), rows[r].keys.end());
        long_sort(keys_);
        keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
        keys_.shrink_to_fit();
        starts_.resize(keys_.size() + 1);
        for (size_t r = 0; r < rows.size(); ++r)
            for (uint64_t key : rows[r].keys) StopCheck::after(100), ++starts_[place(key) + 1];
        for (size_t k = 0; k < keys_.size(); ++k) starts_[k + 1] += starts_[k];
        postings_.resize(starts_.back());
        std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
        for (size_t r = 0; r < rows.size(); ++r) {
            const SortedRows::Row row = rows[r];
            StopCheck::after(100 * row.keys.size());
            for (size_t k = 0; k < row.keys.size(); ++k)
                postings_[next[place(row.keys[k])]++] = {static_cast<uint32_t>(r), static_cast<float>(row.values[k])};
        }
    }

    // Sets products[k] to the dot product of x and row begin + k, for all rows before `end`.
    void dot(const SortedRows::Row& x, size_t begin, size_t end, double* products) const {
        std::fill_n(products, end - begin, 0.0);
        for (size_t k = 0; k < x.keys.size(); ++k) {
            const size_t feature = place(x.keys[k]);
            if (feature == keys_.size() || keys_[feature] != x.keys[k]) continue;
            const auto all = std::span(postings_).subspan(starts_[feature], starts_[feature + 1] - starts_[feature]);
            const double value = x.values[k];
            StopCheck::every(k, all.size());
            auto at = std::lower_bound(all.begin(), all.end(), begin,
                                       [](const Posting& posting, size_t row) { return posting.row < row; });
            for (; at != all.end() && at->row < end; ++at)
                products[at->row - begin] += value * static_cast<double>(at->value);
        }
    }

    // The memory that construction takes at most: the keys, whose vector may grow to twice their number, the starts and
    // the postings.
    static size_t most_bytes(size_t features) {
        return features * (3 * sizeof(uint64_t) + 2 * sizeof(size_t) + sizeof(Posting));
    }

  private:
    struct Posting {
        uint32_t row;
        float value;
    };

    size_t place(uint64_t key) const {
        return static_cast<size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
    }

    std::vector<uint64_t> keys_;     // ascending
    std::vector<size_t> starts_;     // [keys + 1] first posting of each key
    std::vector<Posting> postings_;  // sorted by key, then by row
};

}  // namespace sapwood

// A table of a frozen model, laid out for scoring. Immutable: shared by threads without a lock.
//
// Up to 64 outputs, rows are dense: one cache line or less, found by one bucket and added in registers.
// Beyond, rows stay the short lists that they are in the file.
#pragma once
#include <cstdint>
#include <vector>

#include "errors.hpp"
#include "learner/bucket_index.hpp"
#include "learner/rows.hpp"
#include "model/packed_table.hpp"

namespace sapwood {

template <class W>
class FrozenTable {
  public:
    using Weight = W;
    using Score = std::conditional_t<std::is_floating_point_v<W>, float, int32_t>;

    explicit FrozenTable(const PlainTable<W>& table)
        : width_(table.width),
          dense_(table.width <= kDenseLabels),
          stride_(row_stride(table.width)),
          index_(64 - table.key_bits, table.keys.size()) {
        const size_t n = table.keys.size();
        if (table.key_bits < kFewestKeyBits) throw ModelError("a table's keys are too short");
        if (dense_) rows_.resize((n + 1) * stride_);
        first_.push_back(0);
        if (!dense_) first_.push_back(0);  // row 0 is empty
        size_t at = 0;
        for (size_t k = 0; k < n; ++k) {
            const auto row = static_cast<uint32_t>(k + 1);
            // Two keys that only differ between the bucket's bits and the fingerprint's would be taken for
            // each other.
            const auto key_of = [&](uint32_t r) { return table.keys[r - 1] << (64 - table.key_bits); };
            if (find(key_of(row)) != 0 || index_.insert(key_of(row), row, key_of) > kFarthestBucket)
                throw ModelError("a table's keys are too much alike to be hashes");
            for (size_t end = at + table.sizes[k]; at < end; ++at) {
                if (dense_)
                    rows_[row * stride_ + table.outputs[at]] = table.values[at];
                else
                    entries_.push_back({table.outputs[at], table.values[at]});
            }
            if (!dense_) first_.push_back(entries_.size());
        }
    }

    size_t width() const { return width_; }
    size_t rows() const { return dense_ ? rows_.size() / stride_ : first_.size() - 1; }

    void prefetch_key(uint64_t key) const { index_.prefetch(key); }

    // The row of a key, 0 (the empty row) if the model does not have it.
    uint32_t find(uint64_t key) const { return index_.find(key); }

    void prefetch_row(uint32_t row) const {
        if (dense_) __builtin_prefetch(rows_.data() + row * stride_);
    }

    // scores: [padded(width)], overwritten with the sum of n rows.
    void score(const uint32_t* rows, size_t n, Score* scores) const {
        if (dense_) return sum_rows(rows_.data(), stride_, rows, n, width_, scores);
        std::fill_n(scores, padded(width_), Score{});
        for (size_t f = 0; f < n; ++f) each(rows[f], [&](uint32_t output, W w) { scores[output] += w; });
    }

    // visit(output, weight) for the weights of a row that are not zero.
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        if (dense_) {
            for (uint32_t y = 0; y < width_; ++y)
                if (const W w = rows_[row * stride_ + y]; w != 0) visit(y, w);
        } else {
            for (size_t k = first_[row]; k < first_[row + 1]; ++k)
                visit(entries_[k].output, entries_[k].weight);
        }
    }

    size_t bytes() const {
        return index_.bytes() + rows_.size() * sizeof(W) + entries_.size() * sizeof(Entry);
    }

  private:
    static constexpr unsigned kFewestKeyBits = 4;   // the index has that many bits at least
    static constexpr size_t kFarthestBucket = 200;  // hashes overflow into the next few

    struct Entry {
        uint32_t output;
        W weight;
    };

    // Rows of up to 64 bytes do not straddle cache lines.
    static size_t row_stride(size_t width) {
        size_t stride = padded(width);
        while (stride * sizeof(W) < 64 && 64 % (stride * sizeof(W)) != 0) stride += kLanes;
        return stride;
    }

    size_t width_;
    bool dense_;
    size_t stride_;
    BucketIndex index_;
    AlignedVector<W> rows_;       // dense: [features + 1][stride]
    std::vector<Entry> entries_;  // sparse
    std::vector<size_t> first_;   // sparse: [features + 2]
};

}  // namespace sapwood

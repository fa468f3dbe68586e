// A table of a frozen model, laid out for scoring. Immutable: shared by threads without a lock.
//
// Up to 64 outputs, rows are dense: one cache line or less, found by one bucket and added in registers.
// Beyond, most rows stay the short lists that they are in the file; those of frequent features, which have a weight
// for one output in kOutputsPerWeight or more, are dense there, too: adding a whole row in registers takes less time
// than adding its weights one by one.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "features/hash.hpp"
#include "learner/bucket_index.hpp"
#include "learner/rows.hpp"
#include "model/packed_table.hpp"

namespace sapwood {

template <class W>
class FrozenTable {
  public:
    using Score = std::conditional_t<std::is_floating_point_v<W>, float, int32_t>;

    explicit FrozenTable(const PlainTable<W>& table)
        : width_(table.width),
          narrow_(table.width <= kDenseLabels),
          stride_(row_stride(table.width)),
          index_(64 - table.key_bits, table.keys.size()) {
        const size_t n = table.keys.size();
        if (table.key_bits < kFewestKeyBits) throw ModelError("a table's keys are too short");
        const auto is_dense = [&](uint32_t size) { return narrow_ || size * kOutputsPerWeight >= width_; };
        size_t dense = 1, listed = 1;
        for (uint32_t size : table.sizes) is_dense(size) ? ++dense : listed += size + 1;
        if (dense >= kDense || listed >= kDense) throw ModelError("a table has more than 2^31 weights");
        rows_.resize(dense * stride_);
        entries_.reserve(listed);
        entries_.push_back(kEnd);
        row_.assign(1, 0);
        row_.reserve(n + 1);
        // The index expects room for all from the start, so it never asks for a key again.
        const auto never = [](uint32_t) { return uint64_t{0}; };
        dense = 1;
        for (size_t k = 0, at = 0; k < n; ++k) {
            const uint64_t key = table.keys[k] << (64 - table.key_bits);
            const uint32_t size = table.sizes[k];
            const size_t number = is_dense(size) ? dense : entries_.size();
            const auto row = static_cast<uint32_t>(narrow_ || !is_dense(size) ? number : kDense | number);
            row_.push_back(row);
            // Two keys that only differ between the bucket's bits and the fingerprint's would be taken for
            // each other.
            if (find(key) != 0 || index_.insert(key, row, never) > kFarthestBucket)
                throw ModelError("a table's keys are too much alike to be hashes");
            uint32_t before = 0;
            for (size_t end = at + size; at < end; ++at) {
                const uint32_t output = table.outputs[at];
                if (is_dense(size))
                    rows_[number * stride_ + output] = table.values[at];
                else
                    add_entry(output - std::exchange(before, output), table.values[at]);
            }
            is_dense(size) ? void(++dense) : entries_.push_back(kEnd);
        }
    }

    size_t width() const { return width_; }
    size_t features() const { return row_.size() - 1; }
    uint32_t row(size_t feature) const { return row_[feature + 1]; }  // of the k-th feature in the file

    void prefetch_key(uint64_t key) const { index_.prefetch(key); }

    // The row of a key, 0 (the empty row) if the model does not have it.
    uint32_t find(uint64_t key) const { return index_.find(key); }

    void prefetch_row(uint32_t row) const {
        if (is_dense(row))
            __builtin_prefetch(dense_row(row));
        else
            __builtin_prefetch(&entries_[row]);
    }

    // The rows of n keys. Each miss of the cache (bucket, row) is started for all before the first is waited for.
    void find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const {
        for (size_t k = 0; k < n; ++k) prefetch_key(keys[k]);
        for (size_t k = 0; k < n; ++k) {
            rows[k] = find(keys[k]);
            prefetch_row(rows[k]);
        }
    }

    // scores: [padded(width)], overwritten with the sum of n rows.
    void score(const uint32_t* rows, size_t n, Score* scores) const {
        if (narrow_) return sum_rows(rows_.data(), stride_, rows, n, width_, scores);
        uint32_t dense[kDenseAtOnce];
        size_t count = 0;
        for (size_t f = 0; f < n && count < kDenseAtOnce; ++f)
            if (rows[f] & kDense) dense[count++] = rows[f] & ~kDense;
        sum_rows(rows_.data(), stride_, dense, count, width_, scores);
        for (size_t f = 0; f < n; ++f) {
            if ((rows[f] & kDense) && count > 0) {
                --count;
                continue;
            }
            each(rows[f], [&](uint32_t output, W w) { scores[output] += w; });
        }
    }

    // The same with a value for each row, in float.
    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        if (narrow_) return sum_rows(rows_.data(), stride_, rows, values, n, width_, scores);
        std::fill_n(scores, padded(width_), 0.0f);
        for (size_t f = 0; f < n; ++f)
            each(rows[f], [&](uint32_t output, W w) { scores[output] += values[f] * static_cast<float>(w); });
    }

    // visit(output, weight) for the weights of a row that are not zero (and, in rows of tables that are wider than
    // 65,535, for some that are).
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        if (is_dense(row)) {
            const W* weights = dense_row(row);
            for (uint32_t y = 0; y < width_; ++y)
                if (weights[y] != 0) visit(y, weights[y]);
        } else {
            uint32_t output = 0;
            for (const Entry* entry = &entries_[row]; entry->gap != 0 || entry->weight != 0; ++entry) {
                output += entry->gap;
                visit(output, entry->weight);
            }
        }
    }

    // Adds up `count` pseudo-random rows, some at a time, as scoring does: the machine's own limit, for
    // benchmarks. Returns something that depends on all of them.
    double gather(size_t count, size_t at_a_time, uint64_t seed) const {
        std::vector<uint32_t> rows(std::max<size_t>(at_a_time, 1));
        AlignedVector<Score> scores(padded(width_));
        double total = 0;
        for (size_t done = 0; done < count; done += rows.size()) {
            for (uint32_t& row : rows) {
                seed = fold(seed + 0x9E3779B97F4A7C15ULL, 0xE7037ED1A0B428DBULL);
                row = row_[static_cast<size_t>((static_cast<unsigned __int128>(seed) * row_.size()) >> 64)];
            }
            score(rows.data(), rows.size(), scores.data());
            total += static_cast<double>(scores[0]);
        }
        return total;
    }

    size_t bytes() const {
        return index_.bytes() + rows_.size() * sizeof(W) + entries_.size() * sizeof(Entry) +
               row_.size() * sizeof(uint32_t);
    }

  private:
    static constexpr unsigned kFewestKeyBits = 4;   // the index has that many bits at least
    static constexpr size_t kFarthestBucket = 200;  // hashes overflow into the next few
    static constexpr size_t kOutputsPerWeight = 12;
    static constexpr uint32_t kDense = uint32_t{1} << 31;
    static constexpr size_t kDenseAtOnce = 512;

    struct Entry {
        uint16_t gap;  // from the output before, the first one's from 0
        W weight;
    };
    static constexpr Entry kEnd{0, W{}};  // of a row

    // Rows of up to 64 bytes do not straddle cache lines.
    static size_t row_stride(size_t width) {
        size_t stride = padded(width);
        while (stride * sizeof(W) < 64 && 64 % (stride * sizeof(W)) != 0) stride += kLanes;
        return stride;
    }

    // A gap that does not fit is gone in steps, with weights of 0.
    void add_entry(uint32_t gap, W weight) {
        for (; gap > UINT16_MAX; gap -= UINT16_MAX) entries_.push_back({UINT16_MAX, W{}});
        entries_.push_back({static_cast<uint16_t>(gap), weight});
    }

    bool is_dense(uint32_t row) const { return narrow_ || (row & kDense) != 0; }
    const W* dense_row(uint32_t row) const { return rows_.data() + (row & ~kDense) * stride_; }

    size_t width_;
    bool narrow_;  // all rows are dense
    size_t stride_;
    BucketIndex index_;
    AlignedVector<W> rows_;       // [dense rows][stride] the first is empty
    std::vector<Entry> entries_;  // the others: each row's weights that are not 0, and its end
    // [features + 1] where each row is: 0, the empty row, then in the file's order the number of a dense row, with
    // kDense in wide tables, or the place among the entries
    std::vector<uint32_t> row_;
};

// A weight that is not zero: its table, its feature's place in the file, its output.
struct Weight {
    size_t table, feature, output;
    double weight;
};

template <class W>
std::vector<Weight> all_weights(const std::vector<FrozenTable<W>>& tables, double scale) {
    std::vector<Weight> all;
    for (size_t t = 0; t < tables.size(); ++t)
        for (size_t f = 0; f < tables[t].features(); ++f)
            tables[t].each(tables[t].row(f), [&](uint32_t output, W w) {
                if (w != 0) all.push_back({t, f, output, static_cast<double>(w) * scale});
            });
    return all;
}

}  // namespace sapwood

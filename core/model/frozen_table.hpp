// A table of a frozen model, laid out for scoring. Immutable: shared by threads without a lock.
//
// Up to 64 outputs, rows are dense: one cache line or less, found by one bucket and added in registers.
// Beyond, most rows stay the short lists that they are in the file; those of frequent features, which have a weight
// for one output in kOutputsPerWeight or more, are dense there, too: adding a whole row in registers takes less time
// than adding its weights one by one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "learner/bucket_index.hpp"
#include "learner/rows.hpp"
#include "model/packed_table.hpp"

namespace sapwood {

template <class W>
class FrozenTable {
  public:
    using Score = std::conditional_t<std::is_floating_point_v<W>, float, int32_t>;

    explicit FrozenTable(const PlainTable<W>& table)
        : width_(table.width), narrow_(table.width <= kDenseLabels), stride_(row_stride(table.width)) {
        if (table.key_bits < kFewestKeyBits) throw ModelError("a table's keys are too short");
        lay_out_rows(table);
        for (uint64_t multiplier : kMultipliers)
            if (place_keys(table, multiplier)) return;
        throw ModelError("a table's keys are too much alike to be hashes");
    }

    // The weights of another type, as numbers of this one, in rows of the same numbers.
    template <class V>
    explicit FrozenTable(const FrozenTable<V>& other)
        : width_(other.width_),
          narrow_(other.narrow_),
          stride_(row_stride(other.width_)),
          shift_(other.shift_),
          multiplier_(other.multiplier_),
          index_(other.index_),
          rows_(other.rows_.size() / other.stride_ * stride_),
          lists_(other.lists_.size()),
          row_(other.row_) {
        for (size_t r = 0; r < other.rows_.size() / other.stride_; ++r)
            for (size_t y = 0; y < width_; ++y)
                rows_[r * stride_ + y] = static_cast<W>(other.rows_[r * other.stride_ + y]);
        for (size_t k = 0; k < lists_.size(); ++k) {
            std::ranges::copy(other.lists_[k].gap, lists_[k].gap);
            std::ranges::copy(other.lists_[k].weight, lists_[k].weight);
            lists_[k].more = other.lists_[k].more;
        }
    }

    size_t width() const { return width_; }
    size_t features() const { return row_.size() - 1; }
    uint32_t row(size_t feature) const { return row_[feature + 1]; }  // of the k-th feature in the file

    void prefetch_key(uint64_t key) const { index_.prefetch(placed(key)); }
    // For callers of find_rows who make keys bit by bit: the cache misses of some pass while others are made.
    void prefetch_keys(const uint64_t* keys, size_t n) const {
        for (size_t k = 0; k < n; ++k) prefetch_key(keys[k]);
    }

    // The row of a key, 0 (the empty row) if the model does not have it.
    uint32_t find(uint64_t key) const { return index_.find(placed(key)); }

    void prefetch_row(uint32_t row) const {
        if (!is_dense(row)) return __builtin_prefetch(&lists_[row]);
        for (size_t k = 0; k < stride_; k += kLine) __builtin_prefetch(dense_row(row) + k);
    }

    // The rows of n keys. Each miss of the cache (bucket, row) is started for all before the first is waited for.
    void find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const {
        prefetch_keys(keys, n);
        for (size_t k = 0; k < n; ++k) {
            rows[k] = find(keys[k]);
            prefetch_row(rows[k]);
        }
    }

    // scores: [padded(width)], overwritten with the sum of n rows. Numbers of 16 bits hold sums of at most 256 rows of
    // int8.
    template <class S>
    void score(const uint32_t* rows, size_t n, S* scores) const {
        if (narrow_) return sum_rows(rows_.data(), stride_, rows, n, width_, scores);
        // Nobody can guess which row is of which kind, so they are told apart without a branch.
        uint32_t dense[kAtOnce], lists[kAtOnce];
        size_t dense_count = 0, list_count = 0;
        const size_t first = std::min(n, kAtOnce);
        for (size_t f = 0; f < first; ++f) {
            dense[dense_count] = rows[f] & ~kDense;
            dense_count += rows[f] >= kDense;
            lists[list_count] = rows[f];
            list_count += (rows[f] < kDense) & (rows[f] != 0);
        }
        sum_rows(rows_.data(), stride_, dense, dense_count, width_, scores);
        const auto add = [&](uint32_t output, W w) { scores[output] = static_cast<S>(scores[output] + w); };
        for (size_t k = 0; k < list_count; ++k) each_listed(lists[k], add);
        for (size_t f = first; f < n; ++f) each(rows[f], add);
    }

    // The same for several sums at a time, whose order of additions does not count. Each part is `size` rows from
    // rows[first] on, and goes to scores(part). First come all dense rows and then, in rounds, the first chunks of all
    // lists, the second ones of those that go on, and so on: nobody can guess where a list ends, and a processor that does
    // so for each list loses much of its time by that.
    template <class Parts, class Scores>
        requires std::is_integral_v<W>
    void score_parts(const uint32_t* rows, const Parts& parts, Scores&& scores) const {
        using S = std::remove_pointer_t<decltype(scores(*parts.begin()))>;
        Unfinished<S> lists[kAtOnce];
        uint32_t dense[kAtOnce];
        size_t count = 0;
        for (const auto& part : parts) {
            S* to = scores(part);
            if (narrow_ || part.size > kAtOnce) {
                score(rows + part.first, part.size, to);
                continue;
            }
            if (count + part.size > kAtOnce) finish(lists, std::exchange(count, 0));
            size_t dense_count = 0;
            for (size_t f = part.first; f < part.first + part.size; ++f) {
                const uint32_t row = rows[f];
                dense[dense_count] = row & ~kDense;
                dense_count += row >= kDense;
                lists[count] = {row, 0, to};
                count += (row < kDense) & (row != 0);
            }
            sum_rows(rows_.data(), stride_, dense, dense_count, width_, to);
        }
        finish(lists, count);
    }

    // The same with a value for each row, in float.
    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        if (narrow_) return sum_rows(rows_.data(), stride_, rows, values, n, width_, scores);
        std::fill_n(scores, padded(width_), 0.0f);
        for (size_t f = 0; f < n; ++f)
            each(rows[f], [&](uint32_t output, W w) { scores[output] += values[f] * static_cast<float>(w); });
    }

    // visit(output, weight) for the weights of a row that are not zero.
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        const auto visit_weight = [&](uint32_t output, W w) {
            if (w != 0) visit(output, w);
        };
        if (!is_dense(row)) return each_listed(row, visit_weight);
        const W* weights = dense_row(row);
        constexpr uint32_t together = sizeof(uint64_t) / sizeof(W);  // most are 0; behind the last one all
        for (uint32_t first = 0; first < width_; first += together) {
            uint64_t bits;
            std::memcpy(&bits, weights + first, sizeof bits);
            if (bits == 0) continue;
            for (uint32_t y = first; y < first + together; ++y) visit_weight(y, weights[y]);
        }
    }

    // The weight of a row for one output.
    W weight(uint32_t row, uint32_t output) const {
        if (is_dense(row)) return dense_row(row)[output];
        W weight{};
        each_listed(row, [&](uint32_t y, W w) { weight = y == output && w != 0 ? w : weight; });
        return weight;
    }

  private:
    template <class V>
    friend class FrozenTable;

    static constexpr unsigned kFewestKeyBits = 4;   // the index has that many bits at least
    static constexpr size_t kFarthestBucket = 200;  // hashes overflow into the next few
    // Of the index, tried in turn. Hashes are in order with the first; text that is crafted to crowd them is not with
    // the others as well.
    static constexpr uint64_t kMultipliers[] = {1, 0x9E3779B97F4A7C15ULL, 0xD1B54A32D192ED03ULL, 0xAEF17502108EF2D9ULL};
    static constexpr size_t kOutputsPerWeight = 12;
    static constexpr uint32_t kDense = uint32_t{1} << 31;
    static constexpr size_t kAtOnce = 512;
    static constexpr size_t kChunk = 5;
    static constexpr size_t kLine = 64 / sizeof(W);  // weights in a cache line

    // A part of a list; places without a weight have a gap and a weight of 0. Most lists take one or two chunks, of 16
    // bytes each if a weight takes one. If each list had an end mark, the processor would predict its place wrongly for
    // every list.
    struct Chunk {
        uint16_t gap[kChunk] = {};  // from the output before, the first one's from 0
        W weight[kChunk] = {};
        bool more = false;  // the list goes on
    };

    // A list of which some chunks have been added.
    template <class S>
    struct Unfinished {
        uint32_t chunk, output;  // the next chunk, and the output of the last weight
        S* scores;
    };

    template <class S>
    void finish(Unfinished<S>* lists, size_t count) const {
        while (count > 0) {
            size_t left = 0;
            for (size_t k = 0; k < count; ++k) {
                auto [number, output, scores] = lists[k];
                const Chunk& chunk = lists_[number];
#pragma GCC unroll 5
                for (size_t w = 0; w < kChunk; ++w) {
                    output += chunk.gap[w];
                    scores[output] = static_cast<S>(scores[output] + chunk.weight[w]);
                }
                lists[left] = {number + 1, output, scores};
                left += chunk.more;
            }
            count = left;
        }
    }

    void lay_out_rows(const PlainTable<W>& table) {
        const auto is_dense = [&](uint32_t size) { return narrow_ || size * kOutputsPerWeight >= width_; };
        size_t dense = 1, listed = 1;
        for (uint32_t size : table.sizes) is_dense(size) ? ++dense : listed += (size + kChunk - 1) / kChunk;
        if (dense >= kDense || listed >= kDense) throw ModelError("a table has more than 2^31 weights");
        rows_.resize(dense * stride_);
        lists_.reserve(listed);
        lists_.emplace_back();
        row_.assign(1, 0);
        row_.reserve(table.keys.size() + 1);
        dense = 1;
        size_t at = 0;
        for (const uint32_t size : table.sizes) {
            StopCheck::every(row_.size());
            const size_t number = is_dense(size) ? dense : lists_.size();
            row_.push_back(static_cast<uint32_t>(narrow_ || !is_dense(size) ? number : kDense | number));
            if (is_dense(size)) {
                for (size_t w = at; w < at + size; ++w) rows_[dense * stride_ + table.outputs[w]] = table.values[w];
                ++dense;
            } else {
                add_list(table, at, at + size);
            }
            at += size;
        }
    }

    // The top bits of a key's product with the multiplier, which is 1 for all models but crafted ones.
    uint64_t placed(uint64_t key) const {
        if (multiplier_ == 1) [[likely]]
            return key;
        return (key >> shift_) * multiplier_ << shift_;
    }

    // False if keys crowd in one place, or cannot be told apart there: two that only differ between the bucket's bits
    // and the fingerprint's would be taken for each other.
    bool place_keys(const PlainTable<W>& table, uint64_t multiplier) {
        shift_ = 64 - table.key_bits;
        multiplier_ = multiplier;
        index_ = BucketIndex(shift_, table.keys.size());
        for (size_t k = 0; k < table.keys.size(); ++k) {
            StopCheck::every(k);
            const uint64_t key = table.keys[k] << (64 - table.key_bits);
            if (index_.insert_new(placed(key), row(k)) > kFarthestBucket) return false;
        }
        return true;
    }

    // Rows of up to 64 bytes do not straddle cache lines, and longer ones begin with one where that makes them an eighth
    // longer at most.
    static size_t row_stride(size_t width) {
        size_t stride = padded(width);
        while (stride < kLine && kLine % stride != 0) stride += kLanes;
        const size_t whole = (stride + kLine - 1) / kLine * kLine;
        return whole - stride <= stride / 8 ? whole : stride;
    }

    // Adds the list of a table's weights begin..end. A gap that does not fit is gone in steps, with weights of 0. Places
    // that are left are outputs of their own with weights of 0, so that no addition waits for the one before.
    void add_list(const PlainTable<W>& table, size_t begin, size_t end) {
        lists_.emplace_back();
        size_t filled = 0;
        const auto add = [&](uint32_t gap, W weight) {
            if (filled == kChunk) {
                lists_.back().more = true;
                lists_.emplace_back();
                filled = 0;
            }
            lists_.back().gap[filled] = static_cast<uint16_t>(gap);
            lists_.back().weight[filled++] = weight;
        };
        uint32_t before = 0;
        for (size_t at = begin; at < end; ++at) {
            uint32_t gap = table.outputs[at] - std::exchange(before, table.outputs[at]);
            for (; gap > UINT16_MAX; gap -= UINT16_MAX) add(UINT16_MAX, W{});
            add(gap, table.values[at]);
        }
        while (filled < kChunk && ++before < width_) lists_.back().gap[filled++] = 1;
    }

    // visit(output, weight) for all places of a list's chunks, with weights of 0 where there is none.
    template <class Visit>
    void each_listed(uint32_t row, Visit&& visit) const {
        uint32_t output = 0;
        for (const Chunk* chunk = &lists_[row];; ++chunk) {
#pragma GCC unroll 5
            for (size_t k = 0; k < kChunk; ++k) visit(output += chunk->gap[k], chunk->weight[k]);
            if (!chunk->more) return;
        }
    }

    bool is_dense(uint32_t row) const { return narrow_ || (row & kDense) != 0; }
    const W* dense_row(uint32_t row) const { return rows_.data() + (row & ~kDense) * stride_; }

    size_t width_;
    bool narrow_;  // all rows are dense
    size_t stride_;
    unsigned shift_ = 0;  // 64 - key_bits
    uint64_t multiplier_ = 1;
    BucketIndex index_;
    AlignedVector<W> rows_;       // [dense rows][stride] the first is empty
    AlignedVector<Chunk> lists_;  // the others, the first empty: weights that are not 0
    // [features + 1] where each row is: 0, the empty row, then in the file's order the number of a dense row, with
    // kDense in wide tables, or the first chunk of a list
    std::vector<uint32_t> row_;
};

}  // namespace sapwood

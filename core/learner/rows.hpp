// Two ways to store the key, the weights and the averaging sums of a feature. Row 0 is empty, so that a feature without
// weights can be added like any other.
//
// Dense rows suit a few labels: a row is an array of floats that sum_rows adds in registers or, for one output, a single
// float, so that many more rows fit into the cache. Sparse rows suit hundreds of labels or label pairs, because a feature
// has weights for a handful of them: a row is a list, and most lists fit into one cache line, key and weights together. A
// list without room for another weight moves, and then its row number changes. A list that has become long becomes a
// dense row. Few rows are long, but they have most of the weights that are added up for scores.
//
// Weights are whole numbers unless there are passive-aggressive updates. Sums of whole numbers are the same in any
// order, so dense rows may be added first. Other weights are added in the order of the rows, so that scores do not depend
// on which rows are lists.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/aligned.hpp"
#include "base/blocks.hpp"
#include "base/errors.hpp"
#include "base/sum_rows.hpp"

namespace sapwood {

constexpr size_t kDenseLabels = 64;  // wider rows are sparse

class DenseRows {
  public:
    explicit DenseRows(size_t width) : width_(width), stride_(width == 1 ? 1 : padded(width)) { add(0); }

    uint32_t add(uint64_t key) {
        keys_.push_back(key);
        weights_.resize(weights_.size() + stride_);
        sums_.resize(sums_.size() + width_);
        return static_cast<uint32_t>(keys_.size() - 1);
    }

    uint64_t key(uint32_t row) const { return keys_[row]; }

    void prefetch(uint32_t row) const {
        const float* w = weights_.data() + row * stride_;
        for (size_t k = 0; k < stride_; k += 16) __builtin_prefetch(w + k);
        __builtin_prefetch(&keys_[row]);
    }

    // scores: [padded(width)], overwritten with the sum of the rows.
    void score(const uint32_t* rows, size_t n, float* scores) const {
        if (width_ > 1) return sum_rows(weights_.data(), stride_, rows, n, width_, scores);
        scores[0] = 0;
        for (size_t f = 0; f < n; ++f) scores[0] += weights_[rows[f]];
    }
    // The same, each row times its value.
    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        if (width_ > 1) return sum_rows(weights_.data(), stride_, rows, values, n, width_, scores);
        scores[0] = 0;
        for (size_t f = 0; f < n; ++f) scores[0] += values[f] * weights_[rows[f]];
    }

    void set(uint32_t row, uint32_t output, float weight, double sum) {
        weights_[row * stride_ + output] = weight;
        sums_[row * width_ + output] = sum;
    }
    // The same. Returns the row's number.
    uint32_t put(uint32_t row, uint32_t output, float weight, double sum) {
        set(row, output, weight, sum);
        return row;
    }
    // How scores are summed does not depend on the weights.
    bool whole() const { return true; }
    void set_whole(bool) {}

    // Adds to a weight and its sum. Returns the row's number.
    uint32_t update(uint32_t row, uint32_t output, float delta, double clock) {
        weights_[row * stride_ + output] += delta;
        sums_[row * width_ + output] += clock * static_cast<double>(delta);
        return row;
    }

    // Whether the weight is not 0.
    bool holds(uint32_t row, uint32_t output) const { return weights_[row * stride_ + output] != 0; }

    const float* weights(uint32_t row) const { return weights_.data() + row * stride_; }

    // The weight and the sum of an output.
    std::pair<float, double> at(uint32_t row, uint32_t output) const {
        return {weights_[row * stride_ + output], sums_[row * width_ + output]};
    }

    void prefetch_update(uint32_t row, uint32_t output) const {
        __builtin_prefetch(weights_.data() + row * stride_ + output);
        __builtin_prefetch(sums_.data() + row * width_ + output);
    }

    // visit(output, weight, sum) for each output that the row may hold, in ascending order.
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        for (uint32_t y = 0; y < width_; ++y) visit(y, weights_[row * stride_ + y], sums_[row * width_ + y]);
    }

  private:
    size_t width_, stride_;
    AlignedVector<uint64_t> keys_;  // [rows]
    AlignedVector<float> weights_;  // [rows][stride]
    AlignedVector<double> sums_;    // [rows][width] averaging: sum of clock * delta
};

class SparseRows {
  public:
    explicit SparseRows(size_t width)
        : width_(width), longest_(longest(width)), units_(units(longest_)), sums_(units(longest_) * kUnitEntries) {
        add(0);
    }

    uint32_t add(uint64_t key) {
        const uint32_t row = place(0);
        header(row) = {key, 0, 0};
        return row;
    }

    uint64_t key(uint32_t row) const { return is_dense(row) ? dense_->key(row & ~kDense) : header(row).key; }

    void prefetch(uint32_t row) const {
        if (is_dense(row)) return dense_->prefetch(row & ~kDense);
        __builtin_prefetch(units_.at(row));
    }
    void prefetch_update(uint32_t row, uint32_t output) const {
        if (is_dense(row)) return dense_->prefetch_update(row & ~kDense, output);
        __builtin_prefetch(units_.at(row));
        __builtin_prefetch(sums(row));
    }

    void score(const uint32_t* rows, size_t n, float* scores) const {
        if (!whole_ || !dense_) {
            std::fill_n(scores, padded(width_), 0.0f);
            for (size_t f = 0; f < n; ++f)
                visit_weights(rows[f], [&](uint32_t output, float weight) { scores[output] += weight; });
            return;
        }
        // Nobody can guess which row is of which kind, so they are told apart without a branch.
        std::array<uint32_t, kAtOnce> dense, lists;
        size_t dense_count = 0, list_count = 0;
        const size_t first = std::min(n, kAtOnce);
        for (size_t f = 0; f < first; ++f) {
            dense[dense_count] = rows[f] & ~kDense;
            dense_count += is_dense(rows[f]);
            lists[list_count] = rows[f];
            list_count += !is_dense(rows[f]) & (rows[f] != 0);
        }
        dense_->score(dense.data(), dense_count, scores);
        const auto add = [&](uint32_t output, float weight) { scores[output] += weight; };
        for (size_t k = 0; k < list_count; ++k) visit_list(lists[k], add);
        for (size_t f = first; f < n; ++f) visit_weights(rows[f], add);
    }

    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        std::fill_n(scores, padded(width_), 0.0f);
        for (size_t f = 0; f < n; ++f)
            visit_weights(rows[f], [&](uint32_t output, float weight) { scores[output] += values[f] * weight; });
    }

    // Adds to a weight and its sum. Returns the row's number, which changes if the row has to move.
    uint32_t update(uint32_t row, uint32_t output, float delta, double clock) {
        whole_ = whole_ && delta == std::trunc(delta);
        if (is_dense(row)) return kDense | dense_->update(row & ~kDense, output, delta, clock);
        const size_t k = find(row, output), size = header(row).size;
        if (k == size || entries(row)[k].output != output) {
            if (size == longest_) return update(make_dense(row), output, delta, clock);
            row = insert(row, k, output);
        }
        entries(row)[k].weight += delta;
        sums(row)[k] += clock * static_cast<double>(delta);
        return row;
    }

    // Gives an output of a row its weight and sum. Returns the row's number, as update does.
    uint32_t put(uint32_t row, uint32_t output, float weight, double sum) {
        whole_ = whole_ && weight == std::trunc(weight);
        row = update(row, output, 0, 0);
        if (is_dense(row)) {
            dense_->set(row & ~kDense, output, weight, sum);
        } else {
            const size_t k = find(row, output);
            entries(row)[k].weight = weight;
            sums(row)[k] = sum;
        }
        return row;
    }

    // Whether all updates were whole numbers.
    bool whole() const { return whole_; }
    void set_whole(bool whole) { whole_ = whole; }

    // Whether the weight is not 0.
    bool holds(uint32_t row, uint32_t output) const {
        if (is_dense(row)) return dense_->holds(row & ~kDense, output);
        const size_t k = find(row, output);
        return k < header(row).size && entries(row)[k].output == output && entries(row)[k].weight != 0;
    }

    // The weight and the sum of an output, 0 if it has none.
    std::pair<float, double> at(uint32_t row, uint32_t output) const {
        if (is_dense(row)) return dense_->at(row & ~kDense, output);
        const size_t k = find(row, output);
        if (k == header(row).size || entries(row)[k].output != output) return {0.0f, 0.0};
        return {entries(row)[k].weight, sums(row)[k]};
    }

    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        if (is_dense(row))
            return dense_->each(row & ~kDense, [&](uint32_t output, float weight, double sum) {
                if (weight != 0 || sum != 0) visit(output, weight, sum);
            });
        const Entry* entry = entries(row);
        const double* sum = sums(row);
        for (size_t k = 0; k < header(row).size; ++k) visit(entry[k].output, entry[k].weight, sum[k]);
    }

  private:
    static constexpr uint32_t kDense = uint32_t{1} << 31;
    static constexpr size_t kAtOnce = 512;
    static constexpr size_t kOutputsPerWeight = 12;  // a list of more than width / 12 weights becomes a dense row

    // A list of class c has 2^c units: the first half of its first unit is its header, the rest are entries.
    static constexpr size_t kUnitEntries = 4;
    struct alignas(32) Unit {
        std::byte bytes[32];
    };
    struct Header {
        uint64_t key;
        uint32_t size, size_class;  // size: number of entries
    };
    struct Entry {  // entries of a list ascend by output
        uint32_t output;
        float weight;
    };
    static_assert(sizeof(Unit) == kUnitEntries * sizeof(Entry) && sizeof(Header) == sizeof(Unit) / 2);

    static size_t capacity(size_t size_class) { return (kUnitEntries << size_class) - kUnitEntries / 2; }
    // The largest number of entries of a list: the capacity of the smallest class with width / kOutputsPerWeight entries.
    static size_t longest(size_t width) {
        size_t size_class = 1;
        while (capacity(size_class) * kOutputsPerWeight < width) ++size_class;
        return capacity(size_class);
    }
    static size_t units(size_t longest) { return (longest + kUnitEntries / 2) / kUnitEntries; }

    static bool is_dense(uint32_t row) { return row >= kDense; }

    template <class Visit>
    void visit_list(uint32_t row, Visit&& visit) const {
        const Entry* entry = entries(row);
        for (const Entry* end = entry + header(row).size; entry != end; ++entry) visit(entry->output, entry->weight);
    }
    template <class Visit>
    void visit_weights(uint32_t row, Visit&& visit) const {
        if (!is_dense(row)) return visit_list(row, visit);
        const float* weights = dense_->weights(row & ~kDense);
        for (uint32_t y = 0; y < width_; ++y) visit(y, weights[y]);
    }

    Header& header(uint32_t row) { return *reinterpret_cast<Header*>(units_.at(row)); }
    const Header& header(uint32_t row) const { return *reinterpret_cast<const Header*>(units_.at(row)); }
    Entry* entries(uint32_t row) { return reinterpret_cast<Entry*>(units_.at(row)->bytes + sizeof(Header)); }
    const Entry* entries(uint32_t row) const {
        return reinterpret_cast<const Entry*>(units_.at(row)->bytes + sizeof(Header));
    }
    double* sums(uint32_t row) { return sums_.at(row * kUnitEntries); }
    const double* sums(uint32_t row) const { return sums_.at(row * kUnitEntries); }

    // The index of an output's entry in a list, or the index at which it would be inserted.
    size_t find(uint32_t row, uint32_t output) const {
        const Entry* begin = entries(row);
        const auto before = [](const Entry& e, uint32_t y) { return e.output < y; };
        return static_cast<size_t>(std::lower_bound(begin, begin + header(row).size, output, before) - begin);
    }

    // Returns the row number of free room for a list of a class, from a list that has moved or at the end. A list begins
    // at a multiple of its size.
    uint32_t place(size_t size_class) {
        if (free_.size() <= size_class) free_.resize(size_class + 1);
        if (free_[size_class].empty()) {
            for (size_t smaller = 0; smaller < size_class; ++smaller)
                if ((used_ >> smaller & 1) != 0) {
                    free_[smaller].push_back(static_cast<uint32_t>(used_));
                    used_ += size_t{1} << smaller;
                }
            free_[size_class].push_back(static_cast<uint32_t>(used_));
            used_ += size_t{1} << size_class;
            if (used_ > kDense) throw DataError("a table has more than 2^33 weights; use fewer template lines");
            units_.reserve(used_);
            sums_.reserve(used_ * kUnitEntries);
        }
        const uint32_t row = free_[size_class].back();
        free_[size_class].pop_back();
        return row;
    }

    // Moves a list to a dense row. Returns the new row number.
    uint32_t make_dense(uint32_t row) {
        if (!dense_) dense_.emplace(width_);
        const uint32_t to = dense_->add(header(row).key);
        for (size_t k = 0; k < header(row).size; ++k)
            dense_->set(to, entries(row)[k].output, entries(row)[k].weight, sums(row)[k]);
        free_[header(row).size_class].push_back(row);
        return kDense | to;
    }

    // Inserts an entry of weight 0 at index k of a list. Returns the row's number.
    uint32_t insert(uint32_t row, size_t k, uint32_t output) {
        const Header old = header(row);
        uint32_t to = row;
        if (old.size == capacity(old.size_class)) {
            to = place(old.size_class + 1);
            header(to) = {old.key, old.size, old.size_class + 1};
            std::copy_n(entries(row), k, entries(to));
            std::copy_n(sums(row), k, sums(to));
            free_[old.size_class].push_back(row);
        }
        std::copy_backward(entries(row) + k, entries(row) + old.size, entries(to) + old.size + 1);
        std::copy_backward(sums(row) + k, sums(row) + old.size, sums(to) + old.size + 1);
        entries(to)[k] = {output, 0.0f};
        sums(to)[k] = 0;
        ++header(to).size;
        return to;
    }

    size_t width_, longest_;
    bool whole_ = true;                        // all updates were whole numbers, so all weights are
    size_t used_ = 0;                          // units, in use or free
    Blocks<Unit> units_;                       // the row number of a list is the index of its first unit
    Blocks<double> sums_;                      // [units][kUnitEntries] averaging: sum of clock * delta of each entry;
                                               // a list's sums begin at its first unit
    std::vector<std::vector<uint32_t>> free_;  // [classes] row numbers of lists that have moved
    std::optional<DenseRows> dense_;           // made for the first long row; their row numbers have the bit kDense
};

}  // namespace sapwood

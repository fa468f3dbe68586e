// Two ways to keep the weights and averaging sums of a feature. Both number their rows from 1; row 0 is
// empty, so that a feature without weights can be added like any other.
//
// Dense rows suit a few labels: a row is a run of floats that sum_rows adds in registers. Sparse rows suit
// hundreds of labels or label pairs, of which a feature touches a handful.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "base/sum_rows.hpp"

namespace sapwood {

constexpr size_t kDenseLabels = 64;  // wider rows are sparse

class DenseRows {
  public:
    explicit DenseRows(size_t width) : width_(width), stride_(padded(width)) { add(); }

    uint32_t add() {
        weights_.resize(weights_.size() + stride_);
        sums_.resize(sums_.size() + width_);
        return static_cast<uint32_t>(sums_.size() / width_ - 1);
    }

    void prefetch(uint32_t row) const {
        const float* w = weights_.data() + row * stride_;
        for (size_t k = 0; k < stride_; k += 16) __builtin_prefetch(w + k);
    }

    // scores: [padded(width)], overwritten with the sum of the rows.
    void score(const uint32_t* rows, size_t n, float* scores) const {
        sum_rows(weights_.data(), stride_, rows, n, width_, scores);
    }
    // The same, each row times its value.
    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        sum_rows(weights_.data(), stride_, rows, values, n, width_, scores);
    }

    void update(uint32_t row, uint32_t output, float delta, double clock) {
        weights_[row * stride_ + output] += delta;
        sums_[row * width_ + output] += clock * static_cast<double>(delta);
    }

    // visit(output, weight, sum) for each output that the row may hold, in ascending order.
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        for (uint32_t y = 0; y < width_; ++y) visit(y, weights_[row * stride_ + y], sums_[row * width_ + y]);
    }

    size_t bytes() const { return weights_.capacity() * sizeof(float) + sums_.capacity() * sizeof(double); }

  private:
    size_t width_, stride_;
    AlignedVector<float> weights_;  // [rows][stride]
    std::vector<double> sums_;      // [rows][width] averaging: sum of clock * delta
};

class SparseRows {
  public:
    explicit SparseRows(size_t width) : width_(width) { add(); }

    uint32_t add() {
        rows_.emplace_back();
        return static_cast<uint32_t>(rows_.size() - 1);
    }

    void prefetch(uint32_t row) const { __builtin_prefetch(&rows_[row]); }

    void score(const uint32_t* rows, size_t n, float* scores) const {
        std::fill_n(scores, padded(width_), 0.0f);
        for (size_t f = 0; f < n; ++f) __builtin_prefetch(rows_[rows[f]].data());
        for (size_t f = 0; f < n; ++f) add_scores(rows[f], scores);
    }

    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        std::fill_n(scores, padded(width_), 0.0f);
        for (size_t f = 0; f < n; ++f)
            for (const Entry& e : rows_[rows[f]]) scores[e.output] += values[f] * e.weight;
    }

    void add_scores(uint32_t row, float* scores) const {
        for (const Entry& e : rows_[row]) scores[e.output] += e.weight;
    }

    void update(uint32_t row, uint32_t output, float delta, double clock) {
        auto& entries = rows_[row];
        auto at = std::lower_bound(entries.begin(), entries.end(), output,
                                   [](const Entry& e, uint32_t y) { return e.output < y; });
        if (at == entries.end() || at->output != output) at = entries.insert(at, Entry{output, 0.0f, 0.0});
        at->weight += delta;
        at->sum += clock * static_cast<double>(delta);
    }

    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        for (const Entry& e : rows_[row]) visit(e.output, e.weight, e.sum);
    }

    size_t bytes() const {
        size_t total = rows_.capacity() * sizeof rows_[0];
        for (const auto& entries : rows_) total += entries.capacity() * sizeof(Entry);
        return total;
    }

  private:
    struct Entry {
        uint32_t output;
        float weight;
        double sum;
    };

    size_t width_;
    std::vector<std::vector<Entry>> rows_;  // entries ascend by output
};

}  // namespace sapwood

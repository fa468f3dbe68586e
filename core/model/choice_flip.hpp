// Finds the fewest features of one choice without which another output would be chosen.
//
// Without the features R, the score of an output y is  score(y) - sum over f in R of value_f * w[f][y].  For each other
// output, the features that contribute most to its distance from the chosen output are removed first, so no smaller set
// puts it ahead. The result is the output that needs the fewest removals.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/explanation.hpp"

namespace sapwood {

class ChoiceFlip {
  public:
    struct Found {
        std::vector<size_t> features;  // indices into `rows`; the first one of equal rows
        uint32_t to;                   // the output that is chosen without these features
    };

    // The choice is the output of highest score among `outputs`, which ascend; ties go to the lowest output.
    //   rows    the rows of the choice's features in the table
    //   values  the values of the features; empty if all are 1
    //   scores  [width]
    //   alike   alike(a, b): whether two outputs are the same answer
    //   only    if given, the features without which this output would be chosen
    template <class Table, class Score, class Alike>
    std::optional<Found> find(const Table& table, std::span<const uint32_t> rows, std::span<const float> values,
                              const Score* scores, std::span<const uint32_t> outputs, uint32_t chosen, Alike&& alike,
                              std::optional<uint32_t> only = std::nullopt) {
        const size_t width = table.width();
        gather(table, rows, values);
        std::optional<std::vector<uint32_t>> fewest;
        closest_.clear();
        for (const uint32_t y : outputs)
            if (!alike(y, chosen) && (!only || *only == y)) closest_.push_back(y);
        std::ranges::stable_sort(closest_, [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
        for (const uint32_t y : closest_) {
            for (size_t f = 0; f < first_.size(); ++f)
                contributions_[f] = weights_[f * width + chosen] - weights_[f * width + y];
            const double margin = static_cast<double>(scores[chosen]) - static_cast<double>(scores[y]);
            const size_t most = fewest ? fewest->size() - 1 : first_.size();
            if (auto found = fewest_features(contributions_, margin, y < chosen, most)) fewest = std::move(found);
        }
        if (!fewest) return std::nullopt;
        const auto left = [&](uint32_t y) {
            double score = static_cast<double>(scores[y]);
            for (const uint32_t f : *fewest) score -= weights_[f * width + y];
            return score;
        };
        Found found{{}, outputs[0]};
        for (const uint32_t y : outputs)
            if (left(y) > left(found.to)) found.to = y;
        if (only) found.to = *only;
        if (alike(found.to, chosen)) return std::nullopt;
        for (const uint32_t f : *fewest) found.features.push_back(first_[f]);
        return found;
    }

  private:
    // Fills weights_, [features][width]: value times weight, summed up over equal rows.
    template <class Table>
    void gather(const Table& table, std::span<const uint32_t> rows, std::span<const float> values) {
        order_.clear();
        for (size_t k = 0; k < rows.size(); ++k)
            if (rows[k] != 0) order_.push_back(k);
        std::ranges::stable_sort(order_, {}, [&](size_t k) { return rows[k]; });
        first_.clear();
        weights_.clear();
        for (size_t k = 0; k < order_.size(); ++k) {
            if (k == 0 || rows[order_[k]] != rows[order_[k - 1]]) {
                first_.push_back(order_[k]);
                weights_.resize(weights_.size() + table.width());
            }
            const double value = values.empty() ? 1.0 : static_cast<double>(values[order_[k]]);
            double* to = weights_.data() + weights_.size() - table.width();
            table.each(rows[order_[k]], [&](uint32_t y, auto w) { to[y] += value * static_cast<double>(w); });
        }
        contributions_.resize(first_.size());
    }

    std::vector<size_t> order_, first_;
    std::vector<uint32_t> closest_;  // alternatives, the best first
    std::vector<double> weights_, contributions_;
};

}  // namespace sapwood

// Finds the fewest features of one choice without which another output would be chosen.
//
// Without the features R, the score of an output y is  score(y) - sum over f in R of w[f][y].  For each other output, the
// features that contribute most to its distance from the chosen output are removed first, so no smaller set puts it
// ahead. The result is the output that needs the fewest removals.
#pragma once
#include <algorithm>
#include <cmath>
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
    //   values  their values, [rows]; nullptr if all are 1
    //   scores  [width]
    //   alike   alike(a, b): whether two outputs are the same answer
    //   only    if given, the features without which this output would be chosen
    template <class Table, class Score, class Alike>
    std::optional<Found> find(const Table& table, std::span<const uint32_t> rows, const float* values,
                              const Score* scores, std::span<const uint32_t> outputs, uint32_t chosen, Alike&& alike,
                              std::optional<uint32_t> only = std::nullopt) {
        gather(table, rows, values);
        bound_contributions(chosen, table.width());
        std::optional<std::vector<uint32_t>> fewest;
        closest_.clear();
        for (const uint32_t y : outputs)
            if (!alike(y, chosen) && (!only || *only == y)) closest_.push_back(y);
        std::ranges::sort(
            closest_, [&](uint32_t a, uint32_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
        for (const uint32_t y : closest_) {
            const double margin = static_cast<double>(scores[chosen]) - static_cast<double>(scores[y]);
            const size_t most = fewest ? fewest->size() - 1 : first_.size();
            if (cannot_reach(margin, y, most)) continue;
            contributions_.assign(first_.size(), 0);
            for (const Entry& e : entries(chosen)) contributions_[e.feature] += e.weight;
            for (const Entry& e : entries(y)) contributions_[e.feature] -= e.weight;
            double rounding = 0;  // of values, which are fractions: what is lost by no more than this is not lost
            for (const double c : contributions_) rounding += values == nullptr ? 0 : kRounding * std::abs(c);
            if (auto found = fewest_features(contributions_, margin + rounding, y < chosen, most))
                fewest = std::move(found);
        }
        if (!fewest) return std::nullopt;
        const auto left = [&](uint32_t y) {
            double score = static_cast<double>(scores[y]);
            for (const Entry& e : entries(y))
                if (std::ranges::find(*fewest, e.feature) != fewest->end()) score -= e.weight;
            return score;
        };
        Found found{{}, outputs[0]};
        double most = left(found.to);
        for (const uint32_t y : outputs)
            if (const double score = left(y); score > most) {
                most = score;
                found.to = y;
            }
        if (only) found.to = *only;
        if (alike(found.to, chosen)) return std::nullopt;
        for (const uint32_t f : *fewest) found.features.push_back(first_[f]);
        return found;
    }

  private:
    static constexpr double kRounding = 1e-6;

    // A weight of an output, summed up over equal rows.
    struct Entry {
        uint32_t output, feature;
        double weight;
    };

    // Fills entries_, in the order of the outputs.
    template <class Table>
    void gather(const Table& table, std::span<const uint32_t> rows, const float* values) {
        order_.clear();
        for (uint32_t k = 0; k < rows.size(); ++k)
            if (rows[k] != 0) order_.push_back({rows[k], k});
        std::ranges::sort(order_);
        first_.clear();
        found_.clear();
        begins_.assign(table.width() + 1, 0);
        for (size_t k = 0, end; k < order_.size(); k = end) {
            for (end = k + 1; end < order_.size() && order_[end].first == order_[k].first;) ++end;
            const auto feature = static_cast<uint32_t>(first_.size());
            first_.push_back(order_[k].second);
            double value = values == nullptr ? static_cast<double>(end - k) : 0;
            for (size_t j = k; values != nullptr && j < end; ++j)
                value += static_cast<double>(values[order_[j].second]);
            table.each(order_[k].first, [&](uint32_t y, auto w) {
                found_.push_back({y, feature, value * static_cast<double>(w)});
                ++begins_[y + 1];
            });
        }
        for (size_t y = 0; y < table.width(); ++y) begins_[y + 1] += begins_[y];
        next_ = begins_;
        entries_.resize(found_.size());
        for (const Entry& e : found_) entries_[next_[e.output]++] = e;
    }

    std::span<const Entry> entries(uint32_t y) const {
        return std::span(entries_).subspan(begins_[y], begins_[y + 1] - begins_[y]);
    }

    // For each output, computes two bounds on the contributions to its distance from the chosen output: the largest one, and
    // the sum of the squares of the positive ones. Outputs without weights in these rows share the bounds of an empty output,
    // so only weights that are there are visited.
    void bound_contributions(uint32_t chosen, size_t width) {
        contributions_.assign(first_.size(), 0);
        for (const Entry& e : entries(chosen)) contributions_[e.feature] += e.weight;
        double largest = 0, squares = 0;
        for (const double c : contributions_)
            if (c > 0) {
                largest = std::max(largest, c);
                squares += c * c;
            }
        largest_.assign(width, largest);
        squares_.assign(width, squares);
        for (const Entry& e : entries_) {
            const double without = std::max(contributions_[e.feature], 0.0);
            const double with = std::max(contributions_[e.feature] - e.weight, 0.0);
            largest_[e.output] = std::max(largest_[e.output], with);
            squares_[e.output] += with * with - without * without;
        }
    }

    // Whether `most` features are certainly too few. They contribute at most `most` times the largest contribution and, by
    // the inequality of Cauchy and Schwarz, at most sqrt(most * sum of squares).
    bool cannot_reach(double margin, uint32_t y, size_t most) const {
        const double k = static_cast<double>(most), rounding = 1 + 1e-6;
        return margin > 0 && (largest_[y] * k * rounding < margin || squares_[y] * k * rounding < margin * margin);
    }

    std::vector<std::pair<uint32_t, uint32_t>> order_;  // row and index
    std::vector<uint32_t> first_;                       // [features] index of the first of equal rows
    std::vector<Entry> found_, entries_;                // by feature, by output
    std::vector<size_t> begins_, next_;                 // [width + 1] of an output's entries
    std::vector<double> largest_, squares_;             // [width] bounds of contributions
    std::vector<uint32_t> closest_;                     // alternatives, the best first
    std::vector<double> contributions_;                 // [features]
};

}  // namespace sapwood

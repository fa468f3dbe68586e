// Removes features from a sentence's lattice and puts them back, to find out what a search returns without them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/stop_check.hpp"
#include "model/explanation.hpp"
#include "search/lattice.hpp"
#include "tagging/keyed_features.hpp"

namespace sapwood {

template <class W>
class LatticeRemoval {
    using S = typename FrozenTable<W>::Score;

  public:
    // `lattice` must be the lattice that is filled from `features`. Both must outlive this object.
    LatticeRemoval(const SequenceSpec& spec, const Extractor& extractor, const KeyedFeatures<W>& features,
                   Lattice<S>& lattice)
        : spec_(spec), extractor_(extractor), features_(features), lattice_(lattice) {}
    LatticeRemoval(const LatticeRemoval&) = delete;  // it points into the lattice
    LatticeRemoval& operator=(const LatticeRemoval&) = delete;

    // Begins a sentence, after the features have read it: looks up the rows of its features of label n-grams.
    void read() {
        for (uint32_t t = 1; t < spec_.tables(); ++t) {
            rows_[t].clear();
            for (size_t i = 0; i < features_.tokens(); ++i)
                for (size_t f = 0; f < extractor_.lines(t); ++f) rows_[t].push_back(features_.row(t, i, f));
        }
    }

    // The row of a feature of label n-grams, in table t > 0.
    uint32_t row(uint32_t t, size_t i, size_t line) const { return rows_[t][i * extractor_.lines(t) + line]; }

    // Subtracts the weights of these features from the lattice, at all tokens that have them.
    void remove(std::vector<FeatureId> gone) {
        gone_ = std::move(gone);
        bits_ = 0;
        for (const FeatureId& id : gone_) bits_ |= bit(id);
        for (size_t i = 0; i < lattice_.n; ++i) {
            if constexpr (std::is_floating_point_v<W>)
                if (features_.values(i) != nullptr) {
                    rescore(i);
                    continue;
                }
            for (const uint32_t row : features_.rows(i))
                if (has({0, row})) subtract({0, row}, &lattice_.emission[i * lattice_.stride]);
        }
        for (uint32_t t = 1; t < spec_.tables(); ++t) {
            if (std::ranges::none_of(gone_, [&](const FeatureId& id) { return id.first == t; })) continue;
            bool varies = false;
            for (size_t f = 0; f < extractor_.lines(t); ++f) {
                if (extractor_.varies(t, f))
                    varies = true;
                else if (has({t, row(t, 0, f)}))
                    subtract({t, row(t, 0, f)}, transitions(t).base.data());
            }
            if (varies) remove_extras(t);
        }
    }

    // Whether a feature was taken out by the last call of remove().
    bool has(const FeatureId& id) const {
        return (bits_ & bit(id)) != 0 && std::ranges::find(gone_, id) != gone_.end();
    }

    // Restores all scores of the lattice exactly.
    void restore() {
        for (; !changed_.empty(); changed_.pop_back()) *changed_.back().first = changed_.back().second;
        for (uint32_t t = 1; t < spec_.tables(); ++t)
            if (std::exchange(has_kept_[t], false)) swap_extras(t);
    }

  private:
    static uint64_t bit(const FeatureId& id) { return uint64_t{1} << (id.second % 64); }

    Transitions<S>& transitions(uint32_t t) { return t == 1 ? lattice_.bigram : lattice_.trigram; }

    void subtract(const FeatureId& id, S* scores) {
        features_.table(id.first).each(id.second, [&](uint32_t cell, W w) {
            changed_.push_back({scores + cell, scores[cell]});
            scores[cell] -= w;
        });
    }

    // Scores a token without the removed features from the start, where features have values: a subtraction of fractions
    // would be rounded.
    void rescore(size_t i) {
        const std::span<const uint32_t> rows = features_.rows(i);
        left_.assign(rows.begin(), rows.end());
        for (uint32_t& row : left_)
            if (has({0, row})) row = 0;
        S* scores = &lattice_.emission[i * lattice_.stride];
        for (size_t y = 0; y < lattice_.labels; ++y) changed_.push_back({scores + y, scores[y]});
        features_.table(0).score(left_.data(), features_.values(i), left_.size(), scores);
    }

    // Recomputes the scores that single tokens add to label n-grams, without the removed features.
    void remove_extras(uint32_t t) {
        swap_extras(t);
        has_kept_[t] = true;
        Transitions<S>& to = transitions(t);
        to.extras.clear();
        to.first.assign(1, 0);
        for (size_t i = 0; i < features_.tokens(); ++i) {
            for (size_t f = 0; f < extractor_.lines(t); ++f)
                if (StopCheck::after(100); extractor_.varies(t, f) && !has({t, row(t, i, f)}))
                    features_.table(t).each(row(t, i, f), [&](uint32_t cell, W w) { to.extras.push_back({cell, w}); });
            to.first.push_back(to.extras.size());
        }
    }

    void swap_extras(uint32_t t) {
        kept_[t].first.swap(transitions(t).extras);
        kept_[t].second.swap(transitions(t).first);
    }

    const SequenceSpec& spec_;
    const Extractor& extractor_;
    const KeyedFeatures<W>& features_;
    Lattice<S>& lattice_;
    std::vector<uint32_t> rows_[3];  // [tables][tokens][lines], of tables from 1 on
    std::vector<uint32_t> left_;     // rows of a token without the removed ones
    std::vector<FeatureId> gone_;
    uint64_t bits_ = 0;                      // Bloom filter of gone_
    std::vector<std::pair<S*, S>> changed_;  // changed scores of the lattice, with their original values
    // [tables] The lattice's original extra scores, if they were changed.
    std::pair<std::vector<typename Transitions<S>::Extra>, std::vector<size_t>> kept_[3];
    bool has_kept_[3] = {};
};

}  // namespace sapwood

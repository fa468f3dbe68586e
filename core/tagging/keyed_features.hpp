// The features of a sentence in a frozen model, found by key: what a SentenceScorer scores (sentence_scorer.hpp).
// KeyedFeatures has the rows of all features; RememberedFeatures scores the same faster, by sums that it remembers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/stop_check.hpp"
#include "model/frozen_model.hpp"
#include "tagging/cell_sums.hpp"
#include "tagging/sequence_spec.hpp"
#include "text/columns.hpp"

namespace sapwood {

template <class W>
class KeyedFeatures {
  public:
    using S = typename FrozenTable<W>::Score;

    KeyedFeatures(const SequenceSpec& spec, const Extractor& extractor, const LabelHashes& hashes,
                  const FrozenModel::Tables<W>& tables)
        : KeyedFeatures(spec, extractor, hashes, tables, false) {}

    // Reads a sentence and finds the rows of its features: in table 0 those that do not look at labels, for the tokens i
    // with needed(i); in the other tables all. Leaves room for the rows of features that look at labels.
    template <class Needed>
    void read(const Columns& data, size_t begin, size_t end, Needed&& needed) {
        const size_t F = extractor_.lines(group_);
        tokens_ = end - begin;
        extractor_.read(data, begin, end, workspace_);
        for (unsigned t = 0; t < tables_.size(); ++t) {
            const unsigned group = t == 0 ? group_ : t;
            keys_[t].resize(tokens_ * extractor_.lines(group));
            extractor_.keys(group, workspace_, keys_[t].data(), extractor_.lines(group));
        }
        label_keys_.resize(tokens_ * label_lines_);
        if (label_lines_ > 0) extractor_.label_keys(workspace_, label_keys_.data());
        rows_.resize(tokens_ * features());
        gather_keys(needed);
        for (unsigned t = 1; t < tables_.size(); ++t) {
            label_rows_[t].resize(keys_[t].size());
            find_ahead(t, keys_[t].size(), [to = label_rows_[t].data()](uint32_t row) mutable { *to++ = row; });
        }
        find_ahead(0, needed_.size() * F, [this, F, f = size_t{0}, i = needed_.data()](uint32_t row) mutable {
            rows_[*i * features() + f] = row;
            if (++f == F) f = 0, ++i;
        });
        if constexpr (kValued) {
            values_.clear();
            if (data.has_values()) {
                values_.resize(rows_.size(), 1.0f);
                extractor_.values(group_, data, begin, end, values_.data(), features());
            }
        }
        if (!workspace_.gaps) return;
        const uint64_t* key = keys_[0].data();
        for (const size_t i : needed_)
            for (size_t f = 0; f < F; ++f, ++key)
                if (*key == kNoFeature) rows_[i * features() + f] = 0;
    }

    size_t tokens() const { return tokens_; }
    const FrozenTable<W>& table(size_t t) const { return tables_[t]; }
    uint64_t version() const { return 0; }

    void join(size_t i, const LabelContext<Label>& context) {
        joined_.resize(label_lines_);
        extractor_.join_labels(label_keys_.data() + i * label_lines_, hashes_(context), joined_.data());
        tables_[0].find_rows(joined_.data(), label_lines_, rows_.data() + i * features() + extractor_.lines(group_));
    }

    // Of table 0, without cell lines if `joint_only`.
    std::span<const uint32_t> rows(size_t i) const { return {rows_.data() + i * features(), features()}; }
    // [rows] the values of these features; nullptr: all are 1.
    const float* values(size_t i) const { return values_.empty() ? nullptr : values_.data() + i * features(); }
    void score(size_t i, S* scores) const {
        const uint32_t* rows = rows_.data() + i * features();
        if constexpr (kValued)
            if (!values_.empty()) return tables_[0].score(rows, values(i), features(), scores);
        tables_[0].score(rows, features(), scores);
    }
    // Of a table t > 0.
    uint32_t row(size_t t, size_t i, size_t line) const {
        return label_rows_[t][i * extractor_.lines(static_cast<unsigned>(t)) + line];
    }

  protected:
    // With `joint_only` lines that look at one cell are left out.
    KeyedFeatures(const SequenceSpec& spec, const Extractor& extractor, const LabelHashes& hashes,
                  const FrozenModel::Tables<W>& tables, bool joint_only)
        : extractor_(extractor),
          hashes_(hashes),
          tables_(tables),
          group_(joint_only ? kJointGroup : 0),
          label_lines_(spec.joins_labels() ? extractor.label_lines() : 0) {
        workspace_.joint_only = joint_only;
    }

    const Extractor::Workspace& workspace() const { return workspace_; }
    const std::vector<size_t>& needed() const { return needed_; }

  private:
    // Features with values are scored by weights in float (Tagger::with_tables).
    static constexpr bool kValued = std::is_floating_point_v<W>;
    static constexpr ptrdiff_t kAhead = 12;  // lookups between prefetch and use

    // Moves the keys of the tokens i with needed(i) together: the first of one token are prefetched while the last of
    // another are looked up, however many tokens lie between them.
    template <class Needed>
    void gather_keys(Needed&& needed) {
        const size_t F = extractor_.lines(group_);
        uint64_t* const keys = keys_[0].data();
        needed_.clear();
        for (size_t i = 0; i < tokens_; ++i) {
            StopCheck::every(i);
            if (!needed(i)) continue;
            if (needed_.size() < i) std::copy_n(keys + i * F, F, keys + needed_.size() * F);
            needed_.push_back(i);
        }
    }

    // Calls put(row) for the first n keys of a table. Buckets and rows are prefetched some keys ahead, so that waits for
    // memory overlap.
    template <class Put>
    void find_ahead(size_t t, size_t n, Put&& put) {
        const FrozenTable<W>& table = tables_[t];
        const uint64_t *key = keys_[t].data(), *const end = key + n;
        table.prefetch_keys(key, std::min<size_t>(kAhead, n));
        for (; key < end; ++key) {
            StopCheck::every(static_cast<size_t>(end - key));
            if (end - key > kAhead) table.prefetch_key(key[kAhead]);
            const uint32_t row = table.find(*key);
            table.prefetch_row(row);
            put(row);
        }
    }

    size_t features() const { return extractor_.lines(group_) + label_lines_; }  // of a token in table 0

    const Extractor& extractor_;
    const LabelHashes& hashes_;
    const FrozenModel::Tables<W>& tables_;
    unsigned group_;  // of the lines of table 0 without labels
    size_t label_lines_;
    size_t tokens_ = 0;
    Extractor::Workspace workspace_;
    std::vector<size_t> needed_;           // the tokens whose rows were found
    std::vector<uint64_t> keys_[3];        // [tables][tokens][lines]; in table 0 [needed tokens][lines]
    std::vector<uint32_t> label_rows_[3];  // [tables > 0][tokens][lines]
    std::vector<uint64_t> label_keys_;     // [tokens][label lines] yet to be joined with labels
    std::vector<uint64_t> joined_;         // [label lines] of one token, joined
    std::vector<uint32_t> rows_;           // [tokens][lines of table 0, then label lines]
    std::vector<float> values_;            // [tokens][lines of table 0, then label lines], or empty
};

// For models in integers, whose sums do not depend on their order.
template <class W>
class RememberedFeatures : public KeyedFeatures<W> {
  public:
    using typename KeyedFeatures<W>::S;

    RememberedFeatures(const SequenceSpec& spec, const Extractor& extractor, const LabelHashes& hashes,
                       const FrozenModel::Tables<W>& tables)
        : KeyedFeatures<W>(spec, extractor, hashes, tables, true), sums_(extractor, tables[0]) {}

    std::span<const uint32_t> rows(size_t i) const = delete;  // sums of cell lines have none

    template <class Needed>
    void read(const Columns& data, size_t begin, size_t end, Needed&& needed) {
        KeyedFeatures<W>::read(data, begin, end, needed);
        sums_.read(this->workspace(), this->needed());
    }

    void score(size_t i, S* scores) {
        KeyedFeatures<W>::score(i, scores);
        sums_.add(i, scores);
    }

  private:
    CellSums<W> sums_;
};

}  // namespace sapwood

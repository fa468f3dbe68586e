// The features of a sentence in a frozen model, found by key: what a SentenceScorer scores (sentence_scorer.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/frozen_model.hpp"
#include "tagging/sequence_spec.hpp"
#include "text/columns.hpp"

namespace sapwood {

template <class W>
class KeyedFeatures {
  public:
    KeyedFeatures(const SequenceSpec& spec, const Extractor& extractor, const LabelHashes& hashes,
                  const FrozenModel::Tables<W>& tables)
        : extractor_(extractor),
          hashes_(hashes),
          tables_(tables),
          label_lines_(spec.joins_labels() ? extractor.label_lines() : 0) {}

    // Reads a sentence and finds the rows of its features that do not look at labels, for the tokens i with needed(i).
    // Leaves room for the rows of features that look at labels.
    template <class Needed>
    void read(const Columns& data, size_t begin, size_t end, Needed&& needed) {
        const size_t F = extractor_.lines(0);
        tokens_ = end - begin;
        extractor_.read(data, begin, end, workspace_);
        for (unsigned t = 0; t < tables_.size(); ++t) {
            keys_[t].resize(tokens_ * extractor_.lines(t));
            extractor_.keys(t, workspace_, keys_[t].data(), extractor_.lines(t));
        }
        label_keys_.resize(tokens_ * label_lines_);
        if (label_lines_ > 0) extractor_.label_keys(workspace_, label_keys_.data());
        rows_.resize(tokens_ * features());
        gather_keys(needed);
        const uint64_t* key = keys_[0].data();
        const uint64_t* const keys_end = key + needed_.size() * F;
        const FrozenTable<W>& table = tables_[0];
        table.prefetch_keys(key, std::min<size_t>(kAhead, static_cast<size_t>(keys_end - key)));
        for (const size_t i : needed_) {
            uint32_t* row = rows_.data() + i * features();
            for (size_t f = 0; f < F; ++f, ++key) {
                if (keys_end - key > kAhead) table.prefetch_key(key[kAhead]);
                row[f] = table.find(*key);
                table.prefetch_row(row[f]);
            }
        }
        if (!workspace_.gaps) return;
        key = keys_[0].data();
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
        tables_[0].find_rows(joined_.data(), label_lines_, rows_.data() + i * features() + extractor_.lines(0));
    }

    std::span<const uint32_t> rows(size_t i) const { return {rows_.data() + i * features(), features()}; }
    // Of a table t > 0.
    uint32_t row(size_t t, size_t i, size_t line) const {
        return tables_[t].find(keys_[t][i * extractor_.lines(static_cast<unsigned>(t)) + line]);
    }

  private:
    static constexpr ptrdiff_t kAhead = 12;  // lookups between prefetch and use

    // Moves the keys of the tokens i with needed(i) together: the first of one token are prefetched while the last of
    // another are looked up, however many tokens lie between them.
    template <class Needed>
    void gather_keys(Needed&& needed) {
        const size_t F = extractor_.lines(0);
        uint64_t* const keys = keys_[0].data();
        needed_.clear();
        for (size_t i = 0; i < tokens_; ++i) {
            if (!needed(i)) continue;
            if (needed_.size() < i) std::copy_n(keys + i * F, F, keys + needed_.size() * F);
            needed_.push_back(i);
        }
    }

    size_t features() const { return extractor_.lines(0) + label_lines_; }  // of a token in table 0

    const Extractor& extractor_;
    const LabelHashes& hashes_;
    const FrozenModel::Tables<W>& tables_;
    size_t label_lines_;
    size_t tokens_ = 0;
    Extractor::Workspace workspace_;
    std::vector<size_t> needed_;        // the tokens whose rows were found
    std::vector<uint64_t> keys_[3];     // [tables][tokens][lines]; in table 0 [needed tokens][lines]
    std::vector<uint64_t> label_keys_;  // [tokens][label lines] yet to be joined with labels
    std::vector<uint64_t> joined_;      // [label lines] of one token, joined
    std::vector<uint32_t> rows_;        // [tokens][lines of table 0, then label lines]
};

}  // namespace sapwood

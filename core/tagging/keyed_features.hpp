// The features of a sentence in a frozen model, found by key: what a SentenceScorer scores (sentence_scorer.hpp).
#pragma once
#include <algorithm>
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
        const FrozenTable<W>& table = tables_[0];
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
        const uint64_t* key = keys_[0].data();
        const size_t total = tokens_ * F;
        table.prefetch_keys(key, std::min(kAhead, total));
        for (size_t i = 0, k = 0; i < tokens_; ++i) {
            uint32_t* row = rows_.data() + i * features();
            if (!needed(i)) {
                k += F;
                continue;
            }
            for (size_t f = 0; f < F; ++f, ++k) {
                if (k + kAhead < total) table.prefetch_key(key[k + kAhead]);
                row[f] = table.find(key[k]);
                table.prefetch_row(row[f]);
            }
        }
        if (!workspace_.gaps) return;
        for (size_t i = 0, k = 0; i < tokens_; ++i)
            for (size_t f = 0; f < F; ++f, ++k)
                if (key[k] == kNoFeature) rows_[i * features() + f] = 0;
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
    uint32_t row(size_t t, size_t i, size_t line) const {
        return tables_[t].find(keys_[t][i * extractor_.lines(static_cast<unsigned>(t)) + line]);
    }

  private:
    static constexpr size_t kAhead = 12;  // lookups between prefetch and use

    size_t features() const { return extractor_.lines(0) + label_lines_; }  // of a token in table 0

    const Extractor& extractor_;
    const LabelHashes& hashes_;
    const FrozenModel::Tables<W>& tables_;
    size_t label_lines_;
    size_t tokens_ = 0;
    Extractor::Workspace workspace_;
    std::vector<uint64_t> keys_[3];     // [tables][tokens][lines]
    std::vector<uint64_t> label_keys_;  // [tokens][label lines] yet to be joined with labels
    std::vector<uint64_t> joined_;      // [label lines] of one token, joined
    std::vector<uint32_t> rows_;        // [tokens][lines of table 0, then label lines]
};

}  // namespace sapwood

// Scores the labels of one sentence, in training and in tagging alike.
//
//     emission_i[y]        sum of the weights of y       in the rows of token i's features in table 0
//     bigram_i[g][y]       sum of the weights of g, y    in those of table 1
//     trigram_i[h][g][y]   sum of the weights of h, g, y in those of table 2
//
// In greedy and easiest-first search the labels beside a token join its features before they are scored.
//
// Training and tagging differ only in how the rows of a sentence's features are found: by number in training, where
// every feature was looked up once and for all, by key in tagging. `Features` is a class that finds them. It has
//
//     tokens()            how many tokens the sentence has
//     table(t)            a VisitableTable (learner/scoring_table.hpp)
//     version()           another number whenever the weights have changed
//     join(i, context)    joins the labels beside token i to its features
//     score(i, scores)    overwrites scores with the sum of the rows of token i's features in table 0, joined ones
//                         included; called with ascending i where no labels join
//     row(t, i, line)     the row of one feature of token i in table t > 0
#pragma once
#include <cstdint>
#include <vector>

#include "base/stop_check.hpp"
#include "features/extractor.hpp"
#include "learner/scoring_table.hpp"
#include "search/lattice.hpp"
#include "tagging/sequence_spec.hpp"

namespace sapwood {

template <VisitableTable Table>
class SentenceScorer {
  public:
    using S = typename Table::Score;

    SentenceScorer(const SequenceSpec& spec, const Extractor& extractor) : labels_(spec.labels.size()) {
        for (unsigned t = 1; t < spec.tables(); ++t) {
            TableLines& lines = lines_.emplace_back();
            lines.cells = spec.cells(t);
            for (size_t f = 0; f < extractor.lines(t); ++f)
                (extractor.varies(t, f) ? lines.varying : lines.constant).push_back(f);
        }
    }

    // scores: [padded(labels)] of one token. Labels that have joined its features stay joined.
    template <class Features>
    void score(Features& features, size_t i, S* scores) const {
        features.score(i, scores);
        StopCheck::every(i, kRows * labels_);
    }

    // The same, of a token among these labels.
    template <class Features>
    void score(Features& features, size_t i, const LabelContext<Label>& context, S* scores) const {
        features.join(i, context);
        score(features, i, scores);
    }

    // Scores all tokens, and the label n-grams if they have tables.
    template <class Features>
    void fill(Features& features) {
        lattice.resize(features.tokens(), labels_);
        for (size_t i = 0; i < lattice.n; ++i) score(features, i, lattice.emission.data() + i * lattice.stride);
        for (size_t t = 1; t <= lines_.size(); ++t) fill(t, features, t == 1 ? lattice.bigram : lattice.trigram);
        version_ = features.version();
    }

    size_t labels() const { return labels_; }

    Lattice<S> lattice;

  private:
    static constexpr size_t kRows = 64;  // of a token, roughly

    // The lines of a table of label n-grams.
    struct TableLines {
        size_t cells = 0;
        std::vector<size_t> constant,
            varying;  // lines whose feature is the same for all tokens, and the others
    };

    template <class Features>
    void fill(size_t t, Features& features, Transitions<S>& transitions) {
        const TableLines& lines = lines_[t - 1];
        const Table& table = features.table(t);
        if (version_ != features.version()) {
            transitions.base.assign(lines.cells, S{});
            for (size_t f : lines.constant)
                table.each(features.row(t, 0, f), [&](uint32_t cell, S w) { transitions.base[cell] += w; });
        }
        transitions.extras.clear();
        transitions.first.clear();
        if (lines.varying.empty()) return;
        transitions.first.push_back(0);
        for (size_t i = 0; i < features.tokens(); ++i) {
            StopCheck::every(i);
            for (size_t f : lines.varying)
                table.each(features.row(t, i, f), [&](uint32_t cell, S w) { transitions.extras.push_back({cell, w}); });
            transitions.first.push_back(transitions.extras.size());
        }
    }

    size_t labels_;
    std::vector<TableLines> lines_;  // [label n-gram tables]
    uint64_t version_ = UINT64_MAX;  // of the weights when the lattice's transitions were filled
};

// A sentence with its scorer, as searches read it (label_search.hpp). allowed(i) returns the labels that token i may have.
template <class Scorer, class Features, class Allowed>
struct SearchedSentence {
    Scorer& scorer;
    Features& features;
    Allowed allowed;

    size_t tokens() const { return features.tokens(); }
    size_t labels() const { return scorer.labels(); }
    void score(size_t i, const LabelContext<Label>& context, typename Scorer::S* scores) {
        scorer.score(features, i, context, scores);
    }
    Lattice<typename Scorer::S>& lattice() {
        scorer.fill(features);
        return scorer.lattice;
    }
};

}  // namespace sapwood

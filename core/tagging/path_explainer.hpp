// Explains whole sequences: the best one is compared with the best one in which a token has another label
// (search/max_marginals.hpp).
#pragma once
#include <utility>

#include "search/max_marginals.hpp"
#include "search/viterbi.hpp"
#include "tagging/explained_labels.hpp"

namespace sapwood {

template <class W>
class PathExplainer {
  public:
    using S = typename FrozenTable<W>::Score;

    // The sentence must outlive this object.
    explicit PathExplainer(ExplainedLabels<W>& sentence) : sentence_(sentence) {}

    // Labels the sentence that was read.
    void search() {
        Lattice<S>& lattice = sentence_.lattice();
        viterbi_.best(lattice, order(), sentence_.path);
        marginals_.run(lattice, order());
    }

    // Makes score_at(i, ...) known.
    void score(size_t) {}
    double score_at(size_t i, Label y) const { return marginals_(i, y); }

    void explain(size_t i) {
        ExplainedLabels<W>& s = sentence_;
        const std::optional<Label> against = s.runner_up(i, [&](Label y) { return marginals_(i, y); });
        if (!against) return;
        s.explanation.against = s.shown.names()[*against];
        marginals_.path(i, *against, s.path, other_);
        s.explanation.margin = path_distance(s.scorer.lattice, order(), s.path, other_);
        difference_of_paths(s.path, other_);
        s.weigh(s.explanation.features, s.explanation.reasons);
    }

  private:
    unsigned order() const { return sentence_.spec.order; }

    void difference_of_paths(std::span<const Label> path, std::span<const Label> other) {
        ExplainedLabels<W>& s = sentence_;
        const auto features = [&](unsigned t, size_t i) -> std::span<const uint32_t> {
            if (t == 0) return s.placed_rows(i);
            rows_.clear();
            for (uint32_t line = 0; line < s.extractor.lines(t); ++line) {
                rows_.push_back(s.features.row(t, i, line));
                s.difference.place(t, rows_.back(), {static_cast<uint32_t>(i), t, line});
            }
            return rows_;
        };
        path_difference(s.spec, features, [&](size_t i) { return s.features.values(i); }, path, other, s.difference);
    }

    ExplainedLabels<W>& sentence_;
    Viterbi<S> viterbi_;
    MaxMarginals<S> marginals_;
    std::vector<Label> other_;  // labels that are compared with the chosen ones
    std::vector<uint32_t> rows_;
};

}  // namespace sapwood

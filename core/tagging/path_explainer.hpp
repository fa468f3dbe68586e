// Explains whole sequences: the best one is compared with the best one in which a token has another label
// (search/max_marginals.hpp).
#pragma once
#include <utility>

#include "search/max_marginals.hpp"
#include "search/viterbi.hpp"
#include "tagging/explained_labels.hpp"
#include "tagging/lattice_removal.hpp"

namespace sapwood {

template <class W>
class PathExplainer {
  public:
    using S = typename FrozenTable<W>::Score;

    // The sentence must outlive this object.
    explicit PathExplainer(ExplainedLabels<W>& sentence)
        : sentence_(sentence),
          removal_(sentence.spec, sentence.extractor, sentence.features, sentence.scorer.lattice) {}

    // Labels the sentence that was read.
    void search() {
        Lattice<S>& lattice = sentence_.lattice();
        removal_.read();
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
        find_flip(i);
    }

  private:
    unsigned order() const { return sentence_.spec.order; }

    void difference_of_paths(std::span<const Label> path, std::span<const Label> other) {
        ExplainedLabels<W>& s = sentence_;
        const auto features = [&](unsigned t, size_t i) -> std::span<const uint32_t> {
            if (t == 0) return s.placed_rows(i);
            rows_.clear();
            for (uint32_t line = 0; line < s.extractor.lines(t); ++line) {
                rows_.push_back(removal_.row(t, i, line));
                s.difference.place(t, rows_.back(), {static_cast<uint32_t>(i), t, line});
            }
            return rows_;
        };
        path_difference(s.spec, features, [&](size_t i) { return s.features.values(i); }, path, other, s.difference);
    }

    // Removes the features with the largest contributions to the margin, until the search gives the token another label.
    // If a third sequence with the old label becomes the best one, the next round compares that sequence with the best
    // sequence with another label. In the end, features that turn out not to be needed are put back.
    void find_flip(size_t i) {
        ExplainedLabels<W>& s = sentence_;
        std::vector<std::pair<FeatureId, std::string>> taken;
        std::vector<std::string> features = s.explanation.features;
        std::vector<Reason> reasons = s.explanation.reasons;
        double margin = s.explanation.margin;
        int round = 0;
        for (;; ++round) {
            const auto found = fewest_features(reasons, margin, false);
            if (!found || round == kMostRounds) return removal_.restore();
            for (const uint32_t f : *found) taken.push_back({s.ids[f], features[f]});
            if (flips(i, taken)) break;
            left_marginals_.run(s.scorer.lattice, order());
            const std::vector<Label> winner = other_;
            left_marginals_.path(i, *s.runner_up(i, [&](Label y) { return left_marginals_(i, y); }), winner, other_);
            margin = path_distance(s.scorer.lattice, order(), winner, other_);
            difference_of_paths(winner, other_);
            s.weigh(features, reasons);
            std::erase_if(reasons, [&](const Reason& r) { return removal_.has(s.ids[r.feature]); });
        }
        if (round > 0) put_back(i, taken);
        removal_.restore();
        Flip& flip = s.explanation.flip.emplace();
        flip.to = s.shown.names()[other_[i]];
        for (auto& [id, text] : taken) flip.features.push_back(std::move(text));
    }

    // Puts back one feature after another whose removal is not needed, until all removals are needed.
    void put_back(size_t i, std::vector<std::pair<FeatureId, std::string>>& taken) {
        for (size_t k = 0; taken.size() > 1 && k < taken.size();) {
            auto fewer = taken;
            fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(k));
            if (flips(i, fewer)) {
                taken = std::move(fewer);
                k = 0;
            } else {
                ++k;
            }
        }
        flips(i, taken);
    }

    // Whether the search gives the token another label without these features. The new labels are in other_. The weights
    // stay out of the lattice until restore().
    bool flips(size_t i, const std::vector<std::pair<FeatureId, std::string>>& taken) {
        ExplainedLabels<W>& s = sentence_;
        removal_.restore();
        std::vector<FeatureId> gone;
        for (const auto& [id, text] : taken) gone.push_back(id);
        removal_.remove(std::move(gone));
        viterbi_.best(s.scorer.lattice, order(), other_);
        return s.flip_to_wanted ? s.shown.number(other_[i]) == s.wanted : !s.shown.alike(other_[i], s.path[i]);
    }

    static constexpr int kMostRounds = 16;  // rounds in which features are removed

    ExplainedLabels<W>& sentence_;
    Viterbi<S> viterbi_;
    MaxMarginals<S> marginals_, left_marginals_;
    std::vector<Label> other_;  // labels that are compared with the chosen ones
    LatticeRemoval<W> removal_;
    std::vector<uint32_t> rows_;
};

}  // namespace sapwood

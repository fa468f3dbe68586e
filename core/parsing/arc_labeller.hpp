// Labels for the arcs of a finished tree, each by itself (McDonald, Lerman & Pereira 2006, section 3): an argmax
// over the labels with features of the arc's neighbourhood in the tree. Ties go to the lowest label.
//
// It learns on gold trees, beside a search whose decisions tick the averaging clock; its own do not.
#pragma once
#include "features/arc_label_features.hpp"
#include "parsing/decision_features.hpp"
#include "parsing/runner_up.hpp"
#include "search/contest.hpp"

namespace sapwood {

class ArcLabeller {
  public:
    // The features are those of table `table` of the model.
    ArcLabeller(const Conjunctions& conjunctions, Relations relations, uint32_t table)
        : relations_(std::move(relations)),
          table_(table),
          features_(conjunctions, table),
          scores_(padded(relations_.size())) {}

    uint32_t table() const { return table_; }

    template <ScoringTable Table>
    void label(const Table& table, const Words& words, Tree& tree) {
        label(table, words, tree, [](uint32_t, const uint64_t*, const std::vector<uint32_t>&, const auto*) {});
    }

    // The same, and calls visit(m, values, allowed, scores) after each word m has its label: the values of the atoms of its
    // context, the labels that it may have, and the scores of all labels, [padded(labels)].
    template <ScoringTable Table, class Visit>
    void label(const Table& table, const Words& words, Tree& tree, Visit&& visit) {
        context_.look(tree);
        AlignedVector<typename Table::Score> scores(padded(relations_.size()));
        for (uint32_t m = 1; m <= tree.words(); ++m) {
            const uint64_t* values = context_.values(words, m);
            features_.score(table, values, scores.data());
            const std::vector<uint32_t>& allowed = relations_.of(tree.heads[m], m);
            uint32_t best = allowed[0];
            for (uint32_t y : allowed)
                if (scores[y] > scores[best]) best = y;
            tree.labels[m] = best;
            visit(m, values, allowed, scores.data());
        }
    }

    // The same, and calls take(m, margin) for the words whose arcs can have other labels.
    template <ScoringTable Table, class Take>
    void label_with_margins(const Table& table, const Words& words, Tree& tree, Take&& take) {
        label(table, words, tree,
              [&](uint32_t m, const uint64_t*, const std::vector<uint32_t>& allowed, const auto* scores) {
                  const auto against = runner_up<uint32_t, typename Table::Score>([&](auto&& offer) {
                      for (const uint32_t y : allowed)
                          if (y != tree.labels[m]) offer(y, scores[y]);
                  });
                  if (against) take(m, margin_of(scores[tree.labels[m]], against->score));
              });
    }

    // Presents each arc of a gold tree to the learner, without ticking its clock.
    void present(const ParsingExample& example) {
        const Tree& gold = example.gold;
        context_.look(gold);
        for (uint32_t m = 1; m <= gold.words(); ++m) {
            const uint64_t* values = context_.values(example.words, m);
            features_.score(example.learner.table(table_), values, scores_.data());
            example.learner.present(Contest{relations_.of(gold.heads[m], m), [&](uint32_t y) { return scores_[y]; },
                                            [&](uint32_t y) { return y == gold.labels[m] ? 0.0f : 1.0f; },
                                            [&](Violation& violation, uint32_t right, uint32_t guess) {
                                                features_.intern(example, values);
                                                features_.gold(violation, right);
                                                features_.guess(violation, guess);
                                            }},
                                    {.ticks = false});
        }
    }

  private:
    Relations relations_;
    uint32_t table_;
    ArcLabelContext context_;
    DecisionFeatures features_;
    AlignedVector<float> scores_;
};

}  // namespace sapwood

// Labels for the arcs of a finished tree, each by itself (McDonald, Lerman & Pereira 2006, section 3): an argmax
// over the labels with features of the arc's neighbourhood in the tree. Learned on gold trees; the example, for the
// averaging clock, is the sentence, as in the searches beside which it learns.
#pragma once
#include "features/arc_label_features.hpp"
#include "parsing/decision_features.hpp"

namespace sapwood {

class ArcLabeller {
  public:
    // The features are those of table `table` of the model.
    ArcLabeller(const Conjunctions& conjunctions, Relations relations, uint32_t table)
        : relations_(std::move(relations)),
          table_(table),
          features_(conjunctions, table),
          scores_(padded(relations_.size())) {}

    size_t width() const { return relations_.size(); }

    template <class Table>
    void label(const Table& table, const Words& words, Tree& tree) {
        context_.look(tree);
        AlignedVector<typename Table::Score> scores(padded(width()));
        for (uint32_t m = 1; m <= tree.words(); ++m) {
            features_.score(table, context_.values(words, m), scores.data());
            tree.labels[m] = best(relations_.of(tree.heads[m], m), scores.data());
        }
    }

    // Learns from a gold tree, without ticking the clock; returns how many labels were wrong.
    size_t learn(Learner& learner, const Words& words, const Tree& gold, ParserNames* names) {
        context_.look(gold);
        size_t mistakes = 0;
        for (uint32_t m = 1; m <= gold.words(); ++m) {
            const uint64_t* values = context_.values(words, m);
            const std::vector<uint32_t>& allowed = relations_.of(gold.heads[m], m);
            features_.score(learner.table(table_), values, scores_.data());
            mistakes += best(allowed, scores_.data()) != gold.labels[m];
            for (uint32_t y : allowed) scores_[y] += y == gold.labels[m] ? 0 : learner.cost();
            const uint32_t guess = best(allowed, scores_.data());
            if (guess == gold.labels[m]) continue;
            features_.intern(learner, values, names);
            features_.gold(violation_, gold.labels[m]);
            features_.guess(violation_, guess);
            violation_.loss = scores_[guess] - scores_[gold.labels[m]];
            learner.learn(violation_);
        }
        return mistakes;
    }

  private:
    template <class S>
    static uint32_t best(const std::vector<uint32_t>& allowed, const S* scores) {
        uint32_t best = allowed[0];
        for (uint32_t y : allowed)
            if (scores[y] > scores[best]) best = y;
        return best;
    }

    Relations relations_;
    uint32_t table_;
    ArcLabelContext context_;
    DecisionFeatures features_;
    AlignedVector<float> scores_;
    Violation violation_;
};

}  // namespace sapwood

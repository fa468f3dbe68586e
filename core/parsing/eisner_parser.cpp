#include "parsing/eisner_parser.hpp"

#include "parsing/tree_parts.hpp"

namespace sapwood {

namespace {

size_t wrong_heads(const Tree& gold, const Tree& guess) {
    size_t wrong = 0;
    for (size_t m = 1; m <= gold.words(); ++m) wrong += guess.heads[m] != gold.heads[m];
    return wrong;
}

}  // namespace

// The tree that scores highest with the cost added to every wrong arc, or, if it is constant, to every tree but gold.
class EisnerTrainer::BestTree {
  public:
    BestTree(EisnerTrainer& trainer, const ParsingExample& example) : trainer_(trainer), example_(example) {}

    bool search(float cost) {
        const Tree& gold = example_.gold;
        const size_t n = gold.words();
        trainer_.score_arcs(example_.learner.table(0), example_.words);
        if (example_.learner.has_constant_cost()) {
            score_ = trainer_.first_.best_against(trainer_.arc_.data(), n, trainer_.single_root_, gold, cost,
                                                  trainer_.guess_);
            mistakes_ = wrong_heads(gold, trainer_.guess_);
            return mistakes_ > 0;
        }
        if (cost > 0)
            for (size_t h = 0; h <= n; ++h)
                for (size_t m = 1; m <= n; ++m)
                    if (gold.heads[m] != h) trainer_.arc_[h * (n + 1) + m] += cost;
        trainer_.forbid_low_arcs(n);
        score_ = trainer_.search(n, trainer_.siblings(example_.learner.all_tables(), n), trainer_.guess_);
        mistakes_ = wrong_heads(gold, trainer_.guess_);
        return mistakes_ > 0;
    }
    size_t mistakes() const { return mistakes_; }
    double loss() const {
        const auto siblings = trainer_.siblings(example_.learner.all_tables(), example_.words.size());
        return score_ - trainer_.score(example_.gold, siblings);
    }
    void differ(Violation& violation) { trainer_.add_difference(example_, trainer_.guess_, violation); }

  private:
    EisnerTrainer& trainer_;
    const ParsingExample& example_;
    double score_ = 0;
    size_t mistakes_ = 0;
};

// The k best trees of the weights as they are. Each is to be beaten by the cost for every wrong head; the guess is the
// one that gold is behind by most.
class EisnerTrainer::BestTrees {
  public:
    BestTrees(EisnerTrainer& trainer, const ParsingExample& example) : trainer_(trainer), example_(example) {}

    bool search(float cost) {
        EisnerTrainer& t = trainer_;
        t.score_arcs(example_.learner.table(0), example_.words);
        t.first_.n_best(t.arc_.data(), example_.words.size(), t.single_root_, t.candidates_, t.trees_, t.scores_);
        const double gold_score = tree_score(t.arc_.data(), example_.gold);
        size_t guess = 0;
        for (size_t k = 0; k < t.trees_.size(); ++k) {
            wrong_.push_back(wrong_heads(example_.gold, t.trees_[k]));
            losses_.push_back(static_cast<double>(cost) * static_cast<double>(wrong_[k]) + t.scores_[k] - gold_score);
            if (losses_[k] > losses_[guess]) guess = k;
        }
        mistakes_ = wrong_[guess];
        return mistakes_ > 0;
    }
    size_t mistakes() const { return mistakes_; }
    void differ(std::vector<Violation>& violations) {
        for (size_t k = 0; k < wrong_.size(); ++k) {
            if (wrong_[k] == 0) continue;
            Violation& violation = violations.emplace_back();
            violation.loss = losses_[k];
            trainer_.add_difference(example_, trainer_.trees_[k], violation);
        }
    }

  private:
    EisnerTrainer& trainer_;
    const ParsingExample& example_;
    std::vector<size_t> wrong_;   // [candidates] wrong heads
    std::vector<double> losses_;  // [candidates]
    size_t mistakes_ = 0;
};

void EisnerTrainer::present(const ParsingExample& example) {
    if (candidates_ > 1)
        example.learner.present(BestTrees(*this, example));
    else
        example.learner.present(BestTree(*this, example));
}

void EisnerTrainer::add_difference(const ParsingExample& example, const Tree& guess, Violation& violation) {
    add_parts(example, example.gold, guess, true, violation);
    add_parts(example, guess, example.gold, false, violation);
}

void EisnerTrainer::add_parts(const ParsingExample& example, const Tree& tree, const Tree& other, bool gold,
                              Violation& violation) {
    each_own_part(
        tree, other, siblings_.has_value(),
        [&](uint32_t h, uint32_t m) {
            found_.clear();
            arcs_.add_arc(h, m, found_);
            add_found(example, 0, h, m, distance_output(h, m), gold, violation);
        },
        [&](uint32_t h, uint32_t s, uint32_t m) {
            found_.clear();
            siblings_->add_triple(h, s, m, found_);
            add_found(example, 1, h, m, sibling_output(h, s, m, tree.words()), gold, violation);
        });
}

// Adds the features in found_, those of an arc in table 0 or of a sibling part in table 1.
void EisnerTrainer::add_found(const ParsingExample& example, uint32_t table, uint32_t h, uint32_t m, uint32_t output,
                              bool gold, Violation& violation) {
    const size_t count = found_.size();
    keys_.resize(std::max(keys_.size(), count));
    rows_.resize(std::max(rows_.size(), count));
    for (size_t k = 0; k < count; ++k) keys_[k] = found_[k].key;
    example.learner.intern(table, keys_.data(), count, rows_.data());
    for (size_t k = 0; k < count; ++k) {
        const uint32_t feature = rows_[k];
        for (uint32_t y : {0u, output}) gold ? violation.gold(table, feature, y) : violation.guess(table, feature, y);
        if (example.spelling == nullptr) continue;
        example.spelling->names.add(table, feature, [&] {
            const ArcFeatures& features = table == 0 ? arcs_ : *siblings_;
            return features.text(found_[k], example.words, h, m, example.spelling->text_of);
        });
    }
}

}  // namespace sapwood

// Transition-based parsing with a beam, labels joint (Zhang & Clark 2011; Zhang & Nivre 2011), over arc-hybrid
// transitions. The same code parses with the weights in training and with a frozen model: `Table` is either.
//
// Training with a beam updates towards the whole gold derivation's prefix (Collins & Roark 2004): at the step at which
// the gold derivation falls out of the beam (early update), or at the step at which it is behind by most (max-violation;
// Huang, Fayong & Guo 2012). Every wrong arc competes with gamma added. The example, for the averaging clock, is the
// sentence.
//
// A beam of one is trained with the dynamic oracle (Goldberg & Nivre 2012): at each configuration, also those that
// the parser's own mistakes led to, the best transition that loses no further gold arc must win by gamma. The
// example is the transition.
#pragma once
#include <limits>
#include <type_traits>
#include <vector>

#include "features/transition_features.hpp"
#include "parsing/configuration_scores.hpp"
#include "parsing/decision_features.hpp"
#include "search/beam.hpp"

namespace sapwood {

template <class Table>
class TransitionParser {
  public:
    using Score = typename Table::Score;
    using Total = std::conditional_t<std::is_floating_point_v<Score>, double, int64_t>;

    TransitionParser(const Conjunctions& conjunctions, TransitionOutputs outputs, size_t beam)
        : outputs_(std::move(outputs)),
          width_(beam),
          context_(outputs_.relations().hashes),
          features_(conjunctions, 0),
          scores_(conjunctions, outputs_.width(), beam) {}

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        start(words);
        while (!beam_[0].c.done()) step(tables[0], words, [](const ArcHybrid&, uint32_t) { return Total{}; });
        beam_[0].c.tree(tree);
    }

  protected:
    void start(const Words& words) {
        scores_.clear();
        beam_.start(words.size());
    }

    template <class Cost>
    void step(const Table& table, const Words& words, Cost&& cost) {
        beam_.step(width_, outputs_, [&](const ArcHybrid& c) { return scores(table, words, c); }, cost);
    }

    // Scores of a configuration's outputs, valid until the next call.
    const Score* scores(const Table& table, const Words& words, const ArcHybrid& c) {
        context_.look(c);
        return scores_(table, words, context_);
    }

    TransitionOutputs outputs_;
    size_t width_;
    TransitionContext context_;
    DecisionFeatures features_;
    ConfigurationScores<Score> scores_;
    Beam<Total> beam_;
};

class TransitionTrainer : TransitionParser<WeightTable> {
  public:
    using TransitionParser::TransitionParser;

    // To update where the gold derivation falls out of the beam, and not at the greatest violation.
    void update_early() { early_ = true; }

    // Learns from one sentence and its projective tree; returns how many words the search gave a wrong head or
    // label (up to where it was stopped).
    size_t learn(Learner& learner, const Words& words, const Tree& gold, ParserNames* names);

  private:
    size_t learn_beam(Learner& learner, const Words& words, const Tree& gold, ParserNames* names);
    size_t learn_greedy(Learner& learner, const Words& words, const Tree& gold, ParserNames* names);

    bool early_ = false;
    Violation violation_;
    std::vector<uint32_t> gold_path_, path_;
};

}  // namespace sapwood

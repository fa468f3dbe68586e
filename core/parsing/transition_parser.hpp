// Transition-based parsing with a beam, labels joint (Zhang & Clark 2011; Zhang & Nivre 2011), over arc-hybrid
// transitions. The same code parses with the weights in training and with a frozen model: `Table` is either.
//
// With a beam, the decision is between derivations: an update moves the weights from the best wrong derivation to the
// gold one, both up to the same step (Collins & Roark 2004). That is the step at which the gold derivation falls out of
// the beam (early update), or the one at which it is behind by most (max-violation; Huang, Fayong & Guo 2012). A constant
// cost is added to every derivation but the gold one, from the transition on by which it leaves it. The averaging clock
// ticks once a sentence.
//
// A beam of one is trained with the dynamic oracle (Goldberg & Nivre 2012): the decision is between the best transition
// that loses no further gold arc and the best one that does, at each configuration, also at those that the parser's own
// mistakes led to. The averaging clock ticks once a transition.
#pragma once
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "features/transition_features.hpp"
#include "parsing/configuration_scores.hpp"
#include "parsing/decision_features.hpp"
#include "parsing/runner_up.hpp"
#include "search/beam.hpp"

namespace sapwood {

// Score: what the scores of a configuration are summed in.
template <ScoringTable Table, class Score = typename Table::Score>
class TransitionParser {
  public:
    using Total = std::conditional_t<std::is_floating_point_v<Score>, double, int64_t>;

    // gap: configurations that are further behind the best one are dropped, in units of the tables' weights; 0: none are.
    TransitionParser(const Conjunctions& conjunctions, TransitionOutputs outputs, size_t beam, double gap = 0)
        : outputs_(std::move(outputs)),
          width_(beam),
          context_(outputs_.relations().hashes),
          features_(conjunctions, 0),
          scores_(conjunctions, outputs_.width(), beam) {
        constexpr auto most = std::numeric_limits<Total>::max();
        const double rounded = gap * (1 + 1e-9);  // or a gap that was found would be one unit less
        beam_.set_gap(rounded > 0 && rounded < static_cast<double>(most) ? static_cast<Total>(rounded) : most);
    }

    // The least gap with which the last sentence that was parsed has the same tree, as far as that can be told.
    double gap() const { return static_cast<double>(beam_.gap(beam_[0].link)); }

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        start(words);
        while (!beam_[0].c.done()) step(tables[0], words, [](const ArcHybrid&, uint32_t) { return Total{}; }, Total{});
        beam_.derivation(beam_[0].link, winner_);
        outputs_.tree(winner_, words.size(), tree);
    }

    // The same, and calls take(m, margin) for the words whose arcs had a rival. The margin is that of the transition by
    // which the word left the stack over the best other transition at that step of the winning derivation. With a beam, the
    // transition may have scored lower than the other one and won through later steps. Then the margin is negative.
    template <class Take>
    void parse_with_margins(const std::vector<Table>& tables, const Words& words, Tree& tree, Take&& take) {
        parse(tables, words, tree, [&](const ArcHybrid& c, uint32_t chosen) {
            const Score* score = scores(tables[0], words, c);
            const auto against = runner_up<uint32_t, Score>([&](auto&& offer) {
                outputs_.each(c, [&](uint32_t y) {
                    if (y != chosen) offer(y, score[y]);
                });
            });
            if (against) take(c.stack(0), margin_of(score[chosen], against->score));
        });
    }

  protected:
    // Parses, and calls visit(c, output) for the transitions of the winning derivation by which words leave the stack, in
    // their order; c is the configuration before.
    template <class Visit>
    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree, Visit&& visit) {
        parse(tables, words, tree);
        ArcHybrid c;
        c.start(words.size());
        for (const uint32_t output : winner_) {
            if (outputs_.transition(output).move != Move::shift) visit(std::as_const(c), output);
            outputs_.apply(c, output);
        }
    }

    void start(const Words& words) {
        scores_.clear();
        beam_.start(words.size());
    }

    template <class Cost>
    void step(const Table& table, const Words& words, Cost&& cost, Total most) {
        scores_.prepare(table, words, context_, beam_.size(), [&](size_t k) -> const ArcHybrid& { return beam_[k].c; });
        beam_.step(width_, outputs_, [&](size_t k) { return scores_[k]; }, cost, most);
    }

    // Scores of a configuration's outputs, valid until the next call.
    const Score* scores(const Table& table, const Words& words, const ArcHybrid& c) {
        return scores_(table, words, context_, c);
    }

    TransitionOutputs outputs_;
    size_t width_;
    TransitionContext context_;
    DecisionFeatures features_;
    ConfigurationScores<Score> scores_;
    Beam<Total> beam_;
    std::vector<uint32_t> winner_;  // outputs of the winning derivation
};

class TransitionTrainer : TransitionParser<WeightTable> {
  public:
    using TransitionParser::TransitionParser;

    // To update where the gold derivation falls out of the beam, and not at the greatest violation.
    void update_early() { early_ = true; }

    // Presents the derivation of a sentence, or, with a beam of one, its transitions.
    void present(const ParsingExample& example);

  private:
    class Prefixes;  // the decision with a beam

    void present_transitions(const ParsingExample& example);

    bool early_ = false;
    std::vector<uint32_t> gold_path_, path_;  // outputs of the gold derivation and of the best wrong one
};

}  // namespace sapwood

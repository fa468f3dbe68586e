#include "parsing/transition_parser.hpp"

#include "base/stop_check.hpp"
#include "search/contest.hpp"

namespace sapwood {

// The gold derivation against the best wrong one, up to the step of the update.
class TransitionTrainer::Prefixes {
  public:
    Prefixes(TransitionTrainer& trainer, const ParsingExample& example) : trainer_(trainer), example_(example) {}

    bool search(float added) {
        const WeightTable& table = example_.learner.table(0);
        const Words& words = example_.words;
        const ArcHybridOracle oracle(example_.gold);
        const auto cost = static_cast<double>(added);
        const bool constant = example_.learner.has_constant_cost();
        const TransitionOutputs& outputs = trainer_.outputs_;
        const Beam<double>& beam = trainer_.beam_;
        trainer_.start(words);
        trainer_.gold_path_.clear();
        ArcHybrid gold;
        gold.start(words.size());
        double gold_score = 0;
        uint32_t violating = 0;  // link of the best wrong derivation where it is ahead of the gold one by most
        uint32_t gold_link = 0;
        bool in_beam = true;  // is the gold derivation?
        while (!gold.done()) {
            const uint32_t next = outputs.output(gold, oracle.next(gold));
            gold_score += static_cast<double>(trainer_.scores(table, words, gold)[next]);
            trainer_.gold_path_.push_back(next);
            const ArcHybrid* leading = constant && in_beam ? beam.at(gold_link) : nullptr;
            const auto costs = [&](const ArcHybrid& c, uint32_t output) {
                return (constant ? &c == leading && output != next : is_wrong(c, output)) ? cost : 0.0;
            };
            trainer_.step(table, words, costs, cost);
            outputs.apply(gold, next);
            in_beam = in_beam && beam.follow(gold_link, next);
            if (in_beam && beam[0].link == gold_link) continue;
            const bool stop = trainer_.early_ && !in_beam;
            if (const double ahead = beam[0].score - gold_score; ahead > ahead_ || stop) {
                ahead_ = ahead;
                violating = beam[0].link;
            }
            if (stop) break;
        }
        if (violating == 0 || ahead_ < 0) return false;
        beam.derivation(violating, trainer_.path_);
        return true;
    }

    // Words with a wrong head or label in the wrong derivation.
    size_t mistakes() const {
        size_t wrong = 0;
        ArcHybrid c;
        c.start(example_.words.size());
        for (uint32_t output : trainer_.path_) {
            wrong += is_wrong(c, output);
            trainer_.outputs_.apply(c, output);
        }
        return wrong;
    }

    double loss() const { return ahead_; }

    void differ(Violation& violation) {
        ArcHybrid gold, guess;
        gold.start(example_.words.size());
        guess.start(example_.words.size());
        bool parted = false;
        for (size_t k = 0; k < trainer_.path_.size(); ++k) {
            StopCheck::after(1000);
            const uint32_t right = trainer_.gold_path_[k], wrong = trainer_.path_[k];
            parted |= right != wrong;
            if (parted) {
                intern(gold);
                trainer_.features_.gold(violation, right);
                intern(guess);
                trainer_.features_.guess(violation, wrong);
            }
            trainer_.outputs_.apply(gold, right);
            trainer_.outputs_.apply(guess, wrong);
        }
    }

  private:
    bool is_wrong(const ArcHybrid& c, uint32_t output) const {
        const Transition t = trainer_.outputs_.transition(output);
        const uint32_t word = c.stack(0);
        return t.move != Move::shift &&
               (example_.gold.heads[word] != c.head_after(t.move) || example_.gold.labels[word] != t.label);
    }

    void intern(const ArcHybrid& c) {
        trainer_.context_.look(c);
        trainer_.features_.intern(example_, trainer_.context_.values(example_.words));
    }

    TransitionTrainer& trainer_;
    const ParsingExample& example_;
    double ahead_ = -std::numeric_limits<double>::infinity();  // score of the wrong derivation less the gold one's
};

void TransitionTrainer::present(const ParsingExample& example) {
    if (width_ == 1)
        present_transitions(example);
    else
        example.learner.present(Prefixes(*this, example));
}

void TransitionTrainer::present_transitions(const ParsingExample& example) {
    Learner& learner = example.learner;
    const Words& words = example.words;
    const Tree& gold = example.gold;
    const ArcHybridOracle oracle(gold);
    const auto differ = [&](Violation& violation, const Choice& right, const Choice& wrong) {
        features_.intern(example, context_.values(words));
        features_.gold(violation, right.output);
        features_.guess(violation, wrong.output);
    };
    ArcHybrid c;
    c.start(words.size());
    scores_.clear();
    while (!c.done()) {
        StopCheck::after(1000);
        const float* score = scores(learner.table(0), words, c);
        size_t cost[3];
        for (Move move : {Move::shift, Move::left, Move::right})
            cost[static_cast<size_t>(move)] = c.can(move, outputs_.single_root()) ? oracle.cost(c, move) : SIZE_MAX;
        const size_t least = std::min({cost[0], cost[1], cost[2]});
        std::optional<Choice> right, wrong;
        outputs_.each(c, [&](uint32_t output) {
            const Transition t = outputs_.transition(output);
            const uint32_t word = c.stack(0);
            const bool mislabels =
                t.move != Move::shift && gold.heads[word] == c.head_after(t.move) && gold.labels[word] != t.label;
            std::optional<Choice>& best = cost[static_cast<size_t>(t.move)] == least && !mislabels ? right : wrong;
            if (!best || score[output] > best->score) best = Choice{0, output, score[output]};
        });
        if (learner.present(Duel{*right, wrong, differ}).step > 0) scores_.clear();
        // Without a margin, as the parser itself will go on; the right way if both are as good.
        outputs_.apply(c, wrong && wrong->score > right->score ? wrong->output : right->output);
    }
}

}  // namespace sapwood

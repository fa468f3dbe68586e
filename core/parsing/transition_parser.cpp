#include "parsing/transition_parser.hpp"

namespace sapwood {

size_t TransitionTrainer::learn(Learner& learner, const Words& words, const Tree& gold, ParserNames* names) {
    return width_ == 1 ? learn_greedy(learner, words, gold, names) : learn_beam(learner, words, gold, names);
}

size_t TransitionTrainer::learn_beam(Learner& learner, const Words& words, const Tree& gold,
                                     ParserNames* names) {
    const WeightTable& table = learner.table(0);
    const ArcHybridOracle oracle(gold);
    const double gamma = static_cast<double>(learner.cost());
    const auto wrong = [&](const ArcHybrid& c, uint32_t output) {
        const Transition t = outputs_.transition(output);
        const uint32_t word = c.stack(0);
        return t.move != Move::shift &&
               (gold.heads[word] != c.head_after(t.move) || gold.labels[word] != t.label);
    };
    start(words);
    ArcHybrid gold_c;
    gold_c.start(words.size());
    gold_path_.clear();
    double gold_score = 0, greatest = -std::numeric_limits<double>::infinity();
    uint32_t violating = 0;  // link of the best wrong derivation where it is ahead of the gold one by most
    uint32_t gold_link = 0;
    bool in_beam = true;  // is the gold derivation?
    while (!gold_c.done()) {
        const uint32_t next = outputs_.output(gold_c, oracle.next(gold_c));
        gold_score += static_cast<double>(scores(table, words, gold_c)[next]);
        gold_path_.push_back(next);
        step(table, words,
             [&](const ArcHybrid& c, uint32_t output) { return wrong(c, output) ? gamma : 0.0; });
        outputs_.apply(gold_c, next);
        in_beam = in_beam && beam_.follow(gold_link, next);
        if (in_beam && beam_[0].link == gold_link) continue;
        if (const double ahead = beam_[0].score - gold_score; ahead > greatest || (early_ && !in_beam)) {
            greatest = ahead;
            violating = beam_[0].link;
        }
        if (early_ && !in_beam) break;
    }
    size_t mistakes = 0;
    if (violating != 0 && greatest >= 0) {
        beam_.derivation(violating, path_);
        ArcHybrid a, b;  // along the gold derivation and along the guess
        a.start(words.size());
        b.start(words.size());
        bool parted = false;
        for (size_t k = 0; k < path_.size(); ++k) {
            parted |= path_[k] != gold_path_[k];
            if (parted) {
                context_.look(a);
                features_.intern(learner, context_.values(words), names);
                features_.gold(violation_, gold_path_[k]);
                context_.look(b);
                features_.intern(learner, context_.values(words), names);
                features_.guess(violation_, path_[k]);
                mistakes += wrong(b, path_[k]);
            }
            outputs_.apply(a, gold_path_[k]);
            outputs_.apply(b, path_[k]);
        }
        violation_.loss = greatest;
        learner.learn(violation_);
    }
    learner.tick();
    return mistakes;
}

size_t TransitionTrainer::learn_greedy(Learner& learner, const Words& words, const Tree& gold,
                                       ParserNames* names) {
    const WeightTable& table = learner.table(0);
    const ArcHybridOracle oracle(gold);
    ArcHybrid c;
    c.start(words.size());
    scores_.clear();
    size_t mistakes = 0;
    while (!c.done()) {
        const float* score = scores(table, words, c);
        size_t cost[3];
        for (Move move : {Move::shift, Move::left, Move::right})
            cost[static_cast<size_t>(move)] =
                c.can(move, outputs_.single_root()) ? oracle.cost(c, move) : SIZE_MAX;
        const size_t least = std::min({cost[0], cost[1], cost[2]});
        const uint32_t none = UINT32_MAX;
        uint32_t right = none, wrong = none;  // the best transition that costs least, the best that does not
        outputs_.each(c, [&](uint32_t output) {
            const Transition t = outputs_.transition(output);
            const uint32_t word = c.stack(0);
            const bool mislabels = t.move != Move::shift && gold.heads[word] == c.head_after(t.move) &&
                                   gold.labels[word] != t.label;
            uint32_t& best = cost[static_cast<size_t>(t.move)] == least && !mislabels ? right : wrong;
            if (best == none || score[output] > score[best]) best = output;
        });
        uint32_t taken = right;
        if (wrong != none) {
            const float ahead = score[wrong] + learner.cost() - score[right];
            if (score[wrong] > score[right]) {
                taken = wrong;
                ++mistakes;
            }
            if (ahead >= 0) {
                features_.intern(learner, context_.values(words), names);
                features_.gold(violation_, right);
                features_.guess(violation_, wrong);
                violation_.loss = ahead;
                learner.learn(violation_);
                scores_.clear();
            }
        }
        learner.tick();
        outputs_.apply(c, taken);
    }
    return mistakes;
}

}  // namespace sapwood

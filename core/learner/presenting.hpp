// What it means to present a decision to a learner, whatever was searched and however weights are kept.
//
//     search with cost(update) added for what is wrong           (0 for the perceptron, gamma otherwise)
//     gold lost?   mistakes += the wrong parts;  violation = the differing features;  w <- w + step * violation
//     clock <- clock + 1
//
// This is the only home of these rules:
//
//     cost       0 with perceptron updates; gamma with margin and passive-aggressive ones. A search adds it to
//                every wrong part (the Hamming cost of Taskar, Guestrin & Koller 2003 and of McDonald, Crammer & Pereira
//                2005), or, if the cost is constant, once to every structure other than gold. Gold must win by that
//                much, or there is an update: a step against the subgradient of
//                max(0, max over wrong z of (cost(z) + score(z)) - score(gold)).
//     ties       are the search's. One that ranks all structures together gives them to the lowest number, also where
//                gold ties with a wrong structure; one that ranks right and wrong choices apart (Duel in
//                search/contest.hpp) gives them to the wrong one. There is an update exactly if the search, with the
//                cost added, returned something other than gold.
//     mistakes   are the wrong parts of what that same search returned: with a margin, what was not right by enough.
//     loss       score(guess) + cost(guess) - score(gold), asked for only if the update needs it.
//     clock      ticks once a presented decision, whether or not there was an update. A decision that is a further
//                stage of an example whose clock another decision ticks is presented with `ticks` false.
//     again      guided learning (Shen, Satta & Joshi 2007; Goldberg & Elhadad 2010) presents a decision until it is
//                right, if that is wanted. A decision that stays wrong is given up after kPresentations, or when an
//                update changes nothing. The clock ticks each time; a mistake is counted the first time.
#pragma once
#include <cstdint>
#include <vector>

#include "learner/state.hpp"
#include "learner/violation.hpp"
#include "search/search.hpp"

namespace sapwood {

// The last two belong to the L1-regularised baselines (learner/l1.hpp), which only classifiers have.
enum class Update { perceptron, margin, passive_aggressive, l1_cumulative, truncated_gradient };
inline constexpr const char* kUpdates[] = {"perceptron", "margin", "pa", "l1-cumulative", "truncated-gradient"};
inline constexpr const char* kCosts[] = {"hamming", "constant"};

// What has a count of the updates that it took part in: a feature, for all of its outputs together, or each of its weights.
enum class CountUpdates { feature, weight };
inline constexpr const char* kCountUpdates[] = {"feature", "weight"};

// How often guided learning presents a decision: once, or until it is right.
inline constexpr const char* kGuided[] = {"once", "repeat"};
constexpr size_t kPresentations = 100;  // of a decision, at most

// Options by the names that users know them by. A structure of options has a function each(visit), which calls
// visit(name, field) for an option, and visit(name, field, names) for one of several choices, whose names are in the
// order of their numbers. Whoever reads options from outside is such a visitor.

struct LearnerOptions {
    Update update = Update::perceptron;
    float gamma = 1.0f;        // cost of a wrong part, or of a wrong structure, in the training search
    uint32_t min_updates = 1;  // updates that a feature must have taken part in to score
    bool average = true;
    unsigned key_bits = 64;        // leading bits of a key that tell features apart; see WeightTable
    double false_matches = 0.001;  // probability at most, that a model mistakes an unknown feature for a known one
    double aggressiveness = 1;     // C of passive-aggressive updates: their largest step
    CountUpdates count_updates = CountUpdates::feature;  // of structures; of other decisions, by feature
    bool constant_cost = false;                          // of a wrong structure, or of each wrong part (Hamming)
    bool repeat = false;                                 // kGuided; an option of the tasks that have a guided search

    template <class Visit>
    void each(Visit&& visit) {
        visit("update", update, kUpdates);
        visit("gamma", gamma);
        visit("cost", constant_cost, kCosts);
        visit("min_updates", min_updates);
        visit("average", average);
        visit("hash_bits", key_bits);
        visit("false_matches", false_matches);
        visit("aggressiveness", aggressiveness);
        visit("count_updates", count_updates, kCountUpdates);
    }

    // What the training search adds to the score of every wrong part, or once to that of a wrong structure.
    float cost() const { return update == Update::perceptron ? 0.0f : gamma; }
};

struct Presented {
    size_t mistakes = 0;   // wrong parts of what the search returned
    double step = 0;       // how far the weights went along the violation, 0 without an update
    bool changed = false;  // whether there was an update of a difference that is not empty
};

struct Presentation {
    double importance = 1;  // multiplies the step of this example
    bool ticks = true;
    bool repeated = false;  // whether it was presented before; its mistakes are counted then
};

// The counts of what was presented to a learner.
struct Counts {
    uint64_t clock = 0, updates = 0, mistakes = 0;  // see Presenting
    uint64_t repeated = 0, given_up = 0;            // of guided learning
    bool repeat = false;                            // whether it has these two

    template <class State>
    void state(State s) {
        s("clock", clock);
        s("updates", updates);
        s("mistakes", mistakes);
        if (repeat) {
            s("repeated", repeated);
            s("given_up", given_up);
        }
        if constexpr (State::kReads) s.require(clock < uint64_t{1} << 53, "clock", "is too large");
    }
};

// `Learner` has two functions: learn(violation, importance) returns the step, and learn(violations) is for k-best
// updates. Both leave the violations cleared.
template <class Learner>
class Presenting {
  public:
    template <class D>
    Presented present(D&& decision, const Presentation& how = {}) {
        Presented presented;
        const uint64_t updates = updates_;
        if (decision.search(cost())) {
            presented.mistakes = decision.mistakes();
            if constexpr (Decision<std::remove_reference_t<D>, Violation>) {
                if (needs_loss()) violation_.loss = decision.loss();
                decision.differ(violation_);
                presented.step = self().learn(violation_, how.importance);
            } else {
                static_assert(Decision<std::remove_reference_t<D>, std::vector<Violation>>);
                decision.differ(violations_);
                presented.step = self().learn(violations_);
            }
        }
        presented.changed = presented.step > 0 && updates_ > updates;
        mistakes_ += how.repeated ? 0 : presented.mistakes;
        clock_ += how.ticks;
        return presented;
    }

    // Whether a decision that was presented `times` times has to be presented again, because it was wrong.
    bool again(const Presented& presented, size_t times) {
        if (!options_.repeat || presented.mistakes == 0) return false;
        const bool more = presented.changed && times < kPresentations;
        ++(more ? repeated_ : given_up_);
        return more;
    }

    float cost() const { return options_.cost(); }
    bool has_constant_cost() const { return options_.constant_cost; }
    double false_matches() const { return options_.false_matches; }

    // c: decisions presented so far.
    uint64_t clock() const { return clock_; }
    // The clock to average with, 0 for the last weights.
    double averaging_clock() const { return options_.average ? static_cast<double>(clock_) : 0.0; }

    uint64_t updates() const { return updates_; }    // violations applied
    uint64_t mistakes() const { return mistakes_; }  // wrong parts, since the start
    uint64_t repeated() const { return repeated_; }  // presentations of decisions that had been presented before
    uint64_t given_up() const { return given_up_; }  // decisions that were presented again, and stayed wrong

    Counts counts() const { return {clock_, updates_, mistakes_, repeated_, given_up_, options_.repeat}; }
    void set_counts(const Counts& counts) {
        clock_ = counts.clock;
        updates_ = counts.updates;
        mistakes_ = counts.mistakes;
        repeated_ = counts.repeated;
        given_up_ = counts.given_up;
    }

  protected:
    // The counts, for checkpoints (learner/state.hpp). With `repeat` they include the counts of guided learning.
    template <class State>
    void counts(State& s) {
        counts(s, options_.repeat);
    }
    template <class State>
    void counts(State& s, bool repeat) {
        Counts all = counts();
        all.repeat = repeat;
        all.state(s);
        set_counts(all);
    }

    explicit Presenting(const LearnerOptions& options) : options_(options) {}

    bool needs_loss() const { return options_.update == Update::passive_aggressive; }

    LearnerOptions options_;
    uint64_t clock_ = 0, updates_ = 0, mistakes_ = 0, repeated_ = 0, given_up_ = 0;

  private:
    Learner& self() { return static_cast<Learner&>(*this); }

    Violation violation_;
    std::vector<Violation> violations_;
};

}  // namespace sapwood

// The perceptron family. A search looks for the structure with the highest score; when gold has lost it hands over a
// Violation: the features that should have scored higher (gold) and lower (guess). What was searched, a class, a label
// sequence or a tree, is unknown here.
//
//     perceptron           w <- w + phi(x, gold) - phi(x, guess)                    (Collins 2002)
//     margin               the same, but what is wrong competes with gamma added (presenting.hpp)
//     passive-aggressive   a step of min(C, loss / |phi(gold) - phi(guess)|^2)     (Crammer et al. 2006, PA-I)
//                          for several guesses at once: k-best MIRA                (McDonald et al. 2005)
//
// Averaging (Freund & Schapire 1999, in the lazy form of Daume 2006): besides w the table keeps w_a += c * delta,
// where the clock c counts the decisions presented; w - w_a / c is exactly the mean of the weight vectors after each.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learner/presenting.hpp"
#include "learner/recording.hpp"
#include "learner/weight_table.hpp"

namespace sapwood {

// The step of PA-I, given the loss and |phi(x, gold) - phi(x, guess)|^2; C if that is 0, when no step helps.
inline double passive_aggressive_step(double loss, double norm, double most = 1) {
    return norm > 0 ? std::min(most, std::max(0.0, loss / norm)) : most;
}

class Learner : public Presenting<Learner> {
  public:
    // One weight table a width; a violation names a table by its position here. The first `of_structures` tables have the
    // features of structures, whose updates may be counted by weight. The tables after them serve multiclass decisions.
    Learner(const LearnerOptions& options, const std::vector<size_t>& widths, size_t of_structures = 0);
    Learner(const Learner& other) : Learner(other, std::make_shared<std::vector<WeightTable>>(other.all_tables())) {}
    Learner(Learner&&) = default;
    Learner& operator=(Learner&&) = default;

    WeightTable& table(size_t t) { return (*tables_)[t]; }
    const WeightTable& table(size_t t) const { return (*tables_)[t]; }
    const std::vector<WeightTable>& all_tables() const { return *tables_; }
    size_t tables() const { return tables_->size(); }

    // The numbers of features that are about to take part in a violation.
    void intern(size_t table, const uint64_t* keys, size_t n, uint32_t* features);

    // Returns a learner that shares these weights and, instead of changing them, records each update in the recording given
    // to record(). The weights must not change while it presents examples.
    Learner recorder() const { return {*this, tables_}; }
    void record(Recording& recording, const Counts& counts) {
        recording.clear();
        recording_ = &recording;
        set_counts(counts);
    }
    // Applies the updates of a recording. `before` and `after` are the recorder's counts before and after its example.
    void apply(Recording& recording, const Counts& before, const Counts& after);

    // Applies a violation; parts that cancel take no part. `importance` multiplies the step, and C of
    // passive-aggressive updates. Returns the step.
    double learn(Violation& violation, double importance = 1);

    // k-best MIRA (McDonald, Crammer & Pereira 2005): the smallest change of w after which the gold structure beats
    // each of the guesses by its cost, no guess counting for more than C. Returns the largest of their steps.
    double learn(std::vector<Violation>& violations);

    // Gives a feature its weights, [outputs of the table], before training; it scores at once. Throws DataError if there
    // are more or fewer.
    void prime(size_t table, uint64_t key, std::span<const double> weights);

    // Forgets all weights; from now on only those that each(t, take) names change, see WeightTable::restart. The averaging
    // clock starts anew.
    template <class Each>
    void restart(Each&& each) {
        for (size_t t = 0; t < tables_->size(); ++t) (*tables_)[t].restart([&](auto&& take) { each(t, take); });
        clock_ = sums_began_ = 0;
    }

    // From now on updates enter the sums by the time since now: those of a shard, which are 0 (learner/mixing.hpp).
    void begin_sums() { sums_began_ = clock_; }

    // All that training has changed (learner/state.hpp). Where it is read, a feature that is known here must have the
    // same number in the state, if it is there. Throws ModelError.
    template <class State>
    void state(State s) {
        counts(s);
        for (size_t t = 0; t < tables_->size(); ++t) {
            if constexpr (State::kReads)
                (*tables_)[t].read(s.within(std::to_string(t)), true);
            else
                (*tables_)[t].write(s.within(std::to_string(t)));
        }
    }
    // Goes on from the state of a training with other data. output_of: as WeightTable::read has it, for each table.
    void go_on_from(StateReader s, const std::vector<std::vector<uint32_t>>& output_of) {
        counts(s, false);
        for (size_t t = 0; t < tables_->size(); ++t)
            (*tables_)[t].read(s.within(std::to_string(t)), false,
                               t < output_of.size() ? std::span(output_of[t]) : std::span<const uint32_t>());
    }

    size_t active() const;  // features that score: updated often enough

  private:
    Learner(const Learner& other, std::shared_ptr<std::vector<WeightTable>> tables)
        : Presenting(other), tables_(std::move(tables)) {}

    void apply(const Violation& violation, float tau, uint64_t clock);
    template <bool kByWeight>
    void add(const Violation& violation, float tau, double clock);
    double take(Violation& violation, double tau);

    std::shared_ptr<std::vector<WeightTable>> tables_;
    uint64_t sums_began_ = 0;         // the clock at which the sums were 0
    Recording* recording_ = nullptr;  // of a recorder
};

}  // namespace sapwood

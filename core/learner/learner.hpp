// The perceptron family. A search looks for the structure with the highest score; when it is wrong it
// hands over a Violation: the features that should have scored higher (gold) and lower (guess). What was
// searched, a class, a label sequence or a tree, is unknown here.
//
//     perceptron           w <- w + phi(x, gold) - phi(x, guess)                    (Collins 2002)
//     margin               the same, but every wrong label competes with gamma added
//     passive-aggressive   a step of min(C, loss / |phi(gold) - phi(guess)|^2)     (Crammer et al. 2006, PA-I)
//                          for several guesses at once: k-best MIRA                (McDonald et al. 2005)
//
// Averaging (Freund & Schapire 1999, in the lazy form of Daume 2006): besides w the table keeps w_a += c * delta, where the clock c counts the examples
// presented; w - w_a / c is exactly the mean of the weight vectors after each example.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "learner/weight_table.hpp"

namespace sapwood {

enum class Update { perceptron, margin, passive_aggressive };

struct LearnerOptions {
    Update update = Update::perceptron;
    float gamma = 1.0f;        // cost of a wrong label in the training search
    uint32_t min_updates = 1;  // updates that a feature must have taken part in to score
    bool average = true;

    // What the training search adds to the score of every wrong label.
    float cost() const { return update == Update::perceptron ? 0.0f : gamma; }
};

// The step of PA-I, given the loss and |phi(x, gold) - phi(x, guess)|^2; C if that is 0, when no step helps.
inline double passive_aggressive_step(double loss, double norm, double most = 1) {
    return norm > 0 ? std::min(most, std::max(0.0, loss / norm)) : most;
}

// phi(x, gold) - phi(x, guess), as a list of parts in any order, with repetitions.
class Violation {
  public:
    void clear() {
        parts_.clear();
        loss = 0;
    }
    void gold(uint32_t table, uint32_t feature, uint32_t output, float value = 1.0f) {
        add(table, feature, output, value);
    }
    void guess(uint32_t table, uint32_t feature, uint32_t output, float value = 1.0f) {
        add(table, feature, output, -value);
    }
    bool empty() const { return parts_.empty(); }

    double loss = 0;  // score(guess) + cost(guess) - score(gold), for passive-aggressive

  private:
    friend class Learner;

    struct Part {
        uint64_t weight;  // table (2 bits), feature (32), output (30): sorts as one number
        float delta;

        uint32_t table() const { return static_cast<uint32_t>(weight >> 62); }
        uint64_t feature() const { return weight >> 30; }  // with the table
        uint32_t output() const { return static_cast<uint32_t>(weight) & ((1u << 30) - 1); }
    };

    void add(uint32_t table, uint32_t feature, uint32_t output, float delta) {
        if (feature != 0) parts_.push_back({uint64_t{table} << 62 | uint64_t{feature} << 30 | output, delta});
    }

    // Sums the parts that are equal, drops what cancels, sorts by weight.
    void condense();
    // The dot product of two condensed violations.
    friend double dot(const Violation& a, const Violation& b);

    std::vector<Part> parts_;
};

class Learner {
  public:
    // One weight table a width; a violation names a table by its position here.
    Learner(const LearnerOptions& options, const std::vector<size_t>& widths);

    WeightTable& table(size_t t) { return tables_[t]; }
    const WeightTable& table(size_t t) const { return tables_[t]; }
    const std::vector<WeightTable>& all_tables() const { return tables_; }
    size_t tables() const { return tables_.size(); }

    float cost() const { return options_.cost(); }

    // Whether violations must say their loss.
    bool needs_loss() const { return options_.update == Update::passive_aggressive; }

    // Applies a violation; parts that cancel take no part. `violation` is left cleared. `importance`: of the example,
    // multiplies the step (and C of passive-aggressive). Returns the step.
    double learn(Violation& violation, double importance = 1);

    // k-best MIRA (McDonald, Crammer & Pereira 2005): the smallest change of w after which the gold structure beats
    // each of the guesses by its cost, no guess counting for more than C. The violations are left cleared.
    void learn(std::vector<Violation>& violations);

    // One more example was presented: to be called after each, updated or not.
    void tick() { ++clock_; }

    // The clock to average with, 0 for the last weights.
    double averaging_clock() const { return options_.average ? static_cast<double>(clock_) : 0.0; }
    uint64_t clock() const { return clock_; }
    uint64_t updates() const { return updates_; }
    size_t bytes() const;

  private:
    void apply(const Violation& violation, float tau);

    LearnerOptions options_;
    std::vector<WeightTable> tables_;
    uint64_t clock_ = 0;    // c: examples presented
    uint64_t updates_ = 0;  // violations applied
};

}  // namespace sapwood

// Trains a classifier: features in, one of k classes out (Schneider 2017, "Perceptron Learner").
//
//     y' <- argmax over y of w_y . phi(x);  if y' is not y:  w_y <- w_y + phi(x), w_y' <- w_y' - phi(x)
//
// The search is argmax. The loss of a wrong label is the mean of |phi(x)|^2 over the examples presented so far, so that
// results change neither with the unit of the features nor with the length of texts. The baselines with an L1 penalty
// (learner/l1.hpp) learn from the same examples in the same order.
#pragma once
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "classifying/class_spec.hpp"
#include "features/feature_rows.hpp"
#include "learner/dual_weights.hpp"
#include "learner/l1.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "model/freeze.hpp"

namespace sapwood {

// Examples of numbered features with their labels.
class LabelledExamples {
  public:
    explicit LabelledExamples(size_t labels) : labels_(labels) {}

    // gold: [rows] numbers below `labels`; importance: [rows] what an example's step is multiplied by, or empty: all 1.
    // Unknown keys become known in the table. Throws DataError if the numbers do not fit.
    void add(const FeatureRows& rows, const std::vector<uint32_t>& gold, const std::vector<double>& importance,
             WeightTable& table);

    // One example, as it is learned from.
    struct Example {
        std::span<const uint32_t> features;  // ascending; 0 where one was pruned
        const float* values;                 // of the features, or nullptr: all 1
        uint32_t gold;
        double importance;

        float value(size_t k) const { return values == nullptr ? 1.0f : values[k]; }
        double squared_length() const;
    };
    Example operator[](size_t example) const;

    size_t size() const { return gold_.size(); }
    size_t labels() const { return labels_; }
    std::vector<uint32_t>& features() { return features_; }

  private:
    size_t labels_;
    std::vector<size_t> starts_ = {0};             // [examples + 1]
    std::vector<uint32_t> features_;               // ascending in each example
    std::vector<float> values_;                    // [features], or empty: all 1
    std::vector<uint32_t> gold_;                   // [examples]
    std::vector<double> importance_;               // [examples], or empty: all 1
    std::vector<std::pair<uint32_t, float>> row_;  // scratch
};

// How a classifier's examples are presented (learner/trainer.hpp) to the perceptron family, or to a baseline.
template <class L>
class ClassifierProblem {
  public:
    using Learner = L;

    ClassifierProblem(size_t labels, bool voted)
        : spec_{labels}, voted_(voted), data_(labels), scores_(padded(labels)) {}

    LabelledExamples& data() { return data_; }

    size_t examples() const { return data_.size(); }
    void begin(L& learner) const;
    std::vector<uint32_t>& numbered(size_t) { return data_.features(); }
    size_t present(size_t example, L& learner, FeatureNames*);

    template <class State>
    void state(State s, [[maybe_unused]] const L& learner) {
        s("squares", squares_);
        if constexpr (std::is_same_v<L, sapwood::Learner>) {
            if (!voted_) return;
            dual_updates_state(s, updates_);
            if constexpr (State::kReads) {
                check_updates(updates_, data_.size() * spec_.labels, learner.clock());
                for (const DualUpdate& update : updates_)
                    s.require(update.oracle / spec_.labels == update.guess / spec_.labels, "guesses",
                              "has one of another example");
            }
        }
    }

    // All the vectors so far, as updates of candidates example * labels + label.
    DualWeights votes(uint64_t clock) const {
        return voted_weights(updates_, data_.size() * spec_.labels, spec_.labels, clock);
    }

  private:
    ClassSpec spec_;
    bool voted_;
    LabelledExamples data_;
    double squares_ = 0;               // sum of |phi(x)|^2 over the examples presented
    std::vector<DualUpdate> updates_;  // if voted
    std::vector<uint32_t> rows_;       // scratch
    AlignedVector<float> scores_;      // scratch
};

struct ClassifierOptions {
    TrainingOptions training;
    std::optional<L1Options> l1;  // a baseline in place of the perceptron family
    bool voted = false;           // keep the updates, for freeze_votes
};

class ClassifierTrainer {
  public:
    ClassifierTrainer(size_t labels, const ClassifierOptions& options);

    // Adds examples (see LabelledExamples). Throws DataError if they do not fit.
    void add(const FeatureRows& rows, const std::vector<uint32_t>& gold, const std::vector<double>& importance);

    // Begins with the weights of an earlier model, by key: weights [keys][outputs]. Throws OptionError for a baseline.
    void prime(const std::vector<uint64_t>& keys, const std::vector<double>& weights);

    // Forgets the examples, frees their memory and keeps what was learned, for others to follow.
    void forget_examples();

    // Trains on so many examples or up to the end of the epoch; true if it is over.
    bool step(size_t examples);

    // The whole state between two steps; see Trainer::state.
    template <class State>
    void state(State s) {
        std::visit([&](auto& trainer) { trainer.state(s); }, trainer_);
    }
    // Before the first step: goes on from the weights of a training with other examples. Throws OptionError for those
    // that cannot: baselines with an L1 penalty, and voted training, which keeps its examples.
    void go_on_from(const StateReader& s);

    Progress progress() const;  // features: if voted, examples that took part in updates

    // The averaged (or last) weights so far.
    PackedModel freeze(const FreezeOptions& options) const;
    // Goes on with the weights alone that freeze would keep. Throws OptionError for the baselines with an L1 penalty.
    void prune(const FreezeOptions& options);

    // All the vectors so far; see ClassifierProblem::votes.
    DualWeights freeze_votes() const;

  private:
    using Perceptrons = Trainer<ClassifierProblem<Learner>>;
    using Baselines = Trainer<ClassifierProblem<L1Learner>>;

    static std::variant<Perceptrons, Baselines> make(size_t labels, const ClassifierOptions& options);

    bool voted_;
    std::variant<Perceptrons, Baselines> trainer_;
};

inline PackedModel freeze(const ClassifierTrainer& trainer, const FreezeOptions& options) {
    return trainer.freeze(options);
}
inline void prune(ClassifierTrainer& trainer, const FreezeOptions& options) {
    trainer.prune(options);
}

}  // namespace sapwood

// Trains a classifier: features in, one of k classes out (Schneider 2017, "Perceptron Learner").
//
//     y' <- argmax over y of w_y . phi(x);  if y' is not y:  w_y <- w_y + phi(x), w_y' <- w_y' - phi(x)
//
// The search is argmax. The loss of a wrong label is the mean of |phi(x)|^2 over the examples presented so far, so that
// results change neither with the unit of the features nor with the length of texts. The baselines with an L1 penalty
// (learner/l1.hpp) learn from the same examples in the same order.
//
// Where an example has any of the labels, its structure is the set of them (search/label_set.hpp), and the scores are
// those of each label against the rest. With perceptron and margin updates the weights of a label are those of a
// classifier of two classes that learns this label alone; but a feature counts as updated once an example in which any
// label is wrong, and passive-aggressive updates take one step for all wrong labels.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/store.hpp"
#include "classifying/class_spec.hpp"
#include "features/feature_rows.hpp"
#include "learner/dual_weights.hpp"
#include "learner/l1.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "model/freeze.hpp"

namespace sapwood {

// Examples of numbered features with their labels, in memory or in scratch files (base/store.hpp).
class LabelledExamples {
  public:
    LabelledExamples(ClassSpec spec, const std::string& scratch);

    // The gold labels of some examples, each a number below that of all labels.
    struct Gold {
        std::vector<uint32_t> labels;  // of all of them, one after the other
        std::vector<size_t> counts;    // [rows] how many each has, or empty: each has one
    };
    // importance: [rows] what an example's step is multiplied by, or empty: all 1. Unknown keys become known in the
    // table. Throws DataError if the numbers do not fit.
    void add(const FeatureRows& rows, const Gold& gold, const std::vector<double>& importance, WeightTable& table);

    // To be called when all are added, before any is read.
    void seal();

    // Forgets all examples.
    void clear() { *this = LabelledExamples(spec_, scratch_); }

    // Another number of labels, which none of the examples exceeds.
    void set_spec(ClassSpec spec) { spec_ = spec; }

    // See Store.
    void arrange(std::span<const uint32_t> order, size_t from, size_t group);
    void reach(std::span<const uint32_t> order, size_t position);

    // One example, as it is learned from.
    struct Example {
        std::span<const uint32_t> features;  // ascending; 0 where one was pruned
        const float* values;                 // of the features, or nullptr: all 1
        std::span<const uint32_t> gold;      // one label, or any number of them
        double importance;

        float value(size_t k) const { return values == nullptr ? 1.0f : values[k]; }
        double squared_length() const;
    };
    Example operator[](size_t example) const;

    size_t size() const { return starts_.size() - 1; }
    ClassSpec spec() const { return spec_; }
    std::span<uint32_t> features() { return features_.all(); }

  private:
    // Calls visit(store, starts) for the items of examples, where starts(k) is the first item of example k.
    template <class Visit>
    void each_store(Visit&& visit);

    ClassSpec spec_;
    std::string scratch_;
    std::vector<uint64_t> starts_ = {0};           // [examples + 1]
    Store<uint32_t> features_;                     // ascending in each example
    Store<float> values_;                          // [features], or empty: all 1
    Store<uint32_t> gold_;                         // [examples], or of each those that it has
    std::vector<uint64_t> gold_starts_ = {0};      // [examples + 1] where an example has any of the labels
    std::vector<double> importance_;               // [examples], or empty: all 1
    std::vector<std::pair<uint32_t, float>> row_;  // scratch
};

// How a classifier's examples are presented (learner/trainer.hpp) to the perceptron family, or to a baseline.
template <class L>
class ClassifierProblem {
  public:
    using Learner = L;

    // known_labels: number of the first labels, which an earlier training knew, if this one goes on from it
    ClassifierProblem(ClassSpec spec, bool voted, const std::string& scratch, size_t known_labels = 0)
        : spec_(spec),
          voted_(voted),
          known_labels_(known_labels),
          data_(spec, scratch),
          scratch_{AlignedVector<float>(padded(spec.labels))} {}

    // The one weight vector of two labels is that of the second among more (ClassSpec); others keep their numbers.
    std::vector<std::vector<uint32_t>> outputs_of_known() const {
        if (known_labels_ == 2 && spec_.labels > 2 && !spec_.several) return {{1}};
        return {};
    }

    LabelledExamples& data() { return data_; }
    const LabelledExamples& data() const { return data_; }
    // Another number of labels, which none of the examples exceeds.
    void set_spec(ClassSpec spec) {
        data_.set_spec(spec_ = spec);
        scratch_.scores.resize(padded(spec.labels));
    }
    // Factors of the steps that raise and that lower a label's weights, [labels], or empty: all 1. If each example has one
    // label, the first one is the factor of the label's examples, and the second one is not used.
    std::vector<std::pair<double, double>>& label_weights() { return label_weights_; }

    size_t examples() const { return data_.size(); }
    void begin(L& learner);
    std::span<uint32_t> numbered(size_t) { return data_.features(); }
    void arrange(std::span<const uint32_t> order, size_t from, size_t group) { data_.arrange(order, from, group); }
    void reach(std::span<const uint32_t> order, size_t position) { data_.reach(order, position); }
    size_t present(size_t example, L& learner, FeatureNames*);
    // Scratch memory of one thread, for minibatches, and `present` with it; it keeps no vectors for voting.
    struct Scratch {
        AlignedVector<float> scores;  // [padded(labels)]
        std::vector<uint32_t> rows{};
        std::vector<uint8_t> has{};  // [labels] whether the example has it
        std::vector<Label> wrong{};
    };
    std::unique_ptr<Scratch> scratch() const {
        return std::make_unique<Scratch>(Scratch{AlignedVector<float>(padded(spec_.labels))});
    }
    size_t present(size_t example, L& learner, FeatureNames*, Scratch& scratch) const {
        decide(example, learner, scratch);
        return units();
    }
    void passed(size_t example) { squares_ += data_[example].squared_length(); }

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

    bool knows_features() const { return true; }
    double& running_sum() { return squares_; }

    // All the vectors so far, as updates of candidates example * labels + label.
    DualWeights votes(uint64_t clock) const {
        return voted_weights(updates_, data_.size() * spec_.labels, spec_.labels, clock);
    }

  private:
    struct Decided {
        Label guess = 0;
        double step = 0;            // of the update, 0 without one
        double squared_length = 0;  // of the example
    };
    Decided decide(size_t example, L& learner, Scratch& scratch) const;
    void present_set(const LabelledExamples::Example& example, sapwood::Learner& learner, double unit,
                     Scratch& scratch) const;
    // The direction and size of the step that a label's weights take if the label is wrong: up if the example has it.
    float side(Label y, bool has) const {
        const auto [for_it, against_it] = label_weights_.empty() ? std::pair(1.0, 1.0) : label_weights_[y];
        return static_cast<float>(has ? for_it : -against_it);
    }
    size_t units() const { return spec_.several ? spec_.labels : 1; }

    ClassSpec spec_;
    bool voted_;
    size_t known_labels_;
    LabelledExamples data_;
    std::vector<std::pair<double, double>> label_weights_;
    double squares_ = 0;               // sum of |phi(x)|^2 over the examples presented
    std::vector<DualUpdate> updates_;  // if voted
    Scratch scratch_;
};

struct ClassifierOptions {
    TrainingOptions training;
    double penalty = 1, eta = 0.1;  // of the baselines
    bool voted = false;             // keep the updates, for freeze_votes
    bool several = false;           // an example has any of the labels

    template <class Visit>
    void each(Visit&& visit) {
        training.each(visit);
        visit("penalty", penalty);
        visit("eta", eta);
        visit("voted", voted);
        visit("multi_label", several);
    }

    // The baseline in place of the perceptron family, if the update is one's.
    std::optional<L1Options> l1() const {
        if (training.learner.update == Update::l1_cumulative) return L1Options{Penalty::cumulative, penalty, eta};
        if (training.learner.update == Update::truncated_gradient) return L1Options{Penalty::truncated, penalty, eta};
        return std::nullopt;
    }

    std::string scratch;      // a folder for scratch files with the examples, which are in memory without one
    size_t known_labels = 0;  // of an earlier training, the first ones here
};

class ClassifierTrainer {
  public:
    ClassifierTrainer(size_t labels, const ClassifierOptions& options);

    // Adds examples (see LabelledExamples). Throws DataError if they do not fit.
    void add(const FeatureRows& rows, const std::vector<uint32_t>& gold, const std::vector<double>& importance);
    // Adds examples that have any number of labels. label_weights (see ClassifierProblem) hold for all examples, those of
    // earlier calls included.
    void add_any(const FeatureRows& rows, const std::vector<std::vector<uint32_t>>& gold,
                 const std::vector<double>& importance, const std::vector<std::pair<double, double>>& label_weights);

    // Sets the number of labels, at least as many as the examples so far use, and the factor of each label's steps, [labels]
    // or empty. A stream calls it before each part and, with the factors, after the last. Throws OptionError for a baseline,
    // DataError if there are fewer labels than before, or not a factor for each.
    void set_labels(size_t labels, const std::vector<double>& importance);
    size_t examples() const;

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

    // The walk over the examples, for learner/mixing.hpp. Throws OptionError for baselines with an L1 penalty, and for
    // voted training.
    Trainer<ClassifierProblem<Learner>>& walk();

    Progress progress() const;  // features: if voted, examples that took part in updates

    // The averaged (or last) weights so far.
    PackedModel freeze(const FreezeOptions& options) const;
    // Begins anew with the weights alone that freeze would keep of `whole`. Throws OptionError for the baselines with an
    // L1 penalty.
    void prune(const ClassifierTrainer& whole, const FreezeOptions& options);

    // All the vectors so far; see ClassifierProblem::votes.
    DualWeights freeze_votes() const;

  private:
    using Perceptrons = Trainer<ClassifierProblem<Learner>>;
    using Baselines = Trainer<ClassifierProblem<L1Learner>>;

    static std::variant<Perceptrons, Baselines> make(size_t labels, const ClassifierOptions& options);
    void add_gold(const FeatureRows& rows, const LabelledExamples::Gold& gold, const std::vector<double>& importance);

    bool voted_;
    std::variant<Perceptrons, Baselines> trainer_;
};

inline PackedModel freeze(const ClassifierTrainer& trainer, const FreezeOptions& options) {
    return trainer.freeze(options);
}
inline void prune(ClassifierTrainer& trainer, const ClassifierTrainer& whole, const FreezeOptions& options) {
    trainer.prune(whole, options);
}

}  // namespace sapwood

// Trains any structure that its users put together of parts. They say which features a part has, and they search for the
// structure that scores highest; weights, updates, averages, sparsity and the walk over the data are those of every task.
//
//     phi(x, y) = sum of the features of the parts of y
//     y' <- the user's argmax over z of the sum of w . phi(x, part) + cost(part)
//     y' is not y?   w <- w + phi(x, y) - phi(x, y')
//
// While an example is presented, the search asks for the scores of its parts; a part is kept with its features, and is
// known by its number from then on. The parts that gold and guess have in common take no part in an update.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "model/freeze.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

struct StructuredOptions : TrainingOptions {
    template <class Visit>
    void each(Visit&& visit) {
        TrainingOptions::each(visit);
        visit("names", names);
    }
};

// The key of a feature that is a number, which is none that a text is likely to have.
inline uint64_t key_of_number(uint64_t number) {
    return combine(0xD6E8FEB86659FD93ULL, number);
}

// The features of parts, and their texts if they are kept.
class PartFeatures {
  public:
    explicit PartFeatures(bool named) : named_(named) {}

    void add(std::string_view text) {
        keys_.push_back(hash_composed(text));
        if (named_) texts_.emplace_back(text);
    }
    void add(uint64_t number) {
        keys_.push_back(key_of_number(number));
        if (named_) texts_.push_back(std::to_string(number));
    }
    void end_part() { starts_.push_back(keys_.size()); }
    // Forgets the parts from this one on, and features that were added behind the last one.
    void forget(size_t from) {
        starts_.resize(from + 1);
        keys_.resize(starts_.back());
        texts_.resize(named_ ? keys_.size() : 0);
    }

    size_t size() const { return starts_.size() - 1; }
    std::span<const uint64_t> of(size_t part) const { return std::span(keys_).subspan(starts_[part], count(part)); }
    size_t begin(size_t part) const { return starts_[part]; }
    size_t count(size_t part) const { return starts_[part + 1] - starts_[part]; }
    const std::vector<std::string>& texts() const { return texts_; }

  private:
    bool named_;
    std::vector<size_t> starts_ = {0};  // [parts + 1]
    std::vector<uint64_t> keys_;        // [features]
    std::vector<std::string> texts_;    // [features], or empty
};

// What the search of an example found in place of gold: the numbers of both structures' parts, each as often as it is
// there.
struct WrongStructure {
    std::vector<uint32_t> gold, guess;
    double loss = 0;  // score(guess) + cost(guess) - score(gold); passive-aggressive updates look at it
};

// Returns nothing if gold has won.
using StructureSearch = std::function<std::optional<WrongStructure>(size_t example)>;

class StructuredProblem {
  public:
    using Learner = sapwood::Learner;

    // sizes: [examples] parts of gold.
    StructuredProblem(std::vector<uint32_t> sizes, StructureSearch search, bool named)
        : sizes_(std::move(sizes)), search_(std::move(search)), parts_(std::make_unique<PartFeatures>(named)) {}

    size_t examples() const { return sizes_.size(); }
    void begin(const Learner&) const;
    // Throws DataError if a structure has a part that was not scored.
    size_t present(size_t example, Learner& learner, FeatureNames* names);

    // The parts of the example that is presented.
    PartFeatures& parts() const { return *parts_; }

  private:
    std::vector<uint32_t> sizes_;
    StructureSearch search_;
    std::unique_ptr<PartFeatures> parts_;
};

class StructuredTrainer {
  public:
    StructuredTrainer(const StructuredOptions& options, std::vector<uint32_t> sizes, StructureSearch search)
        : trainer_(options, StructuredProblem(std::move(sizes), std::move(search), options.names),
                   Learner(options.learner, {1})) {}

    // The parts of the example that is presented, to which its search adds.
    PartFeatures& parts() { return trainer_.problem().parts(); }
    // w . phi of one of them.
    double score(size_t part);

    bool step(size_t parts) { return trainer_.step(parts); }
    // The whole state between two steps; see Trainer::state.
    template <class State>
    void state(State s) {
        trainer_.state(s);
    }
    void go_on_from(const StateReader& s) { trainer_.go_on_from(s); }
    // The walk over the examples, for learner/mixing.hpp.
    Trainer<StructuredProblem>& walk() { return trainer_; }

    Progress progress() const { return trainer_.progress(); }
    PackedModel freeze(const FreezeOptions& options) const { return sapwood::freeze(trainer_.learner(), options); }
    void prune(const StructuredTrainer& whole, const FreezeOptions& options) {
        sapwood::prune(trainer_, whole.trainer_, options);
    }
    // The texts of a model's features, in its order.
    std::vector<std::vector<std::string>> names(const PackedModel& model) const {
        return feature_names(trainer_, model);
    }

  private:
    Trainer<StructuredProblem> trainer_;
    std::vector<uint32_t> rows_;  // [features of a part]
};

inline PackedModel freeze(const StructuredTrainer& trainer, const FreezeOptions& options) {
    return trainer.freeze(options);
}
inline void prune(StructuredTrainer& trainer, const StructuredTrainer& whole, const FreezeOptions& options) {
    trainer.prune(whole, options);
}

}  // namespace sapwood

// The walk of an online learner over its training data, for every task: each example once an epoch, in a new seeded
// order; progress; rare features dropped beforehand; the frozen model and the names of its features.
//
// A task is a Problem: its examples as features, and how one of them is presented to the learner. It has
//
//     Learner                   the type that keeps the weights: Learner, or DualLearner
//     examples()                how many there are: sentences, texts, lists of candidates
//     present(k, learner, names)   presents the decisions of example k; returns how many units it has (tokens, say).
//                               Features that it interns on the way are spelled into `names`, if that is not nullptr
//
// and, where there is a need,
//
//     begin(learner)            called before the first epoch, and again after examples were added; throws DataError
//                               if there is nothing to learn from
//     numbered(t)               the feature numbers of all examples in table t, to be pruned by count
//     outputs(t)                how the outputs of table t are renumbered in the file (model/freeze.hpp)
//     state(s, learner)         what the problem itself learns besides the learner (learner/state.hpp)
//     scratch(), present(k, learner, names, scratch), passed(k)
//                               for minibatches: makes the scratch memory of one thread; presents example k with it,
//                               without changing the problem; and, if it is there, is called in order after example k was
//                               learned from
//     arrange(order, from, group)  called before examples order[from], order[from + 1] ... are presented, in groups of the
//                               batch's size; reach(order, position) is called before each group. For examples that are
//                               not in memory (base/store.hpp). Both throw DataError
//     knows_features()          whether all features of the examples were numbered when they were added
//     running_sum()             a sum over all presented examples, which shards add up (learner/mixing.hpp)
//     outputs_of_known()        for each table, the output here of each output of the earlier training
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/shuffle.hpp"
#include "base/stop_check.hpp"
#include "base/team.hpp"
#include "learner/feature_names.hpp"
#include "learner/mixing.hpp"
#include "learner/presenting.hpp"
#include "learner/recording.hpp"
#include "learner/training_options.hpp"

namespace sapwood {

// The scratch memory of a problem whose examples can be presented in batches; of others, nothing.
template <class Problem>
struct ScratchOf {
    using type = struct None {};
};
template <class Problem>
    requires requires { typename Problem::Scratch; }
struct ScratchOf<Problem> {
    using type = typename Problem::Scratch;
};

template <class Problem>
class Trainer {
  public:
    using Learner = typename Problem::Learner;

    Trainer(const TrainingOptions& options, Problem problem, Learner learner)
        : options_(options),
          problem_(std::move(problem)),
          learner_(std::move(learner)),
          names_(options.names ? std::make_unique<FeatureNames>() : nullptr),
          random_(options.seed) {}

    // Lets change(problem, learner, names) add examples, or forget them; the next step begins an epoch.
    template <class Change>
    void change_examples(Change&& change) {
        change(problem_, learner_, names_.get());
        order_.clear();
        crew_.reset();  // whose scratch memory may be too small now
    }

    // Lets change(learner) begin all weights anew, between two epochs. So does what is summed up over the examples.
    template <class Change>
    void change_weights(Change&& change) {
        change(learner_);
        if constexpr (requires { problem_.running_sum(); }) problem_.running_sum() = 0;
    }

    // Trains until about `units` have been seen or the epoch is over, or the part of it that a shard was told to train; true
    // if it is over. Throws DataError if there is no example.
    bool step(size_t units) {
        if (order_.empty()) begin();
        if (position_ == order_.size()) {
            if (options_.shuffled) shuffle(order_, random_);
            position_ = seen_ = 0;
            arranged_ = false;
            mistakes_before_ = learner_.mistakes();
        }
        if (position_ == end_) end_ = order_.size();
        arrange();
        const size_t stop = seen_ + std::min(units, SIZE_MAX - seen_);
        while (position_ < end_ && seen_ < stop) {
            if constexpr (requires { problem_.reach(order_, position_); }) problem_.reach(order_, position_);
            if constexpr (requires { problem_.scratch(), learner_.recorder(); }) {
                if (options_.batch > 1) {
                    present_batch();
                    continue;
                }
            }
            seen_ += problem_.present(order_[position_++], learner_, names_.get());
            StopCheck::after(kExample);
        }
        if (position_ < end_) return false;
        if (position_ == order_.size()) ++epoch_;
        return true;
    }

    // The whole state between two steps (learner/state.hpp). A trainer of the same data and options that reads it goes on
    // as the one that wrote it. Throws ModelError if it is not such a state, DataError if there is no example.
    template <class State>
    void state(State s) {
        if (order_.empty()) begin();
        s("order", order_);
        s("position", position_);
        if constexpr (State::kReads) arranged_ = false;
        if (options_.mixings > 1) s("part", part_);
        s("random", random_);
        s("epoch", epoch_);
        s("seen", seen_);
        s("mistakes_before", mistakes_before_);
        if constexpr (State::kReads) check(s);
        learner_.state(s.within("learner"));
        if constexpr (requires { problem_.state(s, learner_); }) problem_.state(s.within("problem"), learner_);
        if (names_ != nullptr) names_->state(s.within("names"));
    }

    // Before the first step: goes on from what a training with other data has learned. Throws ModelError if this is not
    // its state, OptionError if the names of features are to be kept, which only their data tell.
    void go_on_from(const StateReader& s) {
        if (names_ != nullptr)
            throw OptionError("training that goes on from a checkpoint cannot keep the names of features");
        std::vector<std::vector<uint32_t>> output_of;
        if constexpr (requires { problem_.outputs_of_known(); }) output_of = problem_.outputs_of_known();
        learner_.go_on_from(s.within("learner"), output_of);
        mistakes_before_ = learner_.mistakes();
    }

    // Iterative parameter mixing (learner/mixing.hpp). The trainer of a shard takes mixed weights and begins the part of an
    // epoch that follows those that are over; it is the same part whatever the trainer did before. Throws ModelError,
    // DataError, and OptionError if there are more parts than examples.
    void begin_part(StateReader s) {
        bool known_only = false;
        if constexpr (requires { problem_.knows_features(); }) known_only = problem_.knows_features();
        read_mixed(learner_, s.within("learner"), known_only, before_);
        read_parts(s);
        running_sum(s);
        if (order_.empty())
            begin_order();
        else
            std::iota(order_.begin(), order_.end(), 0);
        if (order_.size() < options_.mixings) throw OptionError("a shard has fewer examples than an epoch has mixings");
        random_ = options_.seed;
        for (size_t k = 0; options_.shuffled && k <= epoch_; ++k) shuffle(order_, random_);
        position_ = order_.size() * part_ / options_.mixings;
        end_ = order_.size() * (part_ + 1) / options_.mixings;
        arranged_ = false;
        seen_ = 0;
        mistakes_before_ = learner_.mistakes();
    }
    // What it has learned in the part, which is over.
    void write_shard(StateWriter s) {
        if (before_.empty()) throw OptionError("this trainer has no part of a shard; call begin_part first");
        write_changes(learner_, before_, s.within("learner"));
        s("seen", seen_);
        running_sum(s);
    }
    // All that shards have to take from this trainer, which mixes what they learn.
    void write_mixed(StateWriter s) {
        if (order_.empty()) begin();
        sapwood::write_mixed(learner_, s.within("learner"));
        write_parts(s);
    }
    // Mixes what the shards have learned in a part of an epoch, in their order, and writes what they have to take. Throws
    // ModelError.
    void mix(const std::vector<StateReader>& shards, Mixing mixing, StateWriter s) {
        if (order_.empty()) begin();
        const uint64_t mistakes_before = learner_.mistakes();
        std::vector<StateReader> learners;
        for (const StateReader& shard : shards) learners.push_back(shard.within("learner"));
        const uint64_t mixings = epoch_ * options_.mixings + part_ + 1;
        const uint64_t count = shards.size() == 1 ? 1 : mixings * mixings;
        sapwood::mix(learner_, learners, mixing, count, s.within("learner"));
        Part part;
        for (StateReader shard : shards) {
            size_t units = 0;
            shard("seen", units);
            shard.require(units < uint64_t{1} << 48, "seen", "is too large");
            part.seen += units;
            if constexpr (requires { problem_.running_sum(); }) {
                double of_shard = 0;
                shard("running_sum", of_shard);
                part.sum += of_shard - problem_.running_sum();
            }
        }
        end_part(part, count, mistakes_before);
        write_parts(s);
    }
    // Takes the mean of the weights of other trainers, runs, which have the same data and began with the weights of this one.
    // Throws OptionError.
    void take_mean(const std::vector<Trainer*>& runs) {
        if (order_.empty()) begin();
        const uint64_t mistakes_before = learner_.mistakes();
        std::vector<const Learner*> learners;
        Part part;
        for (Trainer* run : runs) {
            learners.push_back(&run->learner_);
            part.seen += run->seen_;
            if constexpr (requires { problem_.running_sum(); })
                part.sum += run->problem_.running_sum() - problem_.running_sum();
        }
        sapwood::take_mean(learner_, learners);
        end_part(part, 1, mistakes_before);
    }

    Progress progress() const {
        Progress progress{epoch_, seen_, learner_.mistakes() - mistakes_before_, learner_.active(), learner_.updates()};
        if constexpr (requires { learner_.repeated(); }) {
            progress.repeated = learner_.repeated();
            progress.given_up = learner_.given_up();
        }
        return progress;
    }

    const Problem& problem() const { return problem_; }
    const Learner& learner() const { return learner_; }
    // The texts of the features, or nullptr if they are not kept.
    const FeatureNames* names() const { return names_.get(); }

  private:
    // Totals of the shards in a part of an epoch: units seen, and the change of their running sums.
    struct Part {
        size_t seen = 0;
        double sum = 0;
    };
    // Ends a part of an epoch. count: how often its weight vectors count in the average.
    void end_part(const Part& part, uint64_t count, uint64_t mistakes_before) {
        if constexpr (requires { problem_.running_sum(); })
            problem_.running_sum() += static_cast<double>(count) * part.sum;
        if (part_ == 0) {
            seen_ = 0;
            mistakes_before_ = mistakes_before;
        }
        seen_ += part.seen;
        position_ = order_.size();
        if (++part_ == options_.mixings) {
            part_ = 0;
            ++epoch_;
        }
    }

    static constexpr size_t kExample =
        1 << 14;  // steps; longer ones look themselves whether to stop (base/stop_check.hpp)

    // Presents the next examples with the weights as they are, and then learns from them in their order.
    void present_batch() {
        const size_t n = std::min(options_.batch, end_ - position_);
        if (crew_ == nullptr) crew_ = std::make_unique<Crew>(std::min(options_.threads, options_.batch));
        while (crew_->hands.size() < crew_->team.threads())
            crew_->hands.push_back({problem_.scratch(), learner_.recorder()});
        crew_->recorded.resize(std::max(n, crew_->recorded.size()));
        const Counts before = learner_.counts();
        crew_->team.run(n, [&](size_t thread, size_t k) {
            auto& [scratch, recorder] = crew_->hands[thread];
            Recorded& recorded = crew_->recorded[k];
            recorder.record(recorded.recording, before);
            recorded.units = problem_.present(order_[position_ + k], recorder, nullptr, *scratch);
            recorded.after = recorder.counts();
        });
        for (size_t k = 0; k < n; ++k) {
            Recorded& recorded = crew_->recorded[k];
            learner_.apply(recorded.recording, before, recorded.after);
            if constexpr (requires { problem_.passed(size_t{0}); }) problem_.passed(order_[position_ + k]);
            seen_ += recorded.units;
        }
        position_ += n;
    }

    // Throws ModelError unless the order is one of the examples, and there is such a place in it.
    void check(const StateReader& s) const {
        std::vector<bool> found(problem_.examples());
        s.require(order_.size() == found.size(), "order", "is not of as many examples as the data have");
        for (const uint32_t k : order_) {
            s.require(k < found.size() && !found[k], "order", "does not have each example once");
            found[k] = true;
        }
        s.require(position_ <= order_.size(), "position", "is behind the last example");
        s.require(part_ < options_.mixings, "part", "is behind the last of an epoch");
        s.require(epoch_ < uint64_t{1} << 32, "epoch", "is too large");
        s.require(seen_ < uint64_t{1} << 53, "seen", "is too large");
    }

    void write_parts(StateWriter s) {
        uint64_t mixings = epoch_ * options_.mixings + part_;
        s("mixings", mixings);
        running_sum(s);
    }
    void read_parts(StateReader s) {
        uint64_t mixings = 0;
        s("mixings", mixings);
        s.require(mixings < uint64_t{1} << 32, "mixings", "is too large");
        epoch_ = mixings / options_.mixings;
        part_ = mixings % options_.mixings;
    }
    template <class State>
    void running_sum(State& s) {
        if constexpr (requires { problem_.running_sum(); }) s("running_sum", problem_.running_sum());
    }

    void arrange() {
        if constexpr (requires { problem_.arrange(order_, position_, options_.batch); })
            if (!arranged_) problem_.arrange(order_, position_, options_.batch);
        arranged_ = true;
    }

    void begin() {
        begin_order();
        random_ = options_.seed;
        epoch_ = seen_ = part_ = 0;
        mistakes_before_ = learner_.mistakes();
    }
    void begin_order() {
        if constexpr (requires { problem_.begin(learner_); }) problem_.begin(learner_);
        if constexpr (requires { problem_.numbered(0); })
            if (options_.prune_below > 1)
                for (size_t t = 0; t < learner_.tables(); ++t) prune(problem_.numbered(t));
        order_.resize(problem_.examples());
        std::iota(order_.begin(), order_.end(), 0);
        position_ = end_ = order_.size();
    }

    // Rare-feature pruning, the usual alternative to min_updates: rare features become feature 0, which is none.
    void prune(std::span<uint32_t> features) const {
        std::vector<uint32_t> count(features.empty() ? 0 : *std::max_element(features.begin(), features.end()) + 1);
        for (uint32_t f : features) ++count[f];
        for (uint32_t& f : features)
            if (count[f] < options_.prune_below) f = 0;
    }

    // Who presents the examples of a batch.
    struct Hand {
        std::unique_ptr<typename ScratchOf<Problem>::type> scratch;
        Learner recorder;
    };
    struct Recorded {
        Recording recording;
        Counts after;
        size_t units = 0;
    };
    struct Crew {
        explicit Crew(size_t threads) : team(threads) {}
        std::vector<Hand> hands;         // [threads]
        std::vector<Recorded> recorded;  // [examples of a batch]
        Team team;
    };

    TrainingOptions options_;
    Problem problem_;
    Learner learner_;
    std::unique_ptr<FeatureNames> names_;
    std::vector<uint32_t> order_;   // [examples] as they are presented; empty until an epoch begins
    size_t position_ = 0;           // in order_; at its end the next step shuffles
    size_t end_ = 0;                // in order_, of what is trained now: the epoch, or a shard's part of it
    bool arranged_ = false;         // the examples, in this order
    uint64_t random_;               // state of the shuffling
    size_t epoch_ = 0, seen_ = 0;   // epochs completed; units of the current one
    size_t part_ = 0;               // of the current epoch, between two mixings
    uint64_t mistakes_before_ = 0;  // those of earlier epochs
    std::unique_ptr<Crew> crew_;    // of batches
    UpdateCounts before_;           // of a shard, when it took mixed weights
};

}  // namespace sapwood

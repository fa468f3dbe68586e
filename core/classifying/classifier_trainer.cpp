#include "classifying/classifier_trainer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/errors.hpp"

namespace sapwood {

ClassifierTrainer::ClassifierTrainer(size_t labels, const ClassifierOptions& options)
    : options_(options),
      spec_{labels},
      learner_(options.learner, {spec_.outputs()}),
      scores_(padded(labels)) {}

void ClassifierTrainer::add(const FeatureRows& rows, const std::vector<uint32_t>& gold,
                            const std::vector<double>& importance) {
    if (gold.size() != rows.size() || (!importance.empty() && importance.size() != rows.size()))
        throw DataError("examples, labels and weights of examples differ in number");
    if ((gold_.size() + rows.size()) * (options_.voted ? spec_.labels : 1) > UINT32_MAX)
        throw DataError("more than 2^32 examples, or, to vote, examples times labels");
    for (uint32_t y : gold)
        if (y >= spec_.labels) throw DataError("an example has no label, or one that is not known");
    if (!importance.empty()) importance_.resize(gold_.size(), 1);
    if (!rows.binary() && values_.empty()) values_.resize(features_.size(), 1);

    constexpr size_t ahead = 16;
    WeightTable& table = learner_.table(0);
    const auto& keys = rows.keys();
    for (size_t r = 0; r < rows.size(); ++r) {
        row_.clear();
        for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
            if (k + ahead < keys.size()) table.prefetch_key(keys[k + ahead]);
            row_.emplace_back(table.intern(keys[k]), rows.binary() ? 1.0f : rows.values()[k]);
        }
        std::sort(row_.begin(), row_.end());
        for (const auto& [feature, value] : row_) {
            features_.push_back(feature);
            if (!values_.empty() || !rows.binary()) values_.push_back(value);
        }
        starts_.push_back(features_.size());
    }
    gold_.insert(gold_.end(), gold.begin(), gold.end());
    if (!importance_.empty() || !importance.empty()) {
        importance_.insert(importance_.end(), importance.begin(), importance.end());
        importance_.resize(gold_.size(), 1);
    }
    epochs_.reset();
}

void ClassifierTrainer::forget_examples() {
    starts_.assign(1, 0);
    starts_.shrink_to_fit();
    features_ = std::vector<uint32_t>();
    values_ = std::vector<float>();
    gold_ = std::vector<uint32_t>();
    importance_ = std::vector<double>();
    epochs_.reset();
}

// The examples are complete.
void ClassifierTrainer::begin() {
    if (gold_.empty()) throw DataError("there is no example to train on");
    if (options_.prune_below > 1) prune();
    if (options_.l1 && !l1_) l1_.emplace(*options_.l1, spec_.labels, gold_.size());
    if (l1_) l1_->set_features(learner_.table(0).features());
    epochs_.emplace(gold_.size(), options_.seed, options_.shuffled);
}

// Rare-feature pruning, the usual alternative to min_updates.
void ClassifierTrainer::prune() {
    std::vector<uint32_t> count(learner_.table(0).features() + 1);
    for (uint32_t f : features_) ++count[f];
    size_t kept = 0, k = 0;
    for (size_t e = 0; e < gold_.size(); ++e) {
        for (const size_t end = starts_[e + 1]; k < end; ++k) {
            if (count[features_[k]] < options_.prune_below) continue;
            features_[kept] = features_[k];
            if (!values_.empty()) values_[kept] = values_[k];
            ++kept;
        }
        starts_[e + 1] = kept;
    }
    features_.resize(kept);
    if (!values_.empty()) values_.resize(kept);
}

bool ClassifierTrainer::step(size_t examples) {
    if (!epochs_) begin();
    return epochs_->step(examples, [&](size_t example) {
        learn(example);
        return 1;
    });
}

void ClassifierTrainer::learn(size_t example) {
    const size_t begin = starts_[example], n = starts_[example + 1] - begin;
    const uint32_t* features = features_.data() + begin;
    const float* values = values_.empty() ? nullptr : values_.data() + begin;
    const uint32_t gold = gold_[example];
    const double importance = importance_.empty() ? 1 : importance_[example];
    if (l1_) {
        if (!l1_->learn({features, n}, values, gold, importance)) epochs_->count_mistakes(1);
        return;
    }
    squares_ +=
        values == nullptr ? static_cast<double>(n) : std::inner_product(values, values + n, values, 0.0);
    const double cost =
        static_cast<double>(learner_.cost()) * squares_ / static_cast<double>(learner_.clock() + 1);
    const WeightTable& table = learner_.table(0);
    rows_.resize(n);
    for (size_t k = 0; k < n; ++k) rows_[k] = table.scored_row(features[k]);
    table.score(rows_.data(), values, n, scores_.data());
    spec_.expand_binary(scores_.data());
    add_cost(scores_.data(), spec_.labels, gold, static_cast<float>(cost));
    if (const Label guess = argmax(scores_.data(), spec_.labels); guess != gold) {
        epochs_->count_mistakes(1);
        violation_.loss = static_cast<double>(scores_[guess]) - static_cast<double>(scores_[gold]);
        for (size_t k = 0; k < n; ++k) {
            const float value = values == nullptr ? 1 : values[k];
            if (spec_.outputs() == 1) {
                violation_.gold(0, features[k], 0, gold == 1 ? value : -value);
            } else if (gold < guess) {  // in the order of the outputs, so that nothing is left to sort
                violation_.gold(0, features[k], gold, value);
                violation_.guess(0, features[k], guess, value);
            } else {
                violation_.guess(0, features[k], guess, value);
                violation_.gold(0, features[k], gold, value);
            }
        }
        const double step = learner_.learn(violation_, importance);
        if (options_.voted && step > 0 && n > 0) {
            const size_t first = example * spec_.labels;
            updates_.push_back({static_cast<uint32_t>(first + gold), static_cast<uint32_t>(first + guess),
                                step, learner_.clock()});
        }
    }
    learner_.tick();
}

Progress ClassifierTrainer::progress() const {
    Progress p = epochs_ ? epochs_->progress() : Progress{};
    p.updates = learner_.updates();
    p.features = options_.voted ? freeze_votes().support.size() : learner_.table(0).active();
    if (l1_) {
        uint32_t last = 0;
        l1_->each_weight([&](uint32_t feature, uint32_t, double) {
            p.features += std::exchange(last, feature) != feature;
        });
    }
    return p;
}

size_t ClassifierTrainer::bytes() const {
    return learner_.bytes() + features_.capacity() * sizeof(uint32_t) + values_.capacity() * sizeof(float) +
           starts_.capacity() * sizeof(size_t) + (l1_ ? l1_->bytes() : 0);
}

DualWeights ClassifierTrainer::freeze_votes() const {
    return voted_weights(updates_, gold_.size() * spec_.labels, spec_.labels, learner_.clock());
}

PackedModel ClassifierTrainer::freeze(const FreezeOptions& options) const {
    if (!l1_) return sapwood::freeze(learner_, options);
    Learner learner = learner_;  // for its keys; without averaging and threshold
    WeightTable& table = learner.table(0);
    uint32_t last = 0;
    l1_->each_weight([&](uint32_t feature, uint32_t output, double weight) {
        table.update(feature, output, static_cast<float>(weight), 0);
        if (std::exchange(last, feature) != feature) table.count_update(feature);
    });
    return sapwood::freeze(learner, options);
}

}  // namespace sapwood

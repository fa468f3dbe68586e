#include "classifying/classifier_trainer.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "search/contest.hpp"
#include "search/label_set.hpp"

namespace sapwood {

LabelledExamples::LabelledExamples(ClassSpec spec, const std::string& scratch)
    : spec_(spec), scratch_(scratch), features_(scratch), gold_(scratch) {}

void LabelledExamples::add(const FeatureRows& rows, const Gold& gold, const std::vector<double>& importance,
                           WeightTable& table) {
    const size_t given = spec_.several ? gold.counts.size() : gold.labels.size();
    if (given != rows.size() || (!importance.empty() && importance.size() != rows.size()))
        throw DataError("examples, labels and weights of examples differ in number");
    for (uint32_t y : gold.labels)
        if (y >= spec_.labels) throw DataError("an example has no label, or one that is not known");
    if (!importance.empty()) importance_.resize(size(), 1);
    const bool valued = !rows.binary() || values_.size() > 0;
    if (valued && values_.size() < features_.size()) {
        values_ = Store<float>(scratch_);
        for (size_t k = 0; k < features_.size(); ++k) values_.push_back(1);
    }

    constexpr size_t ahead = 16;
    const auto& keys = rows.keys();
    for (size_t r = 0; r < rows.size(); ++r) {
        StopCheck::after(50 * (rows.end(r) - rows.begin(r)));
        row_.clear();
        for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
            if (k + ahead < keys.size()) table.prefetch_feature(keys[k + ahead]);
            row_.emplace_back(table.intern(keys[k]), rows.binary() ? 1.0f : rows.values()[k]);
        }
        std::sort(row_.begin(), row_.end());
        for (const auto& [feature, value] : row_) {
            features_.push_back(feature);
            if (valued) values_.push_back(value);
        }
        starts_.push_back(features_.size());
    }
    uint64_t end = gold_.size();
    std::ranges::copy(gold.labels, gold_.extend(gold.labels.size()));
    for (size_t count : gold.counts) gold_starts_.push_back(end += count);
    if (!importance_.empty() || !importance.empty()) {
        importance_.insert(importance_.end(), importance.begin(), importance.end());
        importance_.resize(size(), 1);
    }
}

void LabelledExamples::seal() {
    features_.seal();
    values_.seal();
    gold_.seal();
}

template <class Visit>
void LabelledExamples::each_store(Visit&& visit) {
    const auto feature = [this](size_t k) { return starts_[k]; };
    visit(features_, feature);
    if (values_.size() > 0) visit(values_, feature);
    visit(gold_, [this](size_t k) { return spec_.several ? gold_starts_[k] : k; });
}

void LabelledExamples::arrange(std::span<const uint32_t> order, size_t from, size_t group) {
    each_store([&](auto& store, const auto& starts) { store.arrange(order, from, group, starts); });
}

void LabelledExamples::reach(std::span<const uint32_t> order, size_t position) {
    each_store([&](auto& store, const auto& starts) { store.reach(order, position, starts); });
}

LabelledExamples::Example LabelledExamples::operator[](size_t example) const {
    const size_t begin = starts_[example], n = starts_[example + 1] - begin;
    const size_t first = spec_.several ? gold_starts_[example] : example;
    const size_t labels = spec_.several ? gold_starts_[example + 1] - first : 1;
    return {{features_.at(begin), n},
            values_.size() == 0 ? nullptr : values_.at(begin),
            {gold_.at(first), labels},
            importance_.empty() ? 1 : importance_[example]};
}

double LabelledExamples::Example::squared_length() const {
    double sum = 0;
    for (size_t k = 0; k < features.size(); ++k)
        if (features[k] != 0) sum += static_cast<double>(value(k) * value(k));
    return sum;
}

template <class L>
void ClassifierProblem<L>::begin([[maybe_unused]] L& learner) {
    data_.seal();
    if (data_.size() == 0) throw DataError("there is no example to train on");
    if (data_.size() * (voted_ ? spec_.labels : 1) > UINT32_MAX)
        throw DataError("more than 2^32 examples, or, to vote, examples times labels");
    if constexpr (std::is_same_v<L, L1Learner>) learner.begin(data_.size());
}

template void ClassifierProblem<sapwood::Learner>::begin(sapwood::Learner&);
template void ClassifierProblem<L1Learner>::begin(L1Learner&);

template <>
size_t ClassifierProblem<L1Learner>::present(size_t number, L1Learner& learner, FeatureNames*) {
    const auto example = data_[number];
    learner.present(example.features, example.values, example.gold[0], example.importance);
    return 1;
}

template <>
void ClassifierProblem<sapwood::Learner>::present_set(const LabelledExamples::Example& example,
                                                      sapwood::Learner& learner, double unit, Scratch& scratch) const {
    std::vector<uint8_t>& has = scratch.has;
    has.assign(spec_.labels, 0);
    for (Label y : example.gold) has[y] = 1;
    const auto differ = [&](Violation& violation, const std::vector<Label>& wrong) {
        for (size_t k = 0; k < example.features.size(); ++k)
            for (Label y : wrong) violation.gold(0, example.features[k], y, side(y, has[y] != 0) * example.value(k));
    };
    LabelSetChoice choice{std::span<const float>(scratch.scores.data(), spec_.labels), std::span<const uint8_t>(has),
                          scratch.wrong, differ, unit};
    learner.present(choice, {.importance = example.importance});
}

template <>
ClassifierProblem<sapwood::Learner>::Decided ClassifierProblem<sapwood::Learner>::decide(size_t number,
                                                                                         sapwood::Learner& learner,
                                                                                         Scratch& scratch) const {
    const auto example = data_[number];
    const size_t n = example.features.size();
    const WeightTable& table = learner.table(0);
    scratch.rows.resize(n);
    for (size_t k = 0; k < n; ++k) scratch.rows[k] = table.scored_row(example.features[k]);
    float* scores = scratch.scores.data();
    StopCheck::every(0, n * spec_.labels);
    table.score(scratch.rows.data(), example.values, n, scores);
    spec_.expand_binary(scores);
    const double squared_length = example.squared_length();
    const double unit = (squares_ + squared_length) / static_cast<double>(learner.clock() + 1);
    if (spec_.several) {
        present_set(example, learner, unit, scratch);
        return {.squared_length = squared_length};
    }

    const auto differ = [&](Violation& violation, Label gold, Label guess) {
        for (size_t k = 0; k < n; ++k) {
            const uint32_t feature = example.features[k];
            const float value = example.value(k);
            if (spec_.outputs() == 1) {
                violation.gold(0, feature, 0, gold == 1 ? value : -value);
            } else if (gold < guess) {  // in the order of the outputs, so that nothing is left to sort
                violation.gold(0, feature, gold, value);
                violation.guess(0, feature, guess, value);
            } else {
                violation.guess(0, feature, guess, value);
                violation.gold(0, feature, gold, value);
            }
        }
    };
    const Label gold = example.gold[0];
    LabelChoice choice{scores, spec_.labels, gold, differ, unit};
    const double of_label = label_weights_.empty() ? 1.0 : label_weights_[gold].first;
    const Presented presented = learner.present(choice, {.importance = example.importance * of_label});
    return {choice.guess, n > 0 ? presented.step : 0, squared_length};
}

template <>
size_t ClassifierProblem<sapwood::Learner>::present(size_t number, sapwood::Learner& learner, FeatureNames*) {
    const uint64_t clock = learner.clock();
    const Decided decided = decide(number, learner, scratch_);
    squares_ += decided.squared_length;
    if (voted_ && decided.step > 0) {
        const size_t first = number * spec_.labels;
        updates_.push_back({static_cast<uint32_t>(first + data_[number].gold[0]),
                            static_cast<uint32_t>(first + decided.guess), decided.step, clock});
    }
    return units();
}

std::variant<ClassifierTrainer::Perceptrons, ClassifierTrainer::Baselines> ClassifierTrainer::make(
    size_t labels, const ClassifierOptions& options) {
    const ClassSpec spec{labels, options.several};
    const std::optional<L1Options> l1 = options.l1();
    if (spec.several && (l1 || options.voted))
        throw OptionError("multi-label classifiers need updates of the perceptron family and cannot be voted");
    if (l1)
        return Baselines(options.training, ClassifierProblem<L1Learner>(spec, false, options.scratch),
                         L1Learner(*l1, labels));
    return Perceptrons(options.training,
                       ClassifierProblem<Learner>(spec, options.voted, options.scratch, options.known_labels),
                       Learner(options.training.learner, {spec.outputs()}));
}

ClassifierTrainer::ClassifierTrainer(size_t labels, const ClassifierOptions& options)
    : voted_(options.voted), trainer_(make(labels, options)) {}

void ClassifierTrainer::add(const FeatureRows& rows, const std::vector<uint32_t>& gold,
                            const std::vector<double>& importance) {
    add_gold(rows, {gold, {}}, importance);
}

void ClassifierTrainer::add_any(const FeatureRows& rows, const std::vector<std::vector<uint32_t>>& gold,
                                const std::vector<double>& importance,
                                const std::vector<std::pair<double, double>>& label_weights) {
    LabelledExamples::Gold all;
    for (const auto& labels : gold) {
        all.labels.insert(all.labels.end(), labels.begin(), labels.end());
        all.counts.push_back(labels.size());
    }
    add_gold(rows, all, importance);
    std::visit(
        [&](auto& trainer) {
            trainer.change_examples([&](auto& problem, auto&, FeatureNames*) {
                if (!label_weights.empty() && label_weights.size() != problem.data().spec().labels)
                    throw DataError("the weights of labels are not one for each");
                problem.label_weights() = label_weights;
            });
        },
        trainer_);
}

void ClassifierTrainer::add_gold(const FeatureRows& rows, const LabelledExamples::Gold& gold,
                                 const std::vector<double>& importance) {
    std::visit(
        [&](auto& trainer) {
            trainer.change_examples([&](auto& problem, auto& learner, FeatureNames*) {
                problem.data().add(rows, gold, importance, learner.table(0));
            });
        },
        trainer_);
}

void ClassifierTrainer::set_labels(size_t labels, const std::vector<double>& importance) {
    auto* perceptrons = std::get_if<Perceptrons>(&trainer_);
    if (perceptrons == nullptr)
        throw OptionError("a baseline with an L1 penalty has to know the number of labels before the first example");
    if (!importance.empty() && importance.size() != labels)
        throw DataError("the weights of labels are not one for each");
    if (labels < perceptrons->problem().data().spec().labels) throw DataError("there are more labels already");
    perceptrons->change_examples([&](auto& problem, Learner& learner, FeatureNames*) {
        const ClassSpec spec{labels, problem.data().spec().several};
        problem.set_spec(spec);
        problem.label_weights().clear();
        for (const double weight : importance) problem.label_weights().emplace_back(weight, weight);
        learner.table(0).set_width(spec.outputs());
    });
}

size_t ClassifierTrainer::examples() const {
    return std::visit([](const auto& trainer) { return trainer.problem().examples(); }, trainer_);
}

void ClassifierTrainer::prime(const std::vector<uint64_t>& keys, const std::vector<double>& weights) {
    auto* perceptrons = std::get_if<Perceptrons>(&trainer_);
    if (perceptrons == nullptr)
        throw OptionError("a baseline with an L1 penalty cannot go on learning from the weights of a model");
    const size_t outputs = keys.empty() ? 0 : weights.size() / keys.size();
    perceptrons->change_examples([&](auto&, Learner& learner, FeatureNames*) {
        for (size_t k = 0; k < keys.size(); ++k)
            learner.prime(0, keys[k], std::span(weights).subspan(k * outputs, outputs));
    });
}

void ClassifierTrainer::go_on_from(const StateReader& s) {
    auto* perceptrons = std::get_if<Perceptrons>(&trainer_);
    if (perceptrons == nullptr)
        throw OptionError("a baseline with an L1 penalty cannot go on learning from other data");
    if (voted_)
        throw OptionError("a voted model keeps the examples that it learned from, and cannot go on with others");
    perceptrons->go_on_from(s);
}

ClassifierTrainer::Perceptrons& ClassifierTrainer::walk() {
    auto* perceptrons = std::get_if<Perceptrons>(&trainer_);
    if (perceptrons == nullptr || voted_)
        throw OptionError("baselines with an L1 penalty, and voted models, are not trained in shards");
    return *perceptrons;
}

void ClassifierTrainer::forget_examples() {
    std::visit(
        [](auto& trainer) {
            trainer.change_examples([](auto& problem, auto&, FeatureNames*) { problem.data().clear(); });
        },
        trainer_);
}

bool ClassifierTrainer::step(size_t examples) {
    return std::visit([&](auto& trainer) { return trainer.step(examples); }, trainer_);
}

Progress ClassifierTrainer::progress() const {
    Progress p = std::visit([](const auto& trainer) { return trainer.progress(); }, trainer_);
    if (voted_) p.features = freeze_votes().support.size();
    return p;
}

DualWeights ClassifierTrainer::freeze_votes() const {
    const auto& trainer = std::get<Perceptrons>(trainer_);
    return trainer.problem().votes(trainer.learner().clock());
}

PackedModel ClassifierTrainer::freeze(const FreezeOptions& options) const {
    if (const auto* baselines = std::get_if<Baselines>(&trainer_))
        return sapwood::freeze(baselines->learner().weights(), options);
    return sapwood::freeze(std::get<Perceptrons>(trainer_).learner(), options);
}

void ClassifierTrainer::prune(const ClassifierTrainer& whole, const FreezeOptions& options) {
    auto* perceptrons = std::get_if<Perceptrons>(&trainer_);
    const auto* same = std::get_if<Perceptrons>(&whole.trainer_);
    if (perceptrons == nullptr || same == nullptr)
        throw OptionError("models with an L1 penalty are not pruned; raise the penalty");
    sapwood::prune(*perceptrons, *same, options);
}

}  // namespace sapwood

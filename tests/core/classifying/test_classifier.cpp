// Classification: the trainer against a plain perceptron, the L1 learners against eager ones, scores, calibration.
#include <cmath>
#include <functional>
#include <map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/sum_rows.hpp"
#include "check.hpp"
#include "classifying/classifier.hpp"
#include "classifying/classifier_trainer.hpp"
#include "classifying/thresholds.hpp"
#include "classifying/voted_classifier.hpp"
#include "features/feature_rows.hpp"
#include "model/calibration.hpp"
#include "model/freeze_options.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

// A random problem: rows with up to six of `width` features, which have values or are all 1.
struct Problem {
    FeatureRows rows;
    std::vector<uint32_t> gold;
    std::vector<double> importance;
    std::vector<std::map<unsigned, double>> examples;

    Problem(Random& random, size_t n, unsigned width, unsigned labels, bool valued) {
        for (size_t e = 0; e < n; ++e) {
            std::map<unsigned, double> example;
            for (unsigned k = static_cast<unsigned>(random.below(7)); k > 0; --k)
                example[static_cast<unsigned>(random.below(width))] =
                    valued ? static_cast<double>(random.below(8)) / 2 - 2 : 1;
            std::erase_if(example, [](const auto& f) { return f.second == 0; });
            for (const auto& [feature, value] : example)
                rows.add(hash_bytes(std::to_string(feature)), static_cast<float>(value));
            rows.end_row();
            examples.push_back(example);
            gold.push_back(static_cast<uint32_t>(random.below(labels)));
            importance.push_back(1 + static_cast<double>(random.below(3)));
        }
    }
};

using Weights = std::map<std::pair<unsigned, size_t>, double>;

// The weights of a frozen classifier by feature and label. A classifier of two labels has only those of the second.
Weights weights_of(const ClassifierTrainer& trainer, unsigned width) {
    const PackedModel model = trainer.freeze({32, 0});
    const size_t outputs = model.tables[0].width;
    const Classifier classifier(outputs == 1 ? 2 : outputs, model.tables, 32, 1);
    Weights weights;
    for (unsigned f = 0; f < width; ++f) {
        const std::vector<double> row = classifier.weights_of({hash_bytes(std::to_string(f))});
        for (size_t y = 0; y < outputs; ++y)
            if (row[y] != 0) weights[{f, y}] = row[y];
    }
    return weights;
}

bool near(const Weights& a, const Weights& b, double tolerance) {
    const auto within = [&](const Weights& x, const Weights& y) {
        for (const auto& [key, w] : x) {
            const auto at = y.find(key);
            if (std::abs(w - (at == y.end() ? 0.0 : at->second)) > tolerance * std::max(1.0, std::abs(w))) return false;
        }
        return true;
    };
    return within(a, b) && within(b, a);
}

// The scores of an example's labels.
std::vector<double> scores_of(Weights& w, const std::map<unsigned, double>& x, unsigned labels) {
    std::vector<double> score(labels);
    for (const auto& [f, value] : x)
        for (size_t y = labels == 2 ? 1 : 0; y < labels; ++y) score[y] += value * w[{f, labels == 2 ? 0 : y}];
    return score;
}

// The perceptron of the lecture with a margin, min_updates and averaging, implemented with maps and with sums over all
// weight vectors.
Weights naive_perceptron(
    const Problem& p, unsigned labels, const ClassifierOptions& options, size_t epochs,
    const std::function<void(Weights&)>& show = [](Weights&) {}) {
    Weights w, total;
    std::map<unsigned, unsigned> updates, occurrences;
    for (const auto& x : p.examples)
        for (const auto& f : x) ++occurrences[f.first];
    double squares = 0;
    size_t seen = 0;
    for (size_t epoch = 0; epoch < epochs; ++epoch)
        for (size_t e = 0; e < p.examples.size(); ++e) {
            auto x = p.examples[e];
            std::erase_if(x, [&](const auto& f) { return occurrences[f.first] < options.training.prune_below; });
            ++seen;
            for (const auto& f : x) squares += f.second * f.second;
            const double cost =
                options.training.learner.update == Update::perceptron
                    ? 0
                    : static_cast<double>(options.training.learner.gamma) * squares / static_cast<double>(seen);
            auto scoring = x;
            std::erase_if(scoring,
                          [&](const auto& f) { return updates[f.first] < options.training.learner.min_updates; });
            std::vector<double> score = scores_of(w, scoring, labels);
            size_t guess = 0;
            for (size_t y = 0; y < labels; ++y) score[y] += y == p.gold[e] ? 0 : cost;
            for (size_t y = 1; y < labels; ++y)
                if (score[y] > score[guess]) guess = y;
            if (guess != p.gold[e])
                for (const auto& [f, value] : x) {
                    const double step = value * p.importance[e];
                    if (labels == 2) {
                        w[{f, 0}] += p.gold[e] == 1 ? step : -step;
                    } else {
                        w[{f, p.gold[e]}] += step;
                        w[{f, guess}] -= step;
                    }
                    ++updates[f];
                }
            for (const auto& [key, value] : w) total[key] += value;
            show(w);
        }
    Weights result;
    for (const auto& [key, value] : options.training.learner.average ? total : w)
        if (updates[key.first] >= options.training.learner.min_updates)
            result[key] = options.training.learner.average ? value / static_cast<double>(seen) : value;
    return result;
}

void test_trainer_equals_the_naive_perceptron() {
    Random random(1);
    for (int trial = 0; trial < 60; ++trial) {
        const unsigned labels = 2 + static_cast<unsigned>(random.below(3)), width = 12;
        const Problem p(random, 30, width, labels, trial % 2 == 0);
        ClassifierOptions options;
        options.training.learner = {trial % 3 ? Update::margin : Update::perceptron, 0.5f,
                                    1 + static_cast<uint32_t>(random.below(3)), trial % 5 != 0};
        options.training.prune_below = trial % 4 ? 1 : 3;
        options.training.shuffled = false;
        ClassifierTrainer trainer(labels, options);
        trainer.add(p.rows, p.gold, p.importance);
        for (int epoch = 0; epoch < 3; ++epoch)
            while (!trainer.step(7)) {
            }
        CHECK(near(weights_of(trainer, width), naive_perceptron(p, labels, options, 3), 1e-4));
    }
}

// Both penalties, applied to every weight after every example (Tsuruoka et al. 2009, figure 2; Langford et al. 2009).
Weights naive_l1(const Problem& p, unsigned labels, unsigned width, const L1Options& options, size_t epochs) {
    const size_t outputs = labels == 2 ? 1 : labels, n = p.examples.size();
    Weights w, q;
    double u = 0, pending = 0;
    size_t k = 0;
    for (size_t epoch = 0; epoch < epochs; ++epoch)
        for (size_t e = 0; e < n; ++e) {
            const double eta = options.eta * std::pow(0.85, static_cast<double>(k) / static_cast<double>(n));
            std::vector<double> score(labels), gradient(labels);
            for (const auto& [f, value] : p.examples[e])
                for (size_t y = 0; y < outputs; ++y) score[labels == 2 ? 1 : y] += value * w[{f, y}];
            double sum = 0;
            for (double s : score) sum += std::exp(s);
            for (size_t y = 0; y < labels; ++y) gradient[y] = (y == p.gold[e]) - std::exp(score[y]) / sum;
            for (const auto& [f, value] : p.examples[e])
                for (size_t y = 0; y < outputs; ++y)
                    w[{f, y}] += eta * p.importance[e] * value * gradient[labels == 2 ? 1 : y];
            ++k;
            const double gravity = eta * options.strength / static_cast<double>(n);
            if (options.penalty == Penalty::cumulative) {
                u += gravity;
                for (const auto& f : p.examples[e])  // the cumulative penalty is applied where a feature occurs
                    for (size_t y = 0; y < outputs; ++y) {
                        double& weight = w[{f.first, y}];
                        double& received = q[{f.first, y}];
                        const double before = weight;
                        weight = before > 0 ? std::max(0.0, before - (u + received))
                                            : std::min(0.0, before + (u - received));
                        received += weight - before;
                    }
            } else if (pending += gravity; k % 100 == 0 || k == epochs * n) {
                for (auto& [key, weight] : w)
                    weight = weight > 0 ? std::max(0.0, weight - pending) : std::min(0.0, weight + pending);
                pending = 0;
            }
        }
    if (options.penalty == Penalty::cumulative)
        for (unsigned f = 0; f < width; ++f)
            for (size_t y = 0; y < outputs; ++y) {
                double& weight = w[{f, y}];
                const double received = q[{f, y}];
                weight = weight > 0 ? std::max(0.0, weight - (u + received)) : std::min(0.0, weight + (u - received));
            }
    std::erase_if(w, [](const auto& each) { return each.second == 0; });
    return w;
}

void test_l1_equals_the_naive_one() {
    Random random(2);
    size_t zeros[2] = {};  // number of weights that each penalty set to 0
    for (int trial = 0; trial < 40; ++trial) {
        const unsigned labels = 2 + static_cast<unsigned>(random.below(2)), width = 10;
        const Problem p(random, 90, width, labels, trial % 2 == 0);
        ClassifierOptions options;
        options.training.learner.update = trial % 2 ? Update::l1_cumulative : Update::truncated_gradient;
        options.penalty = 6;
        options.eta = 0.3;
        options.training.learner.average = false;
        options.training.shuffled = false;
        ClassifierTrainer trainer(labels, options);
        trainer.add(p.rows, p.gold, p.importance);
        for (int epoch = 0; epoch < 4; ++epoch)
            while (!trainer.step(1000)) {
            }
        const Weights expected = naive_l1(p, labels, width, *options.l1(), 4);
        CHECK(near(weights_of(trainer, width), expected, 1e-5));
        zeros[trial % 2] += width * (labels == 2 ? 1 : labels) - expected.size();
    }
    CHECK(zeros[0] > 10 && zeros[1] > 10);
}

void test_slices_are_one_pass() {
    Random random(3);
    const Problem p(random, 50, 12, 3, true);
    ClassifierOptions options;
    options.training.learner = {Update::margin, 1.0f, 1, true};
    options.training.shuffled = false;
    ClassifierTrainer whole(3, options), sliced(3, options);
    whole.add(p.rows, p.gold, {});
    while (!whole.step(1000)) {
    }
    for (size_t begin = 0; begin < 50; begin += 5) {
        std::vector<size_t> part;
        std::vector<uint32_t> gold;
        for (size_t e = begin; e < begin + 5; ++e) {
            part.push_back(e);
            gold.push_back(p.gold[e]);
        }
        sliced.forget_examples();
        sliced.add(p.rows.select(part), gold, {});
        while (!sliced.step(1000)) {
        }
    }
    CHECK(weights_of(whole, 12) == weights_of(sliced, 12));
}

void test_scores_are_weighted_sums() {
    Random random(4);
    for (unsigned bits : {8u, 16u, 32u})
        for (unsigned labels : {2u, 3u, 17u, 80u}) {
            const Problem p(random, 60, 20, labels, bits != 16);
            ClassifierTrainer trainer(labels, {});
            trainer.add(p.rows, p.gold, {});
            while (!trainer.step(1000)) {
            }
            const PackedModel model = trainer.freeze({bits, 0});
            const Classifier classifier(labels, model.tables, bits, model.scale);
            Classifier::Workspace workspace;
            std::vector<double> scores(labels);
            for (size_t e = 0; e < 20; ++e) {
                std::vector<double> expected(labels);
                for (const auto& [f, value] : p.examples[e]) {
                    const auto row = classifier.weights_of({hash_bytes(std::to_string(f))});
                    for (size_t y = 0; y < row.size(); ++y) expected[labels == 2 ? 1 : y] += value * row[y];
                }
                classifier.score(p.rows, e, workspace, scores.data());
                for (size_t y = 0; y < labels; ++y) CHECK(std::abs(scores[y] - expected[y]) < 1e-3);
            }
        }
}

// sum_rows with values gives exactly the same bits as plain loops in the order of the features.
template <class W>
void test_sum_rows(Random& random) {
    for (size_t width : {1u, 15u, 16u, 17u, 50u, 100u}) {
        const size_t stride = padded(width), rows = 9;
        AlignedVector<W> base(rows * stride);
        for (W& w : base) w = static_cast<W>(random.between(-127, 127));
        for (size_t n : {0u, 1u, 7u, 300u}) {
            std::vector<uint32_t> chosen;
            std::vector<float> values;
            for (size_t f = 0; f < n; ++f) {
                chosen.push_back(static_cast<uint32_t>(random.below(rows)));
                values.push_back(static_cast<float>(random.between(-9, 9)) / 7);
            }
            AlignedVector<float> sums(stride, 77.0f);
            sum_rows(base.data(), stride, chosen.data(), values.data(), n, width, sums.data());
            for (size_t y = 0; y < width; ++y) {
                float expected = 0;
                for (size_t f = 0; f < n; ++f) expected += static_cast<float>(base[chosen[f] * stride + y]) * values[f];
                CHECK_EQ(sums[y], expected);
            }
        }
    }
}

// If all values are 1, scores of integer weights are integers times the scale, however many features there are.
void test_integer_scores_are_exact() {
    Random random(5);
    for (unsigned bits : {8u, 16u}) {
        FeatureRows rows;
        for (int k = 0; k < 700; ++k) rows.add(hash_bytes(std::to_string(random.below(300))));
        rows.end_row();
        const Problem p(random, 400, 300, 3, false);
        ClassifierTrainer trainer(3, {});
        trainer.add(p.rows, p.gold, {});
        while (!trainer.step(1000)) {
        }
        const PackedModel model = trainer.freeze({bits, 0});
        const Classifier exact(3, model.tables, bits, 1);
        const Classifier scaled(3, model.tables, bits, model.scale);
        Classifier::Workspace workspace;
        std::vector<double> whole(3), scores(3), expected(3);
        exact.score(rows, 0, workspace, whole.data());
        scaled.score(rows, 0, workspace, scores.data());
        for (size_t y = 0; y < 3; ++y) {
            for (uint64_t key : rows.keys()) expected[y] += exact.weights_of({key})[y];
            CHECK_EQ(whole[y], expected[y]);
            CHECK_EQ(scores[y], expected[y] * model.scale);
        }
    }
}

// Every weight vector of training votes on every example, whether it was a training example or not.
void test_votes_equal_those_of_all_the_vectors() {
    Random random(8);
    for (int trial = 0; trial < 40; ++trial) {
        const unsigned labels = 2 + static_cast<unsigned>(random.below(3)), width = 12;
        const bool valued = trial % 2 == 0;
        const Problem p(random, 30, width, labels, valued), test(random, 10, width + 3, labels, valued);
        ClassifierOptions options;
        options.training.learner = {trial % 3 ? Update::margin : Update::perceptron, 0.5f, 1, true};
        options.training.shuffled = false;
        options.voted = true;
        ClassifierTrainer trainer(labels, options);
        trainer.add(p.rows, p.gold, p.importance);
        for (int epoch = 0; epoch < 2; ++epoch) CHECK(trainer.step(1000));
        std::vector<std::vector<double>> expected(10, std::vector<double>(labels));
        naive_perceptron(p, labels, options, 2, [&](Weights& w) {
            for (size_t e = 0; e < 10; ++e) {
                const auto score = scores_of(w, test.examples[e], labels);
                expected[e][static_cast<size_t>(std::ranges::max_element(score) - score.begin())] += 1.0 / 60;
            }
        });
        const DualWeights weights = trainer.freeze_votes();
        CHECK_EQ(weights.updates.size(), trainer.progress().updates);
        const VotedClassifier voted(labels, p.rows.select({weights.support.begin(), weights.support.end()}), weights);
        VotedClassifier::Workspace workspace;
        std::vector<double> votes(labels);
        for (size_t e = 0; e < 10; ++e) {
            voted.score(test.rows, e, workspace, votes.data());
            for (size_t y = 0; y < labels; ++y) CHECK(std::abs(votes[y] - expected[e][y]) < 1e-9);
        }
    }
}

// The recorded updates add up to the last weights, also for passive-aggressive steps.
void test_updates_add_up_to_the_last_weights() {
    Random random(9);
    const unsigned labels = 3, width = 12;
    const Problem p(random, 40, width, labels, true);
    ClassifierOptions options;
    options.training.learner = {Update::passive_aggressive, 0.5f, 1, false};
    options.voted = true;
    ClassifierTrainer trainer(labels, options);
    trainer.add(p.rows, p.gold, p.importance);
    for (int epoch = 0; epoch < 3; ++epoch) CHECK(trainer.step(1000));
    const DualWeights votes = trainer.freeze_votes();
    Weights sums;
    for (const DualUpdate& update : votes.updates) {
        CHECK_EQ(update.oracle / labels, update.guess / labels);
        for (const auto& [f, value] : p.examples[votes.support[update.oracle / labels]]) {
            sums[{f, update.oracle % labels}] += update.step * value;
            sums[{f, update.guess % labels}] -= update.step * value;
        }
    }
    CHECK(near(sums, weights_of(trainer, width), 1e-4));
}

void test_what_cannot_vote() {
    FeatureRows rows;
    rows.add(hash_bytes("a"), 1);
    rows.end_row();
    const auto vote = [&](size_t labels, DualWeights weights) {
        return VotedClassifier(labels, rows, std::move(weights));
    };
    vote(2, {true, {}, {}, {{0, 1, 1, 0}}, 1});
    CHECK_THROWS(ModelError, "has labels", vote(0, {true, {}, {}, {}, 1}));
    CHECK_THROWS(DataError, "to vote only", vote(2, {false, {}, {1, 1}, {}, 1}));
    CHECK_THROWS(DataError, "clock is 0", vote(2, {true, {}, {}, {}, 0}));
    CHECK_THROWS(DataError, "not there", vote(2, {true, {}, {}, {{0, 2, 1, 0}}, 1}));
    CHECK_THROWS(DataError, "not a number", vote(2, {true, {}, {}, {{0, 1, std::nan(""), 0}}, 1}));
    rows.end_row();
    CHECK_THROWS(DataError, "of two examples", vote(2, {true, {}, {}, {{0, 3, 1, 0}}, 1}));
}

void test_what_a_trainer_refuses() {
    ClassifierTrainer trainer(2, {});
    FeatureRows rows;
    rows.end_row();
    CHECK_THROWS(DataError, "no label", trainer.add(rows, {2}, {}));
    CHECK_THROWS(DataError, "differ in number", trainer.add(rows, {0, 1}, {}));
    CHECK_THROWS(DataError, "no example", trainer.step(1));
    const PackedModel model = trainer.freeze({8, 0});
    CHECK_THROWS(ModelError, "width", Classifier(3, model.tables, 8, 1));
    CHECK_THROWS(ModelError, "wrong number of tables", Classifier(2, {}, 8, 1));
    CHECK_THROWS(ModelError, "scale", Classifier(2, model.tables, 8, 0));
}

void test_infinite_weights_are_not_frozen() {
    FeatureRows rows;
    rows.add(hash_bytes("f"));
    rows.end_row();
    ClassifierTrainer trainer(2, {});
    trainer.add(rows, {1}, {1e300});
    CHECK(trainer.step(1));
    for (unsigned bits : {8u, 16u, 32u}) CHECK_THROWS(DataError, "infinite", trainer.freeze({bits, 0}));
}

void test_calibration() {
    const auto apply = [](const Calibration& c, std::vector<double> scores) {
        c.apply(scores.data());
        return scores;
    };
    const auto even = apply(Calibration("temperature", {{2.0}}, 2, false), {0, 2 * std::log(3)});
    CHECK(std::abs(even[1] - 0.75) < 1e-12);
    const auto steps = apply(Calibration("isotonic", {{0, 0.2, 2, 0.6}, {0, 0.2, 2, 0.6}}, 2, false), {0, 1});
    CHECK(std::abs(steps[1] - 0.4 / 0.6) < 1e-12);  // 0.4 between the points, 0.2 to the left of them
    const auto none = apply(Calibration("isotonic", {{0, 0}, {0, 0}}, 2, false), {0, 1});
    CHECK_EQ(none, (std::vector<double>{0.5, 0.5}));
    for (const auto& [method, curves] : std::vector<std::pair<std::string, std::vector<std::vector<double>>>>{
             {"magic", {{1}}},
             {"temperature", {}},
             {"temperature", {{0}}},
             {"temperature", {{NAN}}},
             {"isotonic", {{0, 0.5}, {}}},
             {"isotonic", {{0, 0.5}, {1, 0.5, 1, 0.6}}},
             {"isotonic", {{0, 0.5}, {1, 1.5}}}})
        CHECK_THROWS(ModelError, "its calibration", Calibration(method, curves, 2, false));
}

// Each label against the rest has the weights of a classifier of two classes, with and without it.
void test_any_of_the_labels(Random& random) {
    constexpr unsigned width = 12, labels = 3;
    for (const Update update : {Update::perceptron, Update::margin}) {
        const Problem problem(random, 30, width, labels, random.chance(2));
        std::vector<std::vector<uint32_t>> sets;
        for (size_t e = 0; e < problem.gold.size(); ++e) {
            sets.emplace_back();
            for (uint32_t y = 0; y < labels; ++y)
                if (random.chance(2)) sets.back().push_back(y);
        }
        ClassifierOptions options;
        options.training.learner = {update, 0.5f, 1, true};
        ClassifierOptions several = options;
        several.several = true;
        ClassifierTrainer together(labels, several);
        together.add_any(problem.rows, sets, problem.importance, {});
        for (int epoch = 0; epoch < 3; ++epoch) together.step(SIZE_MAX);
        const PackedModel model = together.freeze({32, 0});
        const Classifier any(std::vector<double>(labels, 0), model.tables, 32, 1);
        CHECK(any.several());
        for (uint32_t y = 0; y < labels; ++y) {
            std::vector<uint32_t> has;
            for (const auto& each : sets) has.push_back(std::find(each.begin(), each.end(), y) != each.end());
            ClassifierTrainer alone(2, options);
            alone.add(problem.rows, has, problem.importance);
            for (int epoch = 0; epoch < 3; ++epoch) alone.step(SIZE_MAX);
            const Weights wanted = weights_of(alone, width);
            for (unsigned f = 0; f < width; ++f) {
                const auto found = wanted.find({f, 0});
                CHECK_EQ(any.weights_of({hash_bytes(std::to_string(f))})[y], found == wanted.end() ? 0 : found->second);
            }
        }
    }
    ClassifierOptions options;
    options.several = options.voted = true;
    CHECK_THROWS(OptionError, "cannot be voted", ClassifierTrainer(3, options));
}

// No other threshold has a higher F1.
void test_thresholds(Random& random) {
    for (int round = 0; round < 200; ++round) {
        std::vector<std::pair<double, bool>> decisions;
        for (size_t k = random.below(8); k > 0; --k)
            decisions.emplace_back(static_cast<double>(random.below(7)) / 2 - 1.5, random.chance(2));
        const auto f1 = [&](double at) {
            double guessed = 0, correct = 0, gold = 0;
            for (const auto& [score, has] : decisions) {
                guessed += score > at;
                gold += has;
                correct += score > at && has;
            }
            return guessed + gold > 0 ? 2 * correct / (guessed + gold) : 0;
        };
        auto sorted = decisions;
        const Threshold found = best_threshold(sorted);
        for (double at = -2.25; at < 3; at += 0.5) CHECK(f1(at) <= f1(found.at));
        CHECK(found.at == 0 || f1(0) < f1(found.at));
    }
}

}  // namespace

int main() {
    Random random(6);
    test_trainer_equals_the_naive_perceptron();
    test_l1_equals_the_naive_one();
    test_slices_are_one_pass();
    test_scores_are_weighted_sums();
    test_sum_rows<int8_t>(random);
    test_sum_rows<int16_t>(random);
    test_sum_rows<float>(random);
    test_integer_scores_are_exact();
    test_votes_equal_those_of_all_the_vectors();
    test_updates_add_up_to_the_last_weights();
    test_what_cannot_vote();
    test_what_a_trainer_refuses();
    test_infinite_weights_are_not_frozen();
    test_calibration();
    test_any_of_the_labels(random);
    test_thresholds(random);
    return check::failures();
}

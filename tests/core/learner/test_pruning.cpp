// Pruning: what freezing would keep is learned anew, and nothing else changes from then on.
#include <algorithm>
#include <cmath>
#include <map>

#include "check.hpp"
#include "lost.hpp"
#include "model/coded_table.hpp"
#include "model/freeze.hpp"
#include "model/freeze_options.hpp"
#include "model/levels.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

// The scores of all features together, looked up by number and by key, are the sums of their weights.
void check_scores(const Learner& learner, size_t t) {
    const WeightTable& table = learner.table(t);
    std::vector<uint32_t> features, by_number, by_key;
    std::vector<uint64_t> keys;
    std::vector<double> sums(table.width());
    for (unsigned k = 1; k <= 60; ++k) {
        keys.push_back(key_of(k));
        features.push_back(table.find(keys.back()));
    }
    by_number.resize(keys.size());
    by_key.resize(keys.size());
    table.find_rows(features.data(), features.size(), by_number.data());
    table.find_rows(keys.data(), keys.size(), by_key.data());
    CHECK(by_number == by_key);
    table.each_weight(0, [&](uint64_t, uint32_t, uint32_t output, float w) { sums[output] += static_cast<double>(w); });
    AlignedVector<float> scores(padded(table.width()));
    table.score(by_number.data(), by_number.size(), scores.data());
    for (size_t y = 0; y < sums.size(); ++y) CHECK(std::abs(static_cast<double>(scores[y]) - sums[y]) < 1e-3);
}

// Presents random decisions about features 1 to 60.
void train(Learner& learner, Random& random, size_t decisions) {
    for (size_t k = 0; k < decisions; ++k) {
        Violation violation;
        for (uint32_t t = 0; t < learner.tables(); ++t)
            for (int n = 0; n < 4; ++n) {
                WeightTable& table = learner.table(t);
                const uint32_t feature = table.intern(key_of(static_cast<unsigned>(1 + random.below(60))));
                violation.gold(t, feature, static_cast<uint32_t>(random.below(table.width())));
                violation.guess(t, feature, static_cast<uint32_t>(random.below(table.width())));
            }
        learner.present(Lost{violation});
        if (k % 50 == 0)
            for (size_t t = 0; t < learner.tables(); ++t) check_scores(learner, t);
    }
}

using Weights = std::map<std::pair<uint64_t, uint32_t>, float>;

Weights weights_of(const Learner& learner, size_t t) {
    Weights weights;
    learner.table(t).each_weight(learner.averaging_clock(), [&](uint64_t feature, uint32_t, uint32_t output, float w) {
        weights[{feature, output}] = w;
    });
    return weights;
}

void check_pruning(size_t width, double shrink, double group, uint32_t min_updates,
                   CountUpdates what = CountUpdates::feature) {
    Random random(width + static_cast<size_t>(100 * shrink));
    LearnerOptions learning{Update::perceptron, 1.0f, 2, true};
    learning.count_updates = what;
    Learner learner(learning, {width, 3}, 1);
    train(learner, random, 2000);
    const FreezeOptions options{32, shrink, group, min_updates};
    const PackedModel before = freeze(learner, options);
    Learner fresh(learning, {width, 3}, 1);
    prune(fresh, learner, options);
    CHECK(freeze(learner, options).full_keys == before.full_keys);  // the whole one stays as it is
    Learner other(learning, {width + 1, 3}, 1);
    CHECK_THROWS(OptionError, "other outputs", prune(other, learner, options));
    prune(learner, learner, options);
    for (size_t t = 0; t < 2; ++t) {
        const Weights kept = weights_of(fresh, t);
        CHECK(kept == weights_of(learner, t));
        size_t found = 0;
        const PlainTable<float> table = unpack<float>(before.tables[t]);
        for (size_t k = 0, j = 0; k < table.keys.size(); ++k)
            for (const size_t end = j + table.sizes[k]; j < end; ++j)
                found += kept.contains({before.full_keys[t][k], table.outputs[j]});
        CHECK_EQ(found, kept.size());
        CHECK_EQ(found, table.values.size());
        for (const auto& [place, w] : kept) CHECK(0 < w && w < 0.01f);
    }
    CHECK(freeze(learner, {32}).tables[0].features == 0);  // nothing has been learned yet
    const Weights kept = weights_of(learner, 0);
    CHECK(!kept.empty());
    train(learner, random, 400);
    const Weights trained = weights_of(learner, 0);
    size_t changed = 0;
    for (const auto& [place, weight] : trained) {
        CHECK(kept.contains(place));
        changed += kept.at(place) != weight;
    }
    CHECK(changed > 0);
    CHECK_EQ(trained.size(), kept.size());  // no weight has become 0, to stay so
}

// A weight that an open table has learned stays, also if it is as small as those that a closed table begins with.
void test_small_weights_of_open_tables() {
    for (const double weight : {1.0 / 1023, 1.0 / 1024, 1.0 / 1025}) {
        Learner learner({.average = false}, {1});
        learner.prime(0, key_of(1), {&weight, 1});
        CHECK_EQ(freeze(learner, {32}).tables[0].features, 1u);
    }
}

// w <- max(0, 1 - lambda / |w|) w, for the weights of each feature.
void check_group_l1(double share) {
    Random random(5);
    Learner learner({Update::perceptron, 1.0f, 2, true}, {3, 5});
    train(learner, random, 2000);
    std::map<std::pair<size_t, uint64_t>, double> squares;
    double largest = 0;
    for (size_t t = 0; t < 2; ++t)
        for (const auto& [place, w] : weights_of(learner, t)) {
            squares[{t, place.first}] += static_cast<double>(w) * static_cast<double>(w);
            largest = std::max(largest, std::abs(static_cast<double>(w)));
        }
    const Weights before[] = {weights_of(learner, 0), weights_of(learner, 1)};
    const PackedModel pulled = freeze(learner, {.bits = 32, .group_l1 = share});
    size_t dropped = 0;
    for (size_t t = 0; t < 2; ++t) {
        Weights after;
        const PlainTable<float> table = unpack<float>(pulled.tables[t]);
        for (size_t k = 0, j = 0; k < table.keys.size(); ++k)
            for (const size_t end = j + table.sizes[k]; j < end; ++j)
                after[{pulled.full_keys[t][k], table.outputs[j]}] = table.values[j];
        for (const auto& [place, w] : before[t]) {
            const double kept = 1 - share * largest / std::sqrt(squares[{t, place.first}]);
            dropped += kept <= 0;
            CHECK(after.contains(place) == (kept > 0));
            if (kept > 0) CHECK(std::abs(after.at(place) - kept * w) < 1e-3 * largest);
        }
    }
    CHECK(dropped > 0);
}

}  // namespace

// The higher the price of a bit, the fewer bytes and the larger the errors; nearly without a price, weights are rounded to
// the nearest integers.
void test_levels() {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        RealWeights real;
        for (int k = 0; k < 400; ++k) {
            real.sizes.push_back(static_cast<uint32_t>(1 + random.below(3)));
            real.updates.push_back(static_cast<uint32_t>(random.below(30)));
            for (uint32_t n = 0; n < real.sizes.back(); ++n) {
                const double w = 0.5 + static_cast<double>(random.below(1000)) / (random.chance(9) ? 8.0 : 90.0);
                real.weights.push_back(static_cast<float>(random.chance(2) ? -w : w));
            }
        }
        std::vector<size_t> bytes;
        std::vector<double> errors;
        for (const double price : {1e-9, 0.5, 2.0, 8.0, 1e6}) {
            PlainTable<int8_t> table;
            table.width = 4;
            table.sizes = real.sizes;
            table.values = to_levels(real, price);
            CHECK_EQ(table.values.size(), real.weights.size());
            bytes.push_back(code_weights(table).size());
            double error = 0, updates = 0;
            size_t at = 0;
            for (size_t f = 0; f < real.sizes.size(); ++f)
                for (uint32_t n = 0; n < real.sizes[f]; ++n, ++at) {
                    CHECK(table.values[at] != 0);
                    const double importance = std::max(real.updates[f], 1u), e = table.values[at] - real.weights[at];
                    error += importance * e * e;
                    updates += importance;
                    if (price < 1e-6) CHECK(std::abs(e) <= 0.5001 || std::abs(real.weights[at]) < 0.51);
                }
            errors.push_back(error / updates);
        }
        CHECK(std::ranges::is_sorted(errors));
        CHECK(std::ranges::is_sorted(bytes, std::greater<>()));
        CHECK(bytes.back() * 2 < bytes.front());
    }
    CHECK(to_levels({}, 1.0).empty());
    CHECK(to_levels({{127.4f, -130.0f}, {2}, {0}}, 1e-9) == (std::vector<int8_t>{127, -127}));
}

int main() {
    test_small_weights_of_open_tables();
    test_levels();
    for (const double share : {0.3, 0.8}) check_group_l1(share);
    for (const size_t width : {5, 100, 400})  // dense and sparse rows
        for (const double shrink : {0.0, 0.05, 0.1}) {
            check_pruning(width, shrink, 0, 0);
            check_pruning(width, shrink, 2, 0);
            check_pruning(width, shrink, 0, 8);
            check_pruning(width, shrink, 2, 0, CountUpdates::weight);
        }
    return check::failures();
}

// The trainer of structures against the perceptron by its definition, over structures that a small search lists.
#include <cmath>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/shuffle.hpp"
#include "check.hpp"
#include "model/freeze_options.hpp"
#include "naive_learner.hpp"
#include "random.hpp"
#include "structured/structured_trainer.hpp"

using namespace sapwood;

namespace {

using Features = std::vector<std::string>;  // of a part
using Parts = std::vector<size_t>;          // of a structure, by number
constexpr size_t kCandidates = 4;

// An input: the features of its parts, and structures of these, of which the first is gold.
struct Input {
    std::vector<Features> parts;
    std::vector<Parts> candidates;
};

std::vector<Input> random_inputs(Random& random, size_t n) {
    std::vector<Input> inputs(n);
    for (Input& input : inputs) {
        for (size_t part = 0; part < 6; ++part) {
            Features& features = input.parts.emplace_back();
            for (size_t k = random.below(4); k > 0; --k)
                features.push_back(std::string(1, "abcdefgh"[random.below(8)]));
        }
        for (size_t c = 0; c < kCandidates; ++c) {
            Parts& parts = input.candidates.emplace_back();
            for (size_t k = random.below(5); k > 0; --k) parts.push_back(random.below(6));
        }
    }
    return inputs;
}

// The number of the candidate that scores highest by score(part); of equals the first.
template <class Score>
size_t best(const Input& input, Score&& score) {
    size_t found = 0;
    double highest = -1e300;
    for (size_t c = 0; c < kCandidates; ++c) {
        double sum = 0;
        for (const size_t part : input.candidates[c]) sum += score(part);
        if (sum > highest) highest = sum, found = c;
    }
    return found;
}

StructuredTrainer trainer_of(const StructuredOptions& options, const std::vector<Input>& inputs,
                             StructuredTrainer*& self) {
    std::vector<uint32_t> sizes;
    for (const Input& input : inputs) sizes.push_back(static_cast<uint32_t>(input.candidates[0].size()));
    return {options, sizes, [&inputs, &self](size_t k) -> std::optional<WrongStructure> {
                for (const Features& features : inputs[k].parts) {
                    for (const std::string& feature : features) self->parts().add(feature);
                    self->parts().end_part();
                }
                const size_t guess = best(inputs[k], [&](size_t part) { return self->score(part); });
                const auto numbers = [&](size_t c) {
                    return std::vector<uint32_t>(inputs[k].candidates[c].begin(), inputs[k].candidates[c].end());
                };
                return WrongStructure{numbers(0), numbers(guess), 1.0};
            }};
}

NaiveLearner::Weights naive(const std::vector<Input>& inputs, const StructuredOptions& options, size_t epochs) {
    NaiveLearner learner(options.learner.min_updates);
    std::vector<uint32_t> order(inputs.size());
    std::iota(order.begin(), order.end(), 0);
    uint64_t random = options.seed;
    for (size_t epoch = 0; epoch < epochs; ++epoch) {
        shuffle(order, random);
        for (const uint32_t k : order) {
            const Input& input = inputs[k];
            const size_t guess = best(input, [&](size_t part) { return learner.score(input.parts[part], 0); });
            NaiveLearner::Weights delta;
            for (const size_t part : input.candidates[0])
                for (const std::string& feature : input.parts[part]) delta[{feature, 0}] += 1;
            for (const size_t part : input.candidates[guess])
                for (const std::string& feature : input.parts[part]) delta[{feature, 0}] -= 1;
            double square = 0;
            for (const auto& entry : delta) square += entry.second * entry.second;
            const bool passive = options.learner.update == Update::passive_aggressive;
            learner.learn(delta, passive ? passive_aggressive_step(1.0, square) : 1);
            learner.tick();
        }
    }
    return learner.result(options.learner.average);
}

void test_the_perceptron_by_its_definition() {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
        const std::vector<Input> inputs = random_inputs(random, 12);
        StructuredOptions options;
        options.learner.min_updates = 1 + round % 3;
        options.learner.average = round % 2 == 0;
        // Steps that are no whole numbers are rounded to float, so that they are tried without ties that rounding breaks.
        const bool passive = round % 5 == 4;
        if (passive) options.learner.update = Update::passive_aggressive;
        const size_t epochs = passive ? 1 : 3;
        options.seed = random.bits();
        StructuredTrainer* self = nullptr;
        StructuredTrainer trainer = trainer_of(options, inputs, self);
        self = &trainer;
        for (size_t epoch = 0; epoch < epochs; ++epoch) CHECK(trainer.step(SIZE_MAX));
        const NaiveLearner::Weights expected = naive(inputs, options, epochs);
        const Learner& learner = trainer.walk().learner();
        std::map<std::string, double> found;
        learner.table(0).each_weight(learner.averaging_clock(), [&](uint64_t key, uint32_t, uint32_t, float weight) {
            for (const char name : std::string("abcdefgh"))
                if (hash_bytes(std::string(1, name)) == key && std::abs(weight) > 1e-6f)
                    found[std::string(1, name)] = static_cast<double>(weight);
        });
        CHECK_EQ(found.size(), expected.size());
        for (const auto& [part, weight] : expected) CHECK(std::abs(found[part.first] - weight) < 1e-5);
    }
}

// One example, by eye: gold is {0, 1}, the guess {1, 2}; part 1 and the feature that 0 and 2 share take no part.
void test_what_both_have_takes_no_part() {
    StructuredOptions options;
    options.names = true;
    options.learner.average = false;
    StructuredTrainer* self = nullptr;
    StructuredTrainer trainer(options, {2}, [&](size_t) {
        const std::vector<Features> parts = {{"shared", "right"}, {"common"}, {"shared", "wrong", "wrong"}};
        for (const Features& features : parts) {
            for (const std::string& feature : features) self->parts().add(feature);
            self->parts().end_part();
        }
        self->parts().add(uint64_t{7});  // behind the last part: no feature of any
        return WrongStructure{{1, 0}, {2, 1}, 0};
    });
    self = &trainer;
    CHECK(trainer.step(SIZE_MAX));
    CHECK_EQ(trainer.progress().mistakes, 1u);
    CHECK_EQ(trainer.progress().updates, 1u);
    const PackedModel model = trainer.freeze({.bits = 32});
    const std::vector<std::string> names = trainer.names(model).at(0);
    CHECK_EQ(names.size(), 2u);
    for (const std::string& name : names) CHECK(name == "right" || name == "wrong");
}

void test_numbers_have_other_keys_than_their_texts() {
    CHECK(key_of_number(7) != hash_bytes("7"));
    CHECK(key_of_number(7) != key_of_number(8));
    PartFeatures features(true);
    features.add(uint64_t{7});
    features.add("7");
    features.end_part();
    features.add("left");
    features.forget(1);
    CHECK_EQ(features.size(), 1u);
    CHECK_EQ(features.texts(), (std::vector<std::string>{"7", "7"}));
    CHECK_EQ(features.of(0).size(), 2u);
}

void test_refusals() {
    StructuredTrainer none({}, {}, [](size_t) { return std::nullopt; });
    CHECK_THROWS(DataError, "no example", none.step(1));
    StructuredTrainer odd({}, {1}, [](size_t) { return WrongStructure{{0}, {1}, 0}; });
    CHECK_THROWS(DataError, "a part that was not scored", odd.step(1));
}

}  // namespace

int main() {
    test_the_perceptron_by_its_definition();
    test_what_both_have_takes_no_part();
    test_numbers_have_other_keys_than_their_texts();
    test_refusals();
    return check::failures();
}

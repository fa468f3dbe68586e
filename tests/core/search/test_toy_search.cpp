// What the seam promises: a new search gets learning, averaging, min_updates and the model file for nothing.
#include "check.hpp"
#include "model/freeze.hpp"
#include "model/freeze_options.hpp"
#include "model/frozen_model.hpp"
#include "naive_learner.hpp"
#include "random.hpp"
#include "toy_search.hpp"

using namespace sapwood;

namespace {

constexpr unsigned kWords = 30;

uint64_t key(unsigned word) {
    return hash_bytes(std::to_string(word));
}

// Sentences whose words have hidden weights; gold is what the search chooses by them.
toy::Problem sentences(uint64_t seed, size_t count) {
    Random random(seed);
    toy::Problem problem;
    for (size_t s = 0; s < count; ++s) {
        auto& [words, gold] = problem.sentences.emplace_back();
        std::vector<float> hidden;
        for (size_t i = 0; i < 1 + random.below(8); ++i) {
            const auto word = static_cast<unsigned>(random.below(kWords));
            words.push_back(key(word));
            hidden.push_back(static_cast<float>(word) - 14.5f);
        }
        gold = toy::search(hidden);
    }
    return problem;
}

size_t mistakes(const FrozenModel& model, const toy::Problem& problem) {
    return model.with_tables([&](const auto& tables) {
        size_t wrong = 0;
        for (const auto& [words, gold] : problem.sentences) wrong += toy::search(toy::scores(tables[0], words)) != gold;
        return wrong;
    });
}

// Learns, freezes, packs and unpacks as the model file does, and answers for sentences that it did not see.
void test_learns(const LearnerOptions& options, unsigned bits) {
    Trainer<toy::Problem> trainer({.learner = options}, sentences(1, 400), Learner(options, {1}));
    for (int epoch = 0; epoch < 10; ++epoch)
        while (!trainer.step(100)) {
        }
    CHECK_EQ(trainer.progress().epoch, 10u);
    const PackedModel file = freeze(trainer.learner(), {.bits = bits});
    const FrozenModel loaded(file.tables, file.bits, file.scale, {1});
    CHECK_EQ(loaded.weights().size(), file.tables[0].weights);
    CHECK(mistakes(loaded, sentences(2, 400)) < 60);
}

// The same weights as a perceptron that keeps every weight vector and every count.
void test_equals_naive(unsigned min_updates) {
    const LearnerOptions options{Update::margin, 1.0f, min_updates, true};
    toy::Problem data = sentences(3, 80);
    Learner fast(options, {1});
    NaiveLearner naive(min_updates);
    for (size_t k = 0; k < data.examples(); ++k) {
        const auto& [words, gold] = data.sentences[k];
        std::vector<float> s;
        for (size_t i = 0; i < words.size(); ++i)
            s.push_back(static_cast<float>(naive.weight(std::to_string(words[i]), 0)) + (gold[i] ? -1.0f : 1.0f));
        const toy::Chosen guess = toy::search(s);
        NaiveLearner::Weights delta;
        for (size_t i = 0; i < words.size(); ++i)
            delta[{std::to_string(words[i]), 0}] += static_cast<double>(gold[i]) - static_cast<double>(guess[i]);
        if (guess != gold) naive.learn(delta);
        naive.tick();
        data.present(k, fast, nullptr);
    }
    NaiveLearner::Weights learned;
    fast.table(0).each_weight(fast.averaging_clock(), [&](uint64_t word, uint32_t, uint32_t y, float w) {
        learned[{std::to_string(word), y}] = static_cast<double>(w);
    });
    const NaiveLearner::Weights expected = naive.result(true);
    CHECK_EQ(learned.size(), expected.size());
    for (const auto& [part, w] : expected) CHECK(std::abs(learned[part] - w) < 1e-5);
}

}  // namespace

int main() {
    for (unsigned bits : {8u, 16u, 32u}) {
        test_learns({Update::margin, 1.0f, 1, true}, bits);
        test_learns({Update::perceptron, 1.0f, 3, true}, bits);
    }
    for (unsigned min_updates : {1u, 2u, 5u}) test_equals_naive(min_updates);
    return check::failures();
}

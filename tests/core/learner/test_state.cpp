// The state of a training: what reads it goes on as what wrote it, with the same data or with others; lies are refused.
#include <map>

#include "base/hash.hpp"
#include "check.hpp"
#include "learner/trainer.hpp"
#include "model/freeze.hpp"
#include "model/freeze_options.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

struct Arrays {
    std::map<std::string, std::pair<std::string, std::string>> all;  // by name: dtype, bytes

    StateWriter writer() {
        return StateWriter([this](const std::string& name, const char* dtype, std::string_view bytes) {
            all[name] = {dtype, std::string(bytes)};
        });
    }
    StateReader reader() const {
        return StateReader([this](const std::string& name, const char* dtype) -> std::string_view {
            const auto found = all.find(name);
            if (found == all.end() || found->second.first != dtype) throw ModelError("no array " + name);
            return found->second.second;
        });
    }
};

// Examples with a gold output and four features each, some of which are met in training only. Scores are those of the
// features, and the guess is the best output.
struct Examples {
    using Learner = sapwood::Learner;

    struct Choice {
        Examples& problem;
        Learner& learner;
        size_t gold, guess = 0;

        bool search(float cost) {
            problem.scores.assign(padded(problem.width), 0);
            learner.table(0).find_rows(problem.features.data(), problem.features.size(), problem.rows.data());
            learner.table(0).score(problem.rows.data(), problem.rows.size(), problem.scores.data());
            for (size_t y = 0; y < problem.width; ++y) {
                if (y != gold) problem.scores[y] += cost;
                if (problem.scores[y] > problem.scores[guess]) guess = y;
            }
            return guess != gold;
        }
        size_t mistakes() const { return 1; }
        double loss() const { return static_cast<double>(problem.scores[guess] - problem.scores[gold]); }
        void differ(Violation& violation) const {
            for (const uint32_t f : problem.features) {
                violation.gold(0, f, static_cast<uint32_t>(gold));
                violation.guess(0, f, static_cast<uint32_t>(guess));
            }
        }
    };

    size_t width, count, first;
    std::vector<uint32_t> features = std::vector<uint32_t>(4), rows = std::vector<uint32_t>(4);
    AlignedVector<float> scores = {};

    size_t examples() const { return count; }
    size_t bytes() const { return 0; }
    size_t present(size_t k, Learner& learner, FeatureNames* names) {
        Random random(first + k + 1);
        for (uint32_t& f : features) {
            const auto key = random.below(3 * count);
            f = learner.table(0).intern(hash_bytes(std::to_string(key)));
            if (names != nullptr) names->add(0, f, [&] { return std::to_string(key); });
        }
        learner.present(Choice{*this, learner, random.below(width)});
        return 1;
    }
};

CountUpdates count_updates = CountUpdates::feature;  // of all trainers here

Trainer<Examples> trainer(size_t width, Update update, size_t first = 0, bool names = true) {
    TrainingOptions options;
    options.learner = {update, 1.0f, 2, true};
    options.learner.count_updates = count_updates;
    options.names = names;
    return {options, Examples{width, 60, first}, Learner(options.learner, {width}, 1)};
}

Arrays state_of(Trainer<Examples>& trainer) {
    Arrays arrays;
    trainer.state(arrays.writer());
    return arrays;
}

void check_resuming(size_t width, Update update) {
    for (const size_t steps : {0, 7, 60, 130}) {
        auto whole = trainer(width, update);
        for (size_t k = 0; k < steps; ++k) whole.step(1);
        const Arrays saved = state_of(whole);
        auto resumed = trainer(width, update);
        resumed.state(saved.reader());
        CHECK(state_of(resumed).all == saved.all);
        for (size_t k = 0; k < 100; ++k) CHECK_EQ(whole.step(1), resumed.step(1));
        CHECK(state_of(resumed).all == state_of(whole).all);
        CHECK(feature_names(resumed, freeze(resumed, {32})) == feature_names(whole, freeze(whole, {32})));
    }
}

// Weights are taken over by key, whatever the features' numbers are and their outputs' numbers become.
void check_going_on(size_t width) {
    auto before = trainer(width, Update::perceptron);
    for (size_t k = 0; k < 150; ++k) before.step(1);
    LearnerOptions options{Update::perceptron, 1.0f, 2, true};
    options.count_updates = count_updates;
    Learner after(options, {width + 70}, 1);
    for (int k = 99; k >= 0; --k) after.table(0).intern(hash_bytes(std::to_string(k)));
    std::vector<uint32_t> output_of(width);
    for (uint32_t y = 0; y < width; ++y) output_of[y] = static_cast<uint32_t>(width) + 69 - y;
    after.go_on_from(state_of(before).reader().within("learner"), {output_of});
    std::map<std::pair<uint64_t, uint32_t>, float> wanted, found;
    const double clock = before.learner().averaging_clock();
    before.learner().table(0).each_weight(
        clock, [&](uint64_t key, uint32_t, uint32_t y, float w) { wanted[{key, output_of[y]}] = w; });
    after.table(0).each_weight(after.averaging_clock(),
                               [&](uint64_t key, uint32_t, uint32_t y, float w) { found[{key, y}] = w; });
    CHECK(!wanted.empty());
    CHECK(found == wanted);
    CHECK_EQ(after.active(), before.learner().active());
}

// Any array may be cut, doubled or filled with other numbers: that is refused, or does no harm.
void check_lies(size_t width) {
    auto honest = trainer(width, Update::perceptron);
    for (size_t k = 0; k < 130; ++k) honest.step(1);
    const Arrays saved = state_of(honest);
    Random random(width);
    size_t refused = 0;
    for (int round = 0; round < 400; ++round) {
        Arrays forged = saved;
        auto array = forged.all.begin();
        std::advance(array, random.below(forged.all.size()));
        std::string& bytes = array->second.second;
        switch (random.below(4)) {
            case 0:
                bytes.resize(random.below(bytes.size() + 1));
                break;
            case 1:
                bytes += bytes;
                break;
            case 2:
                forged.all.erase(array);
                break;
            default:
                for (int k = 0; k < 3 && !bytes.empty(); ++k)
                    bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
        }
        for (const bool other_data : {false, true}) {
            auto victim = trainer(width, Update::perceptron, other_data ? 1000 : 0, !other_data);
            try {
                if (other_data)
                    victim.go_on_from(forged.reader());
                else
                    victim.state(forged.reader());
                for (int k = 0; k < 80; ++k) victim.step(1);
                freeze(victim, {8});
            } catch (const ModelError&) {
                ++refused;
            } catch (const DataError&) {  // weights that grow infinite
                ++refused;
            }
        }
    }
    CHECK(refused > 200);
}

}  // namespace

int main() {
    for (const CountUpdates what : {CountUpdates::feature, CountUpdates::weight}) {
        count_updates = what;
        for (const size_t width : {3, 64, 100})  // dense and sparse rows
            for (const Update update : {Update::perceptron, Update::margin, Update::passive_aggressive})
                check_resuming(width, update);
        for (const size_t width : {3, 64, 100}) {
            check_going_on(width);
            check_lies(width);
        }
    }
    return check::failures();
}

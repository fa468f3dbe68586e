// The learner, its weight tables and the index of keys.
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "check.hpp"
#include "learner/learner.hpp"
#include "lost.hpp"
#include "naive_learner.hpp"
#include "random.hpp"
#include "search/argmax.hpp"

using namespace sapwood;

namespace {

// A learner with one table, and the naive learner. Features are numbers, named "0", "1", ...
struct Pair {
    Learner fast;
    NaiveLearner naive;
    size_t width;

    Pair(size_t outputs, unsigned min_updates, bool average = true, CountUpdates what = CountUpdates::feature)
        : fast(options(min_updates, average, what), {outputs}, 1),
          naive(min_updates, what == CountUpdates::weight),
          width(outputs) {}

    static LearnerOptions options(unsigned min_updates, bool average, CountUpdates what) {
        LearnerOptions options{Update::perceptron, 1.0f, min_updates, average};
        options.count_updates = what;
        return options;
    }

    // Presents one example to both learners. Returns false if their decisions differ.
    bool present(const std::vector<unsigned>& features, size_t gold) {
        std::vector<std::string> names;
        std::vector<uint32_t> numbers, rows;
        std::vector<uint64_t> keys;
        for (unsigned f : features) {
            names.push_back(std::to_string(f));
            numbers.push_back(fast.table(0).intern(key_of(f)));
            rows.push_back(fast.table(0).scored_row(numbers.back()));
            keys.push_back(key_of(f));
        }
        std::vector<uint32_t> by_key(keys.size());
        fast.table(0).find_rows(keys.data(), keys.size(), by_key.data());
        CHECK_EQ(by_key, rows);
        AlignedVector<float> scores(padded(width));
        fast.table(0).with_rows([&](const auto& r) { r.score(rows.data(), rows.size(), scores.data()); });
        const Label guess = argmax(scores.data(), width);
        size_t naive_guess = 0;
        for (size_t y = 0; y < width; ++y) {
            if (naive.score(names, y) > naive.score(names, naive_guess)) naive_guess = y;
            if (static_cast<double>(scores[y]) != naive.score(names, y)) return false;
        }
        Violation violation;
        if (guess != gold) {
            NaiveLearner::Weights delta;
            for (size_t k = 0; k < features.size(); ++k) {
                violation.gold(0, numbers[k], static_cast<uint32_t>(gold));
                violation.guess(0, numbers[k], guess);
                delta[{names[k], gold}] += 1;
                delta[{names[k], naive_guess}] -= 1;
            }
            naive.learn(delta);
        }
        fast.present(Lost{violation});
        naive.tick();
        if (!violation.empty()) return false;
        return guess == naive_guess;
    }

    NaiveLearner::Weights result() const {
        NaiveLearner::Weights all;
        std::unordered_map<uint64_t, unsigned> feature_of;
        for (unsigned f = 0; f < 100; ++f) feature_of[key_of(f)] = f;
        fast.table(0).each_weight(fast.averaging_clock(), [&](uint64_t k, uint32_t, uint32_t y, float w) {
            all[{std::to_string(feature_of.at(k)), y}] = static_cast<double>(w);
        });
        return all;
    }
};

bool close(const NaiveLearner::Weights& a, const NaiveLearner::Weights& b) {
    if (a.size() != b.size()) return false;
    for (const auto& [part, value] : a)
        if (!b.contains(part) || std::abs(b.at(part) - value) > 1e-6) return false;
    return true;
}

void test_equals_naive(size_t width, CountUpdates what) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
        Random random(seed);
        const unsigned min_updates = std::vector<unsigned>{1, 1, 2, 3, 5, 20}[seed % 6];
        const bool average = seed % 4 != 3;
        Pair pair(width, min_updates, average, what);
        bool same = true;
        for (int example = 0; example < 150; ++example) {
            std::vector<unsigned> features(random.below(5));
            for (unsigned& f : features)
                f = static_cast<unsigned>(random.below(15));  // sometimes the same feature twice
            const size_t gold = random.chance(3) || features.empty() ? random.below(width) : features[0] % width;
            same = same && pair.present(features, gold);
        }
        CHECK(same);
        CHECK(close(pair.result(), pair.naive.result(average)));
        // Exact, because all numbers are integers: clock * w - w_a is the sum of w over all examples.
        const WeightTable& table = pair.fast.table(0);
        for (unsigned f = 0; f < 15; ++f)
            table.each_of(table.find(key_of(f)), [&](uint32_t y, float w, double sum, uint32_t) {
                CHECK_EQ(150.0 * static_cast<double>(w) - sum, pair.naive.history_sum(std::to_string(f), y));
            });
    }
}

Learner learner(Update update, unsigned min_updates) {
    return Learner({update, 1.0f, min_updates, true}, {2});
}

float weight(const Learner& learner, uint32_t feature, uint32_t output) {
    float result = 0;
    learner.table(0).with_rows([&](const auto& rows) {
        rows.each(learner.table(0).scored_row(feature),
                  [&](uint32_t y, float w, double) { result += y == output ? w : 0; });
    });
    return result;
}

void test_gate_opens_with_history() {
    Learner l = learner(Update::perceptron, 3);
    const uint32_t f = l.table(0).intern(7);
    Violation v;
    for (int update = 1; update <= 3; ++update) {
        CHECK_EQ(l.table(0).active(), 0u);
        v.gold(0, f, 1);
        v.guess(0, f, 0);
        l.present(Lost{v});
    }
    CHECK_EQ(l.table(0).active(), 1u);
    CHECK_EQ(weight(l, f, 1), 3.0f);  // the whole history counts, also in the average: (1 + 2 + 3) / 3
    l.table(0).each_weight(l.averaging_clock(), [&](uint64_t key, uint32_t, uint32_t y, float w) {
        CHECK_EQ(key, 7u);
        CHECK_EQ(w, y == 1 ? 2.0f : -2.0f);
    });
}

void test_cancelling_features_take_no_part() {
    Learner l = learner(Update::perceptron, 1);
    const uint32_t same = l.table(0).intern(1), other = l.table(0).intern(2);
    Violation v;
    v.gold(0, same, 0);
    v.gold(0, other, 1);
    v.guess(0, same, 0);
    v.guess(0, other, 0);
    l.learn(v);
    CHECK_EQ(l.table(0).active(), 1u);
    CHECK_EQ(weight(l, same, 0), 0.0f);
    CHECK_EQ(weight(l, other, 1), 1.0f);
    v.gold(0, same, 0);
    v.guess(0, same, 0);
    l.learn(v);
    CHECK_EQ(l.updates(), 1u);  // the second example was no violation
}

void test_one_update_counts_once() {  // even if the feature occurs several times or with several outputs
    Learner l = learner(Update::perceptron, 2);
    const uint32_t f = l.table(0).intern(1);
    Violation v;
    for (int k = 0; k < 5; ++k) {
        v.gold(0, f, 0);
        v.guess(0, f, 1);
    }
    l.learn(v);
    CHECK_EQ(l.table(0).active(), 0u);
}

void test_pruned_features_are_ignored() {
    Learner l = learner(Update::perceptron, 1);
    Violation v;
    v.gold(0, 0, 1);
    CHECK(v.empty());
}

// Two features, gold 1, guess 0: |phi(gold) - phi(guess)|^2 = 4.
float step(Update update, float loss, double aggressiveness = 1) {
    LearnerOptions options{update, 1.0f, 1, true};
    options.aggressiveness = aggressiveness;
    Learner l(options, {2});
    const uint32_t a = l.table(0).intern(1), b = l.table(0).intern(2);
    Violation v;
    for (uint32_t f : {a, b}) {
        v.gold(0, f, 1);
        v.guess(0, f, 0);
    }
    v.loss = loss;
    l.learn(v);
    CHECK_EQ(weight(l, a, 1), -weight(l, b, 0));
    return weight(l, a, 1);
}

void test_step_size() {
    CHECK_EQ(step(Update::perceptron, 3), 1.0f);
    CHECK_EQ(step(Update::margin, 3), 1.0f);
    CHECK_EQ(step(Update::passive_aggressive, 1), 0.25f);
    CHECK_EQ(step(Update::passive_aggressive, 3), 0.75f);
    CHECK_EQ(step(Update::passive_aggressive, 40), 1.0f);  // the step is at most C = 1
    CHECK_EQ(step(Update::passive_aggressive, 40, 0.5), 0.5f);
    CHECK_EQ(step(Update::passive_aggressive, 1, 0.5), 0.25f);
    CHECK_EQ(step(Update::passive_aggressive, 0), 0.0f);
    CHECK_EQ(learner(Update::perceptron, 1).cost(), 0.0f);
    CHECK_EQ(learner(Update::margin, 1).cost(), 1.0f);
    CHECK_EQ(learner(Update::passive_aggressive, 1).cost(), 1.0f);
}

void test_tables_are_apart() {
    Learner l({Update::perceptron, 1.0f, 1, false}, {2, 100});
    const uint32_t a = l.table(0).intern(5), b = l.table(1).intern(5);
    CHECK_EQ(a, b);
    Violation v;
    v.gold(1, b, 99);
    v.guess(0, a, 1);
    l.learn(v);
    std::vector<std::string> seen;
    for (size_t t = 0; t < 2; ++t)
        l.table(t).each_weight(0, [&](uint64_t, uint32_t, uint32_t y, float w) {
            seen.push_back(std::to_string(t) + " " + std::to_string(y) + " " + std::to_string(static_cast<int>(w)));
        });
    CHECK_EQ(seen, (std::vector<std::string>{"0 1 -1", "1 99 1"}));
}

// Parts in any order come out sorted and summed, however many there are and whether or not they are whole numbers.
void test_violations_are_summed() {
    Random random(11);
    for (const size_t size : {0, 1, 20, 300, 5000})
        for (const float unit : {1.0f, 0.25f}) {
            Violation violation;
            std::map<std::array<uint32_t, 3>, float> sums;  // table, feature, output
            for (size_t k = 0; k < size; ++k) {
                const auto table = static_cast<uint32_t>(random.below(3)),
                           feature = 1 + static_cast<uint32_t>(random.below(50) * (random.chance(2) ? 1 : 70'000'000)),
                           output = static_cast<uint32_t>(random.below(4) * 300);
                const float value = unit * static_cast<float>(random.below(3));
                random.chance(2) ? violation.gold(table, feature, output, value)
                                 : violation.guess(table, feature, output, -value);
                sums[{table, feature, output}] += value;
            }
            violation.condense();
            std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
            CHECK_EQ(violation.parts().size(), sums.size());
            auto part = violation.parts().begin();
            for (const auto& [where, sum] : sums) {
                CHECK_EQ(part->table(), where[0]);
                CHECK_EQ(static_cast<uint32_t>(part->feature()), where[1]);
                CHECK_EQ(part->output(), where[2]);
                CHECK_EQ((part++)->delta, sum);
            }
        }
}

// Adds keys of one kind to an index that starts small. Every added key must be found, and no other.
template <class KeyOf>
void check_index(size_t count, size_t expected, KeyOf&& key_of) {
    BucketIndex index(0, expected);
    std::vector<uint64_t> keys(1);
    std::unordered_map<uint64_t, uint32_t> right;
    const auto find = [&](uint64_t key) { return index.find(key, [&](uint32_t n) { return keys[n] == key; }); };
    for (size_t k = 0; k < count; ++k) {
        const uint64_t key = key_of(k);
        if (right.contains(key)) continue;
        CHECK_EQ(find(key), 0u);
        const auto number = static_cast<uint32_t>(keys.size());
        keys.push_back(key);
        right[key] = number;
        index.insert(key, number, [&](uint32_t n) { return keys[n]; });
        CHECK_EQ(find(key), number);
    }
    for (const auto& [key, number] : right) CHECK_EQ(find(key), number);
    for (const auto& entry : right) {
        const uint64_t key = entry.first;
        for (const uint64_t near :
             {key ^ 1, key ^ uint64_t{1} << 63, key ^ uint64_t{1} << 40, key + (uint64_t{1} << 32)})
            if (!right.contains(near)) CHECK_EQ(find(near), 0u);
    }
}

void test_index() {
    Random random(4);
    for (size_t expected : {0, 100, 20000}) {
        check_index(20000, expected, [&](size_t) { return random.bits(); });
        check_index(1500, expected, [](size_t k) { return k; });  // all keys have the same home bucket
        check_index(1500, expected,
                    [](size_t k) { return static_cast<uint64_t>(k) << 32; });             // and the same fingerprint
        check_index(1500, expected, [](size_t k) { return ~static_cast<uint64_t>(k); });  // the last bucket overflows
        check_index(1500, expected, [](size_t k) { return static_cast<uint64_t>(k) << 53 | 7; });
    }
    check_index(1, 0, [](size_t) { return uint64_t{0}; });
    check_index(20000, 0, [&](size_t k) { return k % 2 ? random.bits() : random.bits() % 500; });
}

// insert_new adds a key that find does not find, and no other.
void test_new_keys() {
    Random random(5);
    constexpr uint32_t count = 20000;
    for (const unsigned shift : {0u, 48u}) {  // keys of which 64 bits are known, and 16
        BucketIndex index(shift, count);
        for (uint32_t number = 1; number <= count; ++number) {
            const uint64_t key = random.bits() >> shift << shift;
            const uint32_t known = index.find(key);
            CHECK_EQ(index.insert_new(key, number) == SIZE_MAX, known != 0);
            CHECK_EQ(index.find(key), known == 0 ? number : known);
        }
    }
}

// Keys that share a bucket by their top bits: interning them would take minutes if the table went by these.
void test_crafted_keys() {
    WeightTable table(1, 1);
    for (uint32_t k = 1; k <= 400000; ++k) CHECK_EQ(table.intern(k), k);
    for (uint32_t k = 1; k <= 400000; ++k) CHECK_EQ(table.find(k), k);
    CHECK_EQ(table.find(400001), 0u);
}

}  // namespace

int main() {
    test_new_keys();
    test_crafted_keys();
    for (const CountUpdates what : {CountUpdates::feature, CountUpdates::weight}) {
        test_equals_naive(4, what);    // dense rows
        test_equals_naive(100, what);  // lists, which become dense when they are long
    }
    test_violations_are_summed();
    test_gate_opens_with_history();
    test_cancelling_features_take_no_part();
    test_one_update_counts_once();
    test_pruned_features_are_ignored();
    test_step_size();
    test_tables_are_apart();
    test_index();
    return check::failures();
}

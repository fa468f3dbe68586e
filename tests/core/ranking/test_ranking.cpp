// Rerankers: the dual form against the primal one, and against the kernel perceptron by its definition, which uses the
// whole kernel matrix and copies all scores after every list.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "check.hpp"
#include "classifying/classifier.hpp"
#include "model/freeze_options.hpp"
#include "random.hpp"
#include "ranking/dual_scorer.hpp"
#include "ranking/dual_trainer.hpp"
#include "ranking/ranker_trainer.hpp"

using namespace sapwood;

namespace {

// Lists of candidates whose features have integer values. One of the features is the base model's score.
struct Lists {
    std::vector<size_t> starts = {0};
    std::vector<double> losses, bases;
    FeatureRows rows;

    Lists(Random& random, size_t lists, size_t most, double base_weight) {
        for (size_t list = 0; list < lists; ++list) {
            for (size_t c = 1 + random.below(most); c > 0; --c) {
                const int score = random.between(-3, 0);
                if (score != 0) rows.add(hash_bytes("score"), static_cast<float>(score));
                for (const char* name : {"a", "b", "c", "d", "e", "f"})
                    if (const int value = random.between(-4, 2); value > 0)
                        rows.add(hash_bytes(name), static_cast<float>(value));
                rows.end_row();
                bases.push_back(base_weight * score);
                losses.push_back(static_cast<double>(random.below(4)));
            }
            starts.push_back(rows.size());
        }
    }
    size_t size() const { return losses.size(); }

    // Makes sure that no two candidates differ only by rounding.
    void part(Random& random) {
        for (double& base : bases) base += static_cast<double>(random.below(1000)) / 1e4;
    }
};

std::shared_ptr<const KernelItems> dot_products(const FeatureRows& rows) {
    return std::make_shared<RowItems>(PolynomialKernel(1, 0), SortedRows(rows), false);
}

struct Naive {
    std::vector<double> last, average, votes;  // [candidates]
    size_t mistakes = 0;
};

// K is [n][n], and the lists are visited in the order of the data.
Naive naive_dual(const Lists& lists, const std::vector<double>& K, const LearnerOptions& options, size_t epochs) {
    const size_t n = lists.size();
    std::vector<double> alphas(n);
    const auto score = [&](size_t c) {
        double sum = lists.bases[c];
        for (size_t j = 0; j < n; ++j) sum += alphas[j] * K[j * n + c];
        return sum;
    };
    Naive result{{}, std::vector<double>(n), std::vector<double>(n)};
    const double seen = static_cast<double>(epochs * (lists.starts.size() - 1));
    for (size_t t = 0; t < epochs * (lists.starts.size() - 1); ++t) {
        const size_t list = t % (lists.starts.size() - 1);
        const size_t begin = lists.starts[list], end = lists.starts[list + 1];
        size_t oracle = begin, guess = begin;
        for (size_t c = begin; c < end; ++c)
            if (lists.losses[c] < lists.losses[oracle] ||
                (lists.losses[c] == lists.losses[oracle] && score(c) > score(oracle)))
                oracle = c;
        const auto competing = [&](size_t c) {
            return score(c) + static_cast<double>(options.cost()) * (lists.losses[c] - lists.losses[oracle]);
        };
        for (size_t c = begin; c < end; ++c)
            if (competing(c) > competing(guess)) guess = c;
        if (lists.losses[guess] > lists.losses[oracle]) {
            ++result.mistakes;
            double step = 1;
            if (options.update == Update::passive_aggressive)
                if (const double norm = K[oracle * n + oracle] - 2 * K[oracle * n + guess] + K[guess * n + guess];
                    norm > 0)
                    step = std::min(1.0, std::max(0.0, (competing(guess) - score(oracle)) / norm));
            alphas[oracle] += step;
            alphas[guess] -= step;
        }
        for (size_t c = 0; c < n; ++c) result.average[c] += score(c) / seen;
        for (size_t k = 0; k + 1 < lists.starts.size(); ++k) {
            size_t best = lists.starts[k];
            for (size_t c = best; c < lists.starts[k + 1]; ++c)
                if (score(c) > score(best)) best = c;
            result.votes[best] += 1 / seen;
        }
    }
    for (size_t c = 0; c < n; ++c) result.last.push_back(score(c));
    return result;
}

std::vector<uint32_t> all_of(size_t n) {
    std::vector<uint32_t> all(n);
    for (uint32_t k = 0; k < n; ++k) all[k] = k;
    return all;
}

// The scores of the training set by weights whose support is among `items`. `subset` selects some of the items.
template <class Subset>
std::vector<double> scores(const Lists& lists, const KernelItems& items, const DualWeights& weights, Subset&& subset,
                           size_t threads = 1) {
    return DualScorer(subset(weights.support), weights).scores(items, lists.starts, lists.bases, threads);
}

DualTrainer trained(const Lists& lists, const std::shared_ptr<const KernelItems>& items, const DualOptions& options,
                    size_t epochs, bool shuffled = false) {
    DualOptions in_order = options;
    in_order.training.shuffled = shuffled;
    DualTrainer trainer(items, lists.starts, lists.losses, lists.bases, in_order);
    for (size_t e = 0; e < epochs; ++e)
        while (!trainer.step(2)) {
        }
    return trainer;
}

// F(x) = G(x) exactly: all numbers are integers, so there is no rounding.
void test_dual_is_primal() {
    Random random(1);
    for (int round = 0; round < 40; ++round) {
        const Lists lists(random, 8, 5, 2);
        const LearnerOptions options{round % 2 ? Update::margin : Update::perceptron, 3, 1, false};
        const TrainingOptions training{options, 1, 7};
        RankerTrainer primal(training);
        primal.add(lists.rows, lists.starts, lists.losses);
        primal.prime(hash_bytes("score"), 2);
        const auto items = dot_products(lists.rows);
        DualTrainer dual(items, lists.starts, lists.losses, lists.bases, {training, false, 1 << 20});
        for (int epoch = 0; epoch < 4; ++epoch) {
            CHECK(primal.step(100));
            CHECK(dual.step(100));
            CHECK_EQ(primal.progress().mistakes, dual.progress().mistakes);
        }
        const PackedModel packed = primal.freeze({32, 0.0});
        const Classifier f(2, packed.tables, 32, packed.scale);
        const DualWeights weights = dual.freeze();
        CHECK_EQ(dual.progress().features, weights.support.size());
        const auto g = scores(lists, *items, weights, [&](const std::vector<uint32_t>& support) {
            return dot_products(lists.rows.select({support.begin(), support.end()}));
        });
        Classifier::Workspace workspace;
        for (size_t c = 0; c < lists.size(); ++c) {
            double both[2];
            f.score(lists.rows, c, workspace, both);
            CHECK_EQ(both[1], g[c]);
        }
    }
}

// Compares last, averaged and voted scores for each kind of update and any kernel.
template <class Subset>
void check_forms(const Lists& lists, const std::shared_ptr<const KernelItems>& items, const std::vector<double>& K,
                 double tolerance, Subset&& subset) {
    for (const Update update : {Update::perceptron, Update::margin, Update::passive_aggressive}) {
        const LearnerOptions last{update, 0.25f, 1, false}, averaged{update, 0.25f, 1, true};
        const Naive naive = naive_dual(lists, K, last, 3);
        const auto check = [&](const DualTrainer& trainer, const std::vector<double>& expected) {
            const auto g = scores(lists, *items, trainer.freeze(), subset, 2);
            for (size_t c = 0; c < lists.size(); ++c)
                CHECK(std::abs(g[c] - expected[c]) <= tolerance * std::max(1.0, std::abs(expected[c])));
        };
        check(trained(lists, items, {{last}, false, 1 << 20}, 3), naive.last);
        check(trained(lists, items, {{averaged, 1, 1, true, false, 1, 2}, false, 1 << 20}, 3), naive.average);
        check(trained(lists, items, {{averaged}, true, 1}, 3), naive.votes);
    }
}

void test_forms_of_the_dot_product() {
    Random random(2);
    for (int round = 0; round < 30; ++round) {
        Lists lists(random, 6, 4, 1);
        lists.part(random);
        const auto items = dot_products(lists.rows);
        const SortedRows rows(lists.rows);
        check_forms(lists, items, gram(PolynomialKernel(1, 0), rows, rows, false, 1), 1e-9,
                    [&](const std::vector<uint32_t>& support) {
                        return dot_products(lists.rows.select({support.begin(), support.end()}));
                    });
    }
}

std::string random_tree(Random& random, size_t levels) {
    const std::string label(1, "ABC"[random.below(3)]);
    if (levels == 0 || random.chance(4)) return "(" + label + " " + "xyz"[random.below(3)] + ")";
    std::string text = "(" + label;
    for (size_t k = 1 + random.below(3); k > 0; --k) text += " " + random_tree(random, levels - 1);
    return text + ")";
}

void test_forms_of_trees() {
    Random random(3);
    for (int round = 0; round < 30; ++round) {
        Lists lists(random, 6, 4, 0.2);
        lists.part(random);
        Symbols symbols;
        Productions productions;
        std::vector<KernelTree> trees;
        for (size_t c = 0; c < lists.size(); ++c)
            trees.emplace_back(read_trees(random_tree(random, 3), "x", 1, symbols)[0], productions);
        const auto items = std::make_shared<TreeItems>(TreeKernel(0.4), trees, true);
        check_forms(lists, items, gram(TreeKernel(0.4), trees, trees, true, 1), 1e-9,
                    [&](const std::vector<uint32_t>& support) {
                        std::vector<KernelTree> some;
                        for (uint32_t k : support) some.push_back(trees[k]);
                        return std::make_shared<TreeItems>(TreeKernel(0.4), some, true);
                    });
    }
}

void test_forms_of_sequences() {
    Random random(4);
    for (int round = 0; round < 30; ++round) {
        Lists lists(random, 6, 4, 0.2);
        lists.part(random);
        std::vector<SubsequenceKernel::Item> sequences(lists.size());
        for (auto& sequence : sequences)
            for (size_t k = random.below(9); k > 0; --k) sequence.push_back(static_cast<uint32_t>(random.below(4)));
        const SubsequenceKernel kernel(2, 0.5);
        const auto items = std::make_shared<SequenceItems>(kernel, sequences, true);
        std::vector<double> K = gram(kernel, sequences, sequences, true, 1);
        for (double& k : K) k = static_cast<float>(k);  // the cache stores floats; a model computes scores in double
        check_forms(lists, items, K, 1e-5, [&](const std::vector<uint32_t>& support) {
            std::vector<SubsequenceKernel::Item> some;
            for (uint32_t k : support) some.push_back(sequences[k]);
            return std::make_shared<SequenceItems>(kernel, some, true);
        });
    }
}

void test_cache() {
    Random random(5);
    const Lists lists(random, 60, 6, 1);
    const auto items = dot_products(lists.rows);
    const size_t row = lists.size() * sizeof(float);
    CachedSum whole(*items, lists.size() * row, 1), two(*items, 2 * row, 3), least(*items, 1, 1);
    for (int k = 0; k < 300; ++k) {
        const size_t item = random.below(5);
        const double alpha = random.between(-2, 2);
        for (CachedSum* sum : {&whole, &two, &least}) sum->add(item, alpha);
    }
    CHECK_EQ(whole.computed(), 5u);
    CHECK(two.computed() > 5);
    CHECK(least.computed() > two.computed());
    for (size_t c = 0; c < lists.size(); ++c) {
        CHECK_EQ(whole.score(c), two.score(c));
        CHECK_EQ(whole.score(c), least.score(c));
    }
    // The cache keeps the rows used last: 0 1 0 2 0 computes three rows, not five.
    CachedSum order(*items, 2 * row, 1);
    for (const size_t item : {0, 1, 0, 2, 0}) order.add(item, 1);
    CHECK_EQ(order.computed(), 3u);
}

// With two lists, the first update happens at the first list and the second update at the third, so the weight vectors
// last for 0, 2 and 2 lists.
void test_votes_by_eye() {
    FeatureRows rows;
    for (const char* name : {"a", "b", "c", "d"}) rows.add(hash_bytes(name), 1), rows.end_row();
    const auto items = dot_products(rows);
    DualWeights weights;
    weights.voted = true;
    weights.support = all_of(4);
    weights.updates = {{1, 0, 1, 0}, {2, 3, 1, 2}, {0, 1, 5, 3}};
    weights.clock = 4;
    const auto votes = DualScorer(items, weights).scores(*items, {0, 2, 4}, {0, 0, 0, 0.5}, 1);
    // the first vector lasts for 0 of 4 lists, the others for 2, 1 and 1
    CHECK_EQ(votes, (std::vector<double>{0.25, 0.75, 0.5, 0.5}));
}

void test_refusals() {
    FeatureRows rows;
    rows.add(hash_bytes("a"), 1);
    rows.end_row();
    const auto items = dot_products(rows);
    const auto scorer = [&](DualWeights weights) { return DualScorer(items, std::move(weights)); };
    const double nan = std::nan("");
    CHECK_THROWS(DataError, "1 support candidates, but 0 alphas", scorer({false, {}, {}, {}, 1}));
    CHECK_THROWS(DataError, "an alpha is not a number up to 1e100", scorer({false, {}, {nan}, {}, 1}));
    CHECK_THROWS(DataError, "an alpha is not a number up to 1e100", scorer({false, {}, {1e101}, {}, 1}));
    CHECK_THROWS(DataError, "clock is 0", scorer({false, {}, {1}, {}, 0}));
    CHECK_THROWS(DataError, "not there", scorer({true, {}, {}, {{0, 1, 1, 0}}, 1}));
    CHECK_THROWS(DataError, "the step of an update is not a number up to 1e100",
                 scorer({true, {}, {}, {{0, 0, nan, 0}}, 1}));
    CHECK_THROWS(DataError, "order of their times", scorer({true, {}, {}, {{0, 0, 1, 1}, {0, 0, 1, 0}}, 2}));
    CHECK_THROWS(DataError, "order of their times", scorer({true, {}, {}, {{0, 0, 1, 1}}, 1}));
    CHECK_THROWS(DataError, "differ in number", DualTrainer(items, {0, 2}, {0}, {0}, {}));
    CHECK_THROWS(DataError, "differ in number", DualTrainer(items, {0, 1}, {0}, {0, 1}, {}));
    CHECK_THROWS(DataError, "finite", DualTrainer(items, {0, 1}, {nan}, {0}, {}));
    const DualScorer good = scorer({false, {}, {1}, {}, 1});
    CHECK_THROWS(DataError, "differ in number", good.scores(*items, {0, 2}, {0}, 1));
    const SequenceItems other(SubsequenceKernel(1, 1), {{1}}, true);
    CHECK_THROWS(DataError, "another kernel", good.scores(other, {0, 1}, {0}, 1));
    CHECK_EQ(good.scores(*items, {0, 0, 1}, {0.5}, 1), std::vector<double>{1.5});
}

}  // namespace

int main() {
    test_dual_is_primal();
    test_forms_of_the_dot_product();
    test_forms_of_trees();
    test_forms_of_sequences();
    test_cache();
    test_votes_by_eye();
    test_refusals();
    return check::failures();
}

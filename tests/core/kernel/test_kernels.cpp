// Kernels: trees, sums of trees, subsequences, polynomials; Gram matrices.
#include <cmath>
#include <map>
#include <span>

#include "base/errors.hpp"
#include "check.hpp"
#include "kernel/gram.hpp"
#include "kernel/polynomial_kernel.hpp"
#include "kernel/subsequence_kernel.hpp"
#include "kernel/tree_kernel.hpp"
#include "kernel/tree_sum.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

bool close(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

struct Trees {
    Symbols symbols;
    Productions productions;
    std::vector<PhraseTree> plain;
    std::vector<KernelTree> kernel;

    void add(const std::string& text) {
        for (const PhraseTree& tree : read_trees(text, "trees", 1, symbols)) {
            plain.push_back(tree);
            kernel.emplace_back(tree, productions);
        }
    }
    std::vector<AllPairsKernel::Item> items() {
        std::vector<AllPairsKernel::Item> all;
        for (const PhraseTree& tree : plain) all.emplace_back(tree, productions);
        return all;
    }
};

// Trees of few labels and words, so that many productions are equal.
std::string random_tree(Random& random, size_t levels) {
    const std::string label(1, "ABC"[random.below(3)]);
    if (levels == 0 || random.chance(3)) return "(" + label + " " + "xy"[random.below(2)] + ")";
    std::string text = "(" + label;
    for (size_t k = 1 + random.below(3); k > 0; --k) text += " " + random_tree(random, levels - 1);
    return text + ")";
}

// Candidates for one sentence: copies of a tree in which a few labels are changed.
std::string variant(Random& random, std::string tree) {
    for (size_t k = 0; k + 1 < tree.size(); ++k)
        if (tree[k] == '(' && random.chance(12)) tree[k + 1] = "ABC"[random.below(3)];
    return tree;
}

double kernel(const TreeKernel& kernel, const KernelTree& a, const KernelTree& b) {
    TreeKernel::Row row(kernel);
    row.fix(a);
    return row(b);
}

void test_tree_by_eye() {
    Trees trees;
    trees.add("(NP (DT the) (NN dog)) (NP (DT the) (NN cat)) (DT the) (NP (DT the) (NN the) (NN dog)) ()");
    const TreeKernel half(0.5);
    // the fragments DT -> the, NP -> DT NN, and their combination
    CHECK_EQ(kernel(half, trees.kernel[0], trees.kernel[1]), 0.5 + 0.5 + 0.25);
    CHECK_EQ(kernel(half, trees.kernel[0], trees.kernel[2]), 0.5);
    CHECK_EQ(kernel(half, trees.kernel[0], trees.kernel[3]), 0.5 + 0.5);
    CHECK_EQ(kernel(half, trees.kernel[0], trees.kernel[4]), 0.0);  // a sentence without a tree
    CHECK_EQ(kernel(half, trees.kernel[4], trees.kernel[4]), 0.0);
    CHECK_EQ(trees.kernel[3].tags.size(), 3u);
    CHECK_EQ(trees.kernel[3].nodes.size(), 1u);
    CHECK_EQ(trees.kernel[2].nodes.size(), 0u);
}

void test_tree_against_all_pairs() {
    Random random(1);
    for (int round = 0; round < 60; ++round) {
        Trees trees;
        for (int k = 0; k < 8; ++k) trees.add(random_tree(random, random.below(7)));
        const double decay = 0.1 * random.between(1, 10);
        const auto items = trees.items();
        const auto fast = gram(TreeKernel(decay), trees.kernel, trees.kernel, false, 1);
        const auto slow = gram(AllPairsKernel(decay), items, items, false, 1);
        for (size_t k = 0; k < fast.size(); ++k) CHECK(close(fast[k] / slow[k], 1) || fast[k] == slow[k]);
    }
}

// Trees that are too deep for recursion, in which each node has a different production.
PhraseTree chain(uint32_t levels) {
    PhraseTree tree;
    for (uint32_t k = 0; k < levels; ++k) tree.nodes.push_back({k, PhraseTree::kNoWord, levels + 1, 0, 1});
    tree.nodes.push_back({levels, 0, levels + 1, 0, 1});
    return tree;
}

void test_deep() {
    Productions productions;
    const KernelTree deep(chain(300000), productions);
    // C = 0.5 (1 + C of the child), and C = 0.5 for the tag
    double c = 0.5, sum = 0.5;
    for (int k = 0; k < 300000; ++k) sum += c = 0.5 * (1 + c);
    CHECK(close(kernel(TreeKernel(0.5), deep, deep) / sum, 1));

    const KernelTree one(chain(3000), productions);
    TreeSum total(TreeKernel(0.5), true);
    total.add(one, 2);
    double score = 0;
    TreeSum::Workspace workspace(total);
    total.score(std::span(&one, 1), workspace, &score);
    CHECK(close(score, 2));
}

void test_sum() {
    Random random(2);
    for (int round = 0; round < 60; ++round) {
        const bool normalise = random.chance(2);
        const TreeKernel tree_kernel(0.1 * random.between(1, 10));
        TreeSum total(tree_kernel, normalise);
        Trees trees;
        std::vector<double> alphas;
        const std::string sentence = random_tree(random, 5);
        for (int k = 0; k < 12; ++k) {
            trees.add(variant(random, k < 8 ? sentence : random_tree(random, 5)));
            alphas.push_back(random.between(-2, 2));
            total.add(trees.kernel.back(), alphas.back());
        }
        // Some trees are subtracted again, and one tree with unknown productions is never added.
        for (int k = 0; k < 3; ++k) {
            total.add(trees.kernel[k], -alphas[k]);
            alphas[k] = 0;
        }
        trees.add("(D (A x) (E z))");
        std::vector<double> scores(trees.kernel.size());
        TreeSum::Workspace workspace(total);
        for (int again = 0; again < 2; ++again) {
            total.score(trees.kernel, workspace, scores.data());
            for (size_t i = 0; i < scores.size(); ++i) {
                double naive = 0;
                for (size_t j = 0; j < alphas.size(); ++j) {
                    double k = kernel(tree_kernel, trees.kernel[j], trees.kernel[i]);
                    if (normalise)
                        k /= std::sqrt(kernel(tree_kernel, trees.kernel[i], trees.kernel[i]) *
                                       kernel(tree_kernel, trees.kernel[j], trees.kernel[j]));
                    naive += alphas[j] * k;
                }
                CHECK(close(scores[i], naive));
            }
        }
    }
}

void test_sum_shares_and_cancels() {
    Trees trees;
    trees.add("(S (NP (D a) (N b)) (VP (V c) (NP (D a) (N b)))) (S (NP (D a) (N b)) (VP (V c)))");
    TreeSum total(TreeKernel(0.4), false);
    total.add(trees.kernel[0], 1);
    CHECK_EQ(total.size(), 3u);  // S, NP (twice in the tree), VP
    total.add(trees.kernel[1], -1);
    CHECK_EQ(total.size(), 5u);  // NP is in both trees, with different counts
    total.add(trees.kernel[1], -1);
    CHECK_EQ(total.size(), 4u);
    total.add(trees.kernel[0], -1);
    total.add(trees.kernel[1], 2);
    CHECK_EQ(total.size(), 0u);
    std::vector<double> scores(2, 1);
    TreeSum::Workspace workspace(total);
    total.score(trees.kernel, workspace, scores.data());
    CHECK_EQ(scores, (std::vector<double>{0, 0}));
}

// The sum over pairs of equal subsequences of decay^(span in s + span in t).
double naive_subsequences(const std::vector<uint32_t>& s, const std::vector<uint32_t>& t, size_t n, double decay) {
    const auto all = [&](const std::vector<uint32_t>& from) {
        std::map<std::vector<uint32_t>, double> found;
        for (uint32_t mask = 1; mask < 1u << from.size(); ++mask) {
            std::vector<uint32_t> u;
            size_t first = from.size(), last = 0;
            for (size_t k = 0; k < from.size(); ++k)
                if (mask >> k & 1) {
                    u.push_back(from[k]);
                    first = std::min(first, k);
                    last = k;
                }
            if (u.size() == n) found[u] += std::pow(decay, last - first + 1);
        }
        return found;
    };
    const auto a = all(s), b = all(t);
    double sum = 0;
    for (const auto& [u, value] : a)
        if (const auto at = b.find(u); at != b.end()) sum += value * at->second;
    return sum;
}

void test_subsequences() {
    const std::vector<SubsequenceKernel::Item> lodhi = {{'c', 'a', 't'}, {'c', 'a', 'r'}};
    const auto cells = gram(SubsequenceKernel(2, 0.5), lodhi, lodhi, false, 1);
    CHECK_EQ(cells[1], std::pow(0.5, 4));
    CHECK_EQ(cells[0], 2 * std::pow(0.5, 4) + std::pow(0.5, 6));
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        std::vector<SubsequenceKernel::Item> texts(2);
        for (auto& text : texts)
            for (size_t k = random.below(9); k > 0; --k) text.push_back(static_cast<uint32_t>(random.below(3)));
        const size_t n = 1 + random.below(5);
        const double decay = 0.1 * random.between(1, 10);
        SubsequenceKernel::Row row(SubsequenceKernel(n, decay));
        row.fix(texts[0]);
        const double slow = naive_subsequences(texts[0], texts[1], n, decay);
        CHECK(std::abs(row(texts[1]) - slow) <= 1e-12 * slow);
    }
}

void test_polynomial() {
    FeatureRows rows;
    rows.add(9, 2);
    rows.add(3, 1);
    rows.end_row();
    rows.add(3, 0.5);
    rows.add(5, 7);
    rows.add(9, 1);
    rows.add(9, 3);
    rows.end_row();
    rows.end_row();
    const SortedRows sorted(rows);
    // (2, 1) . (1 + 3, 0.5)
    CHECK_EQ(gram(PolynomialKernel(2, 1), sorted, sorted, false, 1),
             (std::vector<double>{36, 90.25, 1, 90.25, 66.25 * 66.25, 1, 1, 1, 1}));
    CHECK_EQ(gram(PolynomialKernel(1, 0), sorted, sorted, true, 1)[8], 0.0);  // 0 / 0
}

void test_gram_threads() {
    Random random(4);
    Trees trees;
    for (int k = 0; k < 90; ++k) trees.add(random_tree(random, 4));
    const std::vector<KernelTree> first(trees.kernel.begin(), trees.kernel.begin() + 35);
    const TreeKernel tree_kernel(0.4);
    const auto square = gram(tree_kernel, trees.kernel, trees.kernel, true, 1);
    const auto wide = gram(tree_kernel, first, trees.kernel, true, 1);
    for (size_t threads : {2, 4, 7}) {
        CHECK_EQ(gram(tree_kernel, trees.kernel, trees.kernel, true, threads), square);
        CHECK_EQ(gram(tree_kernel, first, trees.kernel, true, threads), wide);
    }
    for (size_t i = 0; i < 35; ++i)
        for (size_t j = 0; j < 90; ++j) {
            CHECK(close(wide[i * 90 + j], square[i * 90 + j]));
            CHECK_EQ(square[i * 90 + j], square[j * 90 + i]);
        }
    CHECK_THROWS(DataError, "the kernel of examples 1 and 1 is larger than a number can be",
                 gram(SubsequenceKernel(300, 1.0), std::vector(1, SubsequenceKernel::Item(700)),
                      std::vector(1, SubsequenceKernel::Item(700)), true, 2));
}

}  // namespace

int main() {
    test_tree_by_eye();
    test_tree_against_all_pairs();
    test_deep();
    test_sum();
    test_sum_shares_and_cancels();
    test_subsequences();
    test_polynomial();
    test_gram_threads();
    return check::failures();
}

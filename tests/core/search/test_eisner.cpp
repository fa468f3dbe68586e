// Projective parsers against enumeration of all projective trees.
#include <algorithm>
#include <array>
#include <set>

#include "check.hpp"
#include "naive_trees.hpp"
#include "random.hpp"
#include "search/eisner.hpp"
#include "search/eisner_siblings.hpp"

using namespace sapwood;

namespace {

constexpr size_t kMost = 6;  // the longest sentences whose trees are enumerated

// All projective trees, [single_root][n].
std::array<std::vector<std::vector<Heads>>, 2> all_trees;

// Random scores, exact also in float because they are multiples of 1/8. About one in `forbidden` is forbidden; 0: none.
template <class S>
std::vector<S> random_scores(Random& random, size_t cells, int largest, size_t forbidden) {
    std::vector<S> scores(cells);
    for (S& score : scores) {
        score = static_cast<S>(random.between(-largest, largest)) / (std::is_same_v<S, float> ? 8 : 1);
        if (forbidden && random.chance(forbidden)) score = kForbidden<S>;
    }
    return scores;
}

template <class S>
struct Arcs {
    size_t n;
    std::vector<S> score;  // [n + 1][n + 1]

    Arcs(Random& random, size_t words, int largest, size_t forbidden)
        : n(words), score(random_scores<S>(random, (words + 1) * (words + 1), largest, forbidden)) {
        for (size_t m = 1; m <= n; ++m)
            for (const size_t h : {size_t{0}, m - 1, m + 1})  // these are always allowed
                if (h <= n && at(h, m) == kForbidden<S>) score[h * (n + 1) + m] = 0;
    }
    S at(size_t h, size_t m) const { return score[h * (n + 1) + m]; }
    double of(const Heads& heads) const {
        double sum = 0;
        for (size_t m = 1; m <= n; ++m) sum += part_score(at(heads[m], m));
        return sum;
    }
};

// Scores of all trees without forbidden parts, best first.
template <class Score>
std::vector<double> scores_of(const std::vector<Heads>& trees, Score&& score) {
    std::vector<double> scores;
    for (const Heads& heads : trees)
        if (const double value = score(heads); value != kImpossible) scores.push_back(value);
    std::sort(scores.rbegin(), scores.rend());
    return scores;
}

void check_tree(const Tree& tree, size_t n, bool single_root) {
    CHECK_EQ(tree.words(), n);
    CHECK_EQ(tree.labels.size(), n + 1);
    CHECK(projective_tree(tree.heads));
    CHECK(root_children(tree.heads) > 0);
    if (single_root) CHECK_EQ(root_children(tree.heads), 1u);
}

// The enumeration has the known numbers of projective trees: those of ternary trees and of pairs of them.
void test_enumeration() {
    const std::vector<size_t> all = {1, 1, 3, 12, 55, 273, 1428}, single = {0, 1, 2, 7, 30, 143, 728};
    for (size_t n = 1; n <= kMost; ++n) {
        CHECK_EQ(all_trees[0][n].size(), all[n]);
        CHECK_EQ(all_trees[1][n].size(), single[n]);
    }
}

template <class S>
void test_order_1() {
    Random random(1);
    Eisner<S> eisner;  // one object for all sentences, because its scratch must not leak into the next sentence
    for (int round = 0; round < 600; ++round) {
        const size_t n = random.below(kMost) + 1;
        const bool single_root = random.chance(2);
        const int largest = round % 3 == 0 ? 1 : 100;  // small numbers make many ties
        const Arcs<S> arcs(random, n, largest, round % 4 == 0 ? 3 : 0);
        const std::vector<Heads>& trees = all_trees[single_root][n];
        const std::vector<double> right = scores_of(trees, [&](const Heads& heads) { return arcs.of(heads); });

        Tree best;
        CHECK_EQ(eisner.best(arcs.score.data(), n, single_root, best), right[0]);
        check_tree(best, n, single_root);
        CHECK_EQ(arcs.of(best.heads), right[0]);
        CHECK_EQ(tree_score(arcs.score.data(), best), right[0]);

        const size_t count = random.chance(2) ? random.below(12) : random.below(2 * right.size());
        std::vector<Tree> found;
        std::vector<double> scores;
        eisner.n_best(arcs.score.data(), n, single_root, count, found, scores);
        CHECK_EQ(found.size(), std::min(count, right.size()));
        CHECK_EQ(scores.size(), found.size());
        std::set<Heads> different;
        for (size_t k = 0; k < found.size(); ++k) {
            check_tree(found[k], n, single_root);
            CHECK_EQ(scores[k], right[k]);
            CHECK_EQ(arcs.of(found[k].heads), right[k]);
            different.insert(found[k].heads);
        }
        CHECK_EQ(different.size(), found.size());  // no tree occurs twice
        if (!found.empty()) CHECK_EQ(found[0].heads, best.heads);
    }
}

// The cuts of a tree's derivation, which are its place among trees that score the same.
void add_cuts(const std::vector<DerivedItem>& derived, uint32_t at, std::vector<uint32_t>& cuts) {
    const auto& [item, k, a, b] = derived[at];
    if (item.w == 0) return;
    cuts.push_back(k);
    add_cuts(derived, a, cuts);
    add_cuts(derived, b, cuts);
}

// Gold against all other trees, of which each has the cost added.
template <class S>
void test_against_gold() {
    Random random(3);
    Eisner<S> eisner;
    DerivedTree derived;
    for (int round = 0; round < 600; ++round) {
        const size_t n = random.below(kMost - 1) + 1;
        const bool single_root = random.chance(2);
        const Arcs<S> arcs(random, n, round % 3 == 0 ? 100 : 2, 0);
        const Item whole{single_root ? kGoal : kCompleteRight, 0, static_cast<uint32_t>(n)};
        std::vector<std::pair<std::vector<uint32_t>, Heads>> trees;
        for (const Heads& heads : all_trees[single_root][n]) {
            Tree tree;
            tree.resize(n);
            tree.heads = heads;
            trees.push_back({{}, heads});
            add_cuts(derived.derive(tree, whole), 0, trees.back().first);
        }
        std::sort(trees.begin(), trees.end());
        for (size_t k = 1; k < trees.size(); ++k) CHECK(trees[k - 1].first != trees[k].first);
        Tree gold, found, best;
        gold.resize(n);
        gold.heads = trees[random.below(trees.size())].second;
        const double cost = static_cast<double>(random.below(4)) * 3 / 8;
        const Heads* right = nullptr;
        double most = kImpossible;
        for (const auto& [cuts, heads] : trees)
            if (const double score = arcs.of(heads) + (heads != gold.heads) * cost; score > most)
                most = score, right = &heads;
        CHECK_EQ(eisner.best_against(arcs.score.data(), n, single_root, gold, cost, found), most);
        check_tree(found, n, single_root);
        CHECK_EQ(found.heads, *right);
        eisner.best(arcs.score.data(), n, single_root, best);
        if (cost == 0) CHECK_EQ(found.heads, best.heads);
    }
}

// The sibling parts [h][c][m] of a sentence; c = h means that there is no sibling.
template <class S>
struct SiblingParts {
    size_t n;
    std::vector<S> score;  // [n + 1][n + 1][n + 1]

    SiblingParts(Random& random, size_t words, int largest, size_t forbidden)
        : n(words), score(random_scores<S>(random, (n + 1) * (n + 1) * (n + 1), largest, forbidden)) {}
    S at(size_t h, size_t c, size_t m) const { return score[(h * (n + 1) + c) * (n + 1) + m]; }
    void operator()(size_t h, size_t m, S* out) const {
        CHECK(h <= n && m >= 1 && m <= n && h != m);
        const size_t distance = h < m ? m - h : h - m;
        for (size_t d = 0; d < distance; ++d) out[d] = at(h, h < m ? h + d : h - d, m);
    }
    double of(const Heads& heads) const {
        double sum = 0;
        for (size_t h = 0; h <= n; ++h) {
            size_t before = h;
            for (size_t m = h + 1; m <= n; ++m)
                if (heads[m] == h) sum += part_score(at(h, before, m)), before = m;
            before = h;
            for (size_t m = h; m-- > 1;)
                if (heads[m] == h) sum += part_score(at(h, before, m)), before = m;
        }
        return sum;
    }
};

template <class S>
void test_siblings() {
    Random random(4);
    SiblingEisner<S> eisner;
    for (int round = 0; round < 600; ++round) {
        const size_t n = random.below(kMost) + 1;
        const bool single_root = random.chance(2);
        const int largest = round % 3 == 0 ? 1 : 100;
        const Arcs<S> arcs(random, n, largest, round % 4 == 0 ? 3 : 0);
        const SiblingParts<S> siblings(random, n, largest, round % 5 == 0 ? 8 : 0);
        const auto score = [&](const Heads& heads) { return arcs.of(heads) + siblings.of(heads); };
        const std::vector<double> right = scores_of(all_trees[single_root][n], score);

        Tree best;
        const double found = eisner.best(arcs.score.data(), siblings, n, single_root, best);
        check_tree(best, n, single_root);
        if (right.empty()) {  // every tree has forbidden siblings
            CHECK_EQ(found, kImpossible);
            continue;
        }
        CHECK_EQ(found, right[0]);
        CHECK_EQ(score(best.heads), right[0]);
        CHECK_EQ(tree_score(arcs.score.data(), siblings, best), right[0]);
    }
}

// Word 2 of 5 has the children 1, 3 and 5: each part is added once, and forbidden arcs are never used.
void test_sibling_parts_by_eye() {
    const size_t n = 5;
    std::vector<int32_t> arc((n + 1) * (n + 1), kForbidden<int32_t>);
    const auto allow = [&](size_t h, size_t m) { arc[h * (n + 1) + m] = 1; };
    allow(0, 2), allow(2, 1), allow(2, 3), allow(2, 5), allow(5, 4), allow(3, 4);
    std::vector<std::vector<size_t>> asked;
    const auto siblings = [&](size_t h, size_t m, int32_t* out) {
        asked.push_back({h, m});
        std::fill_n(out, h < m ? m - h : h - m, 0);
        if (h == 2 && m == 5) out[0] = 100, out[1] = 20, out[2] = 100;  // inner sibling: none, 3 and 4
        if (h == 5 && m == 4) out[0] = 7;
    };
    SiblingEisner<int32_t> eisner;
    Tree tree;
    for (const bool single_root : {false, true}) {
        asked.clear();
        CHECK_EQ(eisner.best(arc.data(), siblings, n, single_root, tree), 5.0 + 20 + 7);
        CHECK_EQ(tree.heads, (Heads{0, 2, 0, 2, 5, 2}));
        CHECK_EQ(asked.size(), 6u + (single_root ? 4 : 5));
    }
}

// The trees are in the right order even if sums of scores are rounded.
void test_n_best_with_rounding() {
    Random random(2);
    Eisner<float> eisner;
    for (int round = 0; round < 20; ++round) {
        const size_t n = 25;
        std::vector<float> arc((n + 1) * (n + 1));
        for (float& score : arc) score = static_cast<float>(random.between(0, 30)) / 7;
        std::vector<Tree> trees;
        std::vector<double> scores;
        eisner.n_best(arc.data(), n, round % 2, 300, trees, scores);
        CHECK_EQ(trees.size(), 300u);
        std::set<Heads> different;
        for (size_t k = 0; k < trees.size(); ++k) {
            check_tree(trees[k], n, round % 2);
            CHECK(k == 0 || scores[k] <= scores[k - 1]);
            CHECK(std::abs(tree_score(arc.data(), trees[k]) - scores[k]) < 1e-9);
            different.insert(trees[k].heads);
        }
        CHECK_EQ(different.size(), trees.size());
    }
}

void test_no_words() {
    const int32_t arc = 7;
    Eisner<int32_t> eisner;
    Tree tree;
    std::vector<Tree> trees;
    std::vector<double> scores;
    for (const bool single_root : {false, true}) {
        CHECK_EQ(eisner.best(&arc, 0, single_root, tree), 0.0);
        CHECK_EQ(tree.words(), 0u);
        eisner.n_best(&arc, 0, single_root, 5, trees, scores);
        CHECK_EQ(trees.size(), 1u);
        SiblingEisner<int32_t> siblings;
        const auto no_parts = [](size_t, size_t, int32_t*) {};
        CHECK_EQ(siblings.best(&arc, no_parts, 0, single_root, tree), 0.0);
    }
}

// If all cuts are equally good, the leftmost r wins, so the head of each word but the last is its right neighbour.
void test_ties_go_to_the_leftmost_cut() {
    const std::vector<int32_t> arc(25, 0);
    Eisner<int32_t> eisner;
    Tree tree;
    eisner.best(arc.data(), 4, false, tree);
    CHECK_EQ(tree.heads, (Heads{0, 0, 1, 2, 3}));
    eisner.best(arc.data(), 4, true, tree);
    CHECK_EQ(tree.heads, (Heads{0, 0, 1, 2, 3}));
}

// Sums far beyond int32, and forbidden arcs that must not wrap around.
void test_extreme_scores() {
    Eisner<int32_t> eisner;
    SiblingEisner<int32_t> with_siblings;
    Tree tree;
    const size_t n = 60;
    for (const int32_t score : {std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min() + 1}) {
        const std::vector<int32_t> arc((n + 1) * (n + 1), score);
        for (const bool single_root : {false, true}) {
            CHECK_EQ(eisner.best(arc.data(), n, single_root, tree), 60.0 * score);
            check_tree(tree, n, single_root);
            const auto siblings = [&](size_t h, size_t m, int32_t* out) {
                std::fill_n(out, h < m ? m - h : h - m, score);
            };
            CHECK_EQ(with_siblings.best(arc.data(), siblings, n, single_root, tree), 120.0 * score);
            check_tree(tree, n, single_root);
        }
    }
    std::vector<int32_t> arc((n + 1) * (n + 1), kForbidden<int32_t>);
    for (size_t m = 1; m <= n; ++m) arc[m] = arc[(m - 1) * (n + 1) + m] = std::numeric_limits<int32_t>::min() + 1;
    std::vector<Tree> trees;
    std::vector<double> scores;
    eisner.n_best(arc.data(), n, true, 5, trees, scores);
    CHECK_EQ(trees.size(), 1u);  // the chain; the other trees have a forbidden arc
    Heads chain(n + 1, 0);
    for (uint32_t m = 1; m <= n; ++m) chain[m] = m - 1;
    CHECK_EQ(trees.at(0).heads, chain);
}

// Lengths for every way to cut the rows of a chart into blocks; the longest also uses groups of widths.
void test_longer_sentences() {
    Random random(6);
    Eisner<int32_t> eisner;
    SiblingEisner<int32_t> with_siblings;
    const auto no_parts = [](size_t h, size_t m, int32_t* out) { std::fill_n(out, h < m ? m - h : h - m, 0); };
    for (const size_t n : {15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 410}) {
        const Arcs<int32_t> arcs(random, n, 1000000, n % 2 ? 3 : 0);
        const double right = naive_eisner(n, [&](size_t h, size_t m) { return part_score(arcs.at(h, m)); });
        Tree tree;
        CHECK_EQ(eisner.best(arcs.score.data(), n, false, tree), right);
        check_tree(tree, n, false);
        CHECK_EQ(arcs.of(tree.heads), right);
        if (n > 100) continue;
        CHECK_EQ(with_siblings.best(arcs.score.data(), no_parts, n, false, tree), right);
        CHECK_EQ(arcs.of(tree.heads), right);
    }
}

// A long sentence whose best tree is known: arcs of a random projective tree have score 1, all others 0.
Heads random_projective_tree(Random& random, size_t n) {
    Heads heads(n + 1, 0);
    std::vector<uint32_t> path = {0};  // the right edge of the tree so far
    for (uint32_t m = 1; m <= n; ++m) {
        while (path.size() > 2 && random.chance(2)) path.pop_back();
        heads[m] = path.back();
        path.push_back(m);
    }
    return heads;
}

void test_long_sentence() {
    Random random(3);
#ifdef SAPWOOD_SANITIZED
    const size_t n = 600;
#else
    const size_t n = 2000;
#endif
    const Heads gold = random_projective_tree(random, n);
    std::vector<float> arc((n + 1) * (n + 1), 0);
    for (size_t m = 1; m <= n; ++m) arc[gold[m] * (n + 1) + m] = 1;
    Eisner<float> eisner;
    Tree tree;
    CHECK_EQ(eisner.best(arc.data(), n, true, tree), static_cast<double>(n));
    CHECK_EQ(tree.heads, gold);
    std::vector<Tree> trees;
    std::vector<double> scores;
    eisner.n_best(arc.data(), n, true, 3, trees, scores);
    CHECK_EQ(scores, (std::vector<double>{n * 1.0, n - 1.0, n - 1.0}));
}

}  // namespace

int main() {
    for (const bool single_root : {false, true})
        for (size_t n = 0; n <= kMost; ++n) all_trees[single_root].push_back(projective_trees(n, single_root));
    test_enumeration();
    test_against_gold<float>();
    test_against_gold<int32_t>();
    test_order_1<float>();
    test_order_1<int32_t>();
    test_siblings<float>();
    test_siblings<int32_t>();
    test_sibling_parts_by_eye();
    test_n_best_with_rounding();
    test_no_words();
    test_ties_go_to_the_leftmost_cut();
    test_extreme_scores();
    test_longer_sentences();
    test_long_sentence();
    return check::failures();
}

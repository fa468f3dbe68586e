// Easy-first parsing against a plain implementation that scores every point at every step.
#include "check.hpp"
#include "naive_easy_first.hpp"
#include "naive_trees.hpp"
#include "parsing/easy_first_parser.hpp"
#include "presented.hpp"
#include "random.hpp"
#include "search/easy_first.hpp"

using namespace sapwood;

namespace {

bool no_arcs_cross(const Heads& heads) {
    for (size_t a = 1; a < heads.size(); ++a)
        for (size_t b = 1; b < heads.size(); ++b)
            if (const size_t l = std::min<size_t>(b, heads[b]), r = std::max<size_t>(b, heads[b]),
                from = std::min<size_t>(a, heads[a]), to = std::max<size_t>(a, heads[a]);
                from < l && l < to && to < r)
                return false;
    return true;
}

// A digest of everything that a score may depend on: an item and its children.
uint64_t describe(uint32_t item, const std::vector<uint64_t>& parts) {
    uint64_t h = item;
    for (uint64_t part : parts) h = combine(h, part);
    return h;
}

uint64_t describe(const NaivePending& pending, const Relations& relations, size_t at) {
    if (at >= pending.list.size()) return 0;
    const uint32_t item = pending.list[at];
    std::vector<uint64_t> parts;
    for (const auto* children : {&pending.left[item], &pending.right[item]}) {
        const size_t k = children->size();
        uint64_t set = 0;
        for (uint32_t child : *children) set |= uint64_t{1} << (relations.hashes[pending.arc_labels[child]] >> 58);
        parts.insert(parts.end(), {k, k > 0 ? (*children)[k - 1] : 0, k > 1 ? (*children)[k - 2] : 0, set});
        for (size_t nth = 1; nth <= 2; ++nth) parts.push_back(nth <= k ? pending.arc_labels[(*children)[k - nth]] : 0);
    }
    parts.push_back(pending.size(item));
    return describe(item, parts);
}

uint64_t describe(const PendingTrees& pending, uint32_t item) {
    if (item == pending.outside()) return 0;
    const auto& [left, right] = pending.node(item).children;
    std::vector<uint64_t> parts;
    for (const SideChildren* side : {&left, &right}) {
        parts.insert(parts.end(), {side->count, side->outermost.word, side->second.word, side->labels});
        for (const Child& child : {side->outermost, side->second}) parts.push_back(child.label);
    }
    parts.push_back(pending.size(item));
    return describe(item, parts);
}

// Scores with few different values, so that ties occur.
void scores_of(const std::vector<uint64_t>& window, uint64_t seed, std::vector<int32_t>& scores) {
    uint64_t h = seed;
    for (uint64_t item : window) h = combine(h, item);
    for (size_t y = 0; y < scores.size(); ++y) scores[y] = static_cast<int32_t>(combine(h, y) % 7);
}

// The search asks only for points that changed, and names the places of each window that changed.
void test_search() {
    Random random(1);
    EasyFirst<int32_t> search;
    for (int round = 0; round < 600; ++round) {
        const size_t n = round < 20 ? round / 10 + 1 : random.below(25) + 1, labels = random.below(3) + 1;
        const uint64_t seed = random.bits();
        const AttachmentOutputs outputs{some_relations(labels), random.chance(2)};
        std::vector<int32_t> scores(outputs.width());
        std::vector<std::vector<uint64_t>> windows(n + 1, std::vector<uint64_t>(kWindow));
        Tree tree;
        search.parse(
            n, outputs,
            [&](const PendingTrees& pending, auto&& put) {
                for (const ChangedPoint& change : pending.changes()) {
                    uint32_t item = pending.before(pending.before(change.point));
                    for (size_t place = 0; place < kWindow; ++place) {
                        if (change.places >> place & 1) windows[change.point][place] = describe(pending, item);
                        item = place == 0   ? pending.before(change.point)
                               : place == 1 ? change.point
                                            : pending.after(item);
                    }
                    scores_of(windows[change.point], seed, scores);
                    put(change.point, scores.data());
                }
            },
            tree);

        NaivePending naive(n, labels, outputs.single_root);
        while (naive.list.size() > 1) {
            std::pair<size_t, size_t> best;
            int32_t most = -1;
            for (const auto& choice : naive.choices()) {
                std::vector<uint64_t> window;
                for (size_t at = choice.first; at < choice.first + kWindow; ++at)
                    window.push_back(at < 2 ? 0 : describe(naive, outputs.relations, at - 2));
                scores_of(window, seed, scores);
                if (scores[choice.second] > most) most = scores[choice.second], best = choice;
            }
            naive.attach(best.first, best.second);
        }
        CHECK_EQ(tree.heads, naive.heads);
        CHECK_EQ(tree.labels, naive.arc_labels);
        CHECK(projective_tree(tree.heads));
        if (outputs.single_root) CHECK_EQ(root_children(tree.heads), 1u);
    }
}

// The search first asks for all points, and for at most six after an attachment.
void test_long_sentences() {
    Random random(2);
    for (const bool single_root : {true, false}) {
        const size_t n = 2000;
        EasyFirst<int32_t> search;
        const AttachmentOutputs outputs{some_relations(1), single_root};
        size_t asked = 0;
        Tree tree;
        search.parse(
            n, outputs,
            [&](const PendingTrees& pending, auto&& put) {
                for (const ChangedPoint& change : pending.changes()) {
                    const int32_t scores[] = {random.between(0, 9), random.between(0, 9)};
                    put(change.point, scores);
                    ++asked;
                }
            },
            tree);
        CHECK(asked <= 7 * n);
        CHECK(no_arcs_cross(tree.heads));
        for (size_t m = 1; m <= n; ++m) CHECK(dominates(tree.heads, 0, m));
        if (single_root) CHECK_EQ(root_children(tree.heads), 1u);
    }
}

const std::vector<std::vector<std::string>> kLines = {
    {"p0t", "p1t"},  {"p0w", "p1w"},           {"p0t", "p1t", "p1lt"},  {"p0t", "p0nc", "p1nc"},
    {"p-1t", "p0t"}, {"p-2t", "p0w"},          {"p2w", "p1t"},          {"p3t", "p2t"},
    {"p0-p1"},       {"p1-p2", "p1t"},         {"p-1-p0", "p0w"},       {"p0len", "p1len"},
    {"p1w", "p1vl"}, {"p0vr", "p2t"},          {"p0t", "p1pp", "p1rw"}, {"p1lt", "p1l2t"},
    {"p0rd", "p0t"}, {"p-1rw", "p2lw", "p1t"}, {"p0cr", "p1cl"}};

void test_training(uint32_t min_updates, float gamma, size_t labels, bool single_root) {
    Random random(min_updates + labels);
    std::string text;
    for (const auto& line : kLines) {
        for (const std::string& atom : line) text += atom + " ";
        text += "\n";
    }
    const Conjunctions conjunctions(text, "template", EasyFirstContext::atoms());
    const AttachmentOutputs outputs{some_relations(labels), single_root};
    const NaiveEasyFirst naive(kLines, names_of_labels(labels), single_root);

    Learner learner({gamma > 0 ? Update::margin : Update::perceptron, gamma, min_updates, true}, {outputs.width()});
    NaiveLearner right(min_updates);
    EasyFirstTrainer trainer(conjunctions, outputs);
    const auto texts = texts_of_values(labels);
    FeatureNames names;
    const Spelling spelling{names, [&](uint64_t value) { return text_of_value(texts, value); }};

    std::vector<NaiveSentence> sentences;
    for (size_t n = 1; n <= 5; ++n)
        for (int k = 0; k < 3; ++k)
            sentences.push_back(random_sentence(random, projective_trees(n, single_root), labels));
    for (int epoch = 0; epoch < 3; ++epoch)
        for (const NaiveSentence& s : sentences) {
            const size_t mistakes = present(trainer, learner, s, &spelling);
            CHECK_EQ(mistakes, naive.learn(right, s, gamma));
        }
    NaiveLearner::Weights weights;
    learner.table(0).each_weight(learner.averaging_clock(), [&](uint64_t key, uint32_t, uint32_t output, float w) {
        weights[{names(0, learner.table(0).find(key)), output}] = w;
    });
    const auto expected = right.result(true);
    CHECK(!expected.empty());
    CHECK_EQ(weights.size(), expected.size());
    for (const auto& [part, w] : expected)
        CHECK(weights.contains(part) && std::abs(weights[part] - w) < 1e-5 * (1 + std::abs(w)));
}

// Training on a gold tree that the search cannot build ends the sentence when no correct attachment is left.
void test_impossible_gold() {
    const Conjunctions conjunctions("p0t p1t", "template", EasyFirstContext::atoms());
    EasyFirstTrainer trainer(conjunctions, {some_relations(1), true});
    Learner learner({}, {2});
    const NaiveSentence crossing{{"a", "b", "c", "d"}, {"N", "N", "N", "N"}, {0, 3, 4, 0, 3}, {0, 0, 0, 0, 0}};
    const NaiveSentence two_roots{{"a", "b"}, {"N", "V"}, {0, 0, 0}, {0, 0, 0}};
    for (const NaiveSentence& s : {crossing, two_roots}) present(trainer, learner, s);
}

}  // namespace

int main() {
    test_search();
    test_long_sentences();
    for (const bool single_root : {true, false}) {
        test_training(1, 0, 1, single_root);
        test_training(3, 0, 2, single_root);
        test_training(2, 2, 1, single_root);
        test_training(1, 1, 3, single_root);
    }
    test_impossible_gold();
    return check::failures();
}

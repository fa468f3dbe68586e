// Arc-hybrid transitions, their oracles and the beam, against enumeration of all transition sequences.
#include <map>

#include "check.hpp"
#include "naive_transitions.hpp"
#include "naive_trees.hpp"
#include "random.hpp"
#include "search/arc_hybrid.hpp"
#include "search/beam.hpp"
#include "search/score_cache.hpp"

using namespace sapwood;

namespace {

std::vector<uint32_t> allowed(const ArcHybrid& c, const TransitionOutputs& outputs) {
    std::vector<uint32_t> all;
    outputs.each(c, [&](uint32_t output) { all.push_back(output); });
    return all;
}

Tree gold_tree(const Heads& heads) {
    return {heads, std::vector<uint32_t>(heads.size(), 0)};
}

// "The dog barks.": shift The, left to dog, shift dog, left to barks, shift barks, shift ".", right, left to the root.
void test_by_eye() {
    const Tree gold{{0, 2, 3, 0, 3}, {0, 1, 2, 3, 4}};
    const ArcHybridOracle oracle(gold);
    const TransitionOutputs outputs{some_relations(5), true};
    ArcHybrid c;
    c.start(4);
    std::vector<std::pair<int, uint32_t>> made;
    std::vector<uint32_t> derivation;
    while (!c.done()) {
        const Transition t = oracle.next(c);
        made.emplace_back(static_cast<int>(t.move), t.label);
        derivation.push_back(outputs.output(c, t));
        outputs.apply(c, derivation.back());
    }
    CHECK_EQ(made,
             (std::vector<std::pair<int, uint32_t>>{{0, 0}, {1, 1}, {0, 0}, {1, 2}, {0, 0}, {0, 0}, {2, 4}, {1, 3}}));
    Tree tree;
    outputs.tree(derivation, 4, tree);
    CHECK_EQ(tree.heads, gold.heads);
    CHECK_EQ(tree.labels, gold.labels);
}

// The cost of a move is the number of gold heads that the best continuation gets wrong only because of the move.
void test_dynamic_oracle() {
    Random random(1);
    const TransitionOutputs outputs{Relations::unlabelled(), false};
    for (int round = 0; round < 150; ++round) {
        const size_t n = 1 + random.below(5);
        const Tree gold = gold_tree(random.pick(projective_trees(n, random.chance(2))));
        const ArcHybridOracle oracle(gold);
        ArcHybrid c;
        NaiveConfiguration naive(n, 1);
        c.start(n);
        while (!c.done()) {
            const std::vector<uint32_t> all = allowed(c, outputs);
            CHECK_EQ(std::vector<size_t>(all.begin(), all.end()), naive.outputs(false));
            for (uint32_t output : all)
                CHECK_EQ(oracle.cost(c, outputs.transition(output).move), naive.cost(gold.heads, output));
            const uint32_t output = random.pick(all);
            outputs.apply(c, output);
            naive = naive.after(output);
        }
    }
}

void test_static_oracle() {
    for (size_t n = 1; n <= 6; ++n)
        for (const Heads& heads : projective_trees(n, false)) {
            const Tree gold = gold_tree(heads);
            const ArcHybridOracle oracle(gold);
            const bool single_root = root_children(heads) == 1;
            const TransitionOutputs outputs{Relations::unlabelled(), single_root};
            ArcHybrid c;
            c.start(n);
            std::vector<uint32_t> derivation;
            while (!c.done()) {
                const Transition t = oracle.next(c);
                CHECK(c.can(t.move, single_root));
                CHECK_EQ(oracle.cost(c, t.move), 0u);
                derivation.push_back(outputs.output(c, t));
                outputs.apply(c, derivation.back());
            }
            Tree tree;
            outputs.tree(derivation, n, tree);
            CHECK_EQ(derivation.size(), 2 * n);
            CHECK_EQ(tree.heads, heads);
        }
}

// Every sequence of transitions builds a projective tree in which each arc has an allowed label.
void test_every_end_is_a_tree() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
        const bool single_root = random.chance(2);
        const Relations relations{{1, 2, 3, 4}, {0, 3}, {1, 2}, {2, 3}};
        const TransitionOutputs outputs{relations, single_root};
        const size_t n = 1 + random.below(12);
        ArcHybrid c;
        c.start(n);
        std::vector<uint32_t> derivation;
        while (!c.done()) {
            const std::vector<uint32_t> all = allowed(c, outputs);
            CHECK(!all.empty());
            CHECK(std::is_sorted(all.begin(), all.end()));
            const uint32_t output = random.pick(all);
            CHECK_EQ(outputs.output(c, outputs.transition(output)), output);
            outputs.apply(c, output);
            derivation.push_back(output);
        }
        CHECK_EQ(derivation.size(), 2 * n);
        Tree tree;
        outputs.tree(derivation, n, tree);
        CHECK(projective_tree(tree.heads));
        CHECK(single_root ? root_children(tree.heads) == 1 : root_children(tree.heads) > 0);
        for (size_t m = 1; m <= n; ++m) {
            const auto& below = relations.of(tree.heads[m], m);
            CHECK(std::find(below.begin(), below.end(), tree.labels[m]) != below.end());
        }
    }
}

// A score that depends on the whole configuration, with few different values, so that ties occur.
int32_t score_of(uint64_t digest, size_t output, uint64_t seed, uint64_t values) {
    return static_cast<int32_t>(combine(combine(digest, output), seed) % values);
}

template <class Stack>
uint64_t digest_of(size_t stack_size, Stack&& stack, size_t next, const std::vector<uint32_t>& heads,
                   const std::vector<uint32_t>& labels) {
    uint64_t digest = next;
    for (size_t k = 0; k < stack_size; ++k) digest = combine(digest, stack(k));
    for (size_t m = 1; m < heads.size(); ++m) digest = combine(digest, heads[m] << 8 | labels[m]);
    return digest;
}

// For every width, up to one that keeps all derivations, and every gap the beam has the same items in the same order as
// sorting gives, and says how far behind the best one each of them was at most. What stands behind the scores does not count.
void test_beam() {
    Random random(3);
    Beam<int64_t> beam;  // one object for all sentences, because nothing may leak into the next sentence
    for (int round = 0; round < 120; ++round) {
        const size_t n = 1 + random.below(3), labels = random.pick<size_t>({1, 1, 2, 2, 7});
        const bool single_root = random.chance(2);
        const TransitionOutputs outputs{some_relations(labels), single_root};
        const size_t width = random.pick<size_t>({1, 2, 3, 8, 100000});
        const int64_t gap = random.pick<int64_t>({INT64_MAX, INT64_MAX, 100000, 2, 1, 0});
        const uint64_t seed = random.bits(), values = random.pick<uint64_t>({1, 2, 5, 1000000});
        std::vector<int32_t> row(padded(outputs.width()), random.pick<int32_t>({INT32_MIN, 0, INT32_MAX}));
        std::vector<NaiveItem> naive = {{NaiveConfiguration(n, labels), 0, {}}};
        std::map<std::vector<size_t>, int64_t> behind = {{{}, 0}};  // path -> how far behind it was at most
        beam.set_gap(gap);
        beam.start(n);
        uint32_t followed = 0;  // the link of the derivation `path`
        std::vector<size_t> path;
        bool in_beam = true;
        std::vector<uint32_t> derivation;
        Tree tree;
        while (!beam[0].c.done()) {
            beam.step(
                width, outputs,
                [&](size_t at) {
                    const ArcHybrid& c = beam[at].c;
                    beam.derivation(beam[at].link, derivation);
                    outputs.tree(derivation, n, tree);
                    const uint64_t digest = digest_of(
                        c.stack_size(), [&](size_t k) { return c.stack(k); }, c.next(), tree.heads, tree.labels);
                    for (size_t output = 0; output < outputs.width(); ++output)
                        row[output] = score_of(digest, output, seed, values);
                    return row.data();
                },
                [](const ArcHybrid&, uint32_t output) { return static_cast<int64_t>(output == 2); }, 1);
            naive = naive_step(naive, width, single_root, [&](const NaiveConfiguration& c, size_t output) {
                const size_t next = c.buffer[0] == 0 ? n + 1 : c.buffer[0];
                const uint64_t digest = digest_of(
                    c.stack.size(), [&](size_t k) { return c.stack[c.stack.size() - 1 - k]; }, next, c.heads,
                    c.arc_labels);
                return score_of(digest, output, seed, values) + (output == 2);
            });
            const double best = naive[0].score;
            std::erase_if(naive, [&](const NaiveItem& item) { return best - item.score > static_cast<double>(gap); });
            for (const NaiveItem& item : naive)
                behind[item.path] = std::max(behind.at({item.path.begin(), item.path.end() - 1}),
                                             static_cast<int64_t>(best - item.score));
            CHECK_EQ(beam.size(), naive.size());
            for (size_t k = 0; k < beam.size(); ++k) {
                CHECK_EQ(beam.gap(beam[k].link), behind.at(naive[k].path));
                beam.derivation(beam[k].link, derivation);
                CHECK_EQ(std::vector<size_t>(derivation.begin(), derivation.end()), naive[k].path);
                CHECK_EQ(static_cast<double>(beam[k].score), naive[k].score);
            }
            if (!in_beam) continue;
            const auto kept = std::find_if(naive.rbegin(), naive.rend(), [&](const NaiveItem& item) {
                return std::equal(path.begin(), path.end(), item.path.begin());
            });
            in_beam = kept != naive.rend();
            path.push_back(in_beam ? kept->path.back() : 0);
            CHECK_EQ(beam.follow(followed, static_cast<uint32_t>(path.back())), in_beam);
        }
        beam.derivation(beam[0].link, derivation);
        outputs.tree(derivation, n, tree);
        CHECK_EQ(tree.heads, naive[0].c.heads);
        CHECK_EQ(tree.labels, naive[0].c.arc_labels);
    }
}

// The cache with digests that collide, with growth, and with many sentences.
void test_score_cache() {
    Random random(4);
    ScoreCache<int32_t> cache(5);
    for (int sentence = 0; sentence < 30; ++sentence) {
        cache.clear();
        std::map<uint64_t, uint32_t> places;
        for (int k = 0; k < 3000; ++k) {
            const uint64_t digest = random.chance(2) ? random.below(600) * 4096 : random.below(600);
            const auto [place, fresh] = cache.find(digest);
            CHECK_EQ(fresh, !places.contains(digest));
            CHECK_EQ(places.try_emplace(digest, place).first->second, place);
            if (fresh)
                for (int32_t y = 0; y < 5; ++y) cache[place][y] = static_cast<int32_t>(digest) + y + sentence;
            for (int32_t y = 0; y < 5; ++y) CHECK_EQ(cache[place][y], static_cast<int32_t>(digest) + y + sentence);
        }
    }
}

}  // namespace

int main() {
    test_by_eye();
    test_dynamic_oracle();
    test_static_oracle();
    test_every_end_is_a_tree();
    test_beam();
    test_score_cache();
    return check::failures();
}

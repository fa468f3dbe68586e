// Searches against enumeration of all label sequences.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <set>

#include "check.hpp"
#include "random.hpp"
#include "search/best_first.hpp"
#include "search/easiest_first.hpp"
#include "search/greedy.hpp"
#include "search/viterbi.hpp"

using namespace sapwood;

namespace {

size_t allocated = 0;  // bytes allocated since the start

using Path = std::vector<Label>;

// Random scores that are multiples of 1/8 and so exact in float.
template <class S>
S score_of(int eighths) {
    return static_cast<S>(std::is_same_v<S, float> ? static_cast<float>(eighths) / 8 : static_cast<float>(eighths));
}

template <class S>
void fill(Random& random, AlignedVector<S>& scores, size_t rows, size_t labels, int largest) {
    scores.assign(rows * padded(labels), S{});
    for (size_t r = 0; r < rows; ++r)
        for (size_t y = 0; y < labels; ++y)
            scores[r * padded(labels) + y] = score_of<S>(random.between(-largest, largest));
}

template <class S>
Lattice<S> random_lattice(Random& random, size_t n, size_t labels, int largest) {
    Lattice<S> lattice;
    lattice.resize(n, labels);
    fill(random, lattice.emission, n, labels, largest);
    size_t rows = 1;
    for (Transitions<S>* transitions : {&lattice.bigram, &lattice.trigram}) {
        rows *= labels + 1;
        fill(random, transitions->base, rows, labels, largest);
        if (random.chance(2)) continue;  // leaves out all extras
        transitions->first.push_back(0);
        for (size_t i = 0; i < n; ++i) {
            for (size_t k = random.below(4); k > 0; --k) {
                const size_t cell = random.below(rows) * padded(labels) + random.below(labels);
                transitions->extras.push_back(
                    {static_cast<uint32_t>(cell), score_of<S>(random.between(-largest, largest))});
            }
            transitions->first.push_back(transitions->extras.size());
        }
    }
    return lattice;
}

// The score of a path by the formula at the top of search.hpp.
template <class S>
double score(const Lattice<S>& lattice, unsigned order, const Path& path) {
    double total = 0;
    const auto add = [&](const Transitions<S>& transitions, size_t i, size_t row) {
        const size_t cell = row * lattice.stride + path[i];
        total += static_cast<double>(transitions.base[cell]);
        if (transitions.first.empty()) return;
        for (size_t k = transitions.first[i]; k < transitions.first[i + 1]; ++k)
            if (transitions.extras[k].cell == cell) total += static_cast<double>(transitions.extras[k].score);
    };
    for (size_t i = 0; i < path.size(); ++i) {
        const size_t L = lattice.labels, g = i >= 1 ? path[i - 1] : L, h = i >= 2 ? path[i - 2] : L;
        total += static_cast<double>(lattice.emission[i * lattice.stride + path[i]]);
        add(lattice.bigram, i, g);
        if (order == 2) add(lattice.trigram, i, h * (L + 1) + g);
    }
    return total;
}

// All label sequences.
std::vector<Path> all_paths(size_t n, size_t labels) {
    std::vector<Path> paths = {{}};
    for (size_t i = 0; i < n; ++i) {
        std::vector<Path> longer;
        for (const Path& path : paths)
            for (Label y = 0; y < labels; ++y) {
                longer.push_back(path);
                longer.back().push_back(y);
            }
        paths = longer;
    }
    return paths;
}

template <class S>
void test_viterbi(unsigned order) {
    Random random(order);
    Viterbi<S> viterbi;  // one object for all lattices, because its scratch must not leak into the next one
    for (int round = 0; round < 400; ++round) {
        const size_t labels = random.below(4) + 1, n = random.below(labels == 1 ? 9 : 5) + 1;
        const int largest = round % 3 == 0 ? 1 : 20;  // small numbers make many ties
        Lattice<S> lattice = random_lattice<S>(random, n, labels, largest);
        std::vector<double> right;
        for (const Path& path : all_paths(n, labels)) right.push_back(score(lattice, order, path));
        std::sort(right.rbegin(), right.rend());

        Path best;
        viterbi.best(lattice, order, best);
        CHECK_EQ(best.size(), n);
        CHECK_EQ(score(lattice, order, best), right[0]);

        const size_t count = random.below(2 * right.size()) + 1;
        std::vector<Path> paths;
        std::vector<typename Viterbi<S>::Wide> scores;
        viterbi.n_best(lattice, order, count, paths, scores);
        CHECK_EQ(paths.size(), std::min(count, right.size()));
        CHECK_EQ(scores.size(), paths.size());
        CHECK_EQ(std::set<Path>(paths.begin(), paths.end()).size(), paths.size());  // no path occurs twice
        for (size_t k = 0; k < paths.size(); ++k) {
            CHECK_EQ(static_cast<double>(scores[k]), right[k]);
            CHECK_EQ(score(lattice, order, paths[k]), right[k]);
        }
    }
}

// Gold against all other paths, of which each has the cost added. Ties go to the lowest of the last labels, then of those
// before.
template <class S>
void test_viterbi_against_gold(unsigned order) {
    Random random(order + 20);
    Viterbi<S> viterbi;
    const auto place = [&](Path path) {
        std::reverse(path.begin(), path.end());
        if (order == 2 && path.size() > 1) std::swap(path[0], path[1]);
        return path;
    };
    for (int round = 0; round < 600; ++round) {
        const size_t labels = random.below(4) + 1, n = random.below(labels == 1 ? 9 : 5) + 1;
        Lattice<S> lattice = random_lattice<S>(random, n, labels, round % 3 == 0 ? 20 : 2);
        std::vector<Path> paths = all_paths(n, labels);
        std::sort(paths.begin(), paths.end(), [&](const Path& a, const Path& b) { return place(a) < place(b); });
        const Path gold = paths[random.below(paths.size())];
        const S cost = score_of<S>(random.below(4) * 3);
        const auto worse = [&](const Path& a, const Path& b) {
            return score(lattice, order, a) + (a != gold) * static_cast<double>(cost) <
                   score(lattice, order, b) + (b != gold) * static_cast<double>(cost);
        };
        Path found, best;
        viterbi.best_against(lattice, order, gold, cost, found);
        CHECK_EQ(found, *std::max_element(paths.begin(), paths.end(), worse));
        viterbi.best(lattice, order, best);
        if (cost == 0) CHECK_EQ(found, best);
    }
}

// With many labels, a row has several vectors, and the last one is partly padding.
template <class S>
void test_viterbi_wide(unsigned order) {
    Random random(order + 10);
    Viterbi<S> viterbi;
    for (size_t labels : {15, 16, 17, 33}) {
        Lattice<S> lattice = random_lattice<S>(random, 3, labels, 1000);
        double right = -1e9;
        for (const Path& path : all_paths(3, labels)) right = std::max(right, score(lattice, order, path));
        Path best;
        viterbi.best(lattice, order, best);
        CHECK_EQ(score(lattice, order, best), right);
    }
}

template <class S>
Lattice<S> zeros(size_t n, size_t labels) {
    Random random(0);
    return random_lattice<S>(random, n, labels, 0);
}

void test_ties_go_to_the_lowest_label() {
    Lattice<int32_t> lattice = zeros<int32_t>(6, 3);
    for (unsigned order : {1u, 2u}) {
        Viterbi<int32_t> viterbi;
        Path best;
        viterbi.best(lattice, order, best);
        CHECK_EQ(best, Path(6, 0));
        std::vector<Path> paths;
        std::vector<Viterbi<int32_t>::Wide> scores;
        viterbi.n_best(lattice, order, 1, paths, scores);
        CHECK_EQ(paths.at(0), best);
    }
    for (size_t i = 0; i < 6; ++i) CHECK_EQ(argmax(lattice.emission.data() + i * lattice.stride, lattice.labels), 0u);
}

// Finding one of 2^18 equally good sequences must not visit all of them.
void test_n_best_with_ties_is_small() {
    for (unsigned order : {1u, 2u}) {
        Lattice<int32_t> lattice = zeros<int32_t>(18, 2);
        Viterbi<int32_t> viterbi;
        std::vector<Path> paths;
        std::vector<Viterbi<int32_t>::Wide> scores;
        const size_t before = allocated;
        viterbi.n_best(lattice, order, 3, paths, scores);
        CHECK_EQ(paths.size(), 3u);
        CHECK_EQ((allocated - before) / 1024 / 256, 0u);
    }
}

// The same for ties up to rounding: labels 1 and 2 have equal scores that floats cannot represent exactly.
void test_n_best_with_rounding_is_small() {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const auto score = [&](int least) { return static_cast<float>(random.between(least, 1000)) / 7; };
        Lattice<float> lattice = zeros<float>(14, 3);
        for (size_t i = 0; i < lattice.n; ++i) {
            float* emission = lattice.emission.data() + i * lattice.stride;
            emission[0] = score(-1000);
            emission[1] = emission[2] = score(500);
        }
        lattice.bigram.base[1] = lattice.bigram.base[2] = score(0);
        Viterbi<float> viterbi;
        std::vector<Path> paths;
        std::vector<Viterbi<float>::Wide> scores;
        const size_t before = allocated;
        viterbi.n_best(lattice, 1, 1, paths, scores);
        CHECK_EQ(paths.size(), 1u);
        CHECK_EQ((allocated - before) / 1024 / 256, 0u);
    }
}

void test_argmax_and_greedy() {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        const size_t labels = random.below(20) + 1, n = random.below(6) + 1;
        Lattice<float> lattice = random_lattice<float>(random, n, labels, 3), copy = lattice;
        Path path, right;
        for (size_t i = 0; i < n; ++i) {
            const float* scores = lattice.emission.data() + i * lattice.stride;
            CHECK_EQ(argmax(scores, labels), static_cast<Label>(std::max_element(scores, scores + labels) - scores));
        }

        // Greedy search: emission + bigram + trigram scores given the labels chosen so far.
        for (size_t i = 0; i < n; ++i) {
            Path longer = right;
            longer.push_back(0);
            double best = -1e9;
            Label label = 0;
            for (Label y = 0; y < labels; ++y) {
                longer[i] = y;
                if (const double s = score(lattice, 2, longer); s > best) best = s, label = y;
            }
            right.push_back(label);
        }
        path.resize(n);
        greedy<float>(
            labels, lattice.emission.data(), path,
            [&](size_t i, Label l2, Label l1, float* scores) {
                for (Label y = 0; y < labels; ++y)
                    scores[y] = copy.emission[i * copy.stride + y] + copy.bigram.at(i)[l1 * copy.stride + y] +
                                copy.trigram.at(i)[(l2 * (labels + 1) + l1) * copy.stride + y];
            },
            [](size_t) { return std::span<const Label>(); });
        CHECK_EQ(path, right);
    }
}

// The agenda against a plain list of the current offers.
void test_best_first() {
    Random random(6);
    BestFirst<int32_t> agenda;
    for (int round = 0; round < 200; ++round) {
        const size_t n = random.below(8) + 1;
        std::vector<int32_t> scores(n);
        std::vector<bool> offered(n);
        agenda.reset(n);
        for (int step = 0; step < 50; ++step) {
            const size_t item = random.below(n);
            offered[item] = !random.chance(3);
            if (offered[item])
                agenda.offer(item, scores[item] = random.between(-2, 2));
            else
                agenda.withdraw(item);
            size_t best = n;
            for (size_t k = 0; k < n; ++k)
                if (offered[k] && (best == n || scores[k] > scores[best])) best = k;
            CHECK_EQ(agenda.empty(), best == n);
            if (best < n) CHECK_EQ(agenda.top(), best);
        }
    }
}

// Scores of a token that depend on the labels around it, if these are known.
struct Neighbourhood {
    size_t labels;
    unsigned reach, ahead;
    std::vector<std::vector<int>> tables[4];  // [l2, l1, r1, r2][token][label beside * L + label]
    Lattice<int32_t> lattice;

    Neighbourhood(Random& random, size_t n, size_t label_count)
        : labels(label_count),
          reach(static_cast<unsigned>(random.below(3))),
          ahead(static_cast<unsigned>(random.below(3))),
          lattice(random_lattice<int32_t>(random, n, label_count, 3)) {
        for (auto& table : tables) {
            table.resize(n);
            for (auto& token : table)
                for (size_t k = 0; k < (labels + 3) * labels; ++k) token.push_back(random.between(-2, 2));
        }
    }

    void score(size_t i, const std::vector<Label>& context, int32_t* scores) const {
        const bool seen[] = {reach >= 2, reach >= 1, ahead >= 1, ahead >= 2};
        for (Label y = 0; y < labels; ++y) {
            scores[y] = lattice.emission[i * lattice.stride + y];
            for (size_t k = 0; k < 4; ++k)
                if (seen[k]) scores[y] += tables[k][i][context[k] * labels + y];
        }
    }
};

// Easiest-first search with an agenda, against scoring everything anew at each step. Sometimes a token gets a label
// that is not the best, and sometimes all scores change, as they do in training.
void test_easiest_first() {
    Random random(7);
    for (int round = 0; round < 1000; ++round) {
        const size_t labels = random.below(4) + 1, n = random.below(9) + 1;
        Neighbourhood scores(random, n, labels);
        const auto score = [&](size_t i, Label l2, Label l1, Label r1, Label r2, int32_t* to) {
            scores.score(i, {l2, l1, r1, r2}, to);
        };
        EasiestFirst<int32_t> search(scores.reach, scores.ahead);
        Path given(n, unknown_label(labels));
        search.start(n, labels, score);
        for (size_t step = 0; step < n; ++step) {
            size_t token = n;
            Label label = 0;
            int32_t best = 0;
            for (size_t i = 0; i < n; ++i) {
                if (given[i] != unknown_label(labels)) continue;
                std::vector<int32_t> of_token(labels);
                const auto at = [&](size_t k) { return k < n ? given[k] : end_label(labels); };
                const auto before = [&](size_t k) { return i >= k ? given[i - k] : boundary_label(labels); };
                scores.score(i, {before(2), before(1), at(i + 1), at(i + 2)}, of_token.data());
                for (Label y = 0; y < labels; ++y)
                    if (token == n || of_token[y] > best) token = i, label = y, best = of_token[y];
            }
            CHECK(!search.done());
            CHECK_EQ(search.easiest(), token);
            CHECK_EQ(search.guess(token), label);
            given[token] = random.chance(4) ? static_cast<Label>(random.below(labels)) : label;
            search.give(token, given[token], score);
            if (random.chance(4)) {
                fill(random, scores.lattice.emission, n, labels, 3);
                search.rescore(score);
            }
        }
        CHECK(search.done());
    }
}

// A file without blank lines is one sentence. With int16 models a token's score can be tens of thousands, so sums soon
// exceed 2^31.
void test_long_sentences_do_not_overflow() {
    const size_t n = 60000;
    for (unsigned order : {1u, 2u}) {
        Lattice<int32_t> lattice = zeros<int32_t>(n, 2);
        for (size_t i = 0; i < n; ++i) lattice.emission[i * lattice.stride + i % 2] = 40000;
        Viterbi<int32_t> viterbi;
        Path best;
        viterbi.best(lattice, order, best);
        size_t wrong = 0;
        for (size_t i = 0; i < n; ++i) wrong += best[i] != i % 2;
        CHECK_EQ(wrong, 0u);
    }
}

}  // namespace

[[gnu::noinline]] void* operator new(size_t size) {
    allocated += size;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept {
    std::free(memory);
}

int main() {
    test_viterbi_against_gold<float>(1);
    test_viterbi_against_gold<float>(2);
    test_viterbi_against_gold<int32_t>(2);
    test_viterbi<int32_t>(1);
    test_viterbi<int32_t>(2);
    test_viterbi<float>(1);
    test_viterbi<float>(2);
    test_viterbi_wide<int32_t>(1);
    test_viterbi_wide<float>(2);
    test_ties_go_to_the_lowest_label();
    test_n_best_with_ties_is_small();
    test_n_best_with_rounding_is_small();
    test_argmax_and_greedy();
    test_best_first();
    test_easiest_first();
    test_long_sentences_do_not_overflow();
    return check::failures();
}

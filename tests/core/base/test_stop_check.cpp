// Work ends inside a sentence, a table or a chart when its check says so (base/stop_check.hpp). Checks here ask without a
// pause, so nothing depends on time: each piece of work must ask often, and end where it is told to.
#include <numeric>
#include <string>
#include <vector>

#include "base/coded_bytes.hpp"
#include "base/long_sort.hpp"
#include "check.hpp"
#include "clustering/clustering.hpp"
#include "data.hpp"
#include "kernel/subsequence_kernel.hpp"
#include "model/coded_table.hpp"
#include "model/freeze_options.hpp"
#include "model/frozen_table.hpp"
#include "parsing/parser.hpp"
#include "parsing/parser_trainer.hpp"
#include "random.hpp"
#include "search/cky.hpp"
#include "search/eisner.hpp"
#include "search/max_marginals.hpp"
#include "search/viterbi.hpp"
#include "segmenting/segment_rows.hpp"
#include "tagging/tagger.hpp"
#include "tagging/tagger_trainer.hpp"
#include "text/documents.hpp"

using namespace sapwood;

namespace {

struct Stop {};

// How often the work asks, up to `most` times, when it is told to stop.
template <class Work>
size_t asks(Work&& work, size_t most = SIZE_MAX) {
    size_t asked = 0;
    const auto ask = [&] {
        if (++asked >= most) throw Stop();
    };
    const StopCheck check(ask, std::chrono::milliseconds(0));
    try {
        work();
    } catch (const Stop&) {
        return asked;
    }
    return most == SIZE_MAX ? asked : 0;  // it did not stop
}

#define CHECK_STOPS(work) CHECK_EQ(asks([&] { work; }, 3), 3u)

Lattice<float> lattice(size_t n, size_t labels, unsigned order) {
    Lattice<float> scores;
    scores.resize(n, labels);
    scores.emission.assign(n * scores.stride, 0.0f);
    scores.bigram.base.assign((labels + 1) * scores.stride, 0.0f);
    if (order == 2) scores.trigram.base.assign((labels + 1) * (labels + 1) * scores.stride, 0.0f);
    return scores;
}

void test_looks() {
    CHECK_EQ(asks([] { StopCheck::now(); }), 1u);
    CHECK_EQ(asks([] {
                 for (size_t k = 0; k < 2 * StopCheck::kRounds; ++k) StopCheck::every(k);
             }),
             2u);
    StopCheck::after(StopCheck::kSteps);  // begins to count anew
    CHECK_EQ(asks([] {
                 for (size_t k = 0; k < 8; ++k) StopCheck::after(StopCheck::kSteps / 4);
             }),
             2u);
    StopCheck::now();  // nothing without a check
    std::vector<uint64_t> numbers(1 << 17);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    CHECK_STOPS(long_sort(numbers));
    long_sort(numbers);
    CHECK(std::ranges::is_sorted(numbers));
}

void test_searches() {
    std::vector<Label> path;
    Viterbi<float> viterbi;
    for (const unsigned order : {1u, 2u}) {
        auto scores = lattice(order == 1 ? 30 : 8, order == 1 ? 500 : 100, order);
        CHECK_STOPS(viterbi.best(scores, order, path));
        MaxMarginals<float> marginals;
        CHECK_STOPS(marginals.run(scores, order));
    }
    auto few = lattice(3, 1500, 1);  // tokens whose transitions have something of their own
    few.bigram.first = {0, 1, 2, 3};
    few.bigram.extras.assign(3, {0, 1.0f});
    CHECK_STOPS(viterbi.best(few, 1, path));

    const size_t n = 99;
    const std::vector<float> arcs((n + 1) * (n + 1), 0.0f);
    Tree tree;
    Eisner<float> eisner;
    CHECK_STOPS(for (int k = 0; k < 100; ++k) eisner.best(arcs.data(), n, true, tree));

    std::vector<Pcfg::Binary> rules;
    std::vector<Pcfg::Chain> chains;
    const uint32_t states = 40;
    for (uint32_t a = 0; a < states; ++a) {
        chains.push_back({a, a, 0.0f});
        for (uint32_t b = 0; b < states; ++b) rules.push_back({(a + b) % states, a, b, -1.0f});
    }
    const Pcfg grammar(states, 0, rules, chains);
    Cky cky(grammar);
    const std::vector<std::vector<Cky::Entry>> words(60, {{0, 0.0f}, {1, 0.0f}});
    CHECK_STOPS(cky.parse(words));
}

// A column file of one sentence.
std::string sentence(size_t tokens, size_t labels) {
    std::string text;
    for (size_t t = 0; t < tokens; ++t)
        text += "w" + std::to_string(t % 97) + "\tL" + std::to_string(t % labels) + "\n";
    return text + "\n";
}

void test_a_long_sentence() {
    const Columns data = columns(sentence(20'000, 5));
    const std::string text = "U00:%x[0,0]\nU01:%x[-1,0]/%x[0,0]\nU02:%suffix[0,0,1]\nB\nU10:%y[-1]\n";
    for (const Search search : {Search::argmax, Search::greedy, Search::viterbi, Search::easiest_first}) {
        TaggerOptions options;
        options.search = search;
        const SequenceSpec spec{search, 1, {}};
        const auto features = [&] { return extractor(text, spec.reach(), {}, spec.ahead()); };
        CHECK_STOPS(TaggerTrainer(data, 1, features(), options));
        TaggerTrainer trainer(data, 1, features(), options);
        CHECK_STOPS(trainer.step(1));
        TaggerTrainer other(data, 1, features(), options);
        if (search != Search::easiest_first) other.step(1);
        const PackedModel model = other.freeze({});
        SequenceSpec known = other.spec();
        const Tagger tagger(known, features(), {}, model.tables, model.bits, model.scale);
        CHECK(asks([&] { tagger.tag(data, 1); }) > 3);
        CHECK_STOPS(tagger.tag(data, 1));
    }
}

void test_parsing() {
    std::string rows;
    for (size_t m = 1; m <= 5000; ++m)
        rows += std::to_string(m) + "\tw\t_\tN\tN\t_\t" + std::to_string(m - 1) + "\tdep\t_\t_\n";
    rows += "\n";
    CHECK_STOPS(for (int k = 0; k < 40; ++k) Conllu(rows, nullptr, "t"));
}

void test_tables() {
    Random random(1);
    PlainTable<int8_t> table;
    table.width = 8;
    table.key_bits = 40;
    for (uint64_t key = 0; key < 200'000; ++key) {
        table.keys.push_back(key * 5'000'000 + random.below(4'000'000));
        table.sizes.push_back(2);
        for (const uint32_t output : {1u, 5u}) {
            table.outputs.push_back(output);
            table.values.push_back(static_cast<int8_t>(random.below(2) == 0 ? -3 : 4));
        }
    }
    const PackedTable packed = pack(table);
    CHECK_STOPS(unpack<int8_t>(packed));
    CHECK_STOPS(coded(packed, 8));
    const PackedTable code = coded(packed, 8);
    CHECK_STOPS(unpack<int8_t>(code));
    CHECK_STOPS(FrozenTable<int8_t>{table});
    CHECK(unpack<int8_t>(code).values == table.values);

    std::string bytes;
    for (size_t k = 0; k < 200'000; ++k) bytes += static_cast<char>('a' + random.below(3));
    CHECK_STOPS(code_bytes(bytes));
    const std::string coded_text = code_bytes(bytes);
    CHECK_STOPS(for (int k = 0; k < 100; ++k) decode_bytes(coded_text, bytes.size(), "bytes"));
    CHECK_EQ(decode_bytes(coded_text, bytes.size(), "bytes"), bytes);
}

void test_freezing() {
    Learner learner({.average = false}, {1});
    for (uint64_t key = 1; key < 100'000; ++key) {
        const double weight = 1;
        learner.prime(0, key << 32, {&weight, 1});
    }
    CHECK_STOPS(freeze(learner, {.bits = 8}));
    CHECK_STOPS(prune(learner, learner, {.bits = 8}));
}

void test_clusters() {
    std::string lines;
    for (size_t k = 0; k < 40'000; ++k) lines += "v" + std::to_string(k * k % 997) + (k % 20 == 19 ? "\n" : " ");
    Clustering clustering(true);
    CHECK_STOPS(clustering.corpus().add(lines, "text", 1));  // one line or many: tokens are counted
    Clustering whole(true);
    whole.corpus().add(lines, "text", 1);
    whole.begin(400, 1);
    CHECK_STOPS(whole.exchange().step(100, 1));
    CHECK_STOPS(whole.merge(1));
}

void test_texts() {
    std::string line;
    for (size_t k = 0; k < 200'000; ++k) line += "dog ";
    CHECK_STOPS(paragraphs(line + line + line + line));
    CHECK_STOPS(Documents::read_fasttext("__label__a " + line + "\n", "t", 1, true, false));
    const std::vector<uint32_t> symbols(3000, 7);
    SubsequenceKernel kernel(3, 0.5);
    SubsequenceKernel::Row row(kernel);
    row.fix(symbols);
    CHECK_STOPS(row(symbols));
}

}  // namespace

int main() {
    test_looks();
    test_searches();
    test_a_long_sentence();
    test_parsing();
    test_tables();
    test_freezing();
    test_clusters();
    test_texts();
    return check::failures();
}

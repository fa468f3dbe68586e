// Fuzzes phrase-structure trees and grammars. Damaged input is either read or refused with the right error, and trees
// that were read can be normalised, written, compared, counted and parsed.
#include "base/errors.hpp"
#include "check.hpp"
#include "features/tree_features.hpp"
#include "kernel/tree_kernel.hpp"
#include "mutate.hpp"
#include "parsing/phrase_parser.hpp"
#include "parsing/treebank_grammar.hpp"
#include "random.hpp"
#include "text/normalised_tree.hpp"

using namespace sapwood;

namespace {

constexpr int kRounds = 10000;

const std::string kTrees =
    "( (S (NP-SBJ-1 (DT the) (NN caf\xC3\xA9)) (VP (VBZ is) (S (NP (-NONE- *-1)) (VP (VBN shut)))) (. .)))\n"
    "(TOP (S (NP=2 (NP (NNP New) (NNP York)) (CC and) (NP (NNP Rome))) (VP (VBP sleep)) (. .)))\n"
    "((X (-LRB- -LRB-) (A b)))\n";
const std::vector<std::string> kWords = {"the", "caf\xC3\xA9", "is", "shut", "Rome", "new", "-LRB-", ""};

void parse_something(const PhraseParser& parser, Random& random) {
    PhraseParser::Workspace workspace(parser);
    std::vector<std::string> words(random.below(5));
    for (std::string& word : words) word = random.pick(kWords);
    const auto best = parser.parse(words, 3, workspace);
    CHECK_EQ(best.empty(), words.empty());
    for (size_t k = 1; k < best.size(); ++k) CHECK(best[k].score <= best[k - 1].score);
}

void fuzz_trees() {
    Random random(1);
    const std::vector<std::string> pieces = {
        "(",          ")",  "((", "))", " ", "\n", "(A ",          "(A b)",
        "(-NONE- *)", "-",  "=",  "^",  "@", "\t", "\xEF\xBB\xBF", std::string(1, '\0'),
        "\xC3",       "TOP"};
    int read = 0, refused = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::string text = mutate(random, kTrees, pieces);
        try {
            Symbols symbols;
            TreebankGrammar grammar(1 + random.below(4), random.below(4));
            Productions productions;
            bool any = false;
            for (const PhraseTree& tree : read_trees(text, "trees", 1, symbols)) {
                Symbols again;
                const std::string written = to_text(tree, symbols);
                if (!tree.nodes.empty())
                    CHECK_EQ(to_text(read_trees(written, "again", 1, again).at(0), again), written);
                const PhraseTree normal = normalised(tree, symbols);
                CHECK_EQ(to_text(normalised(normal, symbols), symbols), to_text(normal, symbols));
                grammar.add(normal, symbols);
                any |= !normal.nodes.empty();
                FeatureRows rows;
                TreeFeatures(symbols).add(normal, rows);
                if (normal.nodes.empty()) continue;
                const TreeKernel kernel(0.5);
                CHECK(TreeKernel::Row(kernel).self(KernelTree(normal, productions)) > 0);
            }
            ++read;
            if (!any) continue;
            CHECK_EQ(TreebankGrammar::of_text(grammar.to_text()).to_text(), grammar.to_text());
            parse_something(PhraseParser(grammar), random);
        } catch (const DataError& error) {
            CHECK(std::string(error.what()).starts_with("trees:"));
            ++refused;
        }
    }
    CHECK(read > kRounds / 20 && refused > kRounds / 20);
}

void fuzz_grammars() {
    Symbols symbols;
    TreebankGrammar grammar(2, 2);
    for (const PhraseTree& tree : read_trees(kTrees, "trees", 1, symbols))
        grammar.add(normalised(tree, symbols), symbols);
    const std::string text = grammar.to_text();
    Random random(2);
    const std::vector<std::string> pieces = {
        "\t",           "\n",           "0",   "1", "-1", "4294967295", "99999999999", "s\tA\tB\n", "b\t0\t0\t0\t1\n",
        "c\t1\t0\t0\n", "w\tx\t0\t1\n", "\t\t"};
    int read = 0, refused = 0;
    for (int round = 0; round < kRounds; ++round) {
        try {
            const PhraseParser parser(TreebankGrammar::of_text(mutate(random, text, pieces)));
            ++read;
            parse_something(parser, random);
        } catch (const ModelError&) {
            ++refused;
        }
    }
    CHECK(read > kRounds / 20 && refused > kRounds / 20);
}

}  // namespace

int main() {
    fuzz_trees();
    fuzz_grammars();
    return check::failures();
}

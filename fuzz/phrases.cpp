// Phrase-structure trees: they are written again as they were read, normalised, compared, counted and parsed.
#include "base/errors.hpp"
#include "features/tree_features.hpp"
#include "kernel/tree_kernel.hpp"
#include "parsing/phrase_parser.hpp"
#include "parsing/treebank_grammar.hpp"
#include "target.hpp"
#include "text/normalised_tree.hpp"

namespace sapwood::fuzz::phrases {
namespace {

void parse_something(const PhraseParser& parser, uint64_t choice) {
    static const std::vector<std::string> known = {"the", "caf\xC3\xA9", "is", "shut", "Rome", "new", "-LRB-", ""};
    PhraseParser::Workspace workspace(parser);
    std::vector<std::string> words(choice % 5);
    for (std::string& word : words) word = known[(choice /= 7) % known.size()];
    const auto best = parser.parse(words, 3, workspace);
    SAPWOOD_REQUIRE(best.empty() == words.empty());
    for (size_t k = 1; k < best.size(); ++k) SAPWOOD_REQUIRE(best[k].score <= best[k - 1].score);
}

bool trees(std::string_view input) {
    return reads<DataError>("trees:", [&] {
        const uint64_t choice = number_of(input);
        Symbols symbols;
        TreebankGrammar grammar(1 + choice % 4, choice / 4 % 4);
        Productions productions;
        bool any = false;
        for (const PhraseTree& tree : read_trees(input, "trees", 1, symbols)) {
            Symbols again;
            const std::string written = to_text(tree, symbols);
            if (!tree.nodes.empty())
                SAPWOOD_REQUIRE(to_text(read_trees(written, "again", 1, again).at(0), again) == written);
            const PhraseTree normal = normalised(tree, symbols);
            SAPWOOD_REQUIRE(to_text(normalised(normal, symbols), symbols) == to_text(normal, symbols));
            grammar.add(normal, symbols);
            any |= !normal.nodes.empty();
            FeatureRows rows;
            TreeFeatures(symbols).add(normal, rows);
            if (normal.nodes.empty()) continue;
            const TreeKernel kernel(0.5);
            SAPWOOD_REQUIRE(TreeKernel::Row(kernel).self(KernelTree(normal, productions)) > 0);
        }
        if (!any) return;
        SAPWOOD_REQUIRE(TreebankGrammar::of_text(grammar.to_text()).to_text() == grammar.to_text());
        parse_something(PhraseParser(grammar), choice / 16);
    });
}

bool grammars(std::string_view input) {
    return reads<ModelError>("", [&] {
        const TreebankGrammar grammar = TreebankGrammar::of_text(input);
        SAPWOOD_REQUIRE(TreebankGrammar::of_text(grammar.to_text()).to_text() == grammar.to_text());
        parse_something(PhraseParser(grammar), number_of(input));
    });
}

// Trees begin with a bracket or a space, grammars with neither.
bool run(std::string_view input) {
    return input.starts_with("(") || input.starts_with(" ") ? trees(input) : grammars(input);
}

const char* const kTrees =
    "( (S (NP-SBJ-1 (DT the) (NN caf\xC3\xA9)) (VP (VBZ is) (S (NP (-NONE- *-1)) (VP (VBN shut)))) (. .)))\n"
    "(TOP (S (NP=2 (NP (NNP New) (NNP York)) (CC and) (NP (NNP Rome))) (VP (VBP sleep)) (. .)))\n"
    "((X (-LRB- -LRB-) (A b)))\n";

std::vector<std::string> seeds() {
    Symbols symbols;
    TreebankGrammar grammar(2, 2);
    for (const PhraseTree& tree : read_trees(kTrees, "trees", 1, symbols))
        grammar.add(normalised(tree, symbols), symbols);
    return {kTrees, grammar.to_text()};
}

const Target target("phrases", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::phrases

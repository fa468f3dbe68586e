// Phrase-structure parsing: normalised trees, treebank grammars, CKY and its k best trees.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/errors.hpp"
#include "check.hpp"
#include "features/word_class.hpp"
#include "parsing/phrase_parser.hpp"
#include "parsing/treebank_grammar.hpp"
#include "random.hpp"
#include "search/cky.hpp"
#include "text/normalised_tree.hpp"
#include "text/phrase_tree.hpp"

using namespace sapwood;

namespace {

std::string normal(const std::string& text) {
    Symbols symbols;
    return to_text(normalised(read_trees(text, "tree", 1, symbols).at(0), symbols), symbols);
}

void test_phrase_trees() {
    Symbols symbols;
    const auto trees = read_trees("( (S (NP (DT the)\n (NN dog)) (VP (VBZ barks))) )\n(X y)", "t", 1, symbols);
    CHECK_EQ(trees.size(), size_t{2});
    CHECK_EQ(to_text(trees[0], symbols), std::string("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"));
    CHECK_EQ(trees[0].words(), size_t{3});
    CHECK_EQ(trees[0].nodes[1].next, 4u);
    CHECK_EQ(trees[0].nodes[1].end, 2u);
    CHECK_EQ(trees[0].children(0), size_t{2});
    CHECK_EQ(trees[1].line, size_t{3});
    CHECK(read_trees("()", "t", 1, symbols)[0].nodes.empty());
    for (const auto& [text, what] :
         std::vector<std::pair<std::string, const char*>>{{"(S (A a)", "does not close"},
                                                          {"x (S a)", "outside of brackets"},
                                                          {"(S (A a)))", "outside of brackets"},
                                                          {"(S)", "nothing in it"},
                                                          {"(S a b)", "beside others"},
                                                          {"(S (A a) b)", "beside others"},
                                                          {"(S a (B b))", "side by side"},
                                                          {"((S a) (T b))", "more than one tree"},
                                                          {"(S ((A a)))", "no label"},
                                                          {std::string(2000, '(') + "S", "no label"}})
        CHECK_THROWS(DataError, what, read_trees(text, "t", 1, symbols));
    std::string deep;
    for (int k = 0; k < 1001; ++k) deep += "(S ";
    CHECK_THROWS(DataError, "1,000 levels", read_trees(deep, "t", 1, symbols));
}

void test_normalised() {
    CHECK_EQ(normal("( (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBZ barks)) (. .)))"),
             "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))");
    // Traces and the categories that they leave empty are removed.
    CHECK_EQ(normal("(S (NP=2 (-NONE- *-1)) (VP (TO to) (VP (VB go) (SBAR (WHNP (-NONE- 0)) (S (-NONE- *T*-1))))))"),
             "(TOP (S (VP (TO to) (VP (VB go)))))");
    // A category over only itself is merged, here after a trace was removed. Tags are not cut, nor labels that begin
    // with a hyphen.
    CHECK_EQ(normal("(NP (NP-LOC (NP (NN x))) (NP (-NONE- *)))"), "(TOP (NP (NN x)))");
    CHECK_EQ(normal("(X (-LRB- -LRB-) (A-B a))"), "(TOP (X (-LRB- -LRB-) (A-B a)))");
    for (const char* root : {"(TOP (A a))", "(ROOT (A a))", "((A a))", "(A a)"}) CHECK_EQ(normal(root), "(TOP (A a))");
    CHECK_EQ(normal("(S (-NONE- *))"), "");
    CHECK_EQ(normal("(ROOT (S (A a)) (S (B b)))"), "(TOP (S (A a)) (S (B b)))");
}

// Enumerates the derivations of words begin..end - 1 by a top or a bottom state, as preorder lists of chains with
// scores.
struct Enumeration {
    const Pcfg& grammar;
    const std::vector<std::vector<Cky::Entry>>& words;
    using Trees = std::vector<std::pair<double, std::vector<uint32_t>>>;

    Trees tops(uint32_t state, size_t begin, size_t end) const {
        Trees found;
        for (uint32_t c = 0; c < grammar.chains.size(); ++c) {
            if (grammar.chains[c].top != state) continue;
            for (auto& [score, tree] : bottoms(grammar.chains[c].bottom, begin, end)) {
                tree.insert(tree.begin(), c);
                found.emplace_back(score + static_cast<double>(grammar.chains[c].score), std::move(tree));
            }
        }
        return found;
    }
    Trees bottoms(uint32_t state, size_t begin, size_t end) const {
        Trees found;
        if (begin + 1 == end)
            for (const Cky::Entry& word : words[begin])
                if (word.state == state) found.emplace_back(word.score, std::vector<uint32_t>{});
        for (size_t split = begin + 1; split < end; ++split)
            for (const Pcfg::Binary& rule : grammar.binaries) {
                if (rule.parent != state) continue;
                const Trees rights = tops(rule.right, split, end);
                for (const auto& [left_score, left] : tops(rule.left, begin, split))
                    for (const auto& [right_score, right] : rights) {
                        std::vector<uint32_t> tree = left;
                        tree.insert(tree.end(), right.begin(), right.end());
                        found.emplace_back(left_score + right_score + static_cast<double>(rule.score), std::move(tree));
                    }
            }
        return found;
    }
};

void test_k_best_is_enumeration() {
    Random random(7);
    size_t sentences = 0, trees = 0;
    for (size_t round = 0; round < 1500; ++round) {
        const size_t states = 2 + random.below(4);
        const auto score = [&] { return -static_cast<float>(random.below(1000)) / 100; };
        std::set<std::vector<uint32_t>> seen;
        const auto state = [&] { return static_cast<uint32_t>(random.below(states)); };
        std::vector<Pcfg::Binary> binaries;
        std::vector<Pcfg::Chain> chains;
        for (size_t k = 0; k < 2 + random.below(6); ++k) {
            const uint32_t a = state(), b = state(), c = state();
            if (seen.insert({a, b, c}).second) binaries.push_back({a, b, c, score()});
        }
        for (uint32_t s = 0; s < states; ++s) chains.push_back({s, s, score()});
        for (size_t k = 0; k < random.below(4); ++k) chains.push_back({state(), state(), score()});
        const Pcfg grammar(states, 0, binaries, chains);
        std::vector<std::vector<Cky::Entry>> words(1 + random.below(5));
        for (auto& word : words)
            for (uint32_t s = 0; s < states; ++s)
                if (random.chance(2)) word.push_back({s, score()});
        auto expected = Enumeration{grammar, words}.tops(0, 0, words.size());
        std::ranges::sort(expected, std::greater<>());
        Cky cky(grammar);
        CHECK_EQ(cky.parse(words), !expected.empty());
        if (expected.empty()) continue;
        ++sentences;
        std::set<std::vector<uint32_t>> different;
        size_t k = 0;
        for (; cky.has(k) && k < 500; ++k) {
            std::vector<uint32_t> tree;
            for (const Cky::Constituent& part : cky.tree(k)) tree.push_back(part.chain);
            different.insert(tree);
            CHECK(std::abs(static_cast<double>(cky.score(k)) - expected[k].first) < 1e-3);
            CHECK(k == 0 || cky.score(k) <= cky.score(k - 1));
            ++trees;
        }
        CHECK_EQ(k, std::min<size_t>(expected.size(), 500));
        // Different splits and rules may give equal lists of chains, which must occur as often as in the enumeration.
        std::set<std::vector<uint32_t>> all;
        for (size_t t = 0; t < k; ++t) all.insert(expected[t].second);
        if (k == expected.size()) CHECK_EQ(different.size(), all.size());
    }
    CHECK(sentences > 100);
    CHECK(trees > 2000);
}

TreebankGrammar grammar_of(const std::vector<std::string>& trees, size_t vertical = 2, size_t horizontal = 2) {
    TreebankGrammar grammar(vertical, horizontal);
    for (const std::string& text : trees) {
        Symbols symbols;
        for (const PhraseTree& tree : read_trees(text, "trees", 1, symbols))
            grammar.add(normalised(tree, symbols), symbols);
    }
    return grammar;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const size_t stop = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, stop));
        text.remove_prefix(std::min(stop + 1, text.size()));
    }
    return words;
}

std::vector<PhraseParser::Scored> parsed(const PhraseParser& parser, std::string_view text, size_t n) {
    PhraseParser::Workspace workspace(parser);
    return parser.parse(words_of(text), n, workspace);
}

void test_counts() {
    const TreebankGrammar grammar =
        grammar_of({"(S (NP (D the) (J old) (J sad) (N dog)) (VP (V barks)))", "(S (NP (N x)) (VP (V y)))"});
    CHECK_EQ(grammar.to_text(),
             "s\tTOP\tTOP\ns\tS\tS ^TOP\ns\tNP\tNP ^S\ns\tVP\tVP ^S\ns\tD\tD ^NP\ns\t\t@NP ^S .. D\ns\tJ\tJ ^NP\n"
             "s\t\t@NP ^S .. D J\ns\tN\tN ^NP\ns\tV\tV ^VP\n"
             "b\t1\t2\t3\t2\nb\t2\t4\t5\t1\nb\t5\t6\t7\t1\nb\t7\t6\t8\t1\n"
             "c\t2\t0\t1\nc\t1\t2\nc\t1\t2\t8\nc\t2\t3\t9\nc\t1\t4\nc\t2\t6\nc\t1\t8\n"
             "w\tbarks\t9\t1\nw\tdog\t8\t1\nw\told\t6\t1\nw\tsad\t6\t1\nf\tthe\t4\t1\nf\tx\t8\t1\nw\ty\t9\t1\n");
    CHECK_EQ(TreebankGrammar::of_text(grammar.to_text()).to_text(), grammar.to_text());
    // Without horizontal history, any known word may follow any other.
    CHECK(grammar_of({"(S (A a) (B b) (C c))"}, 1, 0).to_text().find("s\t\t@S ..\n") != std::string::npos);
    for (const char* broken : {"", "s\tA\n", "s\tA\tA\ns\tA\tA\n", "b\t0\t0\t0\t1\n", "s\tA\tA\nc\t1\t1\n",
                               "s\tA\tA\nc\t0\t0\n", "s\tA\tA\nc\t-1\t0\n", "s\tA\tA\nw\tx\t0\n", "q\n", "s\tA\tA"})
        CHECK_THROWS(ModelError, "grammar", TreebankGrammar::of_text(broken));
}

void test_probabilities() {
    // S -> A B twice, S -> A C once, all with one word: p = 2/3 and 1/3 times the words', which are certain.
    const PhraseParser parser(grammar_of({"(S (A a) (B x))", "(S (A a) (B x))", "(S (A a) (C x))"}, 1, 2));
    const auto best = parsed(parser, "a x", 10);
    CHECK_EQ(best.size(), 2u);
    CHECK_EQ(best[0].tree, "(TOP (S (A a) (B x)))");
    CHECK_EQ(best[1].tree, "(TOP (S (A a) (C x)))");
    // p(x | B) / p(x | C) = (p(B | x) / p(B)) / (p(C | x) / p(C)) = 1
    CHECK(std::abs(best[0].score - best[1].score - std::log(2.0)) < 1e-5);
}

void test_parser() {
    const PhraseParser parser(grammar_of({
        "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes))))))",
        "(S (NP (DT a) (NN cat)) (VP (VBZ sees) (NP (DT the) (NN dog)) (PP (IN with) (NP (NNS eyes)))))",
        "(S (NP (NNP Rex)) (VP (VBZ barks)))",
    }));
    const auto best = parsed(parser, "a dog sees the cat with eyes", 100);
    CHECK(best.size() >= 2);
    std::set<std::string> different;
    for (size_t k = 0; k < best.size(); ++k) {
        different.insert(best[k].tree);
        CHECK(k == 0 || best[k].score <= best[k - 1].score);
    }
    CHECK_EQ(different.size(), best.size());
    CHECK_EQ(parsed(parser, "a dog sees the cat with eyes", 1)[0].tree, best[0].tree);
    // Unknown words have the tags of rare words.
    CHECK_EQ(parsed(parser, "the frog barks", 1)[0].tree.find("(TOP (S (NP (DT the)"), 0u);
    // If there is no tree, the parser returns a flat one with the score kFlat.
    const auto flat = parsed(parser, "the the the", 5);
    CHECK_EQ(flat.size(), 1u);
    CHECK_EQ(flat[0].tree, "(TOP (DT the) (DT the) (DT the))");
    CHECK_EQ(flat[0].score, PhraseParser::kFlat);
    std::string longest = "the";
    for (size_t k = 0; k < PhraseParser::kLongest; ++k) longest += " the";
    CHECK_EQ(parsed(parser, longest, 5)[0].score, PhraseParser::kFlat);
    CHECK_EQ(parsed(parser, "", 5).size(), 0u);
    CHECK_THROWS(ModelError, "no root", PhraseParser(TreebankGrammar::of_text("s\tA\tA\nc\t1\t0\nw\tx\t0\t1\n")));
}

void test_word_classes() {
    CHECK_EQ(word_class("running", false), "low-ing");
    CHECK_EQ(word_class("Running", true), "First-ing");
    CHECK_EQ(word_class("Rex", false), "Cap");
    CHECK_EQ(word_class("NATO", false), "ALL");
    CHECK_EQ(word_class("1,000", false), "num");
    CHECK_EQ(word_class("30-day", false), "low+num+hyphen-y");
    CHECK_EQ(word_class("Écoles", false), "Cap-s");
    CHECK_EQ(word_class("--", false), "other+hyphen");
    CHECK_EQ(word_class("", true), "other");
}

}  // namespace

int main() {
    test_phrase_trees();
    test_normalised();
    test_k_best_is_enumeration();
    test_counts();
    test_probabilities();
    test_parser();
    test_word_classes();
    return check::failures();
}

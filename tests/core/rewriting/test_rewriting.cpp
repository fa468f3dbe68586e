// Rewriters of taggers without weights: labels of lower numbers win, so that what is chosen is seen by eye.
#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "check.hpp"
#include "data.hpp"
#include "rewriting/rewriting_examples.hpp"
#include "rewriting/rewriting_rows.hpp"
#include "rewriting/script_guard.hpp"
#include "rewriting/splitter.hpp"

using namespace sapwood;

namespace {

// A tagger that gives every row the first label.
Tagger tagger(std::vector<std::string> scripts, const std::string& lines = "U:%x[0,form]/%x[0,upos]\n",
              Search search = Search::argmax) {
    const SequenceSpec spec{search, 1, std::move(scripts)};
    const Template pattern(lines, "template", Header{{"form", "upos", "label"}, 2});
    std::vector<PackedTable> tables;
    for (size_t t = 0; t < spec.tables(); ++t) {
        PlainTable<int8_t> table;
        table.width = spec.width(t);
        tables.push_back(pack(table));
    }
    return Tagger(spec, Extractor(pattern, {}, 0, 0), TagDictionary(), tables, 8, 1);
}

std::string lemmas(const Rewriter& rewriter, const std::string& rows) {
    const Columns data = columns(rows);
    const Rewriter::Forms forms = rewriter.first_words(data, 2);
    std::string out;
    for (size_t t = 0; t < data.tokens(); ++t) out += (out.empty() ? "" : " ") + forms[t];
    return out;
}

void test_lemmas() {
    const Tagger tags = tagger({"[:-3]y", "[l:]", "be"});
    CHECK_EQ(lemmas(Rewriter(tags, 1), "cities N\ncities N\nThe D\n\nabcd N\nan D\ncities V\n"),
             "city city the ay an city");
    CHECK_EQ(lemmas(Rewriter(tags, 1, LemmaLexicon({{"cities", "V", 2}, {"ab", "D", 0}, {"cities", "V", 1}})),
                    "Cities V\ncities N\nab D\n"),
             "be city ab");
    const Tagger short_ones = tagger({"[2:]", "[3:]"});
    CHECK_EQ(lemmas(Rewriter(short_ones, 1), "ab N\nabc N\n"), "ab c");
}

// Scripts that rewrite letters have lists: of [:-3]y, and of "be".
void test_guarded_lemmas() {
    const Tagger tags = tagger({"[:-3]y", "be", "[l:]"});
    const std::string rest(1, '\0');
    const std::string lists = rest + "ties\tflies\nwas\t2s";
    CHECK_EQ(lemmas(Rewriter(tags, 1, {}, lists), "cities N\nflies N\nallies N\nWas N\n2s N\n3ties N\n"),
             "city fly allies be be 3ties");
    CHECK_EQ(lemmas(Rewriter(tags, 1), "allies N\n3ties N\n"), "ally 3ties");
    CHECK_THROWS(ModelError, "a list of forms for each", Rewriter(tags, 1, {}, "a"));
}

void test_known_words_go_before_others() {
    const Tagger tags = tagger({"[:-1]", "[:-2]", "[u:]", "[l:]"});
    const std::string lists = std::string(1, '\0') + "ed\n" + std::string(1, '\0') + "ed";
    const std::vector<std::pair<std::string, std::string>> entries = {{"leap", "V"}, {"shape", "V"}, {"bed", "N"}};
    const auto words = std::make_shared<const Lexicon>(entries, "words");
    CHECK_EQ(lemmas(Rewriter(tags, 1, {}, lists, words), "leaped V\nshaped V\noped V\nbed N\nbed X\nbed V\n"),
             "leap shape ope bed be be");
}

void test_lists_are_learned() {
    const std::vector<std::string> labels = {"[:-1]", "[l:-1]", "be", "[:]"};
    const auto learned = [&](const std::string& rows, std::string_view known = {}) {
        std::string text = ScriptGuard::learn(columns(rows), labels, known);
        std::ranges::replace(text, '\0', '*');
        return text;
    };
    CHECK_EQ(learned("dogs [:-1]\nCats [l:-1]\n2s [:-1]\nwas be\nbed [:]\n"), "2s\tcats\tdogs\nwas");
    CHECK_EQ(learned("dogs [:-1]\nCats [l:-1]\nhats [:-1]\nwas be\n"), "*s\nwas");
    CHECK_EQ(learned("is be\n", "dogs\nwas"), "dogs\nis\twas");
    CHECK_EQ(learned("bed [:]\n"), "");
}

// Rows of a text that failed are not taken for known.
void test_nothing_is_remembered_of_a_text_that_failed() {
    const Tagger tags = tagger({"[l:]", "[:-3]y"});
    const Rewriter rewriter(tags, 1, LemmaLexicon({{"cities", "N", 1}}));
    Columns rows = Columns::over("citiesN", 2, "rows");
    for (const Columns::Cell cell :
         {Columns::part(0, 6), Columns::part(6, 7), Columns::part(0, 0), Columns::part(6, 7)})
        rows.add_cell(cell);
    rows.end_sentence();
    CHECK_THROWS(DataError, "empty", rewriter.first_words(rows, 1));
    CHECK_EQ(lemmas(rewriter, "cities N\n"), "city");
}

// A list of phrases looks at the rows that follow, so rows are tagged where they stand, whatever was seen before.
void test_lists_of_phrases_look_at_rows_that_follow() {
    const Template pattern("U:%in[0,form,\"list\"]\n", "template", Header{{"form", "upos", "label"}, 2});
    for (const std::string phrase : {"new", "new york"}) {
        Extractor extractor(pattern, {WordList(phrase)}, 0, 0);
        Extractor::Workspace workspace;
        const Columns begin = columns("new N\nyork N\n");
        extractor.read(begin, 0, 2, workspace);
        PlainTable<int8_t> table;
        table.width = 2;
        table.key_bits = 64;
        table.keys = {extractor.key(extractor.line(0, 0), workspace, 0)};
        table.sizes = {1};
        table.outputs = {1};
        table.values = {100};
        const Tagger tags({Search::argmax, 1, {"[:]", "begin"}}, std::move(extractor), TagDictionary(), {pack(table)},
                          8, 1);
        const Rewriter rewriter(tags, 1);
        const std::string before = lemmas(rewriter, "new N\nyork N\n");
        CHECK_EQ(before, "begin york");
        lemmas(rewriter, "york N\n");
        CHECK_EQ(lemmas(rewriter, "new N\nyork N\n"), before);
        CHECK_EQ(lemmas(rewriter, "new N\njersey N\n"), phrase == "new" ? "begin jersey" : "new jersey");
    }
}

void test_refused() {
    const Tagger pairs = tagger({"[:1] [1:]"}), broken = tagger({"[:"}), greedy = tagger({"a"}, "U\n", Search::greedy);
    CHECK_THROWS(ModelError, "makes 2 words", Rewriter(pairs, 1));
    CHECK_THROWS(ModelError, "not an edit script", Rewriter(broken, 1));
    CHECK_THROWS(ModelError, "argmax search alone", Rewriter(greedy, 1));
    const Tagger forms = tagger({"a"}, "U:%x[0,form]\n");
    CHECK_THROWS(ModelError, "goes by tags", Rewriter(forms, 1, LemmaLexicon({{"a", "N", 0}})));
    CHECK_THROWS(DataError, "the model reads 2 columns", lemmas(Rewriter(tagger({"a"}), 1), "a\n"));
    CHECK_THROWS(ModelError, "is not sorted", LemmaLexicon({2, 1}, {0, 0}, 1));
    CHECK_THROWS(ModelError, "a script for each word", LemmaLexicon({1}, {}, 1));
    CHECK_THROWS(ModelError, "does not have", LemmaLexicon({1}, {1}, 1));
    CHECK_THROWS(ModelError, "not sorted", KnownWords(std::vector<uint32_t>{1, 1}));
}

const std::string kTreebank =
    "1\tis\tbe\tV\t_\t_\t0\troot\t_\t_\n2-3\tatree\t_\t_\t_\t_\t_\t_\t_\t_\n2\ta\t_\tD\t_\t_\t1\tx\t_\t_\n"
    "3\ttree\ttree\tN\t_\t_\t1\tx\t_\t_\n\n1\ttree\ttree\tN\t_\t_\t0\troot\t_\t_\n";

void test_splits() {
    const Conllu treebank(kTreebank, nullptr, "treebank");
    const KnownWords known(treebank);
    CHECK_EQ(known.hashes().size(), 3u);
    CHECK_EQ(known.parts("tree"), "ynnnnn");
    CHECK_EQ(known.parts("atree"), "nynnnn");
    CHECK_EQ(known.parts("a"), "ynnnnn");
    CHECK_EQ(CountedWords(treebank).parts("atree", {"a", "tree"}), "nynnnn");
    CHECK_EQ(CountedWords(treebank).parts("is", {"is"}), "nnnnnn");
    const Tagger halves = tagger({"[:1] [1:]", "[:]"});
    const auto found = Splitter(halves, known).split(columns("atree\nb\n\nab\n"), 1);
    CHECK_EQ(found.size(), 2u);
    CHECK(found[0].row == 0 && found[0].words == (std::vector<std::string>{"a", "tree"}));
    CHECK(found[1].row == 2 && found[1].words == (std::vector<std::string>{"a", "b"}));
}

void test_examples() {
    const Conllu treebank(kTreebank, nullptr, "treebank");
    const Columns words = lemma_examples(treebank), tokens = split_examples(treebank, true);
    CHECK_EQ(words.tokens(), 3u);  // one has no lemma
    CHECK_EQ(words.cell(1, 0), "tree");
    CHECK_EQ(lemma_rows(treebank).tokens(), 4u);
    CHECK_EQ(tokens.tokens(), 3u);
    CHECK_EQ(tokens.cell(1, 0), "atree");
    CHECK_EQ(tokens.cell(1, 1), "nynnnn");
    CHECK_EQ(EditScript(tokens.cell(1, 2)).words(), 2u);
    CHECK_EQ(split_examples(treebank, false).cell(1, 1), "_");
    CHECK_EQ(token_rows(treebank).sentences(), 2u);
}

}  // namespace

int main() {
    test_lemmas();
    test_guarded_lemmas();
    test_known_words_go_before_others();
    test_lists_are_learned();
    test_nothing_is_remembered_of_a_text_that_failed();
    test_lists_of_phrases_look_at_rows_that_follow();
    test_refused();
    test_splits();
    test_examples();
    return check::failures();
}

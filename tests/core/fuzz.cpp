// Fuzzes column files, treebanks and templates. Damaged input is either read or refused with the right error, and input
// that was read can be tagged or written again.
#include <chrono>

#include "base/errors.hpp"
#include "check.hpp"
#include "data.hpp"
#include "features/cluster_files.hpp"
#include "mutate.hpp"
#include "parsing/treebank.hpp"
#include "random.hpp"
#include "search/projective.hpp"
#include "tagging/tagger.hpp"
#include "tagging/tagger_trainer.hpp"
#include "text/treebank_text.hpp"

using namespace sapwood;

namespace {

constexpr int kRounds = 12000;

const std::string kData =
    "The\tDT\tB-NP\nold\tJJ\tI-NP\ncaf\xC3\xA9\tNN\tI-NP\n\nis\tVBZ\tB-VP\r\nNew York\tNNP\tB-NP\n";
const std::string kTreebank =
    "# sent_id = a\n1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n"
    "2\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n2.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\t#\t#\tSYM\t#\t_\t0\troot\t_\tSpacesAfter=\\s\\u00A0\n4\tgo\tgo\tVERB\tVB\t_\t3\tconj\t_\t_\r\n\n"
    "1\tcaf\xC3\xA9\t_\tNOUN\t_\t_\t0\troot\t_\t_\n";
const std::string kTemplate = R"(
U00:%x[-2,0]/%x[0,pos]
U01:%X[1,0] # next
U02:%t[0,0,"^\u.*\d?$"]
U03:%m[-1,0,".?.?$"]
U04:%prefix[0,0,3]%suffix[0,0,2]%shape[0,0]%digit[0,0]%hyphen[0,0]%capital[0,0]
U05:%in[0,0,"cities"]
U11:%cluster[0,0]%Cluster[1,0,1]
U12:%lexicon[0,0]%Lexicon[1,0]
U06:%x[@-1,0]%lower[@1,0]
*07:%x[0,1]
B
U08:%y[-1]
U09:%y[-2]/%y[-1]/%x[0,0]
U10:%y[-1]/%y[+1]
)";

Extractor with_lists(Template pattern, unsigned reach, unsigned ahead = 0) {
    std::vector<WordList> lists(pattern.list_names().size(), WordList("New York\nold caf\xC3\xA9\n"));
    const auto clusters = std::make_shared<WordClusters>(read_clusters("0\tNew York\n10\tis\n11\told\n", "paths", 9));
    const auto lexicon = std::make_shared<Lexicon>(
        std::vector<std::pair<std::string, std::string>>{{"is", "AUX"}, {"old", "ADJ"}}, "words");
    return Extractor(std::move(pattern), std::move(lists), reach, ahead, {clusters, lexicon});
}

// A model of three labels that has no weights.
Tagger empty_tagger(const Template& pattern, Search search, unsigned order) {
    const SequenceSpec spec{search, order, {"B-NP", "I-NP", "O"}};
    std::vector<PackedTable> tables;
    for (size_t t = 0; t < spec.tables(); ++t) {
        PlainTable<int8_t> table;
        table.width = spec.width(t);
        tables.push_back(pack(table));
    }
    return Tagger(spec, with_lists(pattern, spec.reach(), spec.ahead()), {}, tables, 8, 1);
}

void fuzz_columns() {
    const Columns data = columns(kData);
    TaggerOptions options;
    TaggerTrainer trainer(data, 2, with_lists(compile(kTemplate), 1), options);
    for (int epoch = 0; epoch < 5; ++epoch) trainer.step(1000);
    const PackedModel model = trainer.freeze({8, 0});
    const Tagger tagger(trainer.spec(), with_lists(compile(kTemplate), 1), {}, model.tables, model.bits, model.scale);

    Random random(1);
    const std::vector<std::string> pieces = {"\n",
                                             "\n\n",
                                             "\t",
                                             " ",
                                             "\r\n",
                                             "\r",
                                             "\xEF\xBB\xBF",
                                             std::string(1, '\0'),
                                             "\xC3",
                                             "\xF0\x9F\x98\x80",
                                             "a\tb\tc\n",
                                             "\xC2\xA0",
                                             std::string(500, 'x')};
    int read = 0, refused = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::string text = mutate(random, random.chance(4) ? "a b c\nd e f\n" : kData, pieces);
        try {
            const Columns changed = columns(text);
            CHECK_EQ(tagger.tag(changed, 1).size(), changed.tokens());
            for (size_t s = 0; s < changed.sentences(); ++s) CHECK(!tagger.n_best(changed, s, 2).empty());
            for (size_t t = 0; t < changed.tokens(); ++t) {
                CHECK(changed.where(t).starts_with("data:"));
                for (size_t c = 0; c < changed.width(); ++c) CHECK(!changed.cell(t, c).empty());
            }
            if (changed.tokens() > 0 && random.chance(8))
                TaggerTrainer(changed, 2, with_lists(compile(kTemplate), 1), options).step(100);
            ++read;
        } catch (const DataError& error) {
            CHECK(std::string(error.what()).starts_with("data:"));
            ++refused;
        }
    }
    CHECK(read > kRounds / 20 && refused > kRounds / 20);
}

// Valid trees can be projectivised and deprojectivised.
void use_trees(const Conllu& data) {
    LabelSet labels;
    for (size_t s = 0; s < data.sentences(); ++s) {
        Tree tree = read_tree(data, s, false, labels);
        projectivise(tree, labels);
        CHECK(is_projective(tree));
        deprojectivise(tree, LiftedLabels(labels));
        CHECK(!find_flaw(tree.heads, false).has_value());
    }
}

void fuzz_treebanks() {
    Random random(3);
    const std::vector<std::string> pieces = {"\n",
                                             "\n\n",
                                             "\t",
                                             " ",
                                             "\r\n",
                                             "\r",
                                             "#",
                                             "# sent_id = b\n",
                                             "\xEF\xBB\xBF",
                                             std::string(1, '\0'),
                                             "\xE2\x86\x91",
                                             "_",
                                             "-",
                                             ".",
                                             "0",
                                             "2",
                                             "3-4",
                                             "3.1",
                                             "99999999999999999999",
                                             "SpacesAfter=\\s\\u12|",
                                             "1\ta\t_\t_\t_\t_\t0\troot\n"};
    int read = 0, refused = 0, trees = 0;
    for (int round = 0; round < kRounds; ++round) {
        const auto text = std::make_shared<std::string>(mutate(random, kTreebank, pieces));
        try {
            const Conllu data(*text, text, "data");
            std::vector<Conllu::Replacement> same;
            for (const Field field : {Field::deprel, Field::form, Field::head}) {
                same.push_back({field, {}});
                for (size_t w = 0; w < data.words(); ++w) same.back().cells.push_back(data.cell(w, field));
            }
            CHECK_EQ(data.write({}), *text);
            CHECK_EQ(data.write(same), *text);
            for (size_t w = 0; w < data.words(); ++w) CHECK(data.where(w).starts_with("data:"));
            const size_t width = random.below(9);
            const TreebankText joined = treebank_text(data, width);
            CHECK_EQ(joined.words.back(), data.words());
            CHECK_EQ(joined.sentences.size(), data.sentences() + 1);
            for (const auto& [begin, end] : joined.tokens) CHECK(begin < end && end <= joined.text.size());
            ++read;
            use_trees(data);
            ++trees;
        } catch (const DataError& error) {
            CHECK(std::string(error.what()).starts_with("data:"));
            CHECK(std::string(error.what()).find_first_of("\n\r") == std::string::npos);
            ++refused;
        }
    }
    CHECK(read > kRounds / 20 && refused > kRounds / 20 && trees > kRounds / 100);
}

void fuzz_templates() {
    const Columns data = columns(kData);
    Random random(2);
    const std::vector<std::string> pieces = {"%x[0,0]",
                                             "%",
                                             "[",
                                             "]",
                                             ",",
                                             "\"",
                                             "\\",
                                             "*",
                                             "?",
                                             "^",
                                             "$",
                                             "@",
                                             "-",
                                             "+",
                                             "#",
                                             "\n",
                                             "%y[-1]",
                                             "%y[-2]",
                                             "%y[+1]",
                                             "%y[+2]",
                                             "-1",
                                             "100",
                                             "99999999999",
                                             "-2147483648",
                                             "2147483647",
                                             "pos",
                                             "label",
                                             "\xC3\xA9",
                                             "\xC3",
                                             std::string(1, '\0'),
                                             "%in[0,0,\"\"]",
                                             "%m[0,0,\"\"]"};
    int read = 0, refused = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::string text = mutate(random, kTemplate, pieces);
        try {
            const Template pattern = compile(text);
            const unsigned order = random.chance(2) ? 1 : 2;
            const Search search = random.pick(std::vector{Search::greedy, Search::easiest_first, Search::viterbi});
            const Tagger tagger = empty_tagger(pattern, search, order);
            CHECK(tagger.tag(data, 1) == std::vector<Label>(data.tokens(), 0));
            for (unsigned group = 0; group < kLineGroups; ++group)
                for (size_t f = 0; f < tagger.extractor().lines(group); ++f)
                    for (size_t i = 0; i < 3; ++i)
                        CHECK(!tagger.extractor().name(tagger.extractor().line(group, f), data, 0, 3, i).empty());
            ++read;
        } catch (const TemplateError& error) {
            CHECK(std::string(error.what()).starts_with("template:"));
            ++refused;
        }
    }
    CHECK(read > kRounds / 20 && refused > kRounds / 20);
}

}  // namespace

int main() {
    fuzz_columns();
    fuzz_treebanks();
    fuzz_templates();
    return check::failures();
}

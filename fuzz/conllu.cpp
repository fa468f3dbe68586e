// Treebanks in CoNLL-U and CoNLL-X: they are written again as they were read, and trees that are valid can be lifted,
// put back, learned from and parsed.
#include "text/conllu.hpp"

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "parsing/treebank.hpp"
#include "rewriting/rewriting_examples.hpp"
#include "rewriting/rewriting_rows.hpp"
#include "search/projective.hpp"
#include "small_models.hpp"
#include "target.hpp"
#include "text/doc.hpp"
#include "text/plain_text.hpp"
#include "text/treebank_text.hpp"

namespace sapwood::fuzz::conllu {
namespace {

void write_again(const Conllu& data, std::string_view input) {
    std::string kept;
    const std::string_view plain = plain_lines(input, kept);
    SAPWOOD_REQUIRE(data.write({}) == plain);
    std::vector<Conllu::Replacement> same;
    for (const Field field : {Field::deprel, Field::form, Field::head}) {
        same.push_back({field, {}});
        for (size_t w = 0; w < data.words(); ++w) same.back().cells.push_back(data.cell(w, field));
    }
    SAPWOOD_REQUIRE(data.padded() > 0 || data.write(same) == plain);
    const Conllu replaced = data.replaced(same);
    SAPWOOD_REQUIRE(replaced.write({}) == data.write(same) && replaced.words() == data.words());
    for (size_t w = 0; w < data.words(); ++w)
        for (size_t k = 0; k < kFields; ++k)
            SAPWOOD_REQUIRE(replaced.cell(w, Field{static_cast<int>(k)}) == data.cell(w, Field{static_cast<int>(k)}));
    for (size_t w = 0; w < data.words(); ++w) SAPWOOD_REQUIRE(data.where(w).starts_with("data:"));
    std::vector<size_t> odd;
    for (size_t s = 1; s < data.sentences(); s += 2) odd.push_back(s);
    const Conllu some = data.select(odd);
    SAPWOOD_REQUIRE(some.sentences() == odd.size());
    const Conllu again = conllu_of(some.write({}));
    SAPWOOD_REQUIRE(again.words() == some.words() && again.sentences() == some.sentences());
}

void use_text(const Conllu& data, size_t width) {
    const TreebankText joined = treebank_text(data, width);
    SAPWOOD_REQUIRE(joined.words.back() == data.words());
    SAPWOOD_REQUIRE(joined.sentences.size() == data.sentences() + 1);
    size_t last = 0;
    for (const auto& [begin, end] : joined.tokens) {
        SAPWOOD_REQUIRE(last <= begin && begin < end && end <= joined.text.size());
        last = end;
    }
    const TreebankTokens tokens = treebank_tokens(data);
    SAPWOOD_REQUIRE(tokens.forms.size() == joined.tokens.size());
    const Doc doc = doc_of(data);
    SAPWOOD_REQUIRE(doc.word_count() == data.words() && doc.sentence_count() == data.sentences());
    const Conllu again = conllu_of(to_conllu(doc));
    SAPWOOD_REQUIRE(again.words() == data.words() && again.sentences() == data.sentences());
    to_json_lines(doc);
}

// Valid trees can be made projective and put back.
void use_trees(const Conllu& data) {
    LabelSet labels;
    for (size_t s = 0; s < data.sentences(); ++s) {
        Tree tree = read_tree(data, s, false, labels);
        projectivise(tree, labels);
        SAPWOOD_REQUIRE(is_projective(tree));
        deprojectivise(tree, LiftedLabels(labels));
        SAPWOOD_REQUIRE(!find_flaw(tree.heads, false).has_value());
    }
}

void parse(const Conllu& data) {
    const std::string parsed = small_parser().annotate(data, 1);
    LabelSet labels;
    const Conllu again = conllu_of(parsed);
    for (size_t s = 0; s < again.sentences(); ++s) read_tree(again, s, true, labels);
}

bool run(std::string_view input) {
    return reads<DataError>("data:", [&] {
        const Conllu data = conllu_of(input);
        write_again(data, input);
        use_text(data, number_of(input) % 9);
        parse(data);
        use_trees(data);
        if (number_of(input) % 8 != 0) return;
        ParserTrainer trainer = parser_trainer(data, small_parser_spec(), {});
        for (int k = 0; k < 4; ++k) trainer.step(1);
        split_examples(data, true);
        lemma_examples(data);
    });
}

std::vector<std::string> seeds() {
    return {kSmallTreebank,
            "# sent_id = a\n1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n"
            "2\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n2.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3\t#\t#\tSYM\t#\t_\t0\troot\t_\tSpacesAfter=\\s\\u00A0\n4\tgo\tgo\tVERB\tVB\t_\t3\tconj\t_\t_\r\n\n"
            "1\tcaf\xC3\xA9\t_\tNOUN\t_\t_\t0\troot\t_\t_\n",
            "1\tHe\the\tN\tN\t_\t2\tsubj\n2\tgoes\tgo\tV\tV\t_\t0\troot\n3\thome\thome\tN\tN\t_\t2\tx\xE2\x86\x91y\n"};
}

const Target target("conllu", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::conllu

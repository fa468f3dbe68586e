// Documents out of given parts, which may contradict each other: what is built can be written and read.
#include "base/errors.hpp"
#include "records.hpp"
#include "small_models.hpp"
#include "target.hpp"
#include "text/characters.hpp"
#include "text/doc.hpp"
#include "text/given_doc.hpp"
#include "text/treebank_text.hpp"
#include "text/utf8.hpp"

namespace sapwood::fuzz::documents {
namespace {

constexpr const char* kColumns[] = {"form", "upos", "xpos", "feats", "lemma", "deprel", "entity"};

GivenDoc given_of(const Records& in) {
    GivenDoc given;
    given.text = in["text"];
    const auto spans = in.numbers<uint16_t>("tokens");
    for (size_t k = 0; k + 1 < spans.size(); k += 2) given.tokens.emplace_back(spans[k], spans[k + 1]);
    for (const uint16_t word : in.numbers<uint16_t>("first_words")) given.first_words.push_back(word);
    const auto sentences = in.numbers<uint16_t>("sentences");
    for (size_t k = 0; k + 2 < sentences.size(); k += 3)
        given.sentences.emplace_back(sentences[k], sentences[k + 1], sentences[k + 2] != 0);
    for (const char* column : kColumns)
        if (in.has(column)) given.columns[column] = in.lines(column);
    given.items = {{"entity", {"NER", "O"}}};
    if (in.has("heads")) given.heads = in.numbers<int64_t>("heads");
    return given;
}

bool run(std::string_view input) {
    const GivenDoc given = given_of(Records(input));
    // As Python's strings are, which are what the binding gets.
    if (find_invalid_utf8(given.text) != std::string::npos) return false;
    for (const auto& [name, cells] : given.columns)
        for (const std::string& cell : cells)
            if (find_invalid_utf8(cell) != std::string::npos) return false;
    return reads<DataError>("document:", [&] {
        const Doc doc = build_doc(given);
        SAPWOOD_REQUIRE(doc.text() == given.text && doc.token_count() == given.tokens.size());
        to_json_lines(doc);
        const std::string written = to_conllu(doc);
        const Conllu read = conllu_of(written);
        SAPWOOD_REQUIRE(read.words() == doc.word_count() && read.sentences() == doc.sentence_count());
        // Of a token that is one word, CoNLL-U has the word only; and what is between tokens is read if it is white space.
        bool restorable = doc.sentence_count() > 0;
        size_t behind = 0;
        for (const auto& [begin, end] : given.tokens) {
            for (size_t at = behind; at < begin;) restorable &= is_space(next_code_point(given.text, at));
            behind = end;
        }
        for (size_t at = behind; at < given.text.size();) restorable &= is_space(next_code_point(given.text, at));
        for (size_t t = 0; t < doc.token_count(); ++t)
            if (const size_t word = doc.tokens[t].first_word; doc.tokens[t + 1].first_word == word + 1)
                restorable &= doc.cell(word, Doc::kForm) == doc.text_of(doc.tokens[t]);
        if (restorable) require_equal(treebank_text(read).text, given.text, "the text out of CoNLL-U, and the text");
    });
}

std::vector<std::string> seeds() {
    using Numbers = std::vector<uint16_t>;
    const std::vector<Record> plain = {{"text", "I can't go."},
                                       {"tokens", bytes_of(Numbers{0, 1, 2, 7, 8, 10, 10, 11})},
                                       {"first_words", bytes_of(Numbers{0, 1, 3, 4, 5})},
                                       {"sentences", bytes_of(Numbers{0, 0, 1, 4, 5, 0})},
                                       {"form", "I\nca\nn't\ngo\n."}};
    std::vector<Record> full = plain;
    for (const auto& [name, cells] : {std::pair{"upos", "PRON\nAUX\nPART\nVERB\nPUNCT"},
                                      {"xpos", "PRP\nMD\nRB\nVB\n."},
                                      {"feats", "_\n_\n_\nVerbForm=Inf\n_"},
                                      {"lemma", "I\ncan\nnot\ngo\n."},
                                      {"deprel", "nsubj\naux\nadvmod\nroot\npunct"},
                                      {"entity", "B-PER\nO\nO\nO\nO"}})
        full.emplace_back(name, cells);
    full.emplace_back("heads", bytes_of(std::vector<int64_t>{4, 4, 4, 0, 4}));
    return {write_records(plain), write_records(full)};
}

const Target target("documents", run, seeds, Form::records);

}  // namespace
}  // namespace sapwood::fuzz::documents

// A text and what was found in it: sentences, tokens, words, their tags, lemmas, trees and names.
//
// Nothing of the text is lost: tokens are parts of it, by offsets in bytes, and what is between them is space. A token
// is one word, or a multiword token of several. What a part of a pipeline finds for words is a column, which has a name.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/columns.hpp"
#include "text/conllu.hpp"
#include "text/familiar_words.hpp"

namespace sapwood {

struct Doc {
    // Where the text ends: with the input, with a paragraph, or within one.
    enum class End : uint8_t { input, paragraph, within_paragraph };

    struct Token {
        size_t begin, end;  // in the text
        size_t first_word;
    };
    struct Sentence {
        size_t first_token, first_word;
        bool begins_paragraph;
    };

    // What a part has found for each word, beside tags and heads. In JSON it has its name; CoNLL-U has a column of this
    // name or, if `item` is not empty, an item of MISC: NER=B-PER of the column "entity".
    struct Column {
        std::string name, item;
        std::string nothing = "_";         // the value of a word that has none; it is not written to MISC
        std::vector<Columns::Cell> cells;  // [words] parts of the bytes of `words`
    };

    // How sure a pipeline is of one kind of decision, such as "tag".
    struct Confidences {
        std::string decision;
        std::vector<double> of;  // [words] from 0 to 1; NaN where nothing was decided
    };

    size_t text_size = 0;             // the text is the first bytes of `words`
    End end = End::input;             // where the text ends
    bool of_lines = false;            // each line of the text is a sentence, and documents may end with any line
    std::vector<Token> tokens;        // [tokens + 1] the last one is the end
    std::vector<Sentence> sentences;  // [sentences + 1] likewise
    Columns words{1, "text"};         // [words] form, then UPOS, XPOS and FEATS if there are tags
    std::vector<Column> columns;      // by name
    std::vector<uint32_t> heads;      // [words] counted from 1 in the sentence, 0 the root; or empty
    std::vector<Confidences> confidences;
    std::vector<FamiliarWords> familiar;  // [sentences] or empty

    static constexpr size_t kForm = 0, kUpos = 1, kXpos = 2, kFeats = 3;

    size_t token_count() const { return tokens.empty() ? 0 : tokens.size() - 1; }
    size_t sentence_count() const { return sentences.empty() ? 0 : sentences.size() - 1; }
    size_t word_count() const { return words.tokens(); }

    std::string_view text() const { return words.bytes().substr(0, text_size); }
    std::string_view text_of(const Token& token) const { return text().substr(token.begin, token.end - token.begin); }
    std::string_view cell(size_t word, size_t column) const {
        return column < words.width() ? words.cell(word, column) : std::string_view("_");
    }
    std::string_view cell(const Column& column, size_t word) const {
        return words.bytes().substr(column.cells[word].offset, column.cells[word].length);
    }
    const Column* column(std::string_view name) const;  // nullptr if no part has filled it
    void add(Column column);                            // or put it in the place of the one of its name
    // Whether the words of a token of several stand in the text, one after another (Ada's: Ada, 's). Each of them then
    // has its own place; other words (French du: de, le) have that of their token.
    bool shows_words(size_t token) const;
    // The space between a token and the next one, or the end of the text.
    std::string_view space_after(size_t token) const {
        const size_t begin = tokens[token].end, end = token + 1 < token_count() ? tokens[token + 1].begin : text_size;
        return text().substr(begin, end - begin);
    }
};

// CoNLL-U of the document, with `# newpar`, `# sent_id` (a number, `first_sentence` the first one) and `# text`. MISC
// has SpaceAfter=No, UDPipe's SpacesAfter and SpacesBefore where a space is not a single one, SpacesInToken where a
// form has other spaces, NER with names in BIO, and TagConfidence and the like. So the text can be restored, unless it is
// nothing but spaces. Of the space between paragraphs all up to the first empty line is SpacesAfter, the rest
// SpacesBefore, and of the space between lines that are sentences all up to the line's end: so the output does not depend
// on how a text is cut into documents.
std::string to_conllu(const Doc& doc, size_t first_sentence = 1);

// The sentences of documents as a treebank: what `to_conllu` writes. Sentences are numbered through all documents.
Conllu treebank_of(const std::vector<const Doc*>& docs, const std::string& name);

// A JSON object for each sentence, one a line: its text, begin and end, and its tokens. Offsets count characters (code
// points), from `first_character` on.
std::string to_json_lines(const Doc& doc, size_t first_character = 0);

}  // namespace sapwood

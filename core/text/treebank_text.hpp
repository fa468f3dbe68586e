// The raw text of a treebank, and where in it each token stands: what a segmenter learns from.
//
// CoNLL-U says how to put the text together. A token is followed by a space unless MISC says otherwise
// (misc_spaces.hpp). For the words of a multiword token the range's MISC counts. A sentence with the comment `# newpar`
// or `# newdoc` begins after an empty line. Offsets are bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/conllu.hpp"

namespace sapwood {

struct TreebankText {
    struct Token {
        size_t begin, end;  // text[begin, end) is the token's form, with its own spaces
    };
    std::string text;
    std::vector<Token> tokens;
    std::vector<size_t> words;      // [tokens + 1] first word of each token
    std::vector<size_t> sentences;  // [sentences + 1] first token of each sentence
    size_t marked = 0;              // tokens whose MISC says that no space, or another than one, follows
    // What tells where spaces are: nothing, forms with spaces inside (a little), `# text`, or MISC, which has no need to
    // where each sentence is one token.
    enum class Told : uint8_t { not_at_all, by_forms, by_text, by_misc } told = Told::not_at_all;
    size_t glued = 0;  // sentences without a space behind them, if nearly all are and tokens are not: a tool's trace

    // A field of MISC about spaces that is not understood.
    struct Unknown {
        std::string field;
        size_t count;
        size_t word;  // the first that has it
    };
    std::vector<Unknown> unknown;  // in the order of their first words

    // Sentences whose comment `# text` is not what their words spell, of so many with such a comment. Runs of white
    // space are equal; where spaces are not told, they do not count.
    size_t misspelled = 0, with_text = 0;
    size_t first_misspelled = 0;  // its number
};

// Puts the text together. The last token is followed by a line end unless its SpacesAfter says otherwise. A `width`
// other than 0 wraps paragraphs, as in the text files of Universal Dependencies: a single space between tokens becomes
// a line end where the line would otherwise have more than `width` characters. A form that has spaces is not broken.
// `apart` gives the text as it was probably written: with a space between sentences that are `glued` and, if MISC never
// tells spaces, with those of the comments `# text`.
TreebankText treebank_text(const Conllu& data, size_t width = 0, bool apart = false);

}  // namespace sapwood

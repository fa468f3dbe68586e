// The raw text of a treebank, and where in it each token stands: what a segmenter learns from.
//
// CoNLL-U keeps no text but says how to put it together. A token is followed by a space unless MISC says otherwise:
// SpaceAfter=No is the field of Universal Dependencies, SpacesAfter and SpacesBefore those of UDPipe, in which \s \t
// \n \r \p \\ and \u00A0 stand for characters, and UDPipe's SpacesInToken is a form with its own spaces. For the words
// of a multiword token the range's MISC counts. A sentence with the comment `# newpar` or `# newdoc` begins after an
// empty line. Offsets are bytes.
#pragma once
#include <cstddef>
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
    size_t marked = 0;              // tokens whose MISC says what follows; 0 in a treebank that does not tell spaces
};

// Puts the text together. The last token is followed by a line end unless its SpacesAfter says otherwise. A `width`
// other than 0 wraps paragraphs, as in the text files of Universal Dependencies: a single space between tokens becomes
// a line end where the line would otherwise have more than `width` characters. A form that has spaces is not broken.
TreebankText treebank_text(const Conllu& data, size_t width = 0);

}  // namespace sapwood

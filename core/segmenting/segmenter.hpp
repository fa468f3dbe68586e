// Cuts text into sentences and tokens: a tagger labels the places where there is a choice (segment_rows.hpp), the rest
// is as training data always had it.
//
// A paragraph is cut as a whole. Of one that is longer than a window, all sentences but the last are kept, and the next
// window begins with that one, so that memory is bounded and the result does not depend on how text arrives. If each line
// is a sentence, it is cut into tokens in the same way; only a line of more than 1000 tokens is several sentences.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "segmenting/segment_rows.hpp"
#include "tagging/tagger.hpp"
#include "text/treebank_text.hpp"

namespace sapwood {

// Tokens and sentences of a text, by offsets in bytes.
struct Segments {
    struct Token {
        size_t begin, end;
    };
    struct Sentence {
        size_t first_token;
        bool begins_paragraph;
    };
    std::vector<Token> tokens;
    std::vector<Sentence> sentences;
    size_t end;  // of the text that was cut
};

// How a text is a part of a longer one.
struct TextPart {
    bool continues = false;  // it begins within a paragraph, or, where lines are sentences, behind other lines
    bool goes_on = false;    // the last paragraph goes on; it is cut up to where more text could change the result
    bool lines = false;      // each line is a sentence
};

class Segmenter {
  public:
    static constexpr size_t kWindow = 1 << 16;  // bytes of a paragraph that are cut at once

    // The tagger must outlive this. Throws ModelError if its labels are not ".", "T" and "S".
    Segmenter(const Tagger& tagger, SegmentChoices choices);

    // The text must be well-formed UTF-8.
    Segments segment(std::string_view text, const TextPart& part = {}) const;

    // The rows of all places at which there is a choice, one sequence for each paragraph. In a paragraph that is longer
    // than a window, `segment` may see less of the text before a place than these rows do.
    Columns rows(std::string_view text) const;

    // The places of these rows, by paragraph: the number of the character that each is before, counted from 0 in the text.
    std::vector<std::vector<size_t>> places(std::string_view text) const;

  private:
    struct Cutting;

    const Tagger& tagger_;
    SegmentChoices choices_;
    std::vector<Begins> begins_;  // [labels] of the tagger
};

// Training data for a segmenter's tagger: rows with labels (segment_rows.hpp) and the choices that they rest on.
struct SegmentExamples {
    SegmentChoices choices;
    Columns rows;
};

// Examples from a treebank's text. For held-out data, `choices` are the training data's; without, they are counted. If no
// kind of place has a choice, the rows are of all places with a gap that has one, or else a single row: a token begins.
SegmentExamples segment_examples(const TreebankText& treebank, std::optional<SegmentChoices> choices);

}  // namespace sapwood

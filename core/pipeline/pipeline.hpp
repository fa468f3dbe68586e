// From text to documents, part by part: segmenter, splitter, tagger, morphology, lemmatizer, parser, other taggers. Each
// part is an ordinary model. It reads the document that the parts before it have filled, and adds its own column.
//
//     segmenter    text                        -> sentences, tokens       without it: given tokens
//     splitter     tokens                      -> words                   without it: a word each
//     tagger       form                        -> UPOS, XPOS              labels "UPOS XPOS", or UPOS alone
//     morphology   form, UPOS, XPOS            -> FEATS                   labels "XPOS FEATS" behind UPOS alone
//     lemmatizer   form, UPOS, XPOS, FEATS     -> lemma
//     parser       the form and tags it wants  -> heads, relations
//     other taggers  form, UPOS, XPOS, FEATS   -> a column each, such as names in BIO; some read forms alone
//
// Text is cut into batches of whole paragraphs, or lines if each is a sentence, which threads take one by one; the result
// does not depend on them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/familiarity.hpp"
#include "parsing/parser.hpp"
#include "rewriting/splitter.hpp"
#include "segmenting/segmenter.hpp"
#include "tagging/tagger_answers.hpp"
#include "text/doc.hpp"

namespace sapwood {

// The units that a document has before its analysis: a text, in which tokens are found; tokens, which are split into words,
// and between which white space says nothing; or words.
enum class Given : uint8_t { text, tokens, words };

class Pipeline {
  public:
    // A tagger that reads forms and tags, and the column that it fills.
    struct ColumnTagger {
        const Tagger* tagger;
        const TaggerAnswers* answers;
        std::string name, item, nothing;  // as Doc::Column has them
    };

    // A part that the pipeline lacks is nullptr. The parts must outlive the pipeline.
    struct Parts {
        const Segmenter* segmenter = nullptr;
        const Splitter* splitter = nullptr;
        const Tagger* tagger = nullptr;
        const Tagger* morphology = nullptr;
        const Rewriter* lemmatizer = nullptr;
        const Parser* parser = nullptr;
        std::vector<ColumnTagger> others;
        bool tagged = false;                       // documents have tags when they come, and there is no tagger
        const Familiarity* familiarity = nullptr;  // what the pipeline was made for
    };

    // Throws ModelError if a part needs one that is not there, or if a label has too many tags or too few.
    explicit Pipeline(const Parts& parts);

    // The documents of the text's batches, in order. The text must be well-formed UTF-8; it needs a segmenter.
    // If the text goes on, a paragraph is read when it has ended: with the first character of the next paragraph or, if
    // `prompt`, with an empty line. Where each line is a sentence, it is read with the next one or, if `prompt`, with its
    // end. A long paragraph or line is read before it ends, up to where more text could change the result. So the
    // documents' texts may end before the text does.
    std::vector<Doc> read(std::string_view text, size_t threads, const TextPart& part = {}, bool prompt = false) const;
    // One document for each text.
    std::vector<Doc> read_each(const std::vector<std::string_view>& texts, size_t threads) const;
    // Analyses a document. Throws DataError if it has tags and the pipeline a tagger, or if it lacks them and they should
    // be there.
    void analyse(Doc& doc, Given given) const;

  private:
    Doc read_one(std::string_view text, const TextPart& part = {}) const;
    void split(Doc& doc) const;
    void tag(Doc& doc) const;
    void parse(Doc& doc) const;

    Parts parts_;
    std::vector<std::vector<std::string>> tags_, features_;  // [columns][labels] of the tagger and the morphology
};

// The tokens of a treebank as a document, with its words. Its text is put together as treebank_text does.
Doc doc_of(const Conllu& data);

// A document of lines, each of them a sentence whose tokens stand between spaces. Throws DataError, in
// which `name` stands for the text, for a token of more than 16 MB.
Doc doc_of_lines(std::string_view text, const std::string& name);

}  // namespace sapwood

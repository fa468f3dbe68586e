// A tagger of rows made of a model file: of the tasks "tag", "segment", "split" and "lemmatize".
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "file/model_file.hpp"
#include "tagging/sequence_options.hpp"
#include "tagging/tagger_answers.hpp"
#include "tagging/tagger_explainer.hpp"

namespace sapwood::making {

using namespace file;

// A tagger, with the labels as they are shown.
struct RowTagger {
    // Throws ModelError if the file does not hold a tagger, and TemplateError.
    explicit RowTagger(const ModelFile& file);
    RowTagger(const RowTagger&) = delete;  // the explainer points to the tagger

    Tagger tagger;
    TaggerAnswers answers;
    TaggerExplainer explainer;

  private:
    RowTagger(const ModelFile& file, const SequenceOptions& options);
};

// Throws ModelError if the file has an array that a model of its task does not have.
void check_extra(const ModelFile& file);

// The word lists of a model. Throws ModelError if they are not those that its template asks for.
std::vector<WordList> lists_of(const ModelFile& file, const Template& pattern);

// The template's lines that a search can use, with their word lists, word clusters and, of the task "tag", lexicon. Throws
// ModelError if the lists are not those that the template asks for, and TemplateError.
Extractor extractor_of(const ModelFile& file, const SequenceSpec& spec);

// The columns that the tag dictionary is about, by the option "dictionary"; none without it. Throws ModelError.
std::vector<size_t> dictionary_columns(const ModelFile& file);

// The tag dictionary, whose arrays are those of TagDictionary. Throws ModelError.
TagDictionary dictionary_of(const ModelFile& file);

// The tags of words; null if the file has none. Throws ModelError. The arrays are
//
//     lexicon.high, lexicon.low      fingerprints of the words (features/word_clusters.hpp)
//     lexicon.classes, lexicon.tree  the set of tags of each word, and the sets (features/lexicon.hpp)
//     lexicon.sizes                  the number of words, and key_bits
//     lexicon.tags                   the tags, ascending, one a line
std::shared_ptr<const Lexicon> lexicon_of(const ModelFile& file);

}  // namespace sapwood::making

// Small models that are trained when a target starts, so that what was read can be used.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "features/extractor.hpp"
#include "model/freeze.hpp"
#include "parsing/parser.hpp"
#include "parsing/parser_trainer.hpp"
#include "pipeline/pipeline.hpp"
#include "rewriting/splitter.hpp"
#include "segmenting/segmenter.hpp"
#include "tagging/tagger.hpp"
#include "tagging/tagger_answers.hpp"
#include "tagging/tagger_trainer.hpp"

namespace sapwood::fuzz {

extern const char* const kSmallTemplate;  // for columns word, pos, label; has every macro
extern const char* const kSmallColumns;
extern const char* const kSmallTreebank;
extern const char* const kSmallParserTemplate;  // for beam search

Columns columns_of(std::string_view bytes, const std::string& name = "data");
Conllu conllu_of(std::string_view bytes, const std::string& name = "data");

// With a word list for each name in the template, clusters and a lexicon.
Extractor small_extractor(const Template& pattern, const SequenceSpec& spec);
Template small_template(std::string_view text = kSmallTemplate);

// What was learned from some columns.
struct Trained {
    SequenceSpec spec;
    PackedModel model;
};
Trained train(const Columns& data, size_t label, const Template& pattern, Search search);

struct SmallTagger {
    Tagger tagger;
    TaggerAnswers answers;

    // Learned from kSmallColumns by a search of this kind.
    static const SmallTagger& of_columns();
    SmallTagger(const Columns& data, size_t label, const Template& pattern, Search search);
};

// A beam parser that learned from kSmallTreebank.
ParserSpec small_parser_spec();
const Parser& small_parser();

// A pipeline with a segmenter, a splitter, a tagger, a lemmatizer and a parser that learned from kSmallTreebank.
const Pipeline& small_pipeline();

}  // namespace sapwood::fuzz

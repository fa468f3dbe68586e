// The core's objects that a model file describes, as tasks/*/model.py make them.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "parsing/parser.hpp"
#include "pipeline/pipeline.hpp"
#include "rewriting/splitter.hpp"
#include "segmenting/segmenter.hpp"
#include "tagging/tagger_answers.hpp"
#include "wasm/model_file.hpp"

namespace sapwood::wasm {

// A tagger, with the labels as they are shown.
struct RowTagger {
    // Throws ModelError if the file does not hold a tagger.
    explicit RowTagger(const ModelFile& file);
    RowTagger(const RowTagger&) = delete;

    std::shared_ptr<const Lexicon> lexicon;
    Tagger tagger;
    TaggerAnswers answers;
};

// Throws ModelError if the file does not hold a parser.
std::unique_ptr<const Parser> parser_of(const ModelFile& file);

// A pipeline with the parts that it works with.
class LoadedPipeline {
  public:
    // Throws ModelError if the file does not hold a pipeline.
    explicit LoadedPipeline(const ModelFile& file);
    LoadedPipeline(const LoadedPipeline&) = delete;

    const Pipeline& pipeline() const { return *pipeline_; }

  private:
    const Tagger* add_tagger(const ModelFile& part);

    std::vector<std::unique_ptr<RowTagger>> taggers_;
    std::optional<Segmenter> segmenter_;
    std::optional<Splitter> splitter_;
    std::optional<Rewriter> lemmatizer_;
    std::unique_ptr<const Parser> parser_;
    std::optional<Familiarity> familiarity_;
    std::optional<Pipeline> pipeline_;
};

}  // namespace sapwood::wasm

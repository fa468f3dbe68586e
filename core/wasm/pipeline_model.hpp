// A pipeline with the parts that it works with, as JavaScript asks it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "making/parts.hpp"
#include "pipeline/deciding_parts.hpp"
#include "pipeline/pipeline.hpp"
#include "wasm/model.hpp"

namespace sapwood::wasm {

class PipelineModel : public Model {
  public:
    // Throws ModelError if the file does not hold a pipeline.
    explicit PipelineModel(const ModelFile& file);
    PipelineModel(const PipelineModel&) = delete;

    const Pipeline* pipeline() const override { return &*pipeline_; }
    const DecidingParts* deciding() const override { return &*deciding_; }

    // {"ask": "explain"}: explanations of decisions as lines of JSON. The question has the members "text", "conllu" (what was
    // found in the text), "part" (empty: all of them) and those of question_in.
    std::string answer(const Json& asked) const override;

  private:
    std::vector<std::unique_ptr<const making::RowTagger>> taggers_;
    std::unique_ptr<const Segmenter> segmenter_;
    std::unique_ptr<const Splitter> splitter_;
    std::unique_ptr<const Rewriter> lemmatizer_;
    std::unique_ptr<const Parser> parser_;
    std::optional<Familiarity> familiarity_;
    std::optional<Pipeline> pipeline_;
    std::optional<DecidingParts> deciding_;
};

}  // namespace sapwood::wasm

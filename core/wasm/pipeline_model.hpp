// A pipeline with the parts that it works with, as JavaScript asks it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "making/parts.hpp"
#include "pipeline/part_confidence.hpp"
#include "pipeline/pipeline.hpp"
#include "wasm/model.hpp"

namespace sapwood::wasm {

class PipelineModel : public Model {
  public:
    // Throws ModelError if the file does not hold a pipeline.
    explicit PipelineModel(const ModelFile& file);
    PipelineModel(const PipelineModel&) = delete;

    const Pipeline* pipeline() const override { return &*pipeline_; }

    // Keeps with a document the confidences of each part that is calibrated. Throws ModelError if none is.
    void add_confidences(Doc& doc) const override;

    // {"ask": "explain"}: explanations of decisions as lines of JSON, those of tasks/pipeline/reasons.py. The question has the
    // members "text", "conllu" (what was found in the text), "part" (empty: all of them) and those of question_in.
    std::string answer(const Json& asked) const override;

  private:
    struct Part {
        std::string name;
        std::unique_ptr<const making::RowTagger> rows;  // null: the parser
        std::vector<Curve> curves;                      // none: it is not calibrated
    };

    // The sentences that parts decide about, and what is asked.
    struct Asked {
        std::string text;
        const Conllu& words;
        const Question& question;
        bool of_words;  // numbers are those of words, and not the part's own
    };

    const making::RowTagger& add_rows(const char* name, const ModelFile& file);
    std::vector<PartConfidence> confidences() const;
    Columns rows_of(const Part& part, const Asked& asked) const;
    // The lines of one part; none if it is not asked, or cannot be: then `flaw` says why.
    std::optional<std::string> lines(const Part& part, const Asked& asked, std::string& flaw) const;
    std::optional<std::string> lines_of_splits(const Part& part, const Asked& asked, std::string& flaw) const;

    std::vector<Part> parts_;  // in the order in which they work
    std::unique_ptr<const Segmenter> segmenter_;
    std::unique_ptr<const Splitter> splitter_;
    std::unique_ptr<const Rewriter> lemmatizer_;
    std::unique_ptr<const Parser> parser_;
    std::optional<Familiarity> familiarity_;
    std::optional<Pipeline> pipeline_;
};

}  // namespace sapwood::wasm

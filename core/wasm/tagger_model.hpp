// A tagger of sentences, as JavaScript asks it.
#pragma once
#include <string>
#include <vector>

#include "making/parts.hpp"
#include "wasm/model.hpp"

namespace sapwood::wasm {

class TaggerModel : public Model {
  public:
    // Throws ModelError if the file does not hold a tagger.
    explicit TaggerModel(const ModelFile& file);

    // The member "sentences" has lists of tokens, each a list of the columns that the tagger reads. {"ask": "labels"}: a list
    // of labels for each sentence, in JSON; {"ask": "confidence"}: of confidences; {"ask": "explain"}: lines of JSON, with the
    // members of question_in.
    std::string answer(const Json& asked) const override;

  private:
    Columns rows_of(const Json& sentences) const;
    std::string confidences(const Columns& rows) const;

    making::RowTagger rows_;
    std::vector<Curve> curves_;  // none: the model is not calibrated
};

}  // namespace sapwood::wasm

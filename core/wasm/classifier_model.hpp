// A classifier of texts, as JavaScript asks it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "classifying/class_explainer.hpp"
#include "features/document_features.hpp"
#include "model/calibration.hpp"
#include "wasm/model.hpp"

namespace sapwood::wasm {

class ClassifierModel : public Model {
  public:
    // Throws ModelError if the file does not hold a classifier of texts.
    explicit ClassifierModel(const ModelFile& file);
    ClassifierModel(const ClassifierModel&) = delete;

    // The texts are the member "texts". {"ask": "labels"}: a line for each text, its label and margin, and one of all labels
    // with their scores (classifying/label_lines.hpp); the label is _ where the model knows no feature of the text, or is not
    // sure enough. {"ask": "explain"}: explanations, with the members of question_in; the number of a text is that of a
    // sentence.
    std::string answer(const Json& asked) const override;

  private:
    std::string label_lines(const FeatureRows& rows) const;
    std::string explanations(const Documents& documents, const FeatureRows& rows, const Question& question) const;

    std::vector<std::string> labels_;
    DocumentFeatures features_;
    Classifier classifier_;
    ClassExplainer explainer_;
    std::optional<Calibration> calibration_;
    std::vector<double> least_;                      // [labels] confidence of an answer; none: every answer is given
    std::optional<std::vector<uint64_t>> constant_;  // keys of features that say nothing about a text
};

}  // namespace sapwood::wasm

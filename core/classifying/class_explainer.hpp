// Explains why a classifier gave an example its label, by the features of the example and their weights.
//
// The label is compared with the second best one, or with the one that is asked for. Where an example has any of the labels,
// there is a decision about each, "label sport", whose answers are yes and no; its threshold is a feature of it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "classifying/classifier.hpp"
#include "model/explanation.hpp"

namespace sapwood {

class ClassExplainer {
  public:
    using NameOf = std::function<std::string(uint64_t)>;  // the text of a feature, by its key

    // `thresholds` are those of a classifier of any of the labels. The classifier must outlive this object.
    ClassExplainer(const Classifier& classifier, std::vector<std::string> labels, std::vector<double> thresholds)
        : classifier_(classifier), labels_(std::move(labels)), thresholds_(std::move(thresholds)) {}

    // The flaw of a question, such as a label that the classifier does not have; empty if it has none.
    std::string flaw_of(const Question& question) const;

    // A line of JSON for each decision about a row, which is the example of this number; none if its label is the one that
    // is asked against.
    std::string explain(const FeatureRows& rows, size_t row, size_t number, const Question& question,
                        const NameOf& name_of) const;

  private:
    // The features of a row, with value and weights.
    struct Feature {
        std::string text;
        double value;
        std::vector<double> weights;  // [outputs]
    };
    std::vector<Feature> features(const FeatureRows& rows, size_t row, const NameOf& name_of) const;
    void explain_label(const std::vector<Feature>& features, const std::vector<double>& scores,
                       const Question& question, Explanation& explanation) const;
    void explain_decision(const std::vector<Feature>& features, double score, size_t label,
                          Explanation& explanation) const;

    const Classifier& classifier_;
    std::vector<std::string> labels_;
    std::vector<double> thresholds_;
};

}  // namespace sapwood

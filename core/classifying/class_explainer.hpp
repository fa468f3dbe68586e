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

    // The classifier must outlive this object.
    ClassExplainer(const Classifier& classifier, std::vector<std::string> labels)
        : classifier_(classifier), labels_(std::move(labels)) {}

    // The flaw of a question, such as a label that the classifier does not have; empty if it has none.
    std::string flaw_of(const Question& question) const;

    // A line of JSON for each decision about a row, which is the example of this number. Asked against a label, there is none
    // if the example has it, and else, of decisions about several labels, only that about it.
    std::string explain(const FeatureRows& rows, size_t row, size_t number, const Question& question,
                        const NameOf& name_of) const;

    // The line of the decision about one label, where an example has any of them.
    std::string explain_label(const FeatureRows& rows, size_t row, size_t number, size_t label,
                              const NameOf& name_of) const;

  private:
    // The features of a row, with value and weights.
    struct Feature {
        std::string text;
        double value;
        std::vector<double> weights;  // [outputs]
    };
    std::vector<double> scores(const FeatureRows& rows, size_t row) const;
    std::vector<Feature> features(const FeatureRows& rows, size_t row, const NameOf& name_of) const;
    // Both add a line of JSON: about the label against another one, and about one label, which an example has or not.
    void compare(const std::vector<Feature>& features, const std::vector<double>& scores, size_t number,
                 const Question& question, std::string& lines) const;
    void decide(const std::vector<Feature>& features, double score, size_t number, size_t label,
                std::string& lines) const;

    const Classifier& classifier_;
    std::vector<std::string> labels_;
};

}  // namespace sapwood

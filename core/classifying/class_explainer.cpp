#include "classifying/class_explainer.hpp"

#include <algorithm>
#include <numeric>

namespace sapwood {

namespace {

// Adds a feature to an explanation, unless it says nothing.
void add(const std::string& text, const std::string& label, double value, double weight, Explanation& explanation) {
    if (value * weight == 0) return;
    const auto known = std::ranges::find(explanation.features, text);
    const auto number = static_cast<uint32_t>(known - explanation.features.begin());
    if (known == explanation.features.end()) explanation.features.push_back(text);
    explanation.reasons.push_back({number, label, value, weight});
}

}  // namespace

std::string ClassExplainer::flaw_of(const Question& question) const {
    if (question.against.empty() || std::ranges::find(labels_, question.against) != labels_.end()) return {};
    return "the model has no label '" + question.against + "'";
}

std::string ClassExplainer::explain(const FeatureRows& rows, size_t row, size_t number, const Question& question,
                                    const NameOf& name_of) const {
    Classifier::Workspace workspace;
    std::vector<double> scores(labels_.size());
    classifier_.score(rows, row, workspace, scores.data());
    const std::vector<Feature> found = features(rows, row, name_of);
    ScaledNumbers numbers(classifier_.model().scale(), true);
    std::string lines;
    for (size_t y = 0; y < (thresholds_.empty() ? 1 : labels_.size()); ++y) {
        Explanation explanation;
        explanation.sentence = number;
        if (thresholds_.empty()) {
            explain_label(found, scores, question, explanation);
            if (!explanation.against) continue;
        } else if (question.against.empty() || (question.against == labels_[y] && scores[y] <= 0)) {
            explain_decision(found, scores[y], y, explanation);
        } else {
            continue;
        }
        append_json(explanation, numbers, lines);
    }
    return lines;
}

std::vector<ClassExplainer::Feature> ClassExplainer::features(const FeatureRows& rows, size_t row,
                                                              const NameOf& name_of) const {
    std::vector<Feature> found;
    for (size_t k = rows.begin(row); k < rows.end(row); ++k) {
        std::vector<double> weights = classifier_.weights_of({rows.keys()[k]});
        if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) continue;
        const double value = rows.binary() ? 1 : static_cast<double>(rows.values()[k]);
        found.push_back({name_of(rows.keys()[k]), value, std::move(weights)});
    }
    return found;
}

void ClassExplainer::explain_label(const std::vector<Feature>& features, const std::vector<double>& scores,
                                   const Question& question, Explanation& explanation) const {
    std::vector<size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    const size_t chosen = order[0];
    size_t against = order[1];
    if (!question.against.empty())
        against = static_cast<size_t>(std::ranges::find(labels_, question.against) - labels_.begin());
    if (against == chosen) return;
    explanation.decision = "label";
    explanation.chosen = labels_[chosen];
    explanation.against = labels_[against];
    explanation.margin = scores[chosen] - scores[against];
    for (const auto& [text, value, weights] : features) {
        if (labels_.size() == 2) {  // one weight speaks for the second and against the first
            add(text, labels_[1], chosen == 1 ? value : -value, weights[0], explanation);
            continue;
        }
        add(text, labels_[chosen], value, weights[chosen], explanation);
        add(text, labels_[against], -value, weights[against], explanation);
    }
}

void ClassExplainer::explain_decision(const std::vector<Feature>& features, double score, size_t label,
                                      Explanation& explanation) const {
    const double side = score > 0 ? 1 : -1;
    explanation.decision = "label " + labels_[label];
    explanation.chosen = score > 0 ? "yes" : "no";
    explanation.against = score > 0 ? "no" : "yes";
    explanation.margin = side * score;
    for (const auto& [text, value, weights] : features)
        add(text, labels_[label], side * value, weights[label], explanation);
    add("threshold", labels_[label], -side, thresholds_[label], explanation);
}

}  // namespace sapwood

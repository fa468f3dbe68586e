#include "classifying/class_explainer.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace sapwood {

namespace {

// An explanation in which equal texts are one feature.
class Reasons {
  public:
    explicit Reasons(size_t number) { explanation.sentence = number; }

    // Adds a feature, unless it says nothing.
    void add(const std::string& text, const std::string& label, double value, double weight) {
        if (value * weight == 0) return;
        const auto [at, is_new] = numbers_.try_emplace(text, static_cast<uint32_t>(explanation.features.size()));
        if (is_new) explanation.features.push_back(text);
        explanation.reasons.push_back({at->second, label, value, weight});
    }

    void write(double scale, std::string& lines) {
        ScaledNumbers numbers(scale, true);
        append_json(explanation, numbers, lines);
    }

    Explanation explanation;

  private:
    std::unordered_map<std::string, uint32_t> numbers_;  // numbers of the features, by their texts
};

}  // namespace

std::string ClassExplainer::flaw_of(const Question& question) const {
    if (question.against.empty() || std::ranges::find(labels_, question.against) != labels_.end()) return {};
    return "the model has no label '" + question.against + "'";
}

std::string ClassExplainer::explain(const FeatureRows& rows, size_t row, size_t number, const Question& question,
                                    const NameOf& name_of) const {
    const std::vector<double> found = scores(rows, row);
    const std::vector<Feature> of_row = features(rows, row, name_of);
    std::string lines;
    if (!classifier_.several()) compare(of_row, found, number, question, lines);
    for (size_t y = 0; classifier_.several() && y < labels_.size(); ++y)
        if (question.against.empty() || (question.against == labels_[y] && found[y] <= 0))
            decide(of_row, found[y], number, y, lines);
    return lines;
}

std::string ClassExplainer::explain_label(const FeatureRows& rows, size_t row, size_t number, size_t label,
                                          const NameOf& name_of) const {
    std::string line;
    decide(features(rows, row, name_of), scores(rows, row).at(label), number, label, line);
    return line;
}

std::vector<double> ClassExplainer::scores(const FeatureRows& rows, size_t row) const {
    Classifier::Workspace workspace;
    std::vector<double> found(labels_.size());
    classifier_.score(rows, row, workspace, found.data());
    return found;
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

void ClassExplainer::compare(const std::vector<Feature>& features, const std::vector<double>& scores, size_t number,
                             const Question& question, std::string& lines) const {
    std::vector<size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    const size_t chosen = order[0];
    size_t against = order[1];
    if (!question.against.empty())
        against = static_cast<size_t>(std::ranges::find(labels_, question.against) - labels_.begin());
    if (against == chosen) return;
    Reasons found(number);
    found.explanation.decision = "label";
    found.explanation.chosen = labels_[chosen];
    found.explanation.against = labels_[against];
    found.explanation.margin = scores[chosen] - scores[against];
    for (const auto& [text, value, weights] : features) {
        if (labels_.size() == 2) {  // one weight speaks for the second and against the first
            found.add(text, labels_[1], chosen == 1 ? value : -value, weights[0]);
            continue;
        }
        found.add(text, labels_[chosen], value, weights[chosen]);
        found.add(text, labels_[against], -value, weights[against]);
    }
    found.write(classifier_.model().scale(), lines);
}

void ClassExplainer::decide(const std::vector<Feature>& features, double score, size_t number, size_t label,
                            std::string& lines) const {
    const double side = score > 0 ? 1 : -1;
    Reasons found(number);
    found.explanation.decision = "label " + labels_[label];
    found.explanation.chosen = score > 0 ? "yes" : "no";
    found.explanation.against = score > 0 ? "no" : "yes";
    found.explanation.margin = side * score;
    for (const auto& [text, value, weights] : features) found.add(text, labels_[label], side * value, weights[label]);
    found.add("threshold", labels_[label], -side, classifier_.thresholds()[label]);
    found.write(classifier_.model().scale(), lines);
}

}  // namespace sapwood

#include "wasm/classifier_model.hpp"

#include <algorithm>

#include "classifying/label_lines.hpp"
#include "file/context.hpp"
#include "making/class_parts.hpp"
#include "making/model_options.hpp"
#include "text/normal_form.hpp"

namespace sapwood::wasm {

using namespace making;

namespace {

// Checks that it is a classifier of the kinds that JavaScript can use.
const ModelFile& checked(const ModelFile& file) {
    check_classifier(file);
    require(!is_true(file, "voted"),
            "it is a voted classifier, which JavaScript cannot use; it can those of single weight vectors");
    require(!file.pattern.empty(),
            "it is a classifier of features that users compute, which JavaScript cannot use; it can those of texts");
    return file;
}

}  // namespace

ClassifierModel::ClassifierModel(const ModelFile& file)
    : labels_(checked(file).labels),
      features_(document_features_of(file)),
      classifier_(classifier_of(file)),
      explainer_(classifier_, labels_) {
    const auto& [method, curves, least] = file.calibration;
    if (!method.empty()) calibration_.emplace(method, curves, labels_.size(), classifier_.several());
    if (!least.empty()) least_ = checked_thresholds(least, labels_.size());
    const Json* frequent = file.provenance.find("most_frequent");
    if (!classifier_.several() && frequent != nullptr && std::ranges::find(labels_, frequent->text) != labels_.end()) {
        constant_ = features_.of_all();
        constant_->push_back(hash_composed(kBias));
    }
}

std::string ClassifierModel::answer(const Json& asked) const {
    const Json* texts = asked.find("texts");
    if (texts == nullptr || !texts->is_strings()) throw OptionError("a classifier is asked about texts");
    Documents documents(1, 0, "input");
    for (size_t k = 0; k < texts->items.size(); ++k) {
        documents.add_text(texts->items[k].text);
        documents.end_document("", k + 1);
    }
    features_.check(documents);
    FeatureRows rows;
    DocumentFeatures::Workspace workspace;
    for (size_t d = 0; d < documents.size(); ++d) features_.read(documents, d, workspace, rows);
    if (text_in(asked, "ask") == "explain") return explanations(documents, rows, question_in(asked));
    return label_lines(rows);
}

std::string ClassifierModel::label_lines(const FeatureRows& rows) const {
    const Calibration* calibration = calibration_ ? &*calibration_ : nullptr;
    const LabelLines best(labels_, classifier_.several(), 0, calibration, least_),
        all(labels_, classifier_.several(), labels_.size(), calibration);
    Classifier::Workspace workspace;
    std::string lines;
    for (size_t row = 0; row < rows.size(); ++row) {
        std::vector<double> scores(labels_.size());
        const std::span<const uint64_t> constant = constant_ ? std::span(*constant_) : std::span<const uint64_t>();
        classifier_.score(rows, row, workspace, scores.data(), constant);
        std::vector<double> same = scores;
        std::string line = constant_ && workspace.known == 0 ? "_\t0\n" : best.line(scores);
        lines += line + all.line(same);
    }
    return lines;
}

std::string ClassifierModel::explanations(const Documents& documents, const FeatureRows& rows,
                                          const Question& question) const {
    if (question.token && *question.token > 0)
        throw OptionError("there is one decision for each example, so there is no token " +
                          std::to_string(*question.token + 1));
    const std::string missing = flaw_of(question, documents.size(), "example"), flaw = explainer_.flaw_of(question);
    if (!flaw.empty() || !missing.empty()) throw OptionError(flaw.empty() ? missing : flaw);
    std::vector<uint64_t> keys = rows.keys();
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const std::vector<std::string> names = features_.names(documents, keys);
    const auto name_of = [&](uint64_t key) {
        return names[static_cast<size_t>(std::ranges::lower_bound(keys, key) - keys.begin())];
    };
    std::string lines;
    for (size_t row = 0; row < rows.size(); ++row)
        if (question.asks_sentence(row)) lines += explainer_.explain(rows, row, row, question, name_of);
    return lines;
}

}  // namespace sapwood::wasm

#include "wasm/classifier_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "classifying/label_lines.hpp"
#include "features/pattern.hpp"
#include "file/context.hpp"
#include "text/normal_form.hpp"
#include "wasm/parts.hpp"

namespace sapwood::wasm {

namespace {

using Kind = Json::Kind;

bool is_true(const ModelFile& file, const char* option) {
    const Json* value = file.options.find(option);
    return value != nullptr && value->is(Kind::boolean) && value->truth;
}

// Checks what tasks/classifying/data.py checks of a model.
const ModelFile& checked(const ModelFile& file) {
    for (const auto& [name, kind] : {std::pair{"format", Kind::string}, std::pair{"label", Kind::string},
                                     std::pair{"text", Kind::string}, std::pair{"fields", Kind::array}}) {
        const Json* value = file.options.find(name);
        require(value != nullptr && value->is(kind), std::string("its options lack ") + name);
    }
    require(file.options.find("fields")->is_strings(), "its fields are not strings");
    require(file.label + 1 == file.columns.size() && file.label > 0,
            "its columns are not those of tokens and, last, the label");
    require(!is_true(file, "voted"), "it is a voted classifier, which JavaScript cannot use");
    require(!file.pattern.empty() && file.columns[0] != "feature",
            "it is a classifier of features that users compute, which JavaScript cannot use; it can those of texts");
    if (is_true(file, "multi_label"))
        require(!file.labels.empty(), "it has no labels");
    else
        require(file.labels.size() >= 2, "it has fewer than two labels");
    return file;
}

DocumentFeatures features_of(const ModelFile& file) {
    std::vector<std::string> fields;
    for (const Json& field : file.options.find("fields")->items) fields.push_back(field.text);
    const std::vector<std::string> columns(file.columns.begin(), file.columns.end() - 1);
    Template pattern(file.pattern, "template", Header{columns, file.label, true, fields});
    std::vector<WordList> lists = lists_of(file, pattern);
    return DocumentFeatures(std::move(pattern), std::move(lists), file.clusters);
}

std::vector<double> thresholds_of(const ModelFile& file) {
    if (!is_true(file, "multi_label")) {
        require(file.extra.empty(), "it has examples that vote, or is said to have them");
        return {};
    }
    const auto at = file.extra.find("thresholds");
    require(at != file.extra.end() && file.extra.size() == 1,
            "it has not the array 'extra.thresholds' of a multi-label model, or others beside it");
    const Array& array = at->second;
    require(array.dtype == "F64" && array.shape == std::vector<uint64_t>{file.labels.size()},
            "its array 'extra.thresholds' is not a number for each label");
    std::vector<double> thresholds(file.labels.size());
    std::memcpy(thresholds.data(), array.data.data(), array.data.size());
    return thresholds;
}

}  // namespace

ClassifierModel::ClassifierModel(const ModelFile& file)
    : labels_(checked(file).labels), several_(is_true(file, "multi_label")), features_(features_of(file)) {
    std::vector<double> thresholds = thresholds_of(file);
    classifier_ = several_ ? std::make_unique<const Classifier>(thresholds, file.tables, file.bits, file.scale)
                           : std::make_unique<const Classifier>(labels_.size(), file.tables, file.bits, file.scale);
    explainer_ = std::make_unique<const ClassExplainer>(*classifier_, labels_, std::move(thresholds));
    const auto& [method, curves, least] = file.calibration;
    if (!method.empty()) calibration_.emplace(method, curves, labels_.size(), several_);
    require(least.size() <= 1 || least.size() == labels_.size(),
            "its abstention does not have one threshold, or one for each label");
    least_ = least.size() == 1 ? std::vector<double>(labels_.size(), least[0]) : least;
    const Json* frequent = file.provenance.find("most_frequent");
    if (!several_ && frequent != nullptr && std::ranges::find(labels_, frequent->text) != labels_.end()) {
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
    const LabelLines best(labels_, several_, 0, calibration), all(labels_, several_, labels_.size(), calibration);
    Classifier::Workspace workspace;
    std::string lines;
    for (size_t row = 0; row < rows.size(); ++row) {
        std::vector<double> scores(labels_.size());
        const std::span<const uint64_t> constant = constant_ ? std::span(*constant_) : std::span<const uint64_t>();
        classifier_->score(rows, row, workspace, scores.data(), constant);
        std::vector<double> same = scores;
        std::string line = constant_ && workspace.known == 0 ? "_\t0\n" : best.line(scores);
        if (abstains(line)) line = "_" + line.substr(line.rfind('\t'));
        lines += line + all.line(same);
    }
    return lines;
}

bool ClassifierModel::abstains(std::string_view line) const {
    if (least_.empty()) return false;
    const size_t tab = line.rfind('\t');
    const auto label = several_ ? labels_.end() : std::ranges::find(labels_, line.substr(0, tab));
    const size_t y = label == labels_.end() ? 0 : static_cast<size_t>(label - labels_.begin());
    return std::strtod(std::string(line.substr(tab + 1)).c_str(), nullptr) < least_[y];
}

std::string ClassifierModel::explanations(const Documents& documents, const FeatureRows& rows,
                                          const Question& question) const {
    if (question.token && *question.token > 0)
        throw OptionError("there is one decision for each example, so there is no token " +
                          std::to_string(*question.token + 1));
    const std::string missing = flaw_of(question, documents.size(), "example"), flaw = explainer_->flaw_of(question);
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
        if (question.asks_sentence(row)) lines += explainer_->explain(rows, row, row, question, name_of);
    return lines;
}

}  // namespace sapwood::wasm

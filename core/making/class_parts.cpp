#include "making/class_parts.hpp"

#include <algorithm>

#include "making/model_options.hpp"
#include "making/row_tagger.hpp"
#include "text/answers.hpp"

namespace sapwood::making {

namespace {

std::vector<double> thresholds_of(const ModelFile& file) {
    const auto at = file.extra.find("thresholds");
    require(at != file.extra.end() && file.extra.size() == 1,
            "it has not the array 'extra.thresholds' of a multi-label model, or others beside it");
    const Array& array = at->second;
    require(array.dtype == "F64" && array.shape == std::vector<uint64_t>{file.labels.size()},
            "its array 'extra.thresholds' is not a number for each label");
    return file.numbers<double>("thresholds", "F64");
}

}  // namespace

void check_classifier(const ModelFile& file) {
    const OptionReader options(file.options);
    for (const char* name : {"format", "label", "text"}) options.text(name);
    options.texts("fields");
    require(file.label + 1 == file.columns.size() && file.label > 0,
            "its columns are not those of tokens and, last, the label");
    const bool of_features = file.label == 1 && file.columns[0] == "feature";
    require(
        file.pattern.empty() == of_features && (!of_features || (file.word_lists.empty() && file.clusters == nullptr)),
        "it is one of texts without a template, or one of features with what only texts need");
    const bool several = is_true(file, "multi_label");
    require(file.labels.size() >= (several ? 1 : 2), several ? "it has no labels" : "it has fewer than two labels");
    for (const std::string& label : file.labels)
        require(!several || label.find(Answers::kBetween) == std::string::npos,
                "its label " + file::quoted(label) + " has | in it, which stands between labels");
    if (!of_features) document_features_of(file);
}

DocumentFeatures document_features_of(const ModelFile& file) {
    const std::vector<std::string> columns(file.columns.begin(),
                                           file.columns.begin() + static_cast<ptrdiff_t>(file.label));
    Template pattern(file.pattern, "template",
                     Header{columns, file.label, true, OptionReader(file.options).texts("fields")});
    std::vector<WordList> lists = lists_of(file, pattern);
    return DocumentFeatures(std::move(pattern), std::move(lists), file.clusters);
}

Classifier classifier_of(const ModelFile& file) {
    if (is_true(file, "multi_label")) return Classifier(thresholds_of(file), file.tables, file.bits, file.scale);
    require(file.extra.empty(), "it has examples that vote, or is said to have them");
    return Classifier(file.labels.size(), file.tables, file.bits, file.scale);
}

}  // namespace sapwood::making

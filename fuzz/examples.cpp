// Examples for classifiers, in the formats of fastText and SVM-light: a classifier can learn from what was read, and no
// score is infinite.
#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "classifying/classifier.hpp"
#include "classifying/classifier_trainer.hpp"
#include "classifying/label_lines.hpp"
#include "features/document_features.hpp"
#include "model/freeze_options.hpp"
#include "target.hpp"

namespace sapwood::fuzz::examples {
namespace {

void learn(const FeatureRows& rows, const Answers& answers) {
    SAPWOOD_REQUIRE(rows.size() == answers.size());
    const size_t labels = std::max<size_t>(answers.labels().size(), 2);
    std::vector<uint32_t> gold = answers.gold();
    for (uint32_t& y : gold) y = y == Answers::kNone ? 0 : y;
    ClassifierTrainer trainer(labels, {});
    trainer.add(rows, gold, {});
    if (rows.size() > 0) trainer.step(100);
    const PackedModel model = trainer.freeze({8, 0});
    const Classifier classifier(labels, model.tables, model.bits, model.scale);
    Classifier::Workspace workspace;
    std::vector<std::string> names(labels, "y");
    std::vector<double> scores(labels);
    for (size_t r = 0; r < rows.size(); ++r) {
        classifier.score(rows, r, workspace, scores.data());
        for (const double score : scores) SAPWOOD_REQUIRE(std::isfinite(score));
        SAPWOOD_REQUIRE(LabelLines(names, r % 2 == 1, 2, nullptr).line(scores).ends_with('\n'));
        SAPWOOD_REQUIRE(answers.where(r).starts_with("data:"));
    }
}

bool svmlight(std::string_view input) {
    return reads<DataError>("data:", [&] {
        const auto [rows, answers] = FeatureRows::read_svmlight(input, "data", 1);
        learn(rows, answers);
    });
}

bool fasttext(std::string_view input) {
    static const DocumentFeatures features(
        Template("U:bias\nA1:%X[0,0]/%x[1,0]\nC2:%CHARS[0,0,3]\nN3:%tokens\nU4:%x[@-1,0]\n", "template",
                 Header{{"word"}, 1, true}),
        {});
    return reads<DataError>("data:", [&] {
        const Documents documents = Documents::read_fasttext(input, "data", 1, number_of(input) % 2 == 0);
        DocumentFeatures::Workspace workspace;
        FeatureRows rows;
        features.check(documents);
        for (size_t d = 0; d < documents.size(); ++d) features.read(documents, d, workspace, rows);
        learn(rows, documents.answers());
    });
}

// One target for both, as they share all that follows: a first line "fasttext" or "svmlight" tells which it is.
bool run(std::string_view input) {
    const size_t line_end = input.find('\n');
    const std::string_view rest = line_end == input.npos ? std::string_view() : input.substr(line_end + 1);
    return input.starts_with("s") ? svmlight(rest) : fasttext(rest);
}

std::vector<std::string> seeds() {
    return {"fasttext\n\xEF\xBB\xBF__label__good Great fun, it's 3.5!\n__label__bad dull\r\n\nno label caf\xC3\xA9\n",
            "svmlight\n+1 1:0.5 3:1 17:-2e3 # comment\n-1 qid:3 2:1 3:0\r\n\n+1\n"};
}

const Target target("examples", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::examples

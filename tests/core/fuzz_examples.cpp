// Fuzzes examples and templates for documents. Damaged input is either read or refused with the right error, and a
// classifier can train on and classify input that was read.
#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "check.hpp"
#include "classifying/classifier.hpp"
#include "classifying/classifier_trainer.hpp"
#include "features/document_features.hpp"
#include "mutate.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

constexpr int kRounds = 12000;

// A classifier can train on the rows and classify them, and no score is NaN.
void use_rows(const FeatureRows& rows, const Answers& answers) {
    CHECK_EQ(rows.size(), answers.size());
    const size_t labels = std::max<size_t>(answers.labels().size(), 2);
    std::vector<uint32_t> gold = answers.gold();
    for (uint32_t& y : gold) y = y == Answers::kNone ? 0 : y;
    ClassifierTrainer trainer(labels, {});
    trainer.add(rows, gold, {});
    if (rows.size() > 0) trainer.step(100);
    const PackedModel model = trainer.freeze({8, 0});
    const Classifier classifier(labels, model.tables, model.bits, model.scale);
    Classifier::Workspace workspace;
    std::vector<double> scores(labels);
    for (size_t r = 0; r < rows.size(); ++r) {
        classifier.score(rows, r, workspace, scores.data());
        for (double score : scores) CHECK(std::isfinite(score));
        CHECK(answers.where(r).starts_with("data:"));
    }
}

void check_refusal(const DataError& error) {
    CHECK(std::string(error.what()).starts_with("data:"));
    CHECK(std::string(error.what()).find_first_of("\n\r") == std::string::npos);
}

void fuzz_examples() {
    const std::string fasttext =
        "\xEF\xBB\xBF__label__good Great fun, it's 3.5!\n__label__bad dull\r\n\nno label caf\xC3\xA9\n";
    const std::string svmlight = "+1 1:0.5 3:1 17:-2e3 # comment\n-1 qid:3 2:1 3:0\r\n\n+1\n";
    const std::vector<std::string> text_pieces = {"\n",
                                                  "\r\n",
                                                  "__label__",
                                                  "__label__a ",
                                                  " ",
                                                  "\t",
                                                  "'",
                                                  "-",
                                                  ".",
                                                  "\xC3",
                                                  std::string(1, '\0'),
                                                  "\x7F",
                                                  "\xF0\x9F\x98\x80",
                                                  "\xE2\x80\xA8",
                                                  std::string(500, 'x')};
    const std::vector<std::string> number_pieces = {"\n",
                                                    "\r\n",
                                                    " ",
                                                    ":",
                                                    "1",
                                                    "-",
                                                    "+",
                                                    "e",
                                                    "e15",
                                                    "e16",
                                                    "e999",
                                                    "1e-50",
                                                    "nan",
                                                    "inf",
                                                    "qid:",
                                                    "#",
                                                    "0x1",
                                                    "99999999999999999999",
                                                    "18446744073709551615:1",
                                                    "\xC3",
                                                    std::string(1, '\0')};
    const DocumentFeatures document_features(
        Template("U:bias\nA1:%X[0,0]/%x[1,0]\nC2:%CHARS[0,0,3]\nN3:%tokens\nU4:%x[@-1,0]\n", "template",
                 Header{{"word"}, 1, true}),
        {});
    Random random(4);
    int read = 0, refused = 0;
    for (int round = 0; round < kRounds; ++round) try {
            if (round % 2 == 0) {
                const auto [rows, answers] =
                    FeatureRows::read_svmlight(mutate(random, svmlight, number_pieces), "data", 1);
                use_rows(rows, answers);
            } else {
                const Documents documents =
                    Documents::read_fasttext(mutate(random, fasttext, text_pieces), "data", 1, random.chance(2));
                DocumentFeatures::Workspace workspace;
                FeatureRows rows;
                document_features.check(documents);
                for (size_t d = 0; d < documents.size(); ++d) document_features.read(documents, d, workspace, rows);
                use_rows(rows, documents.answers());
            }
            ++read;
        } catch (const DataError& error) {
            check_refusal(error);
            ++refused;
        }
    CHECK(read > kRounds / 20 && refused > kRounds / 20);
}

// Each key of a document has a name, and different keys have different names.
void fuzz_document_templates() {
    const std::string lines =
        "U:bias\nU1:%x[-1,0]/%X[1,0]\nA2:%X[0,0] "
        "%shape[1,0]\nC3:%CHARS[0,0,2]\nN4:%before\nN5:%d[price]\nU6:%d[genre]"
        "/%x[@1,0]\nC7:%suffix[0,0,2]\n";
    const std::vector<std::string> pieces = {"%x[0,0]",
                                             "%chars[0,0,1]",
                                             "%d[genre]",
                                             "%d[price]",
                                             "%before",
                                             "%after",
                                             "%offset",
                                             "%tokens",
                                             "%",
                                             "[",
                                             "]",
                                             ",",
                                             "A",
                                             "C",
                                             "N",
                                             "U",
                                             "-1",
                                             "100",
                                             "0",
                                             "price",
                                             "\n",
                                             "#",
                                             "\"",
                                             "%y[-1]",
                                             "\xC3\xA9",
                                             "\xC3",
                                             std::string(1, '\0')};
    Documents documents(1, 2, "data");
    for (size_t d = 0; d < 2; ++d) {
        documents.add_field(d == 0 ? "drama" : "");
        documents.add_field(d == 0 ? "2.5" : "-3");
        for (const char* word : {"Oh", "caf\xC3\xA9", "no", "no"}) {
            if (documents.tokens().tokens() == 4 * d + 1) documents.mark_next();
            documents.add_cell(word);
        }
        documents.end_document("a", d + 1);
    }
    Random random(5);
    int read = 0, refused = 0;
    for (int round = 0; round < kRounds; ++round) try {
            const std::string text = mutate(random, lines, pieces);
            const DocumentFeatures document_features(
                Template(text, "template", Header{{"word"}, 1, true, {"genre", "price"}}), {});
            document_features.check(documents);
            DocumentFeatures::Workspace workspace;
            FeatureRows rows;
            for (size_t d = 0; d < 2; ++d) document_features.read(documents, d, workspace, rows);
            std::vector<uint64_t> keys = rows.keys();
            std::sort(keys.begin(), keys.end());
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            std::vector<std::string> names = document_features.names(documents, keys);
            for (const std::string& name : names) CHECK(!name.empty());
            std::sort(names.begin(), names.end());
            if (std::adjacent_find(names.begin(), names.end()) != names.end())
                CHECK_EQ(text, "a template whose features have names of their own");
            ++read;
        } catch (const TemplateError& error) {
            CHECK(std::string(error.what()).starts_with("template:"));
            ++refused;
        } catch (const DataError& error) {  // a field that is no number, in an N line
            check_refusal(error);
            ++refused;
        }
    CHECK(read > kRounds / 20 && refused > kRounds / 20);
}

}  // namespace

int main() {
    fuzz_examples();
    fuzz_document_templates();
    return check::failures();
}

#include "classifying/classifier.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <variant>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "classifying/class_explainer.hpp"
#include "classifying/classifier_trainer.hpp"
#include "classifying/label_lines.hpp"
#include "classifying/thresholds.hpp"
#include "classifying/voted_classifier.hpp"
#include "features/document_features.hpp"
#include "making/class_parts.hpp"
#include "making/parts.hpp"
#include "model/calibration.hpp"
#include "model/gather.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

// Gives the rows of documents. Each reader computes one row at a time.
struct DocumentSource {
    const DocumentFeatures& document_features;
    const Documents& documents;

    size_t size() const { return documents.size(); }
    auto reader() const {
        return [this, workspace = DocumentFeatures::Workspace(),
                rows = FeatureRows()](size_t d) mutable -> std::pair<const FeatureRows*, size_t> {
            rows.clear();
            document_features.read(documents, d, workspace, rows);
            return {&rows, 0};
        };
    }
};

// Gives rows that exist already.
struct RowSource {
    const FeatureRows& rows;

    size_t size() const { return rows.size(); }
    auto reader() const {
        return [this](size_t r) -> std::pair<const FeatureRows*, size_t> { return {&rows, r}; };
    }
};

using ByRow = std::vector<std::vector<double>>;

// The product of the shares at the margins, [stages][sentences][decisions], by the curve of each stage.
ByRow stage_confidences(const std::vector<Curve>& curves, const std::vector<ByRow>& margins) {
    if (curves.size() != margins.size() || margins.empty()) throw ModelError("its calibration is of other stages");
    ByRow found(margins[0].size());
    for (size_t s = 0; s < found.size(); ++s) {
        found[s].assign(margins[0][s].size(), 1);
        for (size_t stage = 0; stage < curves.size(); ++stage)
            for (size_t k = 0; k < found[s].size(); ++k) found[s][k] *= curves[stage].at(margins[stage].at(s).at(k));
    }
    return found;
}

const std::string kUnknown = "_\t0\n";  // of an example without a known feature

// A classifier with the names of its labels.
class BoundClassifier {
  public:
    BoundClassifier(std::vector<std::string> labels, Classifier classifier)
        : classifier_(std::move(classifier)), labels_(std::move(labels)) {}

    BoundClassifier(std::vector<std::string> labels, const PackedModel& model)
        : BoundClassifier(labels, Classifier(labels.size(), model.tables, model.bits, model.scale)) {}

    BoundClassifier(std::vector<std::string> labels, const FeatureRows& support, DualWeights weights)
        : classifier_(VotedClassifier(labels.size(), support, std::move(weights))), labels_(std::move(labels)) {}

    // Calls visit(example, scores) for every example, from several threads. scores: [labels]. With `of_all`, features that
    // all examples have, an example without any other known feature has no scores.
    template <class Source, class Visit>
    void each(const Source& source, size_t threads, Visit&& visit,
              const std::vector<uint64_t>* of_all = nullptr) const {
        std::visit(
            [&](const auto& classifier) {
                using Workspace = typename std::decay_t<decltype(classifier)>::Workspace;
                for_each_sentence(source.size(), threads, [&] {
                    return [&, read = source.reader(), workspace = Workspace(),
                            scores = std::vector<double>(labels_.size())](size_t example) mutable {
                        const auto [rows, row] = read(example);
                        scores.resize(labels_.size());
                        const auto constant = of_all ? std::span(*of_all) : std::span<const uint64_t>();
                        classifier.score(*rows, row, workspace, scores.data(), constant);
                        if (of_all && workspace.known == 0) scores.clear();
                        visit(example, scores);
                    };
                });
            },
            classifier_);
    }

    auto scores(const FeatureRows& rows, size_t threads) const {
        const size_t n = rows.size(), width = labels_.size();
        std::vector<double> all(n * width);
        {
            const Interruptible work;
            each(RowSource{rows}, threads, [&](size_t example, const std::vector<double>& s) {
                std::copy(s.begin(), s.end(), all.begin() + static_cast<ptrdiff_t>(example * width));
            });
        }
        return to_array<nb::memview>(std::move(all), n, width);
    }

    // The number of labels stands for an example without a known feature.
    std::vector<uint32_t> predict(const FeatureRows& rows, size_t threads, const std::vector<uint64_t>* of_all) const {
        std::vector<uint32_t> guess(rows.size());
        each(
            RowSource{rows}, threads,
            [&](size_t example, const std::vector<double>& s) {
                guess[example] = static_cast<uint32_t>(s.empty() ? labels_.size() : argmax(s.data(), s.size()));
            },
            of_all);
        return guess;
    }

    // The labels with scores above 0, of each example.
    std::vector<std::vector<uint32_t>> predict_any(const FeatureRows& rows, size_t threads) const {
        std::vector<std::vector<uint32_t>> guess(rows.size());
        each(RowSource{rows}, threads, [&](size_t example, const std::vector<double>& s) {
            for (uint32_t y = 0; y < s.size(); ++y)
                if (s[y] > 0) guess[example].push_back(y);
        });
        return guess;
    }

    std::vector<Threshold> best_thresholds(const FeatureRows& rows, const std::vector<std::vector<uint32_t>>& gold,
                                           size_t threads) const {
        const size_t n = rows.size(), width = labels_.size();
        if (gold.size() != n) throw DataError("examples and labels differ in number");
        std::vector<std::vector<std::pair<double, bool>>> decisions(width, std::vector<std::pair<double, bool>>(n));
        each(RowSource{rows}, threads, [&](size_t example, const std::vector<double>& s) {
            for (size_t y = 0; y < width; ++y) decisions[y][example] = {s[y], false};
        });
        for (size_t example = 0; example < n; ++example)
            for (uint32_t y : gold[example]) {
                if (y >= width) throw DataError("an example has a label that is not known");
                decisions[y][example].second = true;
            }
        std::vector<Threshold> best;
        for (auto& of_label : decisions) best.push_back(best_threshold(of_label));
        return best;
    }

    std::vector<double> last_scores(const FeatureRows& rows, size_t threads) const {
        std::vector<double> last(rows.size());
        each(RowSource{rows}, threads, [&](size_t example, const std::vector<double>& s) { last[example] = s.back(); });
        return last;
    }

    // The answers as text, see LabelLines.
    template <class Source>
    std::pair<nb::bytes, size_t> annotate(const Source& source, size_t threads, size_t top,
                                          const Calibration* calibration, const std::vector<uint64_t>* of_all,
                                          std::span<const double> least) const {
        const auto* weighted = std::get_if<Classifier>(&classifier_);
        const LabelLines format(labels_, weighted != nullptr && weighted->several(), top, calibration, least);
        std::vector<std::string> lines(source.size());
        {
            const Interruptible work;
            each(
                source, threads,
                [&](size_t example, std::vector<double>& s) {
                    if (!s.empty()) lines[example] = format.line(s);
                },
                of_all);
        }
        std::string all;
        for (const std::string& line : lines) all += line.empty() ? kUnknown : line;
        return {to_bytes(all), static_cast<size_t>(std::ranges::count(lines, std::string()))};
    }

    // (row, output, weight) for every weight.
    std::vector<std::tuple<size_t, size_t, double>> weights() const {
        std::vector<std::tuple<size_t, size_t, double>> all;
        for (const Weight& w : classifier().model().weights()) all.emplace_back(w.feature, w.output, w.weight);
        return all;
    }

    // The classifier with weights of features. Throws ModelError if this is a voted classifier.
    const Classifier& classifier() const {
        if (const auto* weighted = std::get_if<Classifier>(&classifier_)) return *weighted;
        throw ModelError("a voted classifier has no weights of features");
    }
    ClassExplainer explainer() const { return {classifier(), labels_}; }
    const std::vector<std::string>& labels() const { return labels_; }

  private:
    std::variant<Classifier, VotedClassifier> classifier_;
    std::vector<std::string> labels_;
};

}  // namespace

void bind_classifier(nb::module_& m) {
    nb::class_<ClassifierTrainer>(m, "ClassifierTrainer", "The training loop, a step at a time.")
        .def(
            "__init__",
            [](ClassifierTrainer* self, size_t labels, const Values& options, std::string scratch,
               size_t known_labels) {
                auto all = options_in<ClassifierOptions>(options);
                all.scratch = std::move(scratch);
                all.known_labels = known_labels;
                new (self) ClassifierTrainer(labels, all);
            },
            nb::arg("labels"), nb::arg("options"), nb::arg("scratch") = "", nb::arg("known_labels") = 0,
            "scratch: a folder for files with the examples, which are in memory without one. known_labels: number of "
            "the first labels, which the training knows from which this one goes on.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<ClassifierOptions>(); },
            "The options that it takes, with the choices of each.")
        .def("add", &ClassifierTrainer::add, nb::arg("rows"), nb::arg("gold"), nb::arg("importance"),
             nb::call_guard<Interruptible>(),
             "Add examples: their features, label numbers, and the factors of their steps (or an empty list).")
        .def("add_any", &ClassifierTrainer::add_any, nb::arg("rows"), nb::arg("gold"), nb::arg("importance"),
             nb::arg("label_weights"), nb::call_guard<Interruptible>(),
             "Add examples that have any of the labels, [examples][numbers]. label_weights: for each label the factors "
             "of steps for it and against it, or an empty list.")
        .def("set_labels", &ClassifierTrainer::set_labels, nb::arg("labels"), nb::arg("importance"),
             "Set the number of labels, and the factors of the steps of each label's examples, or an empty list. "
             "Streams "
             "call it before each part is added. Raises OptionError for a baseline.")
        .def_prop_ro("examples", &ClassifierTrainer::examples)
        .def("prime", &ClassifierTrainer::prime, nb::arg("keys"), nb::arg("weights"),
             "Begin with the weights of an earlier model, [keys][outputs] in one list. Raises OptionError for a "
             "baseline with an L1 penalty.")
        .def("forget_examples", &ClassifierTrainer::forget_examples,
             "Drop the examples and keep the weights, to train on other examples.")
        .def("step", &ClassifierTrainer::step, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "Train on this many examples. Return true at the end of an epoch.")
        .def_prop_ro("progress", &ClassifierTrainer::progress)
        .def(Stateful<ClassifierTrainer>())
        .def(GoingOn<ClassifierTrainer>())
        .def(Sharded<ClassifierTrainer>())
        .def(Freezing<ClassifierTrainer>())
        .def("freeze_votes", &ClassifierTrainer::freeze_votes, nb::call_guard<Interruptible>(),
             "All weight vectors so far, by their updates; the support consists of example numbers.");

    nb::class_<Curve>(m, "Curve", "The share of decisions with a margin that are right: it never falls.")
        .def(nb::init<std::vector<double>>(), nb::arg("points"),
             "Interpolates between margins and shares, in turn. Raises ModelError if they do not rise.")
        .def_static(
            "of_model", [](nb::handle model) { return making::curves_of(without_weights(model)); }, nb::arg("model"),
            nb::sig("def of_model(model: object) -> list[Curve]"),
            "The curves of a tagger or parser in a ModelFile; none if it is not calibrated. Raises ModelError.")
        .def_static(
            "confidences", &stage_confidences, nb::arg("curves"), nb::arg("margins"),
            "The confidence in each decision, [sentences][decisions]: the product over its stages. curves: one a "
            "stage; margins: [stages][sentences][decisions].");

    m.attr("NOT_CALIBRATED") = kNotCalibrated;
    m.def("checked_thresholds", &checked_thresholds, nb::arg("least"), nb::arg("labels"),
          "The least confidence of each of so many labels, of one for all or one for each. Raises ModelError.");
    nb::class_<Calibration>(m, "Calibration", "Maps the scores of labels to confidences.")
        .def(nb::init<const std::string&, const ByRow&, size_t, bool>(), nb::arg("method"), nb::arg("curves"),
             nb::arg("labels"), nb::arg("several"),
             "Of examples with one label, or with any of them (`several`). Raises ModelError if the curves do not fit.")
        .def(
            "apply",
            [](const Calibration& c, ByRow scores) {
                for (auto& row : scores) c.apply(row.data());
                return scores;
            },
            nb::arg("scores"), "The confidences of examples, given their scores, [examples][labels].")
        .def_static("best_temperature", &best_temperature, nb::arg("scores"), nb::arg("gold"), nb::arg("several"),
                    nb::call_guard<Interruptible>(),
                    "The temperature with the least log loss, given the scores of examples and the numbers of their "
                    "labels.");

    nb::class_<Threshold>(m, "Threshold", "Where a label begins, and what F1 it has there.")
        .def_ro("at", &Threshold::at)
        .def_ro("gold", &Threshold::gold, "Examples that have the label.")
        .def_ro("guessed", &Threshold::guessed, "Examples that are given it.")
        .def_ro("correct", &Threshold::correct, "Both.");

    nb::class_<BoundClassifier>(m, "Classifier", "A frozen classifier; immutable, shared by threads.")
        .def(nb::init<std::vector<std::string>, const PackedModel&>(), nb::arg("labels"), nb::arg("model"),
             nb::call_guard<Interruptible>())
        .def_static(
            "of_model",
            [](nb::handle model) {
                file::ModelFile file = model_of(model);
                const Interruptible work;
                return BoundClassifier(file.labels, making::classifier_of(file));
            },
            nb::arg("model"), "The classifier in a ModelFile, which has weights. Raises ModelError.")
        .def_static(
            "of_any",
            [](std::vector<std::string> labels, std::vector<double> thresholds, const PackedModel& model) {
                if (labels.size() != thresholds.size()) throw ModelError("it does not have a threshold for each label");
                return BoundClassifier(std::move(labels),
                                       Classifier(std::move(thresholds), model.tables, model.bits, model.scale));
            },
            nb::arg("labels"), nb::arg("thresholds"), nb::arg("model"), nb::call_guard<Interruptible>(),
            "A classifier whose examples have any of the labels: those that score above 0, as counted from the "
            "thresholds. Raises ModelError.")
        .def_static(
            "of_votes",
            [](std::vector<std::string> labels, const FeatureRows& support, const DualWeights& weights) {
                return BoundClassifier(std::move(labels), support, weights);
            },
            nb::arg("labels"), nb::arg("support"), nb::arg("weights"), nb::call_guard<Interruptible>(),
            "A voted classifier, in which all weight vectors of training vote. A score is the fraction of the votes. "
            "Raises DataError.")
        .def("scores", &BoundClassifier::scores, nb::arg("rows"), nb::arg("threads"),
             nb::sig("def scores(self, rows: FeatureRows, threads: int) -> typing.Any"),
             "The scores [examples, labels], float64.")
        .def("scores_of", &BoundClassifier::last_scores, nb::arg("rows"), nb::arg("threads"),
             nb::call_guard<Interruptible>(), "The score of the last label for each example, as a list.")
        .def(
            "predict",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t threads,
               const std::optional<std::vector<uint64_t>>& of_all) {
                const Interruptible work;
                return c.predict(rows, threads, of_all ? &*of_all : nullptr);
            },
            nb::arg("rows"), nb::arg("threads"), nb::arg("of_all").none() = nb::none(),
            "The number of the best label for each example. of_all: the features that all examples have; then the "
            "number "
            "of labels stands for an example that has no other feature of the model.")
        .def("predict_any", &BoundClassifier::predict_any, nb::arg("rows"), nb::arg("threads"),
             nb::call_guard<Interruptible>(), "The numbers of the labels with scores above 0, of each example.")
        .def("best_thresholds", &BoundClassifier::best_thresholds, nb::arg("rows"), nb::arg("gold"), nb::arg("threads"),
             nb::call_guard<Interruptible>(),
             "For each label the threshold with the highest F1 on examples that have these labels.")
        .def(
            "annotate",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t threads, size_t top,
               const Calibration* calibration, const std::optional<std::vector<uint64_t>>& of_all,
               const std::vector<double>& least) {
                return c.annotate(RowSource{rows}, threads, top, calibration, of_all ? &*of_all : nullptr, least);
            },
            nb::arg("rows"), nb::arg("threads"), nb::arg("top"), nb::arg("calibration").none(),
            nb::arg("of_all").none() = nb::none(), nb::arg("least") = std::vector<double>(),
            "A line of text for each example: its label and margin, or its best labels and scores; and how many "
            "examples have "
            "no feature of the model but those `of_all`, and so _ and 0.")
        .def(
            "annotate_documents",
            [](const BoundClassifier& c, const DocumentFeatures& document_features, const Documents& documents,
               size_t threads, size_t top, const Calibration* calibration,
               const std::optional<std::vector<uint64_t>>& of_all, const std::vector<double>& least) {
                document_features.check(documents);
                return c.annotate(DocumentSource{document_features, documents}, threads, top, calibration,
                                  of_all ? &*of_all : nullptr, least);
            },
            nb::arg("document_features"), nb::arg("documents"), nb::arg("threads"), nb::arg("top"),
            nb::arg("calibration").none(), nb::arg("of_all").none() = nb::none(),
            nb::arg("least") = std::vector<double>(), "The same for documents, whose features are computed on the fly.")
        .def("weights", &BoundClassifier::weights,
             "(row, output, weight) of every non-zero weight. With two labels there is only output 0.")
        .def(
            "weights_of",
            [](const BoundClassifier& c, const std::vector<uint64_t>& keys) { return c.classifier().weights_of(keys); },
            nb::arg("keys"), "The weights of features by key, [keys][outputs] in one list.")
        .def(
            "gather",
            [](const BoundClassifier& c, size_t count, size_t rows, uint64_t seed) {
                const Interruptible work;
                return gather(c.classifier().model(), 0, count, rows, seed);
            },
            nb::arg("count"), nb::arg("rows"), nb::arg("seed"),
            "Add up `count` pseudo-random rows, `rows` at a time, as scoring does. For benchmarks.")
        .def(
            "explain",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t row, size_t number, const Question& question,
               const ClassExplainer::NameOf& name_of) {
                return to_bytes(c.explainer().explain(rows, row, number, question, name_of));
            },
            nb::arg("rows"), nb::arg("row"), nb::arg("number"), nb::arg("question"), nb::arg("name_of"),
            "A line of JSON for each decision about a row, the example of this number; none if the example has the "
            "label that is asked against. name_of: from the key of a feature to its text.")
        .def(
            "explain_label",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t row, size_t number, size_t label,
               const ClassExplainer::NameOf& name_of) {
                return to_bytes(c.explainer().explain_label(rows, row, number, label, name_of));
            },
            nb::arg("rows"), nb::arg("row"), nb::arg("number"), nb::arg("label"), nb::arg("name_of"),
            "The line of the decision about one label, by its number, where examples have any of them.")
        .def_prop_ro("labels", &BoundClassifier::labels)
        .def_prop_ro(
            "thresholds", [](const BoundClassifier& c) { return c.classifier().thresholds(); },
            "The threshold of each label where examples have any of them; else an empty list.");
    m.def(
        "check_classifier", [](nb::handle model) { making::check_classifier(without_weights(model)); },
        nb::arg("model"), "Raises ModelError if the header of a ModelFile is not that of a classifier.");
}

}  // namespace sapwood::bindings

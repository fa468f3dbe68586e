#include "classifying/classifier.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <cmath>
#include <numeric>
#include <variant>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "bindings/bindings.hpp"
#include "classifying/classifier_trainer.hpp"
#include "classifying/voted_classifier.hpp"
#include "features/document_features.hpp"
#include "model/calibration.hpp"
#include "model/gather.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Scores = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Documents, read row by row in each thread.
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

struct RowSource {
    const FeatureRows& rows;

    size_t size() const { return rows.size(); }
    auto reader() const {
        return [this](size_t r) -> std::pair<const FeatureRows*, size_t> { return {&rows, r}; };
    }
};

// A classifier with the names of its labels.
class BoundClassifier {
  public:
    BoundClassifier(std::vector<std::string> labels, const std::vector<PackedTable>& tables, unsigned bits,
                    double scale)
        : classifier_(Classifier(labels.size(), tables, bits, scale)), labels_(std::move(labels)) {}

    BoundClassifier(std::vector<std::string> labels, const FeatureRows& support, DualWeights weights)
        : classifier_(VotedClassifier(labels.size(), support, std::move(weights))),
          labels_(std::move(labels)) {}

    // visit(example, scores [labels]) for every example; from several threads.
    template <class Source, class Visit>
    void each(const Source& source, size_t threads, Visit&& visit) const {
        std::visit(
            [&](const auto& classifier) {
                using Workspace = typename std::decay_t<decltype(classifier)>::Workspace;
                for_each_sentence(source.size(), threads, [&] {
                    return [&, read = source.reader(), workspace = Workspace(),
                            scores = std::vector<double>(labels_.size())](size_t example) mutable {
                        const auto [rows, row] = read(example);
                        classifier.score(*rows, row, workspace, scores.data());
                        visit(example, scores);
                    };
                });
            },
            classifier_);
    }

    template <class Source>
    Scores scores(const Source& source, size_t threads) const {
        const size_t n = source.size(), width = labels_.size();
        auto* data = new std::vector<double>(n * width);
        nb::capsule owner(data, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
        {
            nb::gil_scoped_release release;
            each(source, threads, [&](size_t example, const std::vector<double>& s) {
                std::copy(s.begin(), s.end(), data->begin() + static_cast<ptrdiff_t>(example * width));
            });
        }
        return Scores(data->data(), {n, width}, owner);
    }

    template <class Source>
    std::vector<uint32_t> predict(const Source& source, size_t threads) const {
        nb::gil_scoped_release release;
        std::vector<uint32_t> guess(source.size());
        each(source, threads, [&](size_t example, const std::vector<double>& s) {
            guess[example] = argmax(s.data(), s.size());
        });
        return guess;
    }

    template <class Source>
    std::vector<double> last_scores(const Source& source, size_t threads) const {
        nb::gil_scoped_release release;
        std::vector<double> last(source.size());
        each(source, threads,
             [&](size_t example, const std::vector<double>& s) { last[example] = s.back(); });
        return last;
    }

    // "label<TAB>margin" of each example, or the `top` best labels with their scores; confidences if there is a
    // calibration.
    template <class Source>
    nb::bytes annotate(const Source& source, size_t threads, size_t top,
                       const Calibration* calibration) const {
        std::vector<std::string> lines(source.size());
        {
            nb::gil_scoped_release release;
            each(source, threads, [&](size_t example, std::vector<double>& s) {
                if (calibration != nullptr) calibration->apply(s.data());
                lines[example] = line(s, top, calibration != nullptr);
            });
        }
        size_t size = 0;
        for (const std::string& each : lines) size += each.size();
        std::string all;
        all.reserve(size);
        for (const std::string& each : lines) all += each;
        return to_bytes(all);
    }

    // (row, outputs, weight) of every weight.
    std::vector<std::tuple<size_t, size_t, double>> weights() const {
        std::vector<std::tuple<size_t, size_t, double>> all;
        for (const Weight& w : classifier().model().weights())
            all.emplace_back(w.feature, w.output, w.weight);
        return all;
    }

    // The one with weights of features. Throws ModelError if examples vote instead.
    const Classifier& classifier() const {
        if (const auto* weighted = std::get_if<Classifier>(&classifier_)) return *weighted;
        throw ModelError("a voted classifier has no weights of features");
    }
    size_t bytes() const {
        if (const auto* weighted = std::get_if<Classifier>(&classifier_)) return weighted->model().bytes();
        return std::get<VotedClassifier>(classifier_).bytes();
    }
    const std::vector<std::string>& labels() const { return labels_; }

  private:
    static void append(std::string& out, double number) {
        char digits[32];
        const auto end =
            std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6).ptr;
        out.append(digits, end);
    }

    std::string line(const std::vector<double>& scores, size_t top, bool calibrated) const {
        std::vector<size_t> order(scores.size());
        std::iota(order.begin(), order.end(), size_t{0});
        const size_t count = std::min(std::max<size_t>(top, 2), order.size());
        std::partial_sort(
            order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
            [&](size_t a, size_t b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); });
        std::string text = labels_[order[0]] + '\t';
        if (top == 0) {
            append(text, scores[order[0]] - (calibrated ? 0 : scores[order[count - 1]]));
        } else {
            append(text, scores[order[0]]);
            for (size_t k = 1; k < std::min(top, count); ++k) {
                text += '\t' + labels_[order[k]] + '\t';
                append(text, scores[order[k]]);
            }
        }
        return text + '\n';
    }

    std::variant<Classifier, VotedClassifier> classifier_;
    std::vector<std::string> labels_;
};

}  // namespace

void bind_classifier(nb::module_& m) {
    nb::class_<ClassifierTrainer>(m, "ClassifierTrainer", "The training loop, a step at a time.")
        .def(
            "__init__",
            [](ClassifierTrainer* self, size_t labels, const std::string& update, double gamma,
               uint32_t min_updates, bool average, bool voted, double penalty, double eta,
               uint32_t prune_below, uint64_t seed, bool shuffled) {
                ClassifierOptions options;
                TrainingOptions& training = options.training;
                if (update == "l1-cumulative" || update == "truncated-gradient")
                    options.l1 = {update == "l1-cumulative" ? Penalty::cumulative : Penalty::truncated,
                                  penalty, eta};
                else
                    training.learner = {update_of(update), static_cast<float>(gamma), min_updates, average};
                options.voted = voted;
                training.prune_below = prune_below;
                training.seed = seed;
                training.shuffled = shuffled;
                new (self) ClassifierTrainer(labels, options);
            },
            nb::arg("labels"), nb::kw_only(), nb::arg("update"), nb::arg("gamma"), nb::arg("min_updates"),
            nb::arg("average"), nb::arg("voted"), nb::arg("penalty"), nb::arg("eta"), nb::arg("prune_below"),
            nb::arg("seed"), nb::arg("shuffled"))
        .def("add", &ClassifierTrainer::add, nb::arg("rows"), nb::arg("gold"), nb::arg("importance"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Add examples: their features, label numbers, and what each one's step is multiplied by (or an "
             "empty list).")
        .def("forget_examples", &ClassifierTrainer::forget_examples,
             "Keep what was learned, for other examples.")
        .def("step", &ClassifierTrainer::step, nb::arg("tokens"), nb::call_guard<nb::gil_scoped_release>(),
             "Train on so many examples; true at the end of an epoch.")
        .def_prop_ro("progress", &ClassifierTrainer::progress)
        .def_prop_ro("bytes", &ClassifierTrainer::bytes, "Memory of the examples and the weights.")
        .def(
            "freeze",
            [](const ClassifierTrainer& t, unsigned bits, double shrink) { return t.freeze({bits, shrink}); },
            nb::arg("bits"), nb::arg("shrink"), nb::call_guard<nb::gil_scoped_release>())
        .def("freeze_votes", &ClassifierTrainer::freeze_votes, nb::call_guard<nb::gil_scoped_release>(),
             "All the vectors so far; their support are numbers of examples.");

    nb::class_<Calibration>(m, "Calibration", "From scores to confidences.")
        .def(nb::init<const std::string&, std::vector<std::vector<double>>, size_t>(), nb::arg("method"),
             nb::arg("curves"), nb::arg("labels"), "Raises ModelError if the curves do not fit.")
        .def(
            "apply",
            [](const Calibration& c, std::vector<double> scores) {
                c.apply(scores.data());
                return scores;
            },
            nb::arg("scores"), "The confidences of one example's scores, one a label.");

    nb::class_<BoundClassifier>(m, "Classifier", "A frozen classifier; immutable, shared by threads.")
        .def(nb::init<std::vector<std::string>, const std::vector<PackedTable>&, unsigned, double>(),
             nb::arg("labels"), nb::arg("tables"), nb::arg("bits"), nb::arg("scale"),
             nb::call_guard<nb::gil_scoped_release>())
        .def_static(
            "of_votes",
            [](std::vector<std::string> labels, const FeatureRows& support, const DualWeights& weights) {
                return BoundClassifier(std::move(labels), support, weights);
            },
            nb::arg("labels"), nb::arg("support"), nb::arg("weights"),
            nb::call_guard<nb::gil_scoped_release>(),
            "One in which the vectors of training vote; scores are parts of the votes. Raises DataError.")
        .def(
            "scores",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t threads) {
                return c.scores(RowSource{rows}, threads);
            },
            nb::arg("rows"), nb::arg("threads"),
            nb::sig("def scores(self, rows: FeatureRows, threads: int) -> typing.Any"),
            "Scores [examples, labels], an array of float64.")
        .def(
            "scores_of",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t threads) {
                return c.last_scores(RowSource{rows}, threads);
            },
            nb::arg("rows"), nb::arg("threads"), "The score of the last label of each, without NumPy.")
        .def(
            "predict",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t threads) {
                return c.predict(RowSource{rows}, threads);
            },
            nb::arg("rows"), nb::arg("threads"), "The number of the best label of each.")
        .def(
            "annotate",
            [](const BoundClassifier& c, const FeatureRows& rows, size_t threads, size_t top,
               const Calibration* calibration) {
                return c.annotate(RowSource{rows}, threads, top, calibration);
            },
            nb::arg("rows"), nb::arg("threads"), nb::arg("top"), nb::arg("calibration").none(),
            "A line for each: its label and margin, or its best labels and scores.")
        .def(
            "annotate_documents",
            [](const BoundClassifier& c, const DocumentFeatures& document_features,
               const Documents& documents, size_t threads, size_t top, const Calibration* calibration) {
                document_features.check(documents);
                return c.annotate(DocumentSource{document_features, documents}, threads, top, calibration);
            },
            nb::arg("document_features"), nb::arg("documents"), nb::arg("threads"), nb::arg("top"),
            nb::arg("calibration").none(), "The same for documents, whose features are not kept.")
        .def("weights", &BoundClassifier::weights,
             "(row, output, weight) of every weight that is not zero; two labels share output 0.")
        .def(
            "weights_of",
            [](const BoundClassifier& c, const std::vector<uint64_t>& keys) {
                return c.classifier().weights_of(keys);
            },
            nb::arg("keys"), "Weights by key, [keys][outputs] in one list.")
        .def(
            "gather",
            [](const BoundClassifier& c, size_t count, size_t rows, uint64_t seed) {
                nb::gil_scoped_release release;
                return gather(c.classifier().model(), 0, count, rows, seed);
            },
            nb::arg("count"), nb::arg("rows"), nb::arg("seed"),
            "Add up `count` pseudo-random rows, `rows` at a time, as scoring does; for benchmarks.")
        .def_prop_ro("labels", &BoundClassifier::labels)
        .def_prop_ro("bytes", [](const BoundClassifier& c) { return c.bytes(); }, "Memory of the weights.");
}

}  // namespace sapwood::bindings

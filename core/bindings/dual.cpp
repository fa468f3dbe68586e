#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/kernels.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "ranking/dual_scorer.hpp"
#include "ranking/dual_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

// (sizes of the rows, keys, values), as 32-bit, 64-bit and float32 numbers. There are no values if all are 1.
std::tuple<nb::bytes, nb::bytes, nb::bytes> pack_rows(const FeatureRows& rows) {
    return {bytes_of_numbers(rows.sizes()), bytes_of_numbers(rows.keys()), bytes_of_numbers(rows.values())};
}

FeatureRows unpack_rows(const nb::bytes& sizes, const nb::bytes& keys, const nb::bytes& values) {
    return FeatureRows::unpack(numbers_of<uint32_t>(sizes), numbers_of<uint64_t>(keys), numbers_of<float>(values));
}

DualWeights weights_of(bool voted, const nb::bytes& alphas, const nb::bytes& oracles, const nb::bytes& guesses,
                       const nb::bytes& steps, const nb::bytes& times, uint64_t clock) {
    DualWeights weights;
    weights.voted = voted;
    weights.alphas = numbers_of<double>(alphas);
    weights.clock = clock;
    const auto oracle = numbers_of<uint32_t>(oracles), guess = numbers_of<uint32_t>(guesses);
    const auto step = numbers_of<double>(steps);
    const auto time = numbers_of<uint64_t>(times);
    if (guess.size() != oracle.size() || step.size() != oracle.size() || time.size() != oracle.size())
        throw ModelError("the parts of the updates differ in number");
    for (size_t k = 0; k < oracle.size(); ++k) weights.updates.push_back({oracle[k], guess[k], step[k], time[k]});
    return weights;
}

template <auto Part>
nb::bytes column(const DualWeights& weights) {
    std::vector<std::remove_cvref_t<decltype(weights.updates[0].*Part)>> values;
    for (const DualUpdate& update : weights.updates) values.push_back(update.*Part);
    return bytes_of_numbers(values);
}

}  // namespace

void bind_dual(nb::module_& m) {
    m.def("pack_rows", &pack_rows, nb::arg("rows"), "The sizes, keys and values of rows, as raw numbers.");
    m.def("unpack_rows", &unpack_rows, nb::arg("sizes"), nb::arg("keys"), nb::arg("values"),
          "The inverse of pack_rows. Raises ModelError or DataError.");

    nb::class_<KernelItems>(m, "KernelItems", "Candidates prepared for a kernel.")
        .def_static(
            "of_trees",
            [](KernelTrees& each, double decay, bool normalise) -> std::shared_ptr<KernelItems> {
                const Interruptible work;
                return std::make_shared<TreeItems>(TreeKernel(decay), std::move(each.trees), normalise);
            },
            nb::arg("trees"), nb::arg("decay"), nb::arg("normalise"),
            "Moves the trees out of `trees`, which is then empty.")
        .def_static(
            "of_sequences",
            [](const std::vector<nb::bytes>& each, size_t length, double decay,
               bool normalise) -> std::shared_ptr<KernelItems> {
                auto sequences = sequences_of(each);
                const Interruptible work;
                return std::make_shared<SequenceItems>(SubsequenceKernel(length, decay), std::move(sequences),
                                                       normalise);
            },
            nb::arg("sequences"), nb::arg("length"), nb::arg("decay"), nb::arg("normalise"),
            "From arrays of 32-bit symbols. A length of 0: subsequences of every length.")
        .def_static(
            "of_rows",
            [](const FeatureRows& rows, size_t degree, double coef0, bool normalise) -> std::shared_ptr<KernelItems> {
                return std::make_shared<RowItems>(PolynomialKernel(degree, coef0), SortedRows(rows), normalise);
            },
            nb::arg("rows"), nb::arg("degree"), nb::arg("coef0"), nb::arg("normalise"), nb::call_guard<Interruptible>())
        .def_prop_ro("all_zero", &KernelItems::all_zero, "Whether K(x, x) is 0 for every candidate.")
        .def("__len__", &KernelItems::size);

    nb::class_<DualWeights>(m, "DualWeights", "The alphas of the support candidates, or the updates of a voted model.")
        .def(
            "__init__",
            [](DualWeights* self, bool voted, const nb::bytes& alphas, const nb::bytes& oracles,
               const nb::bytes& guesses, const nb::bytes& steps, const nb::bytes& times, uint64_t clock) {
                new (self) DualWeights(weights_of(voted, alphas, oracles, guesses, steps, times, clock));
            },
            nb::kw_only(), nb::arg("voted"), nb::arg("alphas"), nb::arg("oracles"), nb::arg("guesses"),
            nb::arg("steps"), nb::arg("times"), nb::arg("clock"), "From the bytes of arrays. Raises ModelError.")
        .def_ro("voted", &DualWeights::voted)
        .def_ro("clock", &DualWeights::clock, "Number of lists seen in training.")
        .def_ro("support", &DualWeights::support, "Numbers of candidates in the training data, ascending.")
        .def_prop_ro("alphas", [](const DualWeights& w) { return bytes_of_numbers(w.alphas); })
        .def_prop_ro("oracles", &column<&DualUpdate::oracle>, "For each update, the oracle's position in the support.")
        .def_prop_ro("guesses", &column<&DualUpdate::guess>)
        .def_prop_ro("steps", &column<&DualUpdate::step>)
        .def_prop_ro("times", &column<&DualUpdate::clock>, "Number of lists seen before each update.");

    nb::class_<DualScorer>(m, "DualScorer", "The scores of a reranker in dual form.")
        .def(nb::init<std::shared_ptr<const KernelItems>, DualWeights>(), nb::arg("support"), nb::arg("weights"),
             nb::call_guard<Interruptible>(), "Raises DataError.")
        .def("scores", &DualScorer::scores, nb::arg("candidates"), nb::arg("starts"), nb::arg("bases"),
             nb::arg("threads"), nb::call_guard<Interruptible>(),
             "The scores of candidates, to which `bases`, the weighted scores of the base model, are added; for a "
             "voted model, the fractions of the votes.")
        .def("kernels", &DualScorer::kernels, nb::arg("candidates"), nb::arg("candidate"),
             nb::call_guard<Interruptible>(), "The kernel of a candidate with each of the support.");

    nb::class_<DualTrainer>(m, "DualTrainer", "The training loop of a reranker in dual form, a step at a time.")
        .def(
            "__init__",
            [](DualTrainer* self, std::shared_ptr<const KernelItems> candidates, const std::vector<size_t>& starts,
               const std::vector<double>& losses, const std::vector<double>& bases, const Values& options) {
                new (self) DualTrainer(std::move(candidates), starts, losses, bases, options_in<DualOptions>(options));
            },
            nb::arg("candidates"), nb::arg("starts"), nb::arg("losses"), nb::arg("bases"), nb::arg("options"),
            "The candidates of all lists, the first candidate of each list and the end, losses, and the "
            "weighted scores of the base model. Raises DataError.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<DualOptions>(); },
            "The options that it takes, with the choices of each.")
        .def_static(
            "most_bytes",
            [](const KernelItems& candidates, size_t lists, size_t epochs, const Values& options) {
                return DualTrainer::most_bytes(candidates, lists, epochs, options_in<DualOptions>(options));
            },
            nb::arg("candidates"), nb::arg("lists"), nb::arg("epochs"), nb::arg("options"),
            "The largest number of bytes that training takes in addition to the candidates.")
        .def("step", &DualTrainer::step, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "Train on this many lists. Return true at the end of an epoch.")
        .def(Stateful<DualTrainer>())
        .def_prop_ro("progress", &DualTrainer::progress)
        .def("freeze", &DualTrainer::freeze, nb::call_guard<Interruptible>());
}

}  // namespace sapwood::bindings

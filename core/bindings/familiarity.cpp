#include "model/familiarity.hpp"

#include <cstring>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "text/doc.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

template <class Data>
auto count() {
    return [](const Familiarity& self, const Data& data, size_t window) {
        return interruptible([&] { return self.count(data, window); });
    };
}

template <class Data>
auto count_each() {
    return
        [](const Familiarity& self, const Data& data) { return interruptible([&] { return self.count_each(data); }); };
}

using Counts = std::vector<std::vector<std::tuple<uint64_t, uint64_t, uint64_t>>>;

template <class Data>
auto count_cells() {
    return [](const Familiarity& self, const Data& data, size_t window) {
        Counts found;
        for (const auto& columns : interruptible([&] { return self.count_cells(data, window); })) {
            found.emplace_back();
            for (const FamiliarCells& each : columns) found.back().emplace_back(each.cells, each.known, each.empty);
        }
        return found;
    };
}

template <class Data>
auto add() {
    return [](FamiliarityLearner& self, const Data& data) { interruptible([&] { self.add(data); }); };
}

template <class Data>
auto seen() {
    return [](const nb::bytes& seen, size_t columns, const Data& data) {
        const auto hashes = numbers_of<uint32_t>(seen);
        return interruptible([&] { return share_seen(hashes, columns, data); });
    };
}

void construct(Familiarity* self, const nb::bytes& frequent, std::vector<size_t> columns) {
    new (self) Familiarity(numbers_of<uint32_t>(frequent), std::move(columns));
}

}  // namespace

void bind_familiarity(nb::module_& m) {
    nb::class_<FamiliarityCounts>(m, "FamiliarityCounts", "What was counted in a text.")
        .def_ro("characters", &FamiliarityCounts::characters)
        .def_prop_ro(
            "words", [](const FamiliarityCounts& counts) { return std::pair(counts.words.words, counts.words.known); },
            "The number of words, and of those that the model knows.");

    nb::class_<Familiarity>(m, "Familiarity", "The frequent words of a model's training data; shared by threads.")
        .def("__init__", &construct, nb::arg("frequent"), nb::arg("columns"),
             "frequent: the words' keys, 32-bit numbers. columns: the numbers of columns, that of the words first. "
             "Raises "
             "ModelError unless the keys ascend.")
        .def("count", count<Columns>(), nb::arg("data"), nb::arg("window"),
             "Count the words of data that the model knows, in windows of so many characters.")
        .def("count", count<Conllu>(), nb::arg("data"), nb::arg("window"))
        .def("count", count<Documents>(), nb::arg("data"), nb::arg("window"))
        .def("count", count<FeatureRows>(), nb::arg("data"), nb::arg("window"))
        .def("count", count<Doc>(), nb::arg("data"), nb::arg("window"))
        .def("count_each", count_each<Columns>(), nb::arg("data"),
             "Count the words of each sentence, document or row that the model knows.")
        .def("count_each", count_each<Conllu>(), nb::arg("data"))
        .def("count_each", count_each<Documents>(), nb::arg("data"))
        .def("count_each", count_each<FeatureRows>(), nb::arg("data"))
        .def("count_cells", count_cells<Columns>(), nb::arg("data"), nb::arg("window"),
             "Count the cells of the other columns, those with frequent values and the empty ones, in windows of so "
             "many words.")
        .def("count_cells", count_cells<Conllu>(), nb::arg("data"), nb::arg("window"))
        .def("count_cells", count_cells<Documents>(), nb::arg("data"), nb::arg("window"));

    nb::class_<FamiliarityLearner>(m, "FamiliarityLearner", "Finds the frequent words of training data.")
        .def(nb::init<std::vector<size_t>>(), nb::arg("columns"))
        .def("add", add<Columns>(), nb::arg("data"))
        .def("add", add<Conllu>(), nb::arg("data"))
        .def("add", add<Documents>(), nb::arg("data"))
        .def("add", add<FeatureRows>(), nb::arg("data"))
        .def(
            "learned",
            [](const FamiliarityLearner& self) {
                const auto found = interruptible([&] { return self.learned(); });
                nb::list columns;
                for (const FamiliarityLearner::Column& column : found.columns) {
                    nb::dict record;
                    record["share"] = column.share;
                    record["sentences"] = column.sentences;
                    record["windows"] = column.windows;
                    record["empty"] = std::vector<double>{column.empty, column.most_empty};
                    columns.append(record);
                }
                return nb::make_tuple(bytes_of_numbers(found.frequent), columns, bytes_of_numbers(found.seen));
            },
            nb::sig("def learned(self) -> tuple[bytes, list[dict[str, typing.Any]], bytes]"),
            "The frequent words' keys; for each column the share of them among all words, and that of sentences and "
            "windows at four quantiles, that of empty cells, and at most so many of a window; neither where there are "
            "too "
            "few words. Then hashes of some of the sentences.");

    m.def("share_seen", seen<Columns>(), nb::arg("seen"), nb::arg("columns"), nb::arg("data"),
          "The share of sentences that training saw, 0 if it is hardly more than by chance. Raises ModelError.");
    m.def("share_seen", seen<Conllu>(), nb::arg("seen"), nb::arg("columns"), nb::arg("data"));
    m.def("share_seen", seen<Documents>(), nb::arg("seen"), nb::arg("columns"), nb::arg("data"));
    m.def("share_seen", seen<FeatureRows>(), nb::arg("seen"), nb::arg("columns"), nb::arg("data"));
}

}  // namespace sapwood::bindings

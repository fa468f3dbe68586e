#include "model/familiarity.hpp"

#include <cstring>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "text/doc.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

Pairs pairs_of(const std::vector<FamiliarWords>& counts) {
    Pairs pairs;
    for (const FamiliarWords& each : counts) pairs.emplace_back(each.words, each.known);
    return pairs;
}

template <class Data>
auto count() {
    return [](const Familiarity& self, const Data& data, size_t window) {
        return interruptible([&] { return self.count(data, window); });
    };
}

template <class Data>
auto add() {
    return [](FamiliarityLearner& self, const Data& data) { interruptible([&] { self.add(data); }); };
}

void construct(Familiarity* self, const nb::bytes& frequent, size_t columns) {
    std::vector<uint32_t> keys(frequent.size() / sizeof(uint32_t));
    std::memcpy(keys.data(), frequent.c_str(), keys.size() * sizeof(uint32_t));
    new (self) Familiarity(keys, columns);
}

}  // namespace

void bind_familiarity(nb::module_& m) {
    nb::class_<FamiliarityCounts>(m, "FamiliarityCounts", "What was counted in a text.")
        .def_ro("characters", &FamiliarityCounts::characters)
        .def_prop_ro(
            "columns", [](const FamiliarityCounts& counts) { return pairs_of(counts.columns); },
            "For each column its words, and how many of them the model knows.");

    nb::class_<Familiarity>(m, "Familiarity", "The frequent words of a model's training data; shared by threads.")
        .def("__init__", &construct, nb::arg("frequent"), nb::arg("columns"),
             "frequent: the words' keys, 32-bit numbers. Raises ModelError unless they ascend.")
        .def("count", count<Columns>(), nb::arg("data"), nb::arg("window"),
             "Count the words of data that the model knows, in windows of so many characters.")
        .def("count", count<Conllu>(), nb::arg("data"), nb::arg("window"))
        .def("count", count<Documents>(), nb::arg("data"), nb::arg("window"))
        .def("count", count<FeatureRows>(), nb::arg("data"), nb::arg("window"))
        .def("count", count<Doc>(), nb::arg("data"), nb::arg("window"));

    nb::class_<FamiliarityLearner>(m, "FamiliarityLearner", "Finds the frequent words of training data.")
        .def(nb::init<size_t>(), nb::arg("columns"))
        .def("add", add<Columns>(), nb::arg("data"))
        .def("add", add<Conllu>(), nb::arg("data"))
        .def("add", add<Documents>(), nb::arg("data"))
        .def("add", add<FeatureRows>(), nb::arg("data"))
        .def(
            "learned",
            [](const FamiliarityLearner& self) -> nb::object {
                const auto found = interruptible([&] { return self.learned(); });
                if (!found) return nb::none();
                nb::list columns;
                for (const FamiliarityLearner::Column& column : found->columns) {
                    nb::dict record;
                    record["share"] = column.share;
                    record["sentences"] = column.sentences;
                    record["windows"] = column.windows;
                    columns.append(record);
                }
                const auto* keys = reinterpret_cast<const char*>(found->frequent.data());
                return nb::make_tuple(nb::bytes(keys, found->frequent.size() * sizeof(uint32_t)), columns);
            },
            nb::sig("def learned(self) -> tuple[bytes, list[dict[str, typing.Any]]] | None"),
            "The frequent words' keys; for each column the share of them among all words, and that of sentences and "
            "windows at four quantiles. None where there are too few words.");
}

}  // namespace sapwood::bindings

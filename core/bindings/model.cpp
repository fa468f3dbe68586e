#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "features/word_list.hpp"
#include "model/freeze.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

WordList unpack_list(const nb::bytes& phrases, size_t longest) {
    WordList list;
    if (phrases.size() % sizeof(uint64_t) != 0) throw ModelError("a word list has the wrong length");
    list.phrases.resize(phrases.size() / sizeof(uint64_t));
    if (!list.phrases.empty()) std::memcpy(list.phrases.data(), phrases.data(), phrases.size());
    if (!std::is_sorted(list.phrases.begin(), list.phrases.end()))
        throw ModelError("a word list is not sorted");
    if (longest > 64) throw ModelError("a word list has phrases of more than 64 words");
    list.longest = longest;
    return list;
}

nb::bytes pack_list(const WordList& list) {
    return nb::bytes(reinterpret_cast<const char*>(list.phrases.data()),
                     list.phrases.size() * sizeof(uint64_t));
}

template <std::string PackedTable::* Array>
nb::bytes array(const PackedTable& table) {
    return to_bytes(table.*Array);
}

}  // namespace

void bind_model(nb::module_& m) {
    nb::class_<WordList>(m, "WordList", "A gazetteer: words or phrases, one a line.")
        .def_static(
            "read", [](const nb::bytes& text) { return WordList(view(text)); }, nb::arg("text"))
        .def_static("unpack", &unpack_list, nb::arg("phrases"), nb::arg("longest"))
        .def("pack", &pack_list, "Sorted 64-bit keys of the phrases.")
        .def_ro("longest", &WordList::longest, "Words in the longest phrase.");

    nb::class_<PackedTable>(m, "PackedTable", "One table of weights as it lies in a model file.")
        .def(
            "__init__",
            [](PackedTable* self, uint64_t features, uint64_t weights, uint64_t width, unsigned key_bits,
               unsigned size_bits, unsigned output_bits, const nb::bytes& high, const nb::bytes& low,
               const nb::bytes& sizes, const nb::bytes& outputs, const nb::bytes& values) {
                auto text = [](const nb::bytes& bytes) { return std::string(view(bytes)); };
                new (self)
                    PackedTable{features,   weights,   width,       key_bits,      size_bits,   output_bits,
                                text(high), text(low), text(sizes), text(outputs), text(values)};
            },
            nb::arg("features"), nb::arg("weights"), nb::arg("width"), nb::arg("key_bits"),
            nb::arg("size_bits"), nb::arg("output_bits"), nb::arg("high"), nb::arg("low"), nb::arg("sizes"),
            nb::arg("outputs"), nb::arg("values"))
        .def_ro("features", &PackedTable::features)
        .def_ro("weights", &PackedTable::weights)
        .def_ro("width", &PackedTable::width)
        .def_ro("key_bits", &PackedTable::key_bits)
        .def_ro("size_bits", &PackedTable::size_bits)
        .def_ro("output_bits", &PackedTable::output_bits)
        .def_prop_ro("high", &array<&PackedTable::high>)
        .def_prop_ro("low", &array<&PackedTable::low>)
        .def_prop_ro("sizes", &array<&PackedTable::sizes>)
        .def_prop_ro("outputs", &array<&PackedTable::outputs>)
        .def_prop_ro("values", &array<&PackedTable::values>);

    nb::class_<PackedModel>(m, "PackedModel", "Averaged, quantised and packed weights.")
        .def_ro("bits", &PackedModel::bits)
        .def_ro("scale", &PackedModel::scale)
        .def_ro("tables", &PackedModel::tables)
        .def_ro("features", &PackedModel::features, "Features with a non-zero weight, before quantisation.")
        .def_ro("weights", &PackedModel::weights, "Non-zero weights, before quantisation.");
}

}  // namespace sapwood::bindings

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/coded_bytes.hpp"
#include "base/elias_fano.hpp"
#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "features/word_list.hpp"
#include "model/coded_table.hpp"
#include "model/freeze.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

template <std::string PackedTable::* Array>
nb::bytes array(const PackedTable& table) {
    return to_bytes(table.*Array);
}

}  // namespace

void bind_model(nb::module_& m) {
    m.def(
        "return_large_memory",
        [] {
#ifdef __GLIBC__
            mallopt(M_MMAP_THRESHOLD, 1 << 17);  // once it is set, glibc no longer raises it
#endif
        },
        "From now on, give large pieces of memory back to the system as soon as they are free.");
    m.def(
        "code_bytes",
        [](const nb::bytes& bytes) { return to_bytes(interruptible([&] { return code_bytes(view(bytes)); })); },
        nb::arg("bytes"),
        "A code of bytes from which decode_bytes makes them again, or the same bytes if it would not be shorter.");
    m.def(
        "decode_bytes",
        [](const nb::bytes& code, size_t size) {
            return to_bytes(interruptible([&] { return decode_bytes(view(code), size, "coded bytes"); }));
        },
        nb::arg("code"), nb::arg("size"), "The bytes that were coded. Raises ModelError.");
    m.def(
        "code_keys",
        [](const nb::bytes& high, const nb::bytes& low, uint64_t count, unsigned key_bits) {
            return to_bytes(interruptible(
                [&] { return code_keys(unpack_keys(view(high), view(low), count, key_bits, "a table"), key_bits); }));
        },
        nb::arg("high"), nb::arg("low"), nb::arg("count"), nb::arg("key_bits"),
        "A code of keys in Elias-Fano form. Raises ModelError.");
    m.def(
        "decode_keys",
        [](const nb::bytes& code, uint64_t count, unsigned key_bits) {
            const EliasFano keys =
                interruptible([&] { return pack_keys(decode_keys(view(code), count, key_bits), key_bits); });
            return nb::make_tuple(to_bytes(keys.high), to_bytes(keys.low));
        },
        nb::arg("code"), nb::arg("count"), nb::arg("key_bits"),
        nb::sig("def decode_keys(code: bytes, count: int, key_bits: int) -> tuple[bytes, bytes]"),
        "The keys of a code in Elias-Fano form: high and low. Raises ModelError.");
    nb::class_<WordList>(m, "WordList", "A word list (gazetteer) with one word or phrase per line.")
        .def_static(
            "read",
            [](const nb::bytes& text, bool plain) {
                return interruptible([&] { return WordList(view(text), plain); });
            },
            nb::arg("text"), nb::arg("plain_apostrophes") = false)
        .def(
            "pack", [](const WordList& list) { return bytes_of_numbers(list.phrases); },
            "The sorted 64-bit keys of the phrases.")
        .def_ro("longest", &WordList::longest, "Number of words of the longest phrase.");

    nb::class_<PackedTable>(m, "PackedTable", "One table of weights as a model file has it, packed or coded.")
        .def(
            "__init__",
            [](PackedTable* self, uint64_t features, uint64_t weights, uint64_t width, unsigned key_bits,
               unsigned size_bits, unsigned output_bits, const nb::bytes& high, const nb::bytes& low,
               const nb::bytes& sizes, const nb::bytes& outputs, const nb::bytes& values) {
                auto text = [](const nb::bytes& bytes) { return std::string(view(bytes)); };
                new (self) PackedTable{features,   weights,   width,       key_bits,      size_bits,    output_bits,
                                       text(high), text(low), text(sizes), text(outputs), text(values), false};
            },
            nb::arg("features"), nb::arg("weights"), nb::arg("width"), nb::arg("key_bits"), nb::arg("size_bits"),
            nb::arg("output_bits"), nb::arg("high"), nb::arg("low"), nb::arg("sizes"), nb::arg("outputs"),
            nb::arg("values"))
        .def("coded", &coded, nb::arg("bits"), nb::call_guard<Interruptible>(),
             "The table coded, if its weights have so many bits.")
        .def("uncoded", &uncoded, nb::arg("bits"), nb::call_guard<Interruptible>(),
             "The table packed, as it is after training.")
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
        .def(
            "__init__",
            [](PackedModel* self, unsigned bits, double scale, std::vector<PackedTable> tables, uint64_t features,
               uint64_t weights, const std::vector<nb::bytes>& full_keys) {
                new (self) PackedModel{bits, scale, std::move(tables), features, weights, {}};
                for (const nb::bytes& keys : full_keys) self->full_keys.push_back(numbers_of<uint64_t>(keys));
            },
            nb::arg("bits"), nb::arg("scale"), nb::arg("tables"), nb::arg("features"), nb::arg("weights"),
            nb::arg("full_keys"))
        .def_prop_ro(
            "full_keys",
            [](const PackedModel& model) {
                nb::list all;
                for (const auto& keys : model.full_keys) all.append(bytes_of_numbers(keys));
                return all;
            },
            nb::sig("def full_keys(self) -> list[bytes]"),
            "64-bit keys of each table's features, by which they are named.")
        .def_ro("bits", &PackedModel::bits)
        .def_ro("scale", &PackedModel::scale)
        .def_ro("tables", &PackedModel::tables)
        .def_ro("features", &PackedModel::features, "Number of features with a non-zero weight, before quantisation.")
        .def_ro("weights", &PackedModel::weights, "Number of non-zero weights, before quantisation.");
}

}  // namespace sapwood::bindings

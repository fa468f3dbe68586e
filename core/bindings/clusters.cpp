#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "bindings/bindings.hpp"
#include "features/cluster_files.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

template <std::string PackedClusters::* Array>
nb::bytes array(const WordClusters& clusters) {
    return to_bytes(clusters.packed().*Array);
}

}  // namespace

void bind_clusters(nb::module_& m) {
    nb::class_<WordClusters>(m, "WordClusters", "A class for each word, and bits for each class; shared by threads.")
        .def(
            "__init__",
            [](WordClusters* self, uint64_t words, unsigned key_bits, const nb::bytes& high, const nb::bytes& low,
               const nb::bytes& classes, const nb::bytes& tree) {
                const auto text = [](const nb::bytes& bytes) { return std::string(view(bytes)); };
                new (self)
                    WordClusters(PackedClusters{words, key_bits, text(high), text(low), text(classes), text(tree)});
            },
            nb::arg("words"), nb::arg("key_bits"), nb::arg("high"), nb::arg("low"), nb::arg("classes"), nb::arg("tree"),
            "From the arrays of a model file. Raises ModelError.")
        .def_static(
            "read",
            [](const nb::bytes& text, const std::string& name, size_t most) {
                const std::string_view bytes = view(text);
                const nb::gil_scoped_release release;
                return read_clusters(bytes, name, most);
            },
            nb::arg("text"), nb::arg("name"), nb::arg("most"),
            "From a file's bytes; the `most` most frequent words are kept. Raises DataError with name and line.")
        .def(
            "find",
            [](const WordClusters& clusters, std::string_view word) {
                std::string scratch;
                const uint32_t found = clusters.find(word, scratch);
                return found == WordClusters::kNone ? nb::object(nb::none()) : nb::object(to_str(clusters.bits(found)));
            },
            nb::arg("word"), nb::sig("def find(self, word: str) -> str | None"), "The bits of a word's class.")
        .def("__len__", [](const WordClusters& clusters) { return clusters.packed().words; })
        .def_prop_ro(
            "strings",
            [](const WordClusters& clusters) {
                nb::list strings;
                for (uint32_t k = 0; k < clusters.classes(); ++k) strings.append(to_str(clusters.bits(k)));
                return strings;
            },
            nb::sig("def strings(self) -> list[str]"), "The bits of each class, ascending.")
        .def_prop_ro("key_bits", [](const WordClusters& clusters) { return clusters.packed().key_bits; })
        .def_prop_ro("high", &array<&PackedClusters::high>)
        .def_prop_ro("low", &array<&PackedClusters::low>)
        .def_prop_ro("classes", &array<&PackedClusters::classes>)
        .def_prop_ro("tree", &array<&PackedClusters::tree>)
        .def(
            "__reduce__",
            [](const WordClusters& c) {
                const PackedClusters& p = c.packed();
                return nb::make_tuple(nb::type<WordClusters>(),
                                      nb::make_tuple(p.words, p.key_bits, to_bytes(p.high), to_bytes(p.low),
                                                     to_bytes(p.classes), to_bytes(p.tree)));
            },
            nb::sig("def __reduce__(self) -> tuple[type, tuple[int | bytes, ...]]"),
            "Copies and pickles have the arrays of a model file.");
}

}  // namespace sapwood::bindings

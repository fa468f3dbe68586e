#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "clustering/clustering.hpp"
#include "features/cluster_files.hpp"
#include "making/row_tagger.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

template <std::string PackedClusters::* Array>
nb::bytes array(const WordClusters& clusters) {
    return to_bytes(clusters.packed().*Array);
}
template <std::string PackedClusters::* Array>
nb::bytes array_of(const Lexicon& lexicon) {
    return array<Array>(lexicon.words());
}

PackedClusters packed_of(uint64_t words, unsigned key_bits, const nb::bytes& high, const nb::bytes& low,
                         const nb::bytes& classes, const nb::bytes& tree) {
    const auto text = [](const nb::bytes& bytes) { return std::string(view(bytes)); };
    return {words, key_bits, text(high), text(low), text(classes), text(tree)};
}

// The words and their tags as UTF-8. Throws DataError for a string that is not Unicode.
std::vector<std::pair<std::string, std::string>> entries_of(const nb::list& words, const nb::list& tags,
                                                            const std::string& name) {
    const auto text = [&](nb::handle value) {
        const auto found = utf8_of(value);
        if (!found) throw DataError(name + ": a word or tag is not Unicode text");
        return std::string(*found);
    };
    std::vector<std::pair<std::string, std::string>> entries;
    for (size_t k = 0; k < words.size(); ++k) entries.emplace_back(text(words[k]), text(tags[k]));
    return entries;
}

void bind_lexicon(nb::module_& m) {
    nb::class_<Lexicon>(m, "Lexicon", "The tags that words may have; shared by threads.")
        .def(
            "__init__",
            [](Lexicon* self, uint64_t words, unsigned key_bits, const nb::bytes& high, const nb::bytes& low,
               const nb::bytes& classes, const nb::bytes& tree, std::vector<std::string> tags) {
                new (self) Lexicon(packed_of(words, key_bits, high, low, classes, tree), std::move(tags));
            },
            nb::arg("words"), nb::arg("key_bits"), nb::arg("high"), nb::arg("low"), nb::arg("classes"), nb::arg("tree"),
            nb::arg("tags"), "From the arrays of a model file. Raises ModelError.")
        .def_static(
            "of_model", [](nb::handle model) { return making::lexicon_of(without_weights(model)); }, nb::arg("model"),
            nb::sig("def of_model(model: object) -> Lexicon | None"),
            "The lexicon in a ModelFile; None if it has none. Raises ModelError.")
        .def_static(
            "build",
            [](const nb::list& words, const nb::list& tags, const std::string& name) {
                return Lexicon(entries_of(words, tags, name), name);
            },
            nb::arg("words"), nb::arg("tags"), nb::arg("name"),
            nb::sig("def build(words: list[str], tags: list[str], name: str) -> Lexicon"),
            "From words, each with a tag; a word may be there several times. Raises DataError, with the name.")
        .def(
            "find",
            [](const Lexicon& lexicon, std::string_view word) {
                std::string scratch;
                return to_str(lexicon.text(lexicon.words().find(word, scratch)));
            },
            nb::arg("word"), nb::sig("def find(self, word: str) -> str"),
            "The tags of a word, as NOUN+VERB, or 'none'.")
        .def("__len__", [](const Lexicon& lexicon) { return lexicon.words().packed().words; })
        .def_prop_ro("key_bits", [](const Lexicon& lexicon) { return lexicon.words().packed().key_bits; })
        .def_prop_ro("high", &array_of<&PackedClusters::high>)
        .def_prop_ro("low", &array_of<&PackedClusters::low>)
        .def_prop_ro("classes", &array_of<&PackedClusters::classes>)
        .def_prop_ro("tree", &array_of<&PackedClusters::tree>)
        .def_prop_ro(
            "tags", [](const Lexicon& lexicon) { return lexicon.tags(); }, "All tags, ascending.")
        .def(
            "__reduce__",
            [](const Lexicon& lexicon) {
                const PackedClusters& p = lexicon.words().packed();
                return nb::make_tuple(nb::type<Lexicon>(),
                                      nb::make_tuple(p.words, p.key_bits, to_bytes(p.high), to_bytes(p.low),
                                                     to_bytes(p.classes), to_bytes(p.tree), lexicon.tags()));
            },
            nb::sig("def __reduce__(self) -> tuple[type, tuple[int | bytes | list[str], ...]]"),
            "Copies and pickles have the arrays of a model file.");
}

}  // namespace

void bind_clusters(nb::module_& m) {
    bind_lexicon(m);
    nb::class_<WordClusters>(m, "WordClusters", "A class for each word, and bits for each class; shared by threads.")
        .def(
            "__init__",
            [](WordClusters* self, uint64_t words, unsigned key_bits, const nb::bytes& high, const nb::bytes& low,
               const nb::bytes& classes, const nb::bytes& tree) {
                new (self) WordClusters(packed_of(words, key_bits, high, low, classes, tree));
            },
            nb::arg("words"), nb::arg("key_bits"), nb::arg("high"), nb::arg("low"), nb::arg("classes"), nb::arg("tree"),
            "From the arrays of a model file. Raises ModelError.")
        .def_static(
            "read",
            [](const nb::bytes& text, const std::string& name, size_t most) {
                const std::string_view bytes = view(text);
                const Interruptible work;
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

    nb::class_<Clustering>(m, "Clustering", "Learning word clusters from text, a step at a time.")
        .def(nb::init<bool>(), nb::arg("tokenised"))
        .def(
            "add",
            [](Clustering& clustering, const nb::bytes& lines, const std::string& name, size_t first_line) {
                const std::string_view bytes = view(lines);
                const Interruptible work;
                clustering.corpus().add(bytes, name, first_line);
            },
            nb::arg("lines"), nb::arg("name"), nb::arg("first_line"), "Add whole lines of text. Raises DataError.")
        .def(
            "end_text", [](Clustering& clustering) { clustering.corpus().end(); },
            "End a text; the lines that are added next begin another one.")
        .def("begin", &Clustering::begin, nb::arg("classes"), nb::arg("min_count"), nb::call_guard<Interruptible>(),
             "Count the text, and deal the words out to classes. Raises DataError if no word is frequent enough.")
        .def(
            "exchange",
            [](Clustering& clustering, size_t batches, size_t threads) {
                const Interruptible work;
                return clustering.exchange().step(batches, threads);
            },
            nb::arg("batches"), nb::arg("threads"),
            "Move words of the next batches to better classes. Return whether all words have been looked at once more.")
        .def("merge", &Clustering::merge, nb::arg("pairs"), nb::call_guard<Interruptible>(),
             "Merge up to `pairs` pairs of classes. Return whether more than one class is left.")
        .def_prop_ro("words", [](const Clustering& c) { return c.text().words.size() - ClusterText::kFirst; })
        .def_prop_ro("tokens", [](const Clustering& c) { return c.text().tokens; })
        .def_prop_ro("classes_left", &Clustering::classes_left)
        .def_prop_ro(
            "looked_at", [](Clustering& c) { return c.exchange().looked_at(); }, "Words of this round.")
        .def_prop_ro(
            "moved", [](Clustering& c) { return c.exchange().moved(); }, "How many of them moved.")
        .def_prop_ro(
            "likelihood", [](Clustering& c) { return interruptible([&] { return c.exchange().likelihood(); }); },
            "The log-likelihood of the text in bits, but for what does not depend on the classes.")
        .def(
            "paths", [](const Clustering& c) { return to_bytes(interruptible([&] { return c.paths(); })); },
            "The clusters, as the lines of a file.");
}

}  // namespace sapwood::bindings

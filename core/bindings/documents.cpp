#include "text/documents.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "features/document_features.hpp"
#include "features/feature_rows.hpp"
#include "features/key_names.hpp"
#include "making/class_parts.hpp"
#include "model/freeze.hpp"
#include "text/normal_form.hpp"
#include "text/plain_text.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The text of a Python string. Throws DataError; where() gives the place for the message.
template <class Where>
std::string_view text_of(nb::handle value, Where&& where, const char* what) {
    const auto text = utf8_of(value);
    if (!text || text->find('\0') != std::string_view::npos)
        throw DataError(where() + ": its " + what + " is not a string of valid Unicode without NUL");
    return *text;
}

// Builds documents from tuples (tokens, marked, label, fields, line). `tokens` is a string, or a list of strings or of
// tuples of strings; `marked` is the number of a token, or None; `label` is a string or None; `fields` are strings.
Documents build_documents(nb::iterable documents, size_t columns, size_t fields, const std::string& name) {
    const SignalCheck check;
    Documents built(columns, fields, name);
    for (nb::handle each : documents) {
        const auto [tokens, marked, label, values, line] =
            nb::cast<std::tuple<nb::object, std::optional<size_t>, nb::object, nb::list, size_t>>(each);
        const auto where = [&built, at = line] { return built.answers().next(at); };
        const auto fail = [&](const std::string& what) { throw DataError(where() + ": " + what); };
        if (nb::len(values) != fields)
            fail("it has " + std::to_string(nb::len(values)) + " fields, not " + std::to_string(fields));
        for (nb::handle value : values) built.add_field(text_of(value, where, "field"));
        if (PyUnicode_Check(tokens.ptr())) {
            if (columns != 1)
                fail("it is a text, but tokens with " + std::to_string(columns) + " columns are asked for");
            if (marked) fail("it is a text; to mark a word, give a list of tokens");
            built.add_text(text_of(tokens, where, "text"));
        } else {
            if (!PySequence_Check(tokens.ptr())) fail("it is neither a text nor a list of tokens");
            size_t t = 0;
            if (marked && *marked >= nb::len(tokens)) fail("the marked word is not one of its tokens");
            for (nb::handle token : nb::borrow<nb::sequence>(tokens)) {
                if (marked && t++ == *marked) built.mark_next();
                StopCheck::after(200);
                const bool plain = PyUnicode_Check(token.ptr());
                if (!plain && !PySequence_Check(token.ptr()))
                    fail("a token is neither a string nor a tuple of strings");
                if ((plain ? 1 : nb::len(token)) != columns)
                    fail("a token does not have " + std::to_string(columns) + " columns");
                const auto add = [&](nb::handle cell) {
                    const std::string_view text = text_of(cell, where, "token");
                    if (text.empty()) fail("a token is empty");
                    built.add_cell(text);
                };
                if (plain)
                    add(token);
                else
                    for (nb::handle cell : nb::borrow<nb::sequence>(token)) add(cell);
            }
        }
        built.end_document(label.is_none() ? std::string_view() : text_of(label, where, "label"), line);
    }
    return built;
}

// The rows of a matrix in compressed row format. The key of a feature is that of its column's name.
FeatureRows from_csr(const Array<int64_t>& starts, const Array<int64_t>& columns, const Array<double>& values,
                     const std::vector<std::string>& names, bool bias) {
    std::vector<uint64_t> keys;
    for (const std::string& name : names) keys.push_back(hash_composed(name));
    const uint64_t bias_key = hash_bytes(kBias);
    FeatureRows rows;
    const auto where = [&] { return "input: example " + std::to_string(rows.size() + 1); };
    for (size_t r = 0; r + 1 < starts.size(); ++r) {
        const int64_t begin = starts.data()[r], end = starts.data()[r + 1];
        if (begin < 0 || end < begin || end > static_cast<int64_t>(columns.size()) || columns.size() != values.size())
            throw DataError("the row starts of the matrix are damaged");
        if (bias) rows.add(bias_key);
        for (int64_t k = begin; k < end; ++k) {
            const int64_t column = columns.data()[k];
            if (column < 0 || column >= static_cast<int64_t>(keys.size()))
                throw DataError("a column number of the matrix is out of range");
            rows.add_checked(keys[static_cast<size_t>(column)], values.data()[k], where);
        }
        rows.end_row();
    }
    return rows;
}

// Rows from dicts of features such as {"name": 1.5, "flag": True, "genre": "drama"}. A string value becomes part of the
// feature's name, as in "genre=drama". None is no feature: tables fill in None where another row has a value. Messages call
// an example `unit`.
FeatureRows from_dicts(nb::iterable examples, const std::string& name, bool bias, const std::string& unit) {
    FeatureRows rows;
    const SignalCheck check;
    const auto where = [&] { return name + ": " + unit + " " + std::to_string(rows.size() + 1); };
    const auto fail = [&](const std::string& what) { throw DataError(where() + ": " + what); };
    for (nb::handle example : examples) {
        StopCheck::after(2000);
        if (!PyDict_Check(example.ptr())) fail("it is not a dict of features");
        if (bias) rows.add(hash_bytes(kBias));
        for (const auto& [key, value] : nb::borrow<nb::dict>(example)) {
            const std::string_view feature = text_of(key, where, "feature");
            if (value.is_none()) continue;
            if (PyUnicode_Check(value.ptr())) {
                rows.add(hash_composed(std::string(feature) + "=" + std::string(text_of(value, where, "feature"))));
                continue;
            }
            const double number = PyFloat_AsDouble(value.ptr());
            if (PyErr_Occurred()) {
                PyErr_Clear();
                fail("the value of a feature is neither a number nor a string");
            }
            rows.add_checked(hash_composed(feature), number, where);
        }
        rows.end_row();
    }
    return rows;
}

// The matrix of some rows: starts, columns, values and the number of columns, which are numbered in the order of their
// first appearance.
nb::tuple to_csr(const FeatureRows& rows) {
    std::unordered_map<uint64_t, int64_t> numbers;
    std::vector<int64_t> starts{0}, columns;
    std::vector<double> values;
    for (size_t r = 0; r < rows.size(); ++r) {
        for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
            columns.push_back(numbers.try_emplace(rows.keys()[k], static_cast<int64_t>(numbers.size())).first->second);
            values.push_back(rows.binary() ? 1.0 : static_cast<double>(rows.values()[k]));
        }
        starts.push_back(static_cast<int64_t>(columns.size()));
    }
    const auto array = [](auto& data) {
        const size_t size = data.size();
        return to_array(std::move(data), size);
    };
    return nb::make_tuple(array(starts), array(columns), array(values), numbers.size());
}

std::vector<int64_t> gold_of(const Answers& answers) {
    std::vector<int64_t> gold;
    for (uint32_t y : answers.gold()) gold.push_back(y == Answers::kNone ? -1 : static_cast<int64_t>(y));
    return gold;
}

void check_number(const Documents& documents, size_t document) {
    if (document >= documents.size()) throw nb::index_error("there is no document of this number");
}

std::vector<std::string> words_of(const Documents& documents, size_t document) {
    check_number(documents, document);
    std::vector<std::string> words;
    for (size_t t = documents.begin(document); t < documents.end(document); ++t)
        words.emplace_back(documents.tokens().cell(t, 0));
    return words;
}

std::optional<size_t> marked_of(const Documents& documents, size_t document) {
    check_number(documents, document);
    const size_t marked = documents.marked(document);
    return marked == Documents::kUnmarked ? std::nullopt : std::optional(marked);
}

FeatureRows all_rows(const DocumentFeatures& document_features, const Documents& documents) {
    document_features.check(documents);
    DocumentFeatures::Workspace workspace;
    FeatureRows rows;
    for (size_t d = 0; d < documents.size(); ++d) {
        StopCheck::after(2000);
        document_features.read(documents, d, workspace, rows);
    }
    return rows;
}

}  // namespace

void bind_documents(nb::module_& m) {
    nb::class_<Answers>(m, "Answers", "The gold labels of examples, and the line of the file on which each stands.")
        .def_static(
            "build",
            [](nb::iterable labels, const std::vector<size_t>& lines, const std::string& name) {
                Answers answers(name);
                for (nb::handle label : labels) {
                    const size_t line = lines.empty() ? 0 : lines.at(answers.size());
                    answers.add(text_of(label, [&] { return answers.next(line); }, "label"), line);
                }
                return answers;
            },
            nb::arg("labels"), nb::arg("lines"), nb::arg("name"),
            nb::sig("def build(labels: collections.abc.Iterable[str], lines: collections.abc.Sequence[int], "
                    "name: str) -> Answers"),
            "From labels, where an empty one is unknown, and their line numbers, or an empty list. Raises DataError.")
        .def_prop_ro("labels", &Answers::labels, "The names of the labels, in the order of their first appearance.")
        .def_prop_ro("gold", &gold_of, "The number of each example's label, -1 if it is unknown.")
        .def_prop_ro("name", &Answers::name)
        .def("__len__", &Answers::size)
        .def("where", &where<Answers, &Answers::size>, nb::arg("example"), "name:line of an example.");

    nb::class_<Documents>(m, "Documents",
                          "Documents to classify: tokens, an optional marked token, fields and a label.")
        .def_static(
            "read_fasttext", &read_by<&Documents::read_fasttext, std::string, size_t, bool, bool>, nb::arg("data"),
            nb::arg("name"), nb::arg("first_line") = 1, nb::arg("skip_blank") = true, nb::arg("several") = false,
            "Read one document per line; words __label__NAME are its labels, `several` of them become one text, "
            "A|B. Raises DataError with name and line.")
        .def_static("build", &build_documents, nb::arg("documents"), nb::arg("columns"), nb::arg("fields"),
                    nb::arg("name"),
                    nb::sig("def build(documents: collections.abc.Iterable[tuple[str | collections.abc.Sequence[str | "
                            "collections.abc.Sequence[str]], int | None, str | None, list[str], int]], columns: int, "
                            "fields: int, name: str) -> Documents"),
                    "Build from a tuple (tokens, marked, label, fields, line) per document. Raises DataError.")
        .def_prop_ro("answers", &Documents::answers, nb::rv_policy::reference_internal)
        .def_prop_ro(
            "odd_labels",
            [](const Documents& d) {
                return std::tuple(d.odd_labels(), d.first_odd_label().first, d.first_odd_label().second);
            },
            "The number of lines in which __label__ is inside of a word, or a label ends in a comma or semicolon; the "
            "first of them, and the word.")
        .def("words", &words_of, nb::arg("document"),
             "The tokens of one document, counted from 0, in their first column. Raises IndexError.")
        .def("marked", &marked_of, nb::arg("document"),
             "The number of a document's marked token, from 0, or None. Raises IndexError.")
        .def(
            "sentence_hashes", [](const Documents& data) { return bytes_of_numbers(sentence_hashes(data)); },
            "[documents] uint64 of the tokens; 0: fewer than eight, unless most of these come several times.")
        .def_prop_ro(
            "text", [](const Documents& d) { return to_bytes(d.tokens().bytes()); },
            "The bytes of all tokens, one after the other.")
        .def_prop_ro(
            "checksum", [](const Documents& d) { return hash_bytes(d.tokens().bytes()); },
            "A hash of the tokens, by which models record the data that they saw.")
        .def("__len__", &Documents::size);

    nb::class_<FeatureRows>(m, "FeatureRows",
                            "Examples as rows of a sparse matrix, whose columns are 64-bit feature keys.")
        .def_static("from_csr", &from_csr, nb::arg("starts"), nb::arg("columns"), nb::arg("values"), nb::arg("names"),
                    nb::arg("bias"),
                    "From a matrix in compressed row format and the names of its columns. Raises DataError.")
        .def_static("from_dicts", &from_dicts, nb::arg("examples"), nb::arg("name"), nb::arg("bias"),
                    nb::arg("unit") = "example",
                    nb::sig("def from_dicts(examples: collections.abc.Iterable[collections.abc.Mapping[str, "
                            "float | str]], name: str, bias: bool, unit: str = ...) "
                            "-> FeatureRows"),
                    "From dicts of features. Raises DataError.")
        .def_static("read_svmlight", &read_by<&FeatureRows::read_svmlight, std::string, size_t>, nb::arg("data"),
                    nb::arg("name"), nb::arg("first_line") = 1,
                    "Read SVM-light's format. Raises DataError with name and line.")
        .def(
            "sentence_hashes", [](const FeatureRows& rows) { return bytes_of_numbers(sentence_hashes(rows)); },
            "[rows] uint64 of the features; 0: fewer than eight, unless most of these come several times.")
        .def("select", &FeatureRows::select, nb::arg("rows"), nb::call_guard<Interruptible>(),
             "The rows with these numbers.")
        .def("__getstate__",
             [](const FeatureRows& rows) {
                 return std::tuple(bytes_of_numbers(rows.sizes()), bytes_of_numbers(rows.keys()),
                                   bytes_of_numbers(rows.values()));
             })
        .def("__setstate__",
             [](FeatureRows& rows, const std::tuple<nb::bytes, nb::bytes, nb::bytes>& sent) {
                 const auto& [sizes, keys, values] = sent;
                 new (&rows) FeatureRows(FeatureRows::unpack(numbers_of<uint32_t>(sizes), numbers_of<uint64_t>(keys),
                                                             numbers_of<float>(values)));
             })
        .def("to_csr", &to_csr, nb::sig("def to_csr(self) -> tuple[typing.Any, typing.Any, typing.Any, int]"),
             "(starts, columns, values, number of columns). Columns are numbered in the order of appearance.")
        .def_prop_ro(
            "checksum",
            [](const FeatureRows& rows) {
                uint64_t key = rows.size();
                for (uint64_t each : rows.keys()) key = combine(key, each);
                return key;
            },
            "A hash of the features, by which models record the data that they saw.")
        .def("__len__", &FeatureRows::size);

    nb::class_<DocumentFeatures>(m, "DocumentFeatures", "Applies a template to documents and gives rows of features.")
        .def(
            "__init__",
            [](DocumentFeatures* self, nb::handle model) {
                new (self) DocumentFeatures(making::document_features_of(without_weights(model)));
            },
            nb::arg("model"), "The features of texts by the template in a ModelFile. Raises ModelError, TemplateError.")
        .def("rows", &all_rows, nb::arg("documents"), nb::call_guard<Interruptible>(),
             "The features of every document, one row each. Raises DataError.")
        .def(
            "names",
            [](const DocumentFeatures& document_features, const Documents& documents, const PackedModel& model) {
                return document_features.names(documents, model.full_keys.at(0));
            },
            nb::arg("documents"), nb::arg("model"), nb::call_guard<Interruptible>(),
            "The texts of a model's features, in the model's order.")
        .def_prop_ro("of_all", &DocumentFeatures::of_all, "Keys of the features that all documents have.")
        .def(
            "names_of",
            [](const DocumentFeatures& document_features, const Documents& documents,
               const std::vector<uint64_t>& keys) { return document_features.names(documents, keys); },
            nb::arg("documents"), nb::arg("keys"), nb::call_guard<Interruptible>(),
            "The texts of features by key, in ascending order; \"\" for those that the documents do not have.");

    m.def(
        "name_features",
        [](const PackedModel& model, const std::vector<std::string>& candidates) {
            KeyNames names(model.full_keys.at(0));
            for (const std::string& name : candidates) names.add(hash_composed(name), [&] { return name; });
            return std::move(names).all();
        },
        nb::arg("model"), nb::arg("candidates"),
        "The names of a model's features, in the model's order; \"\" for features that are not candidates.");
    m.def(
        "flaw_of_text", [](const nb::bytes& data, size_t at) { return flaw_of_text(view(data), at); }, nb::arg("data"),
        nb::arg("at"), "Why bytes are no text at a place where they are not UTF-8, or NUL; and what to do.");
    m.def(
        "key_of", [](const std::string& name) { return hash_composed(name); }, nb::arg("name"),
        "The key of a named feature.");
}

}  // namespace sapwood::bindings

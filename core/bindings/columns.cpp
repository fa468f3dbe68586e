#include "text/columns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

[[noreturn]] void bad_value(const std::string& name, size_t sentence, size_t token, const std::string& what) {
    throw DataError(name + ": sentence " + std::to_string(sentence + 1) + ", token " + std::to_string(token + 1) + " " +
                    what);
}

std::string_view text_of(nb::handle value, const std::string& name, size_t sentence, size_t token) {
    const auto text = utf8_of(value);
    if (!text) bad_value(name, sentence, token, "is not a string of valid Unicode");
    if (text->empty()) bad_value(name, sentence, token, "is empty");
    if (text->find('\0') != std::string_view::npos) bad_value(name, sentence, token, "has a NUL character");
    return *text;
}

// Builds columns from sentences whose tokens are strings (one column) or equally long tuples or lists of strings.
// `labels`, one string per token, become the last column.
Columns build(nb::sequence sentences, nb::object labels, std::string name) {
    if (!labels.is_none() && nb::len(labels) != nb::len(sentences))
        throw DataError(name + ": " + std::to_string(nb::len(sentences)) + " sentences and " +
                        std::to_string(nb::len(labels)) + " label sequences");
    std::unique_ptr<Columns> columns;
    size_t s = 0;
    for (nb::handle sentence : sentences) {
        nb::object gold = labels.is_none() ? nb::none() : nb::object(labels[s]);
        if (PyUnicode_Check(sentence.ptr()))
            throw DataError(name + ": sentence " + std::to_string(s + 1) +
                            " is a string; a sentence is a list of tokens (split it first)");
        size_t t = 0;
        for (nb::handle token : nb::borrow<nb::sequence>(sentence)) {
            const bool plain = PyUnicode_Check(token.ptr());
            if (!plain && !PySequence_Check(token.ptr()))
                bad_value(name, s, t, "is neither a string nor a tuple of strings");
            const size_t width = (plain ? 1 : nb::len(token)) + !gold.is_none();
            if (!columns) columns = std::make_unique<Columns>(width, name);
            if (width != columns->width())
                bad_value(name, s, t,
                          "has " + std::to_string(width) + " values, the tokens before it " +
                              std::to_string(columns->width()));
            if (plain)
                columns->add_cell(text_of(token, name, s, t));
            else
                for (nb::handle value : nb::borrow<nb::sequence>(token)) columns->add_cell(text_of(value, name, s, t));
            if (!gold.is_none()) {
                if (t >= nb::len(gold)) bad_value(name, s, t, "has no label");
                columns->add_cell(text_of(gold[t], name, s, t));
            }
            ++t;
        }
        if (!gold.is_none() && nb::len(gold) != t)
            throw DataError(name + ": sentence " + std::to_string(s + 1) + " has " + std::to_string(t) +
                            " tokens and " + std::to_string(nb::len(gold)) + " labels");
        if (t == 0) throw DataError(name + ": sentence " + std::to_string(s + 1) + " is empty");
        columns->end_sentence();
        ++s;
    }
    return columns ? std::move(*columns) : Columns(0, name);
}

nb::list column(const Columns& self, size_t index) {
    if (self.tokens() > 0 && index >= self.width())
        throw DataError(self.where(0) + ": there is no label column; the data has " + std::to_string(self.width()) +
                        " columns, the label is column " + std::to_string(index) + " (counted from 0)");
    return by_sentence(self, [&](size_t token) { return to_str(self.cell(token, index)); });
}

}  // namespace

void bind_columns(nb::module_& m) {
    nb::class_<Columns> columns(m, "Columns",
                                "A column file in memory: one token a line, a blank line after a sentence.");
    bind_sentences(columns)
        .def_static("read", &read_text<Columns, size_t, const Columns*>, nb::arg("data"), nb::arg("name"),
                    nb::arg("first_line") = 1, nb::arg("before").none() = nb::none(),
                    "Parse the bytes of a column file. Raises DataError with name and line.")
        .def_static("build", &build, nb::arg("sentences"), nb::arg("labels").none(), nb::arg("name"),
                    nb::sig("def build(sentences: Sequence[Sequence[str | Sequence[str]]], "
                            "labels: Sequence[Sequence[str]] | None, name: str) -> Columns"),
                    "Build from lists of strings or tuples, with the labels as the last column. Raises DataError.")
        .def("column", &column, nb::arg("index"), nb::sig("def column(self, index: int) -> list[list[str]]"),
             "One column as a list of lists of strings. Raises DataError.")
        .def("where", &where<Columns, &Columns::tokens>, nb::arg("token"), "name:line of a token.")
        .def_prop_ro("tokens", &Columns::tokens)
        .def_prop_ro("width", &Columns::width, "Number of cells per token.");
}

}  // namespace sapwood::bindings

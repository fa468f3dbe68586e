#include "text/columns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/spooled_text.hpp"
#include "bindings/bindings.hpp"
#include "features/feature_rows.hpp"
#include "text/utf8.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

[[noreturn]] void bad_value(const std::string& name, size_t sentence, size_t token, const std::string& what) {
    throw DataError(name + ": sentence " + std::to_string(sentence + 1) + ", token " + std::to_string(token + 1) + " " +
                    what);
}

// The text of a token, or of what it has, as `which` says.
std::string_view text_of(nb::handle value, const std::string& name, size_t sentence, size_t token,
                         const std::string& which = "") {
    const auto text = utf8_of(value);
    if (!text) bad_value(name, sentence, token, which + "is not a string of valid Unicode: " + type_of(value));
    if (text->empty()) bad_value(name, sentence, token, which + "is empty");
    if (text->find('\0') != std::string_view::npos) bad_value(name, sentence, token, which + "has a NUL character");
    return *text;
}

std::string_view label_of(nb::handle value, const std::string& name, size_t sentence, size_t token) {
    return text_of(value, name, sentence, token, "has a label that ");
}

// Builds columns from sentences whose tokens are strings (one column) or equally long tuples or lists of strings.
// `labels`, one string per token, become the last column. A sentence may be empty.
Columns build(nb::sequence sentences, nb::object labels, std::string name) {
    if (!labels.is_none() && nb::len(labels) != nb::len(sentences))
        throw DataError(name + ": " + std::to_string(nb::len(sentences)) + " sentences and " +
                        std::to_string(nb::len(labels)) + " label sequences");
    const SignalCheck check;
    std::unique_ptr<Columns> columns;
    size_t s = 0;
    for (nb::handle sentence : sentences) {
        nb::object gold = labels.is_none() ? nb::none() : nb::object(labels[s]);
        size_t t = 0;
        for (nb::handle token : nb::borrow<nb::sequence>(sentence)) {
            StopCheck::after(200);
            const bool plain = PyUnicode_Check(token.ptr());
            if (!plain && (!PySequence_Check(token.ptr()) || PyBytes_Check(token.ptr())))
                bad_value(name, s, t, "is neither a string nor a tuple of strings: " + type_of(token));
            const size_t width = (plain ? 1 : nb::len(token)) + !gold.is_none();
            if (!columns) {
                columns = std::make_unique<Columns>(width, name);
                while (columns->sentences() < s) columns->add_empty_sentence();
            }
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
                columns->add_cell(label_of(gold[t], name, s, t));
            }
            ++t;
        }
        if (!gold.is_none() && nb::len(gold) != t)
            throw DataError(name + ": sentence " + std::to_string(s + 1) + " has " + std::to_string(t) +
                            " tokens and " + std::to_string(nb::len(gold)) + " labels");
        if (t > 0)
            columns->end_sentence();
        else if (columns)
            columns->add_empty_sentence();
        ++s;
    }
    if (columns) return std::move(*columns);
    Columns empty(0, name);
    while (empty.sentences() < s) empty.add_empty_sentence();
    return empty;
}

// The features of tokens, from dicts as python-crfsuite takes them: {"word": "dog"} is the feature "word:dog",
// {"is_first": True} the feature "is_first", a list or a dict in a dict has features of its own behind the name. False
// is none.
class FeatureColumns {
  public:
    FeatureColumns(const std::string& name) : name_(name), data_(Columns::over(std::string(" "), 0, name)) {}

    void add_token(nb::handle features, size_t sentence, size_t token) {
        sentence_ = sentence, token_ = token;
        StopCheck::after(2000);
        if (!PyDict_Check(features.ptr())) fail("is not a dict of features: " + type_of(features));
        text_.clear();
        for (const auto& [key, value] : nb::borrow<nb::dict>(features)) add(key, value);
        starts_.push_back(cells_.size());
        most_ = std::max(most_, starts_.back() - *(starts_.end() - 2));
    }
    void add_label(nb::handle label, size_t sentence, size_t token) {
        labels_.push_back(keep(label_of(label, name_, sentence, token)));
    }
    void end_sentence() { ends_.push_back(starts_.size() - 1); }  // which may be empty

    // Columns of at least so many features, then the labels, if there are any.
    Columns build(size_t least) {
        const size_t features = std::max({most_, least, size_t{1}}), tokens = starts_.size() - 1;
        const size_t width = features + !labels_.empty();
        if (tokens > kMostCells / width)
            throw DataError(name_ + ": a token has " + std::to_string(most_) + " features, which is too many for " +
                            std::to_string(tokens) + " tokens; leave some out");
        Columns columns = Columns::over(std::string(data_.bytes()), width, name_);
        columns.allow_gaps();
        if (std::ranges::any_of(values_, [](float value) { return value != 1; })) {
            std::vector<float> values(tokens * width, 1.0f);
            for (size_t t = 0; t < tokens; ++t)
                std::copy(values_.begin() + static_cast<ptrdiff_t>(starts_[t]),
                          values_.begin() + static_cast<ptrdiff_t>(starts_[t + 1]),
                          values.begin() + static_cast<ptrdiff_t>(t * width));
            columns.set_values(std::move(values));
        }
        size_t t = 0;
        for (const size_t end : ends_) {
            for (; t < end; ++t) {
                for (size_t c = starts_[t]; c < starts_[t + 1]; ++c) columns.add_cell(cells_[c]);
                for (size_t c = starts_[t + 1] - starts_[t]; c < features; ++c) columns.add_cell(Columns::part(0, 0));
                if (!labels_.empty()) columns.add_cell(labels_[t]);
            }
            columns.add_empty_sentence();
        }
        return columns;
    }

  private:
    static constexpr size_t kMostCells = size_t{1} << 31;
    static constexpr size_t kDeepest = 100;

    [[noreturn]] void fail(const std::string& what) const { bad_value(name_, sentence_, token_, what); }

    // The text of a string or, as python-crfsuite takes them, of bytes in UTF-8.
    std::string_view text_in(nb::handle value) const {
        auto text = utf8_of(value);
        if (PyBytes_Check(value.ptr())) text = view(nb::borrow<nb::bytes>(value));
        if (text && PyBytes_Check(value.ptr()) && find_invalid_utf8(*text) < text->size()) text.reset();
        if (!text || text->find('\0') != std::string_view::npos)
            fail("has a feature that is not a string of valid Unicode without NUL");
        return *text;
    }

    // Adds the features of a name, which follows text_, and a value, which stands in so many dicts.
    void add(nb::handle name, nb::handle value, size_t depth = 1) {
        if (depth > kDeepest) fail("has more than " + std::to_string(kDeepest) + " dicts in each other");
        const size_t before = text_.size();
        if (before > 0) text_ += ':';
        text_ += text_in(name);
        if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) {
            text_ += ':';
            text_ += text_in(value);
            push(1);
        } else if (PyDict_Check(value.ptr())) {
            for (const auto& [key, inner] : nb::borrow<nb::dict>(value)) add(key, inner, depth + 1);
        } else if (PyAnySet_Check(value.ptr())) {  // in an order that does not change from run to run
            std::vector<nb::object> items;
            for (nb::handle item : nb::iter(value)) items.push_back(nb::borrow(item));
            std::ranges::sort(items, {}, [&](const nb::object& item) { return text_in(item); });
            for (const nb::object& item : items) add(item, Py_True, depth + 1);
        } else if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyDictViewSet_Check(value.ptr())) {
            for (nb::handle item : nb::iter(value)) add(item, Py_True);
        } else if (!value.is_none()) {  // tables fill in None where another row has a value
            double number = PyFloat_AsDouble(value.ptr());
            if (number == -1 && PyErr_Occurred() != nullptr) {
                const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
                if (!too_large && PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
                PyErr_Clear();
                if (!too_large)
                    fail("has the feature '" + text_ +
                         "' with a value that is neither a string, a number, a bool nor a collection");
                number = 2 * FeatureRows::kLargest;
            }
            if (const char* flaw = FeatureRows::flaw_of(number)) fail("has the feature '" + text_ + "': " + flaw);
            if (const auto single = static_cast<float>(number); single != 0) push(single);
        }
        text_.resize(before);
    }

    void push(float value) {
        if (text_.empty()) fail("has a feature without a name");
        cells_.push_back(keep(text_));
        values_.push_back(value);
    }

    Columns::Cell keep(std::string_view text) {
        const auto known = known_.find(text);
        if (known != known_.end()) return known->second;
        const Columns::Cell cell = data_.keep(text);
        return known_.emplace(std::string(text), cell).first->second;
    }

    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    std::string name_, text_;
    size_t sentence_ = 0, token_ = 0, most_ = 0;
    Columns data_;                                                                 // the bytes of all features
    std::unordered_map<std::string, Columns::Cell, Hash, std::equal_to<>> known_;  // equal ones stand there once
    std::vector<Columns::Cell> cells_, labels_;                                    // [features], [tokens] or empty
    std::vector<float> values_;                                                    // [features]
    std::vector<size_t> starts_ = {0}, ends_;  // [tokens + 1] first feature; [sentences] the token after the last
};

Columns build_features(nb::sequence sentences, nb::object labels, std::string name, size_t least) {
    if (!labels.is_none() && nb::len(labels) != nb::len(sentences))
        throw DataError(name + ": " + std::to_string(nb::len(sentences)) + " sentences and " +
                        std::to_string(nb::len(labels)) + " label sequences");
    FeatureColumns columns(name);
    size_t s = 0;
    for (nb::handle sentence : sentences) {
        const std::string where = name + ": sentence " + std::to_string(s + 1);
        const nb::object gold = labels.is_none() ? nb::none() : nb::object(labels[s]);
        const size_t tokens = nb::len(sentence);
        if (!gold.is_none() && nb::len(gold) != tokens)
            throw DataError(where + " has " + std::to_string(tokens) + " tokens and " + std::to_string(nb::len(gold)) +
                            " labels");
        size_t t = 0;
        for (nb::handle token : nb::borrow<nb::sequence>(sentence)) {
            columns.add_token(token, s, t);
            if (!gold.is_none()) columns.add_label(nb::object(gold[t]), s, t);
            ++t;
        }
        columns.end_sentence();
        ++s;
    }
    return columns.build(least);
}

// What a copy in another process is made of: name, number of columns, gaps, the length of each cell, the tokens of each
// sentence, the text of all cells, their values.
using Sent = std::tuple<std::string, size_t, bool, nb::bytes, nb::bytes, nb::bytes, nb::bytes>;

Sent send(const Columns& self) {
    std::vector<uint32_t> lengths, sentences;
    std::string text;
    for (size_t s = 0; s < self.sentences(); ++s) {
        sentences.push_back(static_cast<uint32_t>(self.end(s) - self.begin(s)));
        for (size_t i = self.begin(s); i < self.end(s); ++i)
            for (size_t c = 0; c < self.width(); ++c) {
                const std::string_view cell = self.cell(i, c);
                lengths.push_back(static_cast<uint32_t>(cell.size()));
                text += cell;
            }
    }
    return {self.name(),
            self.width(),
            self.has_gaps(),
            bytes_of_numbers(lengths),
            bytes_of_numbers(sentences),
            nb::bytes(text.data(), text.size()),
            bytes_of_numbers(self.values())};
}

Columns receive(const Sent& sent) {
    const auto& [name, width, has_gaps, lengths, sentences, text, values] = sent;
    Columns columns = Columns::over(std::string(view(text)), width, name);
    if (has_gaps) columns.allow_gaps();
    const auto of_cells = numbers_of<uint32_t>(lengths);
    size_t at = 0, cell = 0;
    for (const uint32_t tokens : numbers_of<uint32_t>(sentences)) {
        if (width != 0 && tokens > (of_cells.size() - cell) / width)
            throw DataError(name + ": it has fewer cells than its sentences say");
        for (const size_t end = cell + tokens * width; cell < end; ++cell) {
            if (of_cells[cell] > text.size() - at) throw DataError(name + ": there is less text than its cells have");
            columns.add_cell(Columns::part(at, at + of_cells[cell]));
            at += of_cells[cell];
        }
        columns.end_sentence();
    }
    columns.set_values(numbers_of<float>(values));
    if (columns.has_values() && columns.values().size() != columns.tokens() * width)
        throw DataError(name + ": there are more or fewer values than cells");
    return columns;
}

std::vector<size_t> lines(const Columns& data) {
    std::vector<size_t> numbers;
    size_t line = 0, at = 0;
    for (size_t t = 0; t < data.tokens(); ++t) {
        for (const size_t end = data.row_end(t); at < end; ++at) line += data.bytes()[at] == '\n';
        numbers.push_back(line);
    }
    return numbers;
}

// The bytes themselves, if they are plain.
nb::bytes plain_lines_of(const nb::bytes& text, bool within) {
    std::string kept;
    const std::string_view plain = interruptible([&] { return plain_lines(view(text), kept, within); });
    return plain.data() == view(text).data() ? text : to_bytes(plain);
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
        .def_static("read", &read_text<Columns, size_t, const Columns*, bool>, nb::arg("data"), nb::arg("name"),
                    nb::arg("first_line") = 1, nb::arg("before").none() = nb::none(), nb::arg("header") = false,
                    "Parse the bytes of a column file. Raises DataError with name and line.")
        .def_static("build", &build, nb::arg("sentences"), nb::arg("labels").none(), nb::arg("name"),
                    nb::sig("def build(sentences: Sequence[Sequence[str | Sequence[str]]], "
                            "labels: Sequence[Sequence[str]] | None, name: str) -> Columns"),
                    "Build from lists of strings or tuples, with the labels as the last column. Raises DataError.")
        .def_static(
            "build_features", &build_features, nb::arg("sentences"), nb::arg("labels").none(), nb::arg("name"),
            nb::arg("least"),
            nb::sig("def build_features(sentences: collections.abc.Sequence[collections.abc.Sequence["
                    "collections.abc.Mapping[str, typing.Any]]], labels: "
                    "collections.abc.Sequence[collections.abc.Sequence[str]] | None, name: str, least: int) -> "
                    "Columns"),
            "A column for each feature that a token of dicts has, and at least so many; the labels are the last "
            "column. Raises DataError.")
        .def_static("joined", &Columns::joined, nb::arg("files"), nb::call_guard<Interruptible>(),
                    "The sentences of several files, which tokens know. Raises DataError if columns differ in number.")
        .def("__getstate__", &send)
        .def("__setstate__", [](Columns& self, const Sent& sent) { new (&self) Columns(receive(sent)); })
        .def_prop_ro("has_gaps", &Columns::has_gaps, "Whether the columns are features of dicts, with empty cells.")
        .def_prop_ro("has_empty_sentences", &Columns::has_empty_sentences)
        .def("column", &column, nb::arg("index"), nb::sig("def column(self, index: int) -> list[list[str]]"),
             "One column as a list of lists of strings. Raises DataError.")
        .def(
            "sentence_hashes",
            [](const Columns& data, size_t label) { return bytes_of_numbers(sentence_hashes(data, label)); },
            nb::arg("label"), "[sentences] uint64 of all columns but the label's; 0: too short to be compared.")
        .def("where", &where<Columns, &Columns::tokens>, nb::arg("token"), "name:line of a token.")
        .def_prop_ro(
            "comments", [](const Columns& self) { return std::pair(self.comments(), self.first_comment()); },
            "How many lines in front of sentences are comments, and the number of the first one.")
        .def_prop_ro("lines", &lines, "[tokens] the number of each one's line, from 0.")
        .def_prop_ro("tokens", &Columns::tokens)
        .def_prop_ro("width", &Columns::width, "Number of cells per token.");

    m.def(
        "end_of_sentence", [](const nb::bytes& text) { return to_bytes(end_of_sentence(view(text))); }, nb::arg("text"),
        "The line ends that a text needs behind it, so that its last sentence ends before another file.");
    m.def("plain_lines", &plain_lines_of, nb::arg("data"), nb::arg("within") = false,
          "The text with LF in place of CR alone, and without byte order marks at the heads of lines; `within` a file, "
          "also of the first.");

    nb::class_<SpooledText>(m, "SpooledText", "A text that comes in parts, in a scratch file that no folder shows.")
        .def(nb::init<std::string>(), nb::arg("folder"), "Raises DataError if there can be no scratch file.")
        .def(
            "add",
            [](SpooledText& spool, const nb::bytes& part) {
                const std::string_view bytes = view(part);
                const Interruptible work;
                spool.add(bytes);
            },
            nb::arg("part"), "Raises DataError if there is no room.")
        .def(
            "read",
            [](const SpooledText& spool, size_t offset, size_t size) {
                return to_bytes(interruptible([&] { return spool.read(offset, size); }));
            },
            nb::arg("offset"), nb::arg("size"), "Return some of the bytes. Raises DataError.")
        .def("combined", &SpooledText::combined, nb::arg("first"), nb::call_guard<Interruptible>(),
             "The checksum of rows of features whose keys are the bytes; `first`: how many rows there are.")
        .def_prop_ro("checksum", &SpooledText::hash, "A hash of all bytes, as data in memory have it.");

    m.def(
        "checksum", [](const nb::bytes& data) { return hash_bytes({data.c_str(), data.size()}); }, nb::arg("data"),
        "Return a hash of bytes, as texts in scratch files have it.");
}

}  // namespace sapwood::bindings

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "features/feature_rows.hpp"
#include "structured/structured_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

// The buffer of an array, until it is released.
class OpenBuffer {
  public:
    explicit OpenBuffer(nb::handle array) {
        if (PyObject_GetBuffer(array.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) != 0) throw nb::python_error();
    }
    OpenBuffer(const OpenBuffer&) = delete;
    OpenBuffer& operator=(const OpenBuffer&) = delete;
    ~OpenBuffer() { PyBuffer_Release(&buffer_); }

    // Adds the numbers of an array of integers, or returns false if they are of another type or byte order.
    bool add_to(PartFeatures& features) const {
        std::string_view format = buffer_.format == nullptr ? "B" : buffer_.format;
        if (format.starts_with('@') || format.starts_with('=') || format.starts_with('<')) format.remove_prefix(1);
        if (format.size() != 1) return false;
        if (std::string_view("bhilq").find(format[0]) != std::string_view::npos) return add_by_size<true>(features);
        if (std::string_view("BHILQ").find(format[0]) != std::string_view::npos) return add_by_size<false>(features);
        return false;
    }

  private:
    template <bool kSigned>
    bool add_by_size(PartFeatures& features) const {
        if (buffer_.ndim != 1)
            throw DataError("the features of a part are an array of one dimension, not of " +
                            std::to_string(buffer_.ndim));
        switch (buffer_.itemsize) {
            case 1:
                return add<std::conditional_t<kSigned, int8_t, uint8_t>>(features);
            case 2:
                return add<std::conditional_t<kSigned, int16_t, uint16_t>>(features);
            case 4:
                return add<std::conditional_t<kSigned, int32_t, uint32_t>>(features);
            case 8:
                return add<std::conditional_t<kSigned, int64_t, uint64_t>>(features);
            default:
                return false;
        }
    }
    template <class T>
    bool add(PartFeatures& features) const {
        const char* p = static_cast<const char*>(buffer_.buf);
        for (Py_ssize_t k = 0; k < buffer_.shape[0]; ++k, p += buffer_.strides[0]) {
            StopCheck::every(static_cast<size_t>(k));
            T number;
            std::memcpy(&number, p, sizeof number);
            if constexpr (std::is_signed_v<T>)
                if (number < 0) throw DataError("feature " + std::to_string(k + 1) + " is a number below 0");
            features.add(static_cast<uint64_t>(number));
        }
        return true;
    }

    Py_buffer buffer_;
};

// Adds a feature that is a text or a whole number; `number` counts from 1.
void add_feature(nb::handle feature, size_t number, PartFeatures& features) {
    const auto fail = [&](const std::string& what) {
        throw DataError("feature " + std::to_string(number) + " is " + what +
                        "; features are texts, or whole numbers from 0 to 2^64 - 1");
    };
    if (const auto text = utf8_of(feature)) return features.add(*text);
    if (PyUnicode_Check(feature.ptr())) fail("a text that is not Unicode");
    if (!PyIndex_Check(feature.ptr())) fail("of the type " + type_of(feature));
    const nb::object index = nb::steal(PyNumber_Index(feature.ptr()));
    if (!index.is_valid()) throw nb::python_error();
    const unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        fail("the number " + nb::cast<std::string>(nb::str(index)));
    }
    features.add(uint64_t{value});
}

// Adds the features of a part: an array of integers, or a series of texts and whole numbers. Throws DataError.
void add_part(nb::handle part, PartFeatures& features) {
    const bool is_bytes = PyBytes_Check(part.ptr()) || PyByteArray_Check(part.ptr());
    if (PyUnicode_Check(part.ptr()) || is_bytes || PyDict_Check(part.ptr()))
        throw DataError("the features of a part are a list or an array, not one " + type_of(part));
    if (!(PyObject_CheckBuffer(part.ptr()) && OpenBuffer(part).add_to(features))) {
        const nb::object items = nb::steal(PyObject_GetIter(part.ptr()));
        if (!items.is_valid()) {
            PyErr_Clear();
            throw DataError("the features of a part are a list or an array, not " + type_of(part));
        }
        size_t number = 0;
        for (nb::handle feature : nb::borrow<nb::iterator>(items)) {
            StopCheck::every(number);
            add_feature(feature, ++number, features);
        }
    }
    features.end_part();
}

// Adds parts or, if one is refused, none.
void add_parts(const nb::list& parts, PartFeatures& features) {
    const size_t before = features.size();
    try {
        for (nb::handle part : parts) add_part(part, features);
    } catch (...) {
        features.forget(before);
        throw;
    }
}

// The trainer, and what its search in Python is called with.
class BoundTrainer : public StructuredTrainer {
  public:
    BoundTrainer(const StructuredOptions& options, std::vector<uint32_t> sizes, nb::callable search)
        : StructuredTrainer(options, std::move(sizes),
                            [this, search = std::move(search)](size_t example) -> std::optional<WrongStructure> {
                                // The search does not own the trainer, which owns the search.
                                const nb::object found = search(nb::find(*this), example);
                                if (found.is_none()) return std::nullopt;
                                const auto both = nb::cast<nb::tuple>(found);
                                return WrongStructure{nb::cast<std::vector<uint32_t>>(both[0]),
                                                      nb::cast<std::vector<uint32_t>>(both[1]),
                                                      nb::cast<double>(both[2])};
                            }) {}
    BoundTrainer(const BoundTrainer&) = delete;
    BoundTrainer& operator=(const BoundTrainer&) = delete;

    nb::tuple score(const nb::list& features) {
        const size_t first = parts().size();
        add_parts(features, parts());
        nb::list scores;
        for (size_t part = first; part < parts().size(); ++part) scores.append(StructuredTrainer::score(part));
        return nb::make_tuple(first, scores);
    }
};

}  // namespace

void bind_structured(nb::module_& m) {
    m.def(
        "part_rows",
        [](const nb::list& parts, bool named) {
            const SignalCheck check;
            PartFeatures read(named);
            add_parts(parts, read);
            FeatureRows rows;
            nb::dict texts;
            for (size_t part = 0; part < read.size(); ++part) {
                for (size_t k = 0; k < read.count(part); ++k) {
                    const uint64_t key = read.of(part)[k];
                    rows.add(key);
                    if (named) texts[nb::int_(key)] = read.texts()[read.begin(part) + k];
                }
                rows.end_row();
            }
            return std::pair(rows, texts);
        },
        nb::arg("parts"), nb::arg("named"),
        nb::sig("def part_rows(parts: list[typing.Any], named: bool) -> tuple[FeatureRows, dict[int, str]]"),
        "The features of parts, a row each, and if they are to be named their texts by key. Raises DataError.");

    nb::class_<BoundTrainer>(m, "StructuredTrainer", "The training loop of structures that Python searches for.")
        .def(
            "__init__",
            [](BoundTrainer* self, const Values& options, std::vector<uint32_t> sizes, nb::callable search) {
                new (self) BoundTrainer(options_in<StructuredOptions>(options), std::move(sizes), std::move(search));
            },
            nb::arg("options"), nb::arg("sizes"), nb::arg("search"),
            nb::sig("def __init__(self, options: dict[str, typing.Any], sizes: collections.abc.Sequence[int], search: "
                    "collections.abc.Callable[[StructuredTrainer, int], tuple[list[int], list[int], float] | None]) -> "
                    "None"),
            "sizes: [examples] parts of gold. search(trainer, example) returns None if gold has won; otherwise the "
            "numbers of the parts of gold and of the guess, and the loss.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<StructuredOptions>(); },
            "The options that it takes, with the choices of each.")
        .def("score", &BoundTrainer::score, nb::arg("features"),
             nb::sig("def score(self, features: list[typing.Any]) -> tuple[int, list[float]]"),
             "Add parts of the example that is searched, given the features of each. Return the number of the first "
             "and their scores. Raises DataError.")
        .def(
            "step",
            [](BoundTrainer& trainer, size_t parts) {
                const SignalCheck check;
                return trainer.step(parts);
            },
            nb::arg("tokens"), "Train on this many parts. Return true at the end of an epoch.")
        .def_prop_ro("progress", [](const BoundTrainer& trainer) { return trainer.progress(); })
        .def(
            "names", [](const BoundTrainer& trainer, const PackedModel& model) { return trainer.names(model); },
            nb::arg("model"), "The texts of a model's features, one list a table.")
        .def(Stateful<BoundTrainer>())
        .def(GoingOn<BoundTrainer>())
        .def(Sharded<BoundTrainer>())
        .def(Freezing<BoundTrainer>());
}

}  // namespace sapwood::bindings

// Conversions between Python and C++ values that several binding files use.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "bindings/interruptible.hpp"
#include "text/sentences.hpp"

namespace sapwood::bindings {

inline nanobind::bytes to_bytes(std::string_view text) {
    return nanobind::bytes(text.data(), text.size());
}
inline nanobind::str to_str(std::string_view text) {
    return nanobind::str(text.data(), text.size());
}
inline std::string_view view(const nanobind::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

// The UTF-8 text of a Python string, which keeps it alive. Nothing if the value is not a string of valid Unicode.
inline std::optional<std::string_view> utf8_of(nanobind::handle value) {
    if (!PyUnicode_Check(value.ptr())) return std::nullopt;
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (text != nullptr) return std::string_view(text, static_cast<size_t>(size));
    PyErr_Clear();
    return std::nullopt;
}

// What messages call a Python value that cannot stand where it is: "None", or the name of its type.
inline std::string type_of(nanobind::handle value) {
    return value.is_none() ? "None" : nanobind::cast<std::string>(nanobind::type_name(value.type()));
}

// Keeps a Python object alive from C++ code that may release it without holding the GIL.
inline std::shared_ptr<const void> keep_alive(const nanobind::object& object) {
    return {object.ptr(), [kept = nanobind::object(object)](const void*) mutable {
                nanobind::gil_scoped_acquire gil;
                kept.reset();
            }};
}

// Numbers as raw bytes in the machine's order, and back. A last incomplete number is dropped.
template <class T>
nanobind::bytes bytes_of_numbers(const std::vector<T>& numbers) {
    return nanobind::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}
template <class T>
std::vector<T> numbers_of(const nanobind::bytes& bytes) {
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(T));
    return numbers;
}

// A NumPy array of the given shape that takes over the numbers without a copy; or a memoryview, which needs no NumPy.
template <class Framework = nanobind::numpy, class T, class... Sizes>
auto to_array(std::vector<T> numbers, Sizes... shape) {
    auto* data = new std::vector<T>(std::move(numbers));
    nanobind::capsule owner(data, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::ndarray<Framework, T, nanobind::ndim<sizeof...(shape)>>(data->data(), {shape...}, owner);
}

// A list for each sentence of `data`, with value(i) for each of its tokens or words i.
template <class Data, class Value>
nanobind::list by_sentence(const Data& data, Value&& value) {
    const SignalCheck check;
    nanobind::list sentences;
    for (size_t s = 0; s < data.sentences(); ++s) {
        nanobind::list values;
        for (size_t i = data.begin(s); i < data.end(s); ++i) StopCheck::every(i), values.append(value(i));
        sentences.append(values);
    }
    return sentences;
}

// Reads the bytes of a text file by Data(bytes, owner, name, arguments ...) without holding the GIL.
template <class Data, class... Arguments>
Data read_text(const nanobind::bytes& text, std::string name, const Arguments&... arguments) {
    auto owner = keep_alive(text);
    const std::string_view bytes = view(text);
    const Interruptible work;
    return Data(bytes, std::move(owner), std::move(name), arguments...);
}

// The same by read(bytes, arguments ...).
template <auto read, class... Arguments>
auto read_by(const nanobind::bytes& text, const Arguments&... arguments) {
    const std::string_view bytes = view(text);
    const Interruptible work;
    return read(bytes, arguments...);
}

// The place of one of the `Count` items of some data, for messages.
template <class Data, size_t (Data::*Count)() const>
std::string where(const Data& data, size_t item) {
    if (item >= (data.*Count)()) throw nanobind::index_error("there is no such item");
    return data.where(item);
}

// Of the bytes, and of the values that features have beside them.
template <class Data>
uint64_t checksum(const Data& data) {
    uint64_t hash = hash_bytes(data.bytes());
    if constexpr (requires { data.values(); })
        if (const auto& values = data.values(); !values.empty())
            hash = combine(
                hash, hash_bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]}));
    return hash;
}

// Binds what text files of sentences have in common, whatever their format.
template <class Data>
nanobind::class_<Data>& bind_sentences(nanobind::class_<Data>& bound) {
    return bound
        .def(
            "select",
            [](const Data& data, const std::vector<size_t>& sentences) {
                for (const size_t s : sentences)
                    if (s >= data.sentences()) throw nanobind::index_error("sentence");
                return data.select(sentences);
            },
            nanobind::arg("sentences"),
            "Some of the sentences, by their numbers in rising order, each as often as its number is there.")
        .def("__len__", &Data::sentences)
        .def_prop_ro(
            "longest",
            [](const Data& data) {
                if (data.sentences() == 0) return std::pair<size_t, size_t>(0, 0);
                const size_t s = longest_sentence(data);
                return std::pair(data.end(s) - data.begin(s), data.begin(s));
            },
            "Tokens of the longest sentence, and the number of its first token.")
        .def_prop_ro("checksum", &checksum<Data>, "A hash of the bytes, by which models record the data that they saw.")
        .def_prop_ro("name", &Data::name)
        .def_prop_ro("sentences", &Data::sentences);
}

}  // namespace sapwood::bindings

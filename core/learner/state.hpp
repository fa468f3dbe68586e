// The state of a training, as named arrays of numbers: what a checkpoint holds.
//
// A type that has a state says so once, for both directions:
//
//     template <class State>
//     void state(State& s) {
//         s("clock", clock_);                    // a number, or a vector of numbers
//         learner_.state(s.within("learner"));   // names in there begin with "learner."
//     }
//
// With a StateWriter that hands the numbers over, with a StateReader it replaces them. `State::kReads` tells which, where
// what was read has to be checked: nothing that comes from a file is used before.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace sapwood {

// The types of numbers, by the names that safetensors has for them.
template <class T>
constexpr const char* dtype_of() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    if constexpr (std::is_same_v<T, float>) return "F32";
    if constexpr (std::is_same_v<T, double>) return "F64";
    if constexpr (sizeof(T) == 8) return "U64";
    if constexpr (sizeof(T) == 4) return "U32";
    static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
    return "U8";
}

class StateWriter {
  public:
    static constexpr bool kReads = false;
    using Sink = std::function<void(const std::string& name, const char* dtype, std::string_view bytes)>;

    explicit StateWriter(Sink sink) : sink_(std::move(sink)) {}

    StateWriter within(const std::string& name) const { return StateWriter(sink_, prefix_ + name + "."); }

    template <class T, class A>
    void operator()(const std::string& name, const std::vector<T, A>& values) {
        sink_(prefix_ + name, dtype_of<T>(), {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    }
    template <class T>
        requires std::is_arithmetic_v<T>
    void operator()(const std::string& name, T value) {
        using Number = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
        (*this)(name, std::vector<Number>{static_cast<Number>(value)});
    }

  private:
    StateWriter(Sink sink, std::string prefix) : sink_(std::move(sink)), prefix_(std::move(prefix)) {}

    Sink sink_;
    std::string prefix_;
};

class StateReader {
  public:
    static constexpr bool kReads = true;
    // Gives the bytes of an array, which live as long as the reader. Throws ModelError if there is none of this type.
    using Source = std::function<std::string_view(const std::string& name, const char* dtype)>;

    explicit StateReader(Source source) : source_(std::move(source)) {}

    StateReader within(const std::string& name) const { return StateReader(source_, prefix_ + name + "."); }

    template <class T, class A>
    void operator()(const std::string& name, std::vector<T, A>& values) {
        const std::string_view bytes = source_(prefix_ + name, dtype_of<T>());
        require(bytes.size() % sizeof(T) == 0, name, "does not have whole numbers");
        values.resize(bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        if constexpr (std::is_floating_point_v<T>)
            for (const T value : values) require(std::isfinite(value), name, "has a number that is not finite");
    }
    template <class T>
        requires std::is_arithmetic_v<T>
    void operator()(const std::string& name, T& value) {
        std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>> values;
        (*this)(name, values);
        require(values.size() == 1, name, "is not one number");
        if constexpr (std::is_same_v<T, bool>) require(values[0] <= 1, name, "is neither 0 nor 1");
        value = static_cast<T>(values[0]);
    }

    // Throws ModelError unless what is known of an array holds.
    void require(bool holds, const std::string& name, const char* otherwise) const {
        if (!holds) throw ModelError("its array '" + prefix_ + name + "' " + otherwise);
    }

  private:
    StateReader(Source source, std::string prefix) : source_(std::move(source)), prefix_(std::move(prefix)) {}

    Source source_;
    std::string prefix_;
};

}  // namespace sapwood

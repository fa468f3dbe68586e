// The options in a model file, read and checked.
#pragma once
#include <algorithm>
#include <concepts>
#include <iterator>
#include <string>
#include <vector>

#include "file/header_records.hpp"

namespace sapwood::making {

using namespace file;

// Reads options into a structure, whose function `each` calls the reader with the name and the field of every option. Throws
// ModelError for an option that is missing or null, and for a value that it cannot have.
class OptionReader {
  public:
    explicit OptionReader(const Json& values) : values_(values) {}

    void operator()(const char* name, bool& field) const { field = get(name, &Json::is_boolean).truth; }
    void operator()(const char* name, double& field) const {
        field = get(name, &Json::is_number).number;
        if (field < 0) refuse(name);
    }
    template <std::unsigned_integral T>
    void operator()(const char* name, T& field) const {
        const uint64_t value = get(name, &Json::is_natural).natural;
        if (value < 1 || value > kMost) refuse(name);
        field = static_cast<T>(value);
    }
    template <class T, class Choices>
    void operator()(const char* name, T& field, const Choices& choices) const {
        const std::string& word = text(name);
        const auto found = std::ranges::find(choices, word);
        if (found == std::end(choices))
            throw ModelError("the option " + std::string(name) + " has no choice " + file::quoted(word));
        field = static_cast<T>(found - std::begin(choices));
    }

    const std::string& text(const char* name) const { return get(name, &Json::is_string).text; }
    std::vector<std::string> texts(const char* name) const { return strings_of(get(name, &Json::is_strings)); }

  private:
    static constexpr uint64_t kMost = 4096;  // configurations of a beam

    const Json& get(const char* name, bool (Json::*form)() const) const {
        const Json* value = values_.find(name);
        if (value == nullptr || value->is(Json::Kind::null)) throw ModelError("its options lack " + std::string(name));
        if (!(value->*form)()) refuse(name);
        return *value;
    }
    [[noreturn]] static void refuse(const char* name) {
        throw ModelError("the option " + std::string(name) + " has a value that it cannot have");
    }

    const Json& values_;
};

// Whether an option, which may be missing, is true.
inline bool is_true(const ModelFile& file, const char* option) {
    const Json* value = file.options.find(option);
    return value != nullptr && value->is_boolean() && value->truth;
}

}  // namespace sapwood::making

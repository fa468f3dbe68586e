// JSON of a model's header, read within bounds: at most kDepth levels, no name twice, numbers as Python's reader has them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sapwood::file {

struct Json {
    enum class Kind : uint8_t { null, boolean, integer, real, string, array, object };
    static constexpr size_t kDepth = 200;       // levels of arrays and objects
    static constexpr size_t kMost = 2'000'000;  // values of a hundred bytes each; few bytes of code may stand for many
    static constexpr uint64_t kNone = UINT64_MAX;

    Kind kind = Kind::null;
    bool truth = false;
    uint64_t natural = kNone;  // the value of a whole number from 0 to 2^62 - 1
    double number = 0;         // the value of any number
    std::string text;
    std::vector<Json> items;
    std::vector<std::pair<std::string, Json>> members;  // in their order

    bool is(Kind other) const { return kind == other; }
    bool is_boolean() const { return kind == Kind::boolean; }
    bool is_string() const { return kind == Kind::string; }
    bool is_object() const { return kind == Kind::object; }
    bool is_natural() const { return kind == Kind::integer && natural != kNone; }
    bool is_number() const;                         // finite, and no larger than 1e308
    bool is_strings() const;                        // an array of strings
    bool is_numbers() const;                        // an array of numbers
    bool is_naturals() const;                       // an array of natural numbers below 2^62
    bool is_curves() const;                         // an array of arrays of numbers
    const Json* find(std::string_view name) const;  // the member of an object; nullptr if there is none

    // Throws ModelError, whose message begins with `what`, for text that is not JSON, is nested too deeply, has half of a
    // Unicode character in it, or has a name twice.
    static Json read(std::string_view text, const std::string& what);
};

}  // namespace sapwood::file

// What a fuzzing target is: a function that is given bytes of any kind, and either reads them or refuses them in the
// right way. docs/fuzzing.md says how to add one.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "text/utf8.hpp"

namespace sapwood::fuzz {

// Ends the program, as a sanitizer does, if the condition does not hold: the fuzzer keeps the input.
#define SAPWOOD_REQUIRE(condition)                                                               \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            std::cerr << __FILE__ << ":" << __LINE__ << ": not so: " << #condition << std::endl; \
            std::abort();                                                                        \
        }                                                                                        \
    } while (false)

// The same for two texts, which are shown.
inline void require_equal(std::string_view a, std::string_view b, const char* where) {
    if (a == b) return;
    std::cerr << where << ": differ:\n" << a << "\n" << b << std::endl;
    std::abort();
}

// What inputs look like. `records` are named strings (records.hpp); they are changed one at a time, and lengths stay right.
enum class Form { text, records };

// A target makes itself known by one object of this type in its file.
struct Target {
    const char* name;                     // of its program and of its corpus
    bool (*run)(std::string_view input);  // whether the input was read; false if it was refused
    std::vector<std::string> (*seeds)();  // sound inputs, from which others are made
    Form form = Form::text;

    Target(const char* its_name, bool (*its_run)(std::string_view), std::vector<std::string> (*its_seeds)(),
           Form its_form = Form::text)
        : name(its_name), run(its_run), seeds(its_seeds), form(its_form) {
        all().push_back(this);
    }
    Target(const Target&) = delete;

    static std::vector<const Target*>& all() {
        static std::vector<const Target*> targets;
        return targets;
    }
};

// Runs read() and returns whether it ended without one of these errors. The message of an error must be UTF-8, and begin
// with `place`. (Control characters in it are escaped by Python's class, sapwood.errors.)
template <class... Errors, class Read>
bool reads(std::string_view place, Read&& read) {
    const auto check = [&](const std::exception& error) {
        const std::string_view message = error.what();
        if (message.starts_with(place) && !message.empty() && find_invalid_utf8(message) == message.npos) return;
        std::cerr << "not UTF-8 that begins with \"" << place << "\": " << message << std::endl;
        std::abort();
    };
    try {
        read();
        return true;
    } catch (const std::exception& error) {
        if (!(... || (dynamic_cast<const Errors*>(&error) != nullptr))) throw;
        check(error);
        return false;
    }
}

// A number that depends on all bytes of an input, for choices that the input does not spell out.
inline uint64_t number_of(std::string_view input) {
    uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char c : input) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return hash ^ hash >> 29;
}

}  // namespace sapwood::fuzz

#include "text/numbers.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace sapwood {

namespace {

using Buffer = std::array<char, 352>;  // room for the 309 digits of the largest number, a sign, and up to 30 places

}  // namespace

void append_fixed(std::string& out, double number, int places) {
    Buffer text;
    std::snprintf(text.data(), text.size(), "%.*f", places, number);
    append_with_point(out, text.data());
}

void append_rounded(std::string& out, double number, int digits) {
    Buffer text;
    std::snprintf(text.data(), text.size(), "%.*g", digits, number);
    append_with_point(out, text.data());
}

void append_with_point(std::string& out, std::string_view written) {
    bool in_point = false;
    for (const char c : written) {  // all of its characters are known, but those of the point
        const bool known = std::string_view("0123456789+-einfa").find(c) != std::string_view::npos;
        if (known || !in_point) out += known ? c : '.';
        in_point = !known;
    }
}

void append_exact(std::string& out, double number) {
    Buffer text;
    for (int digits = 15; digits <= 17; ++digits) {
        std::snprintf(text.data(), text.size(), "%.*g", digits, number);
        if (std::strtod(text.data(), nullptr) == number) break;
    }
    append_with_point(out, text.data());
}

}  // namespace sapwood

// Numbers as text: those of std::to_chars, whatever the locale.
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "check.hpp"
#include "random.hpp"
#include "text/numbers.hpp"

using namespace sapwood;

namespace {

template <class Append>
std::string written(Append&& append) {
    std::string out = "<";
    append(out);
    return out.substr(1);
}

template <class... Format>
std::string wanted(double number, Format... format) {
    char text[512];
    return {text, std::to_chars(text, text + sizeof text, number, format...).ptr};
}

// Numbers of all magnitudes, with few digits and with many.
std::vector<double> numbers() {
    Random random(7);
    std::vector<double> all = {0,        1,      -1,      0.5,  0.1,    1e5,       1e6,
                               123456.5, 0.0001, 0.00001, 1e22, 5e-324, 0.1 + 0.2, 1.0 / 3};
    while (all.size() < 20'000) {
        const auto number = std::bit_cast<double>(random.bits());
        if (std::isfinite(number)) all.push_back(number);
        all.push_back(static_cast<double>(static_cast<int64_t>(random.bits()) >> 40) / 1000);
    }
    return all;
}

void test_as_the_standard_library() {
    for (const double number : numbers()) {
        CHECK_EQ(written([&](auto& out) { append_rounded(out, number, 6); }),
                 wanted(number, std::chars_format::general, 6));
        CHECK_EQ(written([&](auto& out) { append_fixed(out, number, 4); }),
                 wanted(number, std::chars_format::fixed, 4));
    }
}

void test_exact_numbers_are_read_back() {
    for (const double number : numbers()) {
        const std::string text = written([&](auto& out) { append_exact(out, number); });
        double read = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), read);
        CHECK(error == std::errc() && stop == text.data() + text.size());
        CHECK_EQ(read, number);
    }
    CHECK_EQ(written([](auto& out) { append_exact(out, 0.1); }), "0.1");
    CHECK_EQ(written([](auto& out) { append_exact(out, -2.5e-7); }), "-2.5e-07");
    CHECK_EQ(written([](auto& out) { append_exact(out, 0.1 + 0.2); }), "0.30000000000000004");
}

void test_no_numbers() {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const auto& [number, text] :
         {std::pair(infinite, "inf"), std::pair(-infinite, "-inf"), std::pair(std::nan(""), "nan")}) {
        CHECK_EQ(written([&](auto& out) { append_fixed(out, number, 4); }), text);
        CHECK_EQ(written([&](auto& out) { append_rounded(out, number, 6); }), text);
        CHECK_EQ(written([&](auto& out) { append_exact(out, number); }), text);
    }
}

void test_the_point() {
    for (const std::string point : {".", ",", "\xD9\xAB"})
        for (const std::string before : {"0", "-12"})
            for (const std::string behind : {"5", "25e-07", "0e+22"}) {
                std::string out = "<";
                append_with_point(out, before + point + behind);
                CHECK_EQ(out, "<" + before + "." + behind);
            }
}

}  // namespace

int main() {
    test_as_the_standard_library();
    test_exact_numbers_are_read_back();
    test_no_numbers();
    test_the_point();
    return check::failures();
}

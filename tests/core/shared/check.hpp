// Assertions for plain test functions. A failed check prints file:line and the values, and the test continues. main()
// ends with `return check::failures();`.
#pragma once
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

inline int failed = 0;

inline int failures() {
    if (failed > 0) std::cerr << failed << " checks failed\n";
    return failed > 0;
}

inline void fail(const char* file, int line, const std::string& what) {
    if (++failed <= 20) std::cerr << file << ":" << line << ": " << what << std::endl;
}

template <class T>
void print(std::ostream& out, const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        out << (value ? "true" : "false");
    else if constexpr (std::is_convertible_v<T, std::string_view>)
        out << '"' << std::string_view(value) << '"';
    else if constexpr (std::is_integral_v<T>)
        out << +value;
    else
        out << value;
}

template <class A, class B>
void print(std::ostream& out, const std::pair<A, B>& value) {
    out << '(';
    print(out, value.first);
    out << ", ";
    print(out, value.second);
    out << ')';
}

template <class T>
void print(std::ostream& out, const std::vector<T>& values) {
    out << '[';
    for (size_t k = 0; k < values.size(); ++k) {
        if (k > 0) out << ", ";
        print(out, values[k]);
    }
    out << ']';
}

template <class A, class B>
void equal(const A& a, const B& b, const char* text, const char* file, int line) {
    if (a == b) return;
    std::ostringstream out;
    out.precision(17);
    out << text << ": ";
    print(out, a);
    out << " is not ";
    print(out, b);
    fail(file, line, out.str());
}

template <class Error, class F>
void throws(F&& f, const std::string& part, const char* text, const char* file, int line) {
    try {
        f();
    } catch (const Error& error) {
        if (std::string(error.what()).find(part) == std::string::npos)
            fail(file, line, std::string(text) + ": \"" + error.what() + "\" lacks \"" + part + "\"");
        return;
    }
    fail(file, line, std::string(text) + " threw nothing; expected \"" + part + "\"");
}

}  // namespace check

#define CHECK(condition) \
    if (!(condition)) check::fail(__FILE__, __LINE__, #condition)
#define CHECK_EQ(a, b) check::equal((a), (b), #a " == " #b, __FILE__, __LINE__)
// CHECK_THROWS(Error, "part of the message", expression)
#define CHECK_THROWS(Error, part, ...) \
    check::throws<Error>([&] { static_cast<void>(__VA_ARGS__); }, part, #__VA_ARGS__, __FILE__, __LINE__)

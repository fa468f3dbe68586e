// UTF-8 validation, and the few character properties that features need.
//
// Case comes from a fixed table in utf8.cpp, because the same word must give the same feature key everywhere: the C
// library's answer depends on the locale, and Python's on its version.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace sapwood {

// The offset of the first byte that is not part of well-formed UTF-8 (RFC 3629), or npos if there is none.
size_t find_invalid_utf8(std::string_view text);

// Returns the code point at `at` and moves `at` behind it. The text must be well-formed.
char32_t next_code_point(std::string_view text, size_t& at);

size_t code_points(std::string_view text);  // how many there are

void append_utf8(std::string& out, char32_t c);

char32_t to_lower(char32_t c);
char32_t to_upper(char32_t c);  // the letter whose lower-case letter is c, or c if there is none
bool is_upper(char32_t c);
bool is_lower(char32_t c);
bool is_digit(char32_t c);  // ASCII 0-9, and no other digit

bool has_digit(std::string_view text);  // in the sense of is_digit

// Lower-cases the text code point by code point and appends it to `out`.
void append_lower(std::string& out, std::string_view text);

// The first or last `count` code points of the text, or the whole text if it is shorter.
std::string_view prefix(std::string_view text, size_t count);
std::string_view suffix(std::string_view text, size_t count);

}  // namespace sapwood

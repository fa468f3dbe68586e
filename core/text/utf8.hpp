// UTF-8: validation of outside bytes, and the few character properties that features ask for.
//
// Case comes from a table of ranges fixed in utf8.cpp and not from the C library, whose answer depends
// on the locale, nor from Python, whose answer depends on its version: the same word must give the same
// feature key everywhere.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace sapwood {

// Offset of the first byte that is not part of well-formed UTF-8 (RFC 3629), or npos.
size_t find_invalid_utf8(std::string_view text);

// The code point at `at`, which is moved past it. The text must be well-formed.
char32_t next_code_point(std::string_view text, size_t& at);

void append_utf8(std::string& out, char32_t c);

char32_t to_lower(char32_t c);
bool is_upper(char32_t c);
bool is_lower(char32_t c);
bool is_digit(char32_t c);  // ASCII 0-9

// Simple lower-casing, code point by code point, appended to `out`.
void append_lower(std::string& out, std::string_view text);

// The first / last `count` code points of the text (all of it where it has fewer).
std::string_view prefix(std::string_view text, size_t count);
std::string_view suffix(std::string_view text, size_t count);

}  // namespace sapwood

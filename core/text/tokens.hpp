// The tokenizer for running text. All readers use it, so that prediction sees the same tokens as training.
#pragma once
#include <string_view>

namespace sapwood {

// White space within a line.
constexpr std::string_view kSpaces = " \t\r\v\f";

// Returns the next token from `at` on and moves `at` behind it. Returns an empty string at the end of the text. A token
// is a run of letters, digits and non-ASCII characters, with single apostrophes, hyphens, dots and underscores between
// them (what's, e-mail, 3.5), or any other printable character alone.
std::string_view next_token(std::string_view text, size_t& at);

}  // namespace sapwood

// The tokenizer for running text. All readers use it, so that prediction sees the same tokens as training.
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

// White space within a line.
constexpr std::string_view kSpaces = " \t\r\v\f";

// The next of the tokens that are given in a line, which blanks and tabs alone part: a no-break space and its like are
// inside of tokens, but none by themselves. Moves `at` behind it, and returns an empty string at the end of the line.
std::string_view next_given_token(std::string_view line, size_t& at);

// Returns the next token from `at` on and moves `at` behind it. Returns an empty string at the end of the text. A token
// is a run of letters, digits and non-ASCII characters, with single apostrophes, hyphens, dots and underscores between
// them (what's, e-mail, 3.5), or any other printable character alone. White space of all kinds (is_space), and marks of
// direction and joining that nobody sees, are between tokens. The text must be well-formed UTF-8.
std::string_view next_token(std::string_view text, size_t& at);

// A text in which apostrophes between letters or digits are straight ones: don\u2019t, don\u2018t, don\u02BCt, don\uFF07t, don\u00B4t are one
// word with don't. It is the text itself, or else what `scratch` holds then.
std::string_view with_plain_apostrophes(std::string_view text, std::string& scratch);

}  // namespace sapwood

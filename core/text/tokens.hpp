// Words of running text: the same for every reader, so that a model meets the words it was trained on.
#pragma once
#include <string_view>

namespace sapwood {

// The next token from `at` on, which is moved past it; empty at the end of the text. A token is a run of letters,
// digits and characters beyond ASCII, with apostrophes, hyphens, dots and underscores between them (what's, e-mail,
// 3.5), or any other printed character by itself.
std::string_view next_token(std::string_view text, size_t& at);

}  // namespace sapwood

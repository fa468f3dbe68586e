// Text as code points, where letters are counted and cut.
#pragma once
#include <string>
#include <string_view>

#include "text/utf8.hpp"

namespace sapwood {

inline std::u32string letters_of(std::string_view text) {
    std::u32string letters;
    for (size_t at = 0; at < text.size();) letters += next_code_point(text, at);
    return letters;
}

inline std::string utf8_of(std::u32string_view letters) {
    std::string text;
    for (const char32_t c : letters) append_utf8(text, c);
    return text;
}

}  // namespace sapwood

// Classes of characters, for cutting text into tokens. They come from fixed tables, because the same text must be cut
// in the same way everywhere.
#pragma once

namespace sapwood {

// Unicode's White_Space, and the zero-width space and no-break space (U+200B, U+FEFF).
bool is_space(char32_t c);
// Whether a space has no width: it may part words, and is no white space to most readers.
constexpr bool has_no_width(char32_t c) {
    return c == 0x200B || c == 0xFEFF;
}

// The class of a character, as one of its members: 'a' for letters and marks, '0' for digits, one for each of the
// scripts that do without spaces (Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer, Myanmar), one for emoji; every
// other character, so all punctuation, is a class by itself.
char32_t character_class(char32_t c);

// Whether it is an apostrophe, of those that people type: the straight one, the curly one, the letter, two accents.
constexpr bool is_apostrophe(char32_t c) {
    return c == '\'' || c == 0x2019 || c == 0x2BC || c == '`' || c == 0xB4;
}

}  // namespace sapwood

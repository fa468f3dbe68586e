// Classes of characters, for cutting text into tokens. They come from fixed tables, because the same text must be cut
// in the same way everywhere.
#pragma once

namespace sapwood {

// Unicode's White_Space, and the zero-width space and no-break space (U+200B, U+FEFF).
bool is_space(char32_t c);

// The class of a character, as one of its members: 'a' for letters and marks, '0' for digits, one for each of the
// scripts that do without spaces (Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer, Myanmar), one for emoji; every
// other character, so all punctuation, is a class by itself.
char32_t character_class(char32_t c);

// Whether a character belongs to the one before it: combining marks, joiners, variation selectors, skin tones, tags.
bool extends_character(char32_t c);

}  // namespace sapwood

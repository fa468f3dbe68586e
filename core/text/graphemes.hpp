// Extended grapheme clusters, what people take for one character: a letter with its accents, a syllable of Hangul or
// Devanagari, a family of emoji, a flag. Rules GB6 to GB13 of Unicode Standard Annex #29, Unicode 17. Where these need
// tables that are large, what belongs together is a little more than there: a symbol or letter behind any joiner.
#pragma once

namespace sapwood {

// Whether a character belongs to the one before it, whatever that is: marks, joiners, variation selectors, skin tones,
// tags, the frame of a key.
bool extends_character(char32_t c);

// The characters of a text in turn.
class Graphemes {
  public:
    // Whether the next character belongs to the one before it. `apart`: a space is before it, or nothing.
    bool extends(char32_t c, bool apart) {
        constexpr char32_t first = 0x300;  // before it nothing belongs to an ordinary character
        if (c < first && before_ == Before::other && !joiner_) return false;
        return extends_rarely(c, apart);
    }

  private:
    // The character before, if more may follow it than what extends any. `half_flag`: one of the letters, two of which
    // are a flag. `linker`: a sign by which the next consonant becomes a part of the syllable, with marks behind it.
    enum class Before : unsigned char { other, half_flag, linker, prefix, hangul_lead, hangul };

    bool extends_rarely(char32_t c, bool apart);
    static Before kind_of(char32_t c);

    Before before_ = Before::other;
    bool joiner_ = false;  // a joiner is before
};

}  // namespace sapwood

#include "text/characters.hpp"

#include <algorithm>
#include <iterator>

namespace sapwood {

namespace {

struct Range {
    char32_t first, last;
    char32_t as;  // a member of the class, or 0 for characters that are classes by themselves
};

// Beyond ASCII, in ascending order. A character in no range is a letter.
constexpr Range kRanges[] = {
    {0x80, 0xA9, 0},  // controls, Latin-1 punctuation and symbols
    {0xAB, 0xB4, 0},  // but ordinal indicators and the micro sign are letters
    {0xB6, 0xB9, 0},
    {0xBB, 0xBF, 0},
    {0xD7, 0xD7, 0},    // multiplication
    {0xF7, 0xF7, 0},    // division
    {0x37E, 0x37E, 0},  // Greek question mark
    {0x387, 0x387, 0},  // Greek semicolon
    {0x55A, 0x55F, 0},  // Armenian
    {0x589, 0x58A, 0},
    {0x5BE, 0x5BE, 0},  // Hebrew
    {0x5C0, 0x5C0, 0},
    {0x5C3, 0x5C3, 0},
    {0x5F3, 0x5F4, 0},
    {0x606, 0x60F, 0},  // Arabic
    {0x61B, 0x61F, 0},
    {0x660, 0x669, U'0'},
    {0x66A, 0x66D, 0},
    {0x6D4, 0x6D4, 0},
    {0x6F0, 0x6F9, U'0'},
    {0x964, 0x965, 0},  // Devanagari
    {0x966, 0x96F, U'0'},
    {0xE01, 0xE3A, 0xE01},  // Thai
    {0xE3F, 0xE3F, 0},
    {0xE40, 0xE4E, 0xE01},
    {0xE4F, 0xE4F, 0},
    {0xE50, 0xE59, U'0'},
    {0xE5A, 0xE5B, 0},
    {0xE80, 0xEFF, 0xE81},     // Lao
    {0x1000, 0x1049, 0x1000},  // Myanmar
    {0x104A, 0x104F, 0},
    {0x1050, 0x109F, 0x1000},
    {0x1100, 0x11FF, 0xAC00},  // Hangul
    {0x1780, 0x17D3, 0x1780},  // Khmer
    {0x17D4, 0x17DB, 0},
    {0x200E, 0x25FF, 0},        // punctuation, currency, arrows, mathematics, boxes
    {0x2600, 0x27BF, 0x1F600},  // symbols and dingbats, most of them emoji
    {0x27C0, 0x2BFF, 0},        // more arrows and mathematics
    {0x2E00, 0x2E7F, 0},        // more punctuation
    {0x2E80, 0x2FDF, 0x4E00},   // radicals
    {0x3001, 0x3004, 0},        // Chinese and Japanese punctuation
    {0x3005, 0x3007, 0x4E00},
    {0x3008, 0x3020, 0},
    {0x3041, 0x309F, 0x3042},  // Hiragana
    {0x30A0, 0x30A0, 0},
    {0x30A1, 0x30FA, 0x30A2},  // Katakana
    {0x30FB, 0x30FB, 0},
    {0x30FC, 0x30FF, 0x30A2},
    {0x3130, 0x318F, 0xAC00},
    {0x31F0, 0x31FF, 0x30A2},
    {0x3400, 0x4DBF, 0x4E00},  // Han
    {0x4E00, 0x9FFF, 0x4E00},
    {0xAC00, 0xD7FF, 0xAC00},
    {0xE000, 0xF8FF, 0},  // private use
    {0xF900, 0xFAFF, 0x4E00},
    {0xFE10, 0xFE6F, 0},  // forms of punctuation
    {0xFF01, 0xFF0F, 0},  // full-width
    {0xFF10, 0xFF19, U'0'},
    {0xFF1A, 0xFF20, 0},
    {0xFF3B, 0xFF40, 0},
    {0xFF5B, 0xFF65, 0},
    {0xFF66, 0xFF9F, 0x30A2},
    {0xFFE0, 0xFFFD, 0},
    {0x1F000, 0x1FAFF, 0x1F600},  // emoji, with their modifiers and flags
    {0x20000, 0x3FFFF, 0x4E00},
};

}  // namespace

bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

char32_t character_class(char32_t c) {
    if (c < 0x80) {
        const char32_t lower = c | 0x20;
        return lower >= 'a' && lower <= 'z' ? U'a' : c >= '0' && c <= '9' ? U'0' : c;
    }
    const Range* at = std::upper_bound(std::begin(kRanges), std::end(kRanges), c,
                                       [](char32_t x, const Range& r) { return x < r.first; });
    if (at == std::begin(kRanges) || c > (--at)->last) return U'a';
    return at->as == 0 ? c : at->as;
}

}  // namespace sapwood

// The normal forms of Unicode (Standard Annex #15). "é" is one character or two, e and an accent, as keyboards, PDFs and
// systems have it. Everything that is looked up or learned goes by the composed form (NFC); what is written out has the
// text as it came.
//
// Nearly all text is composed already. Characters below U+0300 cannot change, so most text is passed by its first bytes.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace sapwood {

std::string to_composed(std::string_view text);    // NFC; the text must be well-formed UTF-8
std::string to_decomposed(std::string_view text);  // NFD

// False if a text is composed without doubt.
bool may_change(std::string_view text);

inline bool is_ascii(std::string_view text) {
    const char* p = text.data();
    size_t n = text.size();
    uint64_t all = 0, word;
    for (; n > 8; p += 8, n -= 8) {
        std::memcpy(&word, p, 8);
        all |= word;
    }
    return ((all | load_bytes(p, n)) & 0x8080808080808080ULL) == 0;
}

// The composed form of a text: the text itself, or else what `scratch` holds then.
inline std::string_view composed(std::string_view text, std::string& scratch) {
    constexpr unsigned char first = 0xCC;  // of the bytes of U+0300
    if (is_ascii(text)) return text;
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= first) {
            if (!may_change(text)) return text;
            scratch = to_composed(text);
            return scratch;
        }
    return text;
}

inline std::string composed(std::string_view text) {
    std::string scratch;
    return std::string(composed(text, scratch));
}

inline uint64_t hash_composed(std::string_view text) {
    std::string scratch;
    return hash_bytes(composed(text, scratch));
}

// A text in the form of another one: decomposed (NFD) if that is, else composed.
std::string in_form_of(std::string_view other, std::string_view text);

// The marks of a text: accents, points, vowel signs above or below, but no nukta and no virama.
std::u32string marks_of(std::u32string_view text);
// A text without its marks, or without some, composed: "ā" -> "a", Hebrew without points.
std::u32string without_marks(std::u32string_view text, std::u32string_view marks = {});

// The composed form of a longer text, and which place of one is which of the other.
class ComposedText {
  public:
    explicit ComposedText(std::string_view given);

    const std::string& text() const { return text_; }
    // The offset in the given text of one in the composed text; the other way around, `composed_at`. Offsets within what
    // was composed become that of its end.
    size_t given_at(size_t offset) const { return moved(offset, &Change::composed, &Change::given); }
    size_t composed_at(size_t offset) const { return moved(offset, &Change::given, &Change::composed); }

  private:
    struct Part {
        size_t begin, end;
    };
    struct Change {
        Part given, composed;
    };
    size_t moved(size_t offset, Part Change::* from, Part Change::* to) const;

    std::string text_;
    std::vector<Change> changes_;  // ascending
};

}  // namespace sapwood

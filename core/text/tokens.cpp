#include "text/tokens.hpp"

#include <algorithm>
#include <array>

#include "text/characters.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

enum class CharacterKind : unsigned char { space, word, inner, other, maybe_space };

constexpr std::string_view kLeads = "\xC2\xD8\xE1\xE2\xE3\xEF";  // bytes that spaces beyond ASCII begin with

constexpr std::array<CharacterKind, 256> kKinds = [] {
    std::array<CharacterKind, 256> kinds{};
    for (size_t c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool inner = c == '\'' || c == '-' || c == '.' || c == '_';
        const bool lead = kLeads.find(static_cast<char>(c)) != std::string_view::npos;
        kinds[c] = lead                    ? CharacterKind::maybe_space
                   : letter || c >= 0x80   ? CharacterKind::word
                   : inner                 ? CharacterKind::inner
                   : c <= ' ' || c == 0x7F ? CharacterKind::space
                                           : CharacterKind::other;
    }
    return kinds;
}();

CharacterKind kind(char c) {
    return kKinds[static_cast<unsigned char>(c)];
}

// Marks that are not seen: of direction, and the word joiner. Joiners of letters are parts of words.
bool is_unseen(char32_t c) {
    return c == 0x61C || c == 0x180E || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x2069);
}

// The length of the space at a place, 0 if there is none.
size_t space_at(std::string_view text, size_t at) {
    const CharacterKind found = kind(text[at]);
    if (found != CharacterKind::maybe_space) return found == CharacterKind::space;
    size_t next = at;
    const char32_t c = next_code_point(text, next);
    return is_space(c) || is_unseen(c) ? next - at : 0;
}

bool word_at(std::string_view text, size_t at) {
    const CharacterKind found = kind(text[at]);
    return found == CharacterKind::word || (found == CharacterKind::maybe_space && space_at(text, at) == 0);
}

}  // namespace

std::string_view next_given_token(std::string_view line, size_t& at) {
    constexpr std::string_view kBlanks = " \t";
    for (;;) {
        const size_t begin = std::min(line.find_first_not_of(kBlanks, at), line.size());
        at = std::min(line.find_first_of(kBlanks, begin), line.size());
        for (size_t c = begin; c < at;)
            if (!is_space(next_code_point(line, c))) return line.substr(begin, at - begin);
        if (begin == line.size()) return {};
    }
}

std::string_view next_token(std::string_view text, size_t& at) {
    const size_t size = text.size();
    CharacterKind found{};
    for (; at < size; ++at) {
        found = kind(text[at]);
        if (found == CharacterKind::space) continue;
        const size_t length = found == CharacterKind::maybe_space ? space_at(text, at) : 0;
        if (length == 0) break;
        at += length - 1;
    }
    const size_t begin = at;
    if (at == size) return {};
    ++at;
    if (found != CharacterKind::word && found != CharacterKind::maybe_space) return {text.data() + begin, 1};
    for (; at < size; ++at) {
        found = kind(text[at]);
        if (found == CharacterKind::word) continue;
        if (found == CharacterKind::maybe_space && space_at(text, at) == 0) continue;
        if (found != CharacterKind::inner || at + 1 == size || !word_at(text, at + 1)) break;
    }
    return {text.data() + begin, at - begin};
}

std::string_view with_plain_apostrophes(std::string_view text, std::string& scratch) {
    constexpr unsigned char first = 0xC2;  // of the bytes of U+00B4
    if (std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= first; })) return text;
    const auto in_word = [](char32_t c) { return character_class(c) == U'a' || character_class(c) == U'0'; };
    std::string plain;
    char32_t before = ' ';
    for (size_t at = 0; at < text.size();) {
        const size_t begin = at;
        const char32_t c = next_code_point(text, at);
        size_t behind = at;
        const bool joins = ((is_apostrophe(c) && c != '`') || c == 0x2018 || c == 0xFF07) && in_word(before) &&
                           at < text.size() && in_word(next_code_point(text, behind));
        plain += joins ? "'" : text.substr(begin, at - begin);
        before = c;
    }
    if (plain == text) return text;
    scratch = std::move(plain);
    return scratch;
}

}  // namespace sapwood

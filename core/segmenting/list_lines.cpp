#include "segmenting/list_lines.hpp"

#include <algorithm>
#include <cstddef>

#include "text/characters.hpp"
#include "text/graphemes.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

// The kinds of marks that lines begin with, as characters:
//
//     -   a sign, up to three times: - * + • – → ☐ ##
//     .   a number before a full stop: 1. 2.3.
//     n   a number of several parts: 2.1
//     )   a number before a bracket: 1)
//     (   a number in brackets: (1) [1]
//     a   a letter or Roman number before a full stop: a. iv. A.
//     b   one before a bracket: a)
//     c   one in brackets: (a)
//     t   none, but a tab between its words: a row of a table
//
// Lines are given from their first character that is no space on, and may go on behind their end.
constexpr char kNoMark = '\0', kRow = 't';

constexpr size_t kLongest = 12;  // bytes of a mark
constexpr size_t kMostSigns = 3, kMostDigits = 3, kMostLetters = 5;

bool is_sign(char32_t c) {
    constexpr std::string_view ascii = "-*+#~=";
    if (c < 0x80) return ascii.find(static_cast<char>(c)) != std::string_view::npos;
    return c == 0xB7 || (c >= 0x2010 && c <= 0x2015) || c == 0x2022 || c == 0x2023 || c == 0x2043 ||
           (c >= 0x2190 && c <= 0x21FF) || (c >= 0x25A0 && c <= 0x27BF);  // dashes, bullets, arrows, shapes, dingbats
}

bool is_signs(std::string_view chunk) {
    size_t signs = 0;
    char32_t first = 0;
    for (size_t at = 0; at < chunk.size();) {
        const char32_t c = next_code_point(chunk, at);
        if (extends_character(c) && signs > 0) continue;
        if (signs == 0) first = c;
        if (!is_sign(c) || c != first || ++signs > kMostSigns) return false;
    }
    return signs > 0;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// 1, 12 or 2.13
bool is_number(std::string_view text) {
    if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return false;
    size_t run = 0;
    for (const char c : text) {
        run = is_digit(c) ? run + 1 : 0;
        if ((!is_digit(c) && c != '.') || run > kMostDigits) return false;
    }
    return text.find("..") == std::string_view::npos;
}

// a, B or xiv
bool is_letter_or_roman(std::string_view text) {
    constexpr std::string_view roman = "ivxlcIVXLC";
    if (text.size() == 1) return character_class(static_cast<unsigned char>(text[0])) == 'a';
    return !text.empty() && text.size() <= kMostLetters && text.find_first_not_of(roman) == std::string_view::npos;
}

// The kind of mark that a line's first chunk is.
char chunk_mark(std::string_view line) {
    size_t end = 0;
    while (end < line.size()) {
        size_t at = end;
        if (is_space(next_code_point(line, at))) break;
        if (at > kLongest) return kNoMark;
        end = at;
    }
    std::string_view chunk = line.substr(0, end);
    if (is_signs(chunk)) return '-';
    if (chunk.size() < 2) return kNoMark;
    const char last = chunk.back();
    const bool bracketed = (chunk.front() == '(' && last == ')') || (chunk.front() == '[' && last == ']');
    if (!bracketed && last != '.' && last != ')')
        return chunk.find('.') < chunk.size() && is_number(chunk) ? 'n' : kNoMark;
    chunk = chunk.substr(bracketed, chunk.size() - 1 - bracketed);
    if (is_number(chunk)) return bracketed ? '(' : last;
    if (is_letter_or_roman(chunk)) return bracketed ? 'c' : last == '.' ? 'a' : 'b';
    return kNoMark;
}

// Whether there is a tab between words of the line.
bool has_tab(std::string_view line) {
    line = line.substr(0, line.find_first_of("\r\n"));
    const size_t tab = line.find('\t');
    return tab != std::string_view::npos && line.find_last_not_of(" \t") > tab;
}

char line_mark(std::string_view line) {
    const char mark = chunk_mark(line);
    return mark == kNoMark && has_tab(line) ? kRow : mark;
}

}  // namespace

bool ListLines::begin(std::string_view text, size_t at) {
    const char mark = line_mark(text.substr(at));
    bool item = mark != kNoMark && std::ranges::find(before_, mark) != before_.end();
    if (mark != kNoMark && !item) {
        for (size_t line = 0, next = at; line < kNear && !item; ++line) {
            next = text.find_first_of("\r\n", next);
            if (next == std::string_view::npos) break;
            while (next < text.size()) {
                size_t behind = next;
                if (!is_space(next_code_point(text, behind))) break;
                next = behind;
            }
            item = line_mark(text.substr(next)) == mark;
        }
    }
    before_[lines_++ % kNear] = mark;
    in_mark_ = item && mark != kRow;
    return item;
}

}  // namespace sapwood

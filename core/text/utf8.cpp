#include "text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Length of the well-formed sequence that starts at p, or 0 (RFC 3629, table in section 4).
size_t sequence_length(const unsigned char* p, const unsigned char* end) {
    auto tail = [&](size_t k, unsigned char low, unsigned char high) {
        if (static_cast<size_t>(end - p) <= k) return false;
        if (p[1] < low || p[1] > high) return false;
        for (size_t j = 2; j <= k; ++j)
            if ((p[j] & 0xC0) != 0x80) return false;
        return true;
    };
    const unsigned char c = p[0];
    if (c < 0x80) return 1;
    if (c < 0xC2) return 0;
    if (c < 0xE0) return tail(1, 0x80, 0xBF) ? 2 : 0;
    if (c < 0xF0) return tail(2, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) ? 3 : 0;
    if (c < 0xF5) return tail(3, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) ? 4 : 0;
    return 0;
}

// The upper-case letters first, first + step, ... <= last. Adding `delta` to one gives its lower-case letter.
struct CaseRange {
    char32_t first, last;
    int step;
    int delta;
};

constexpr CaseRange kCase[] = {
    {0x41, 0x5A, 1, 32},                              // ASCII
    {0xC0, 0xD6, 1, 32},        {0xD8, 0xDE, 1, 32},  // Latin-1
    {0x130, 0x130, 1, -199},    {0x18F, 0x18F, 1, 202},  {0x1A0, 0x1A4, 2, 1},       {0x1AF, 0x1AF, 1, 1},
    {0x100, 0x12E, 2, 1},       {0x132, 0x136, 2, 1},    {0x139, 0x147, 2, 1},        // Latin A
    {0x14A, 0x176, 2, 1},       {0x178, 0x178, 1, -121}, {0x179, 0x17D, 2, 1},        //
    {0x1CD, 0x1DB, 2, 1},       {0x1DE, 0x1EE, 2, 1},    {0x1F8, 0x21E, 2, 1},        // Latin B
    {0x222, 0x232, 2, 1},       {0x246, 0x24E, 2, 1},                                 //
    {0x386, 0x386, 1, 38},      {0x388, 0x38A, 1, 37},   {0x38C, 0x38C, 1, 64},       // Greek
    {0x38E, 0x38F, 1, 63},      {0x391, 0x3A1, 1, 32},   {0x3A3, 0x3AB, 1, 32},       //
    {0x400, 0x40F, 1, 80},      {0x410, 0x42F, 1, 32},   {0x460, 0x480, 2, 1},        // Cyrillic
    {0x48A, 0x4BE, 2, 1},       {0x4C0, 0x4C0, 1, 15},   {0x4C1, 0x4CD, 2, 1},        //
    {0x4D0, 0x52E, 2, 1},       {0x531, 0x556, 1, 48},   {0x10A0, 0x10C5, 1, 7264},   // + Armenian
    {0x1C90, 0x1CBA, 1, -3008}, {0x1E00, 0x1E94, 2, 1},  {0x1E9E, 0x1E9E, 1, -7615},  // + Georgian
    {0x1EA0, 0x1EFE, 2, 1},     {0x2160, 0x216F, 1, 16}, {0xFF21, 0xFF3A, 1, 32},     // full width
};

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
    const auto* begin = reinterpret_cast<const unsigned char*>(text.data());
    const unsigned char* end = begin + text.size();
    const unsigned char* p = begin;
    for (size_t round = 0; p < end; ++round) {
        StopCheck::every(round);
        if (end - p >= 8) {  // eight ASCII bytes at once
            uint64_t word;
            std::memcpy(&word, p, 8);
            if ((word & 0x8080808080808080ULL) == 0) {
                p += 8;
                continue;
            }
        }
        const size_t length = sequence_length(p, end);
        if (length == 0) return static_cast<size_t>(p - begin);
        p += length;
    }
    return std::string_view::npos;
}

char32_t next_code_point(std::string_view text, size_t& at) {
    auto byte = [&](size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + k])); };
    const char32_t c = byte(0);
    char32_t result;
    if (c < 0x80) {
        result = c;
        at += 1;
    } else if (c < 0xE0) {
        result = (c & 0x1F) << 6 | (byte(1) & 0x3F);
        at += 2;
    } else if (c < 0xF0) {
        result = (c & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
        at += 3;
    } else {
        result = (c & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
        at += 4;
    }
    return result;
}

size_t code_points(std::string_view text) {
    return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !is_continuation(c); }));
}

void append_utf8(std::string& out, char32_t c) {
    auto put = [&](char32_t b) { out.push_back(static_cast<char>(b)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | c >> 6);
        put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | c >> 12);
        put(0x80 | (c >> 6 & 0x3F));
        put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | c >> 18);
        put(0x80 | (c >> 12 & 0x3F));
        put(0x80 | (c >> 6 & 0x3F));
        put(0x80 | (c & 0x3F));
    }
}

char32_t to_lower(char32_t c) {
    if (c < 0x80) return c - U'A' < 26 ? c + 32 : c;
    for (const CaseRange& r : kCase)
        if (c >= r.first && c <= r.last)
            return (c - r.first) % static_cast<char32_t>(r.step) == 0
                       ? static_cast<char32_t>(static_cast<int>(c) + r.delta)
                       : c;
    return c;
}

char32_t to_upper(char32_t c) {
    if (c < 0x80) return c - U'a' < 26 ? c - 32 : c;
    for (const CaseRange& r : kCase) {
        const auto upper = static_cast<char32_t>(static_cast<int>(c) - r.delta);
        if (upper >= r.first && upper <= r.last && (upper - r.first) % static_cast<char32_t>(r.step) == 0) return upper;
    }
    return c;
}

bool is_upper(char32_t c) {
    return to_lower(c) != c;
}

bool is_lower(char32_t c) {
    if (c < 0x80) return c - U'a' < 26;
    for (char32_t lone :
         {0xDF, 0x131, 0x138, 0x149, 0x17F, 0x1F0, 0x390, 0x3B0, 0x3C2})  // letters without a single upper-case form
        if (c == lone) return true;
    return to_upper(c) != c;
}

bool is_digit(char32_t c) {
    return c - U'0' < 10;
}

bool has_digit(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return is_digit(static_cast<unsigned char>(c)); });
}

void append_lower(std::string& out, std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (static_cast<unsigned char>(c) < 0x80)
            out.push_back(static_cast<char>(to_lower(static_cast<char32_t>(text[at++]))));
        else
            append_utf8(out, to_lower(next_code_point(text, at)));
    }
}

std::string_view prefix(std::string_view text, size_t count) {
    size_t at = 0;
    while (count-- > 0 && at < text.size()) {
        ++at;
        while (at < text.size() && is_continuation(text[at])) ++at;
    }
    return text.substr(0, at);
}

std::string_view suffix(std::string_view text, size_t count) {
    size_t at = text.size();
    while (count-- > 0 && at > 0) {
        --at;
        while (at > 0 && is_continuation(text[at])) --at;
    }
    return text.substr(at);
}

}  // namespace sapwood

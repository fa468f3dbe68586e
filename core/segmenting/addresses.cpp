#include "segmenting/addresses.hpp"

#include <algorithm>

#include "text/characters.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr size_t kLongestPage = 2048, kLongestName = 64, kLongestHost = 255;  // bytes
constexpr std::string_view kInNone = "<>\"[]{}|";

bool is_in_none(char32_t c) {
    return c < 0x80 && kInNone.find(static_cast<char>(c)) != kInNone.npos;
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Where an address of a page ends that goes on at `from`; 0 if it does not.
size_t page_end(std::string_view text, size_t from) {
    size_t opened = 0, end = 0;
    for (size_t at = from; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        const char32_t kind = character_class(c);
        const bool is_part = c < 0x80 ? !is_in_none(c) : kind == 'a' || kind == '0';
        if (is_space(c) || at - from > kLongestPage || !is_part || (c == ')' && opened == 0)) break;
        opened += c == '(';
        opened -= c == ')';
        if (c == ')' || c == '/' || kind == 'a' || kind == '0') end = at;
    }
    return end;
}

// Where letters and digits end that begin at `at`, with some marks among them.
size_t end_of_run(std::string_view text, size_t at, size_t longest, std::string_view marks) {
    const size_t last = std::min(text.size(), at + longest);
    while (at < last && (is_letter_or_digit(text[at]) || marks.find(text[at]) != marks.npos)) ++at;
    return at;
}

// Where an address of mail ends that begins at `at`; 0 if none does.
size_t mail_end(std::string_view text, size_t at) {
    const size_t sign = end_of_run(text, at, kLongestName, "._+-");
    if (sign >= text.size() || text[sign] != '@') return 0;
    const size_t host = sign + 1;
    size_t end = end_of_run(text, host, kLongestHost, ".-");
    while (end > host && !is_letter_or_digit(text[end - 1])) --end;
    const bool has_dot = text.substr(host, end - host).find('.') != std::string_view::npos;
    return has_dot && is_letter_or_digit(text[host]) ? end : 0;
}

// Where an address ends at whose begin, or before whose "://", `at` is; 0 if there is none.
size_t address_end(std::string_view text, size_t at, bool may_begin) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("://")) return page_end(text, at + 3);
    if (!may_begin) return 0;
    const bool is_page = rest.size() > 4 && rest[3] == '.' && rest.substr(0, 3).find_first_not_of("wW") == rest.npos;
    return is_page ? page_end(text, at + 4) : mail_end(text, at);
}

}  // namespace

bool Addresses::pass(std::string_view text, size_t at, char32_t c) {
    if (at >= end_) {
        const bool may_begin =
            c < 0x80 && is_letter_or_digit(static_cast<char>(c)) && (at == 0 || !is_letter_or_digit(text[at - 1]));
        if (const size_t end = c == ':' || may_begin ? address_end(text, at, may_begin) : 0; end > 0) {
            begin_ = at;
            end_ = end;
        }
    }
    return at > begin_ && at < end_;
}

bool Addresses::closed_by(size_t at, char32_t c) const {
    return at == end_ && end_ > 0 && is_in_none(c);
}

}  // namespace sapwood

#include "features/word_class.hpp"

#include <array>

#include "text/utf8.hpp"

namespace sapwood {

namespace {

// The first matching suffix of this list is used.
constexpr std::array<std::string_view, 30> kSuffixes = {
    "ness", "ment", "able", "ible", "less", "tion", "sion", "ship", "ity", "ing", "est", "ism", "ist", "ful", "ous",
    "ive",  "ize",  "ise",  "ify",  "ies",  "ion",  "ant",  "ent",  "ed",  "er",  "ly",  "al",  "ic",  "s",   "y"};

}  // namespace

std::string word_class(std::string_view word, bool begins_sentence) {
    size_t characters = 0, upper = 0, digits = 0, letters = 0, hyphens = 0;
    bool capital = false;
    for (size_t at = 0; at < word.size(); ++characters) {
        const char32_t c = next_code_point(word, at);
        const bool is_capital = is_upper(c);
        capital |= is_capital && characters == 0;
        upper += is_capital;
        letters += is_capital || is_lower(c);
        digits += is_digit(c);
        hyphens += c == U'-';
    }
    std::string result = "low";
    if (letters == 0)
        result = digits > 0 ? "num" : "other";
    else if (upper == letters && letters > 1)
        result = "ALL";
    else if (capital)
        result = begins_sentence ? "First" : "Cap";
    else if (upper > 0)
        result = "mIx";
    if (digits > 0 && letters > 0) result += "+num";
    if (hyphens > 0) result += "+hyphen";
    if (letters > 0 && upper < letters && characters > 3) {
        std::string lower;
        append_lower(lower, word);
        for (const std::string_view suffix : kSuffixes)
            if (lower.ends_with(suffix) && !lower.ends_with("ss")) return result + "-" + std::string(suffix);
    }
    return result;
}

}  // namespace sapwood

// The small regular expressions of Wapiti's %t and %m macros (Lavergne et al. 2010).
//
//     .  any character      \d \a \w \l \u \p \s  digit, letter, either, lower, upper, punctuation, space
//     x  itself             \D \A ...             anything else; any other \x is x itself
//     x* any number of x    x? at most one x      ^ at the front and $ at the end anchor
//
// The leftmost match wins; x* matches as few characters as possible, x? as many as possible. States that failed are
// remembered, so a search takes at most |pattern| x |text| steps and never exponential time.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

class Pattern {
  public:
    // Throws TemplateError (without a position) for a * or ? that follows no character, for a trailing backslash, and for
    // brackets, bars and + of other kinds of regular expressions.
    explicit Pattern(std::string_view source);

    // The part of the text that matches, or nothing if none does.
    std::optional<std::string_view> search(std::string_view text) const;

  private:
    struct Item {
        enum class Repeat : char { once, optional, star };
        bool (*has)(char32_t);  // whether a character is in the class; nullptr: the literal alone matches
        bool negated;
        Repeat repeat;
        char32_t literal;
    };

    static bool matches(const Item& item, char32_t c);

    std::vector<Item> items_;
    bool front_ = false, back_ = false;
};

}  // namespace sapwood

// Addresses of pages and of mail, in which no token begins.
#pragma once
#include <cstddef>
#include <string_view>

namespace sapwood {

// The addresses of a text whose characters are passed from left to right.
//
// That of a page is known from its "://" or "www." (in any case) on: to its last character that is a letter, a digit or a slash, or a bracket
// that the address both opened and closed: https://site/Mercury_(planet). Beyond ASCII it has letters and digits only,
// and none of scripts that do without spaces, where the text goes on behind an address without one. That of mail begins
// at a letter or digit: first.last@mail.site.org.
class Addresses {
  public:
    // Passes the character `c` at `at`, and returns whether it is inside an address, behind its first one. `text` must be
    // well-formed UTF-8, the same each time.
    bool pass(std::string_view text, size_t at, char32_t c);

    // Whether an address ends before the character `c` at `at`, which no address can have: a bracket, say.
    bool closed_by(size_t at, char32_t c) const;

  private:
    size_t begin_ = 0, end_ = 0;  // of the last address
};

}  // namespace sapwood

// Lists and tables in plain text: lines that begin with a mark, such as "-", "1." or "(a)", or have tabs, as lines near
// them do. An item of a list begins a sentence, and its mark none of its own; so does a row of a table. A single such line
// may be a wrapped one, or a heading.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace sapwood {

// The lines of a text in turn.
class ListLines {
  public:
    // Begins the line whose first character that is no space is at `at`; whether it is an item: whether one of the three
    // lines before it, or behind it, has a mark of its kind.
    bool begin(std::string_view text, size_t at);
    // Whether the mark of an item ends here: at the first space of its line.
    bool pass_mark() {
        const bool passes = in_mark_;
        in_mark_ = false;
        return passes;
    }

  private:
    static constexpr size_t kNear = 3;  // lines

    std::array<char, kNear> before_ = {};  // the kinds of mark of the last lines (list_lines.cpp)
    size_t lines_ = 0;
    bool in_mark_ = false;
};

}  // namespace sapwood

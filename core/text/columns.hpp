// A column file in memory: one token a line, one attribute a column, a blank line after each sentence.
//
// The bytes stay where they are; a cell is an offset and a length into them, eight bytes in all, so that
// reading costs one pass and no string. The format is CRF++'s and CoNLL's: if the first line has a tab,
// then every tab separates; otherwise runs of spaces do. Lines may end in LF or CRLF, the last one in
// nothing. There are no comments: in real corpora '#' is a word.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sapwood {

class Columns {
  public:
    // Reads `bytes`, which `owner` keeps alive. `name` and `first_line` go into error messages. `before`, if
    // any, is the block of the same file that came before: the rows must be like its rows. Throws DataError:
    // NUL byte, invalid UTF-8, a row with more or fewer cells than the first one.
    Columns(std::string_view bytes, std::shared_ptr<const void> owner, std::string name,
            size_t first_line = 1, const Columns* before = nullptr);

    // Builder for sentences that come from memory; `width` cells a token.
    Columns(size_t width, std::string name);
    void add_cell(std::string_view value);  // throws DataError if the value is empty
    void end_sentence();

    size_t sentences() const { return starts_.size() - 1; }
    size_t tokens() const { return width_ == 0 ? 0 : cells_.size() / width_; }
    size_t width() const { return width_; }  // 0 for a file without tokens
    size_t begin(size_t sentence) const { return starts_[sentence]; }
    size_t end(size_t sentence) const { return starts_[sentence + 1]; }
    const std::string& name() const { return name_; }
    std::string_view bytes() const { return built_.empty() ? bytes_ : std::string_view(built_); }
    char separator() const { return separator_; }

    std::string_view cell(size_t token, size_t column) const {
        const Cell c = cells_[token * width_ + column];
        return bytes().substr(c.offset, c.length);
    }
    // Offset of the byte after the token's last cell: where a predicted column is put in.
    size_t row_end(size_t token) const {
        const Cell c = cells_[token * width_ + width_ - 1];
        return c.offset + c.length;
    }
    // Two parts of the same data: of every 1 / fraction sentences, evenly spread, one goes to the second.
    std::pair<Columns, Columns> split(double fraction) const;

    // "name:line" of a token, for messages; counts line ends, so not for the fast path.
    std::string where(size_t token) const;

  private:
    struct Cell {
        uint64_t offset : 40;
        uint64_t length : 24;
    };

    void add_row(size_t begin, size_t end, size_t line);
    void push(size_t offset, size_t length);
    [[noreturn]] void fail(size_t line, const std::string& what) const;

    std::string_view bytes_;
    std::shared_ptr<const void> owner_;
    std::string built_;  // the bytes of a Columns that was built
    std::string name_;
    size_t first_line_ = 1;
    size_t width_ = 0;
    char separator_ = '\t';
    std::vector<Cell> cells_;           // [tokens][width]
    std::vector<size_t> starts_ = {0};  // [sentences + 1] first token of each sentence
};

}  // namespace sapwood

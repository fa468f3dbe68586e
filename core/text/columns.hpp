// A column file in memory: one token a line, one attribute a column, a blank line after each sentence.
//
// The input bytes are not copied. A cell is an offset and a length into them, packed into eight bytes, so reading is
// one pass that creates no strings. The format is that of CRF++ and CoNLL: if the first line contains a tab, cells are
// separated by single tabs, otherwise by runs of spaces. The last line end may be missing. In real corpora '#' is a word,
// so a line that begins with it is a comment only in front of a sentence, and if it is no row as the others are; where
// tabs separate cells, a line that begins with "# " and has none is a comment anywhere. A line of -DOCSTART-, which
// begins a document in CoNLL-2003, is no token, however many cells it has.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/joined_text.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

class Columns {
  public:
    // Reads `bytes`, which `owner` keeps alive. `name` and `first_line` appear in error messages. `before`, if not
    // null, is the previous block of the same file, and its separator, number of columns and habit of comments apply.
    // With `header`, the first row has names of columns, and is passed over.
    // Throws DataError for a NUL byte, for invalid UTF-8, and for a row whose number of cells differs from the first
    // row's.
    Columns(std::string_view bytes, std::shared_ptr<const void> owner, std::string name, size_t first_line = 1,
            const Columns* before = nullptr, bool header = false);

    // Starts empty, to be filled by add_cell and end_sentence, with `width` cells per token.
    Columns(size_t width, std::string name);
    void add_cell(std::string_view value);  // throws DataError if the value is empty, unless there may be gaps
    void end_sentence();                    // does nothing if it has no tokens
    void add_empty_sentence() { starts_.push_back(tokens()); }
    bool has_empty_sentences() const { return std::ranges::adjacent_find(starts_) != starts_.end(); }

    // A part of the bytes.
    struct Cell {
        uint64_t offset : 40;
        uint64_t length : 24;
    };
    // Starts without tokens, to be filled with parts of a text that is already there, and of what `keep` adds to it.
    static Columns over(std::string text, size_t width, std::string name);
    static constexpr size_t kLongestCell = (size_t{1} << 24) - 1;  // bytes
    // The bytes begin..end - 1, which are at most kLongestCell.
    static Cell part(size_t begin, size_t end) { return {begin & kLargestText, (end - begin) & kLongestCell}; }
    Cell keep(std::string_view value);  // adds to the bytes; throws DataError if there is no room
    void add_cell(Cell cell) { cells_.push_back(cell); }
    // From now on a cell may be empty, which says that a token has no value there, and so no feature of it.
    void allow_gaps() { has_gaps_ = true; }
    bool has_gaps() const { return has_gaps_; }
    // Gives each cell the value of its feature, [tokens][width], once all cells are there. Without values all are 1.
    void set_values(std::vector<float> values) { values_ = std::move(values); }
    bool has_values() const { return !values_.empty(); }
    float value(size_t token, size_t column) const { return values_.empty() ? 1.0f : values_[token * width_ + column]; }
    const std::vector<float>& values() const { return values_; }
    // Adds a column at the right, to columns without values.
    void add_column(const std::vector<Cell>& cells);

    size_t comments() const { return comments_; }            // how many lines are comments
    size_t first_comment() const { return first_comment_; }  // the number of the first one's line

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
    // Offset of the byte after the token's last cell, where a predicted column is inserted.
    size_t row_end(size_t token) const {
        const Cell c = cells_[token * width_ + width_ - 1];
        return c.offset + c.length;
    }
    // Offset of the end of each line of -DOCSTART-, rising.
    const std::vector<size_t>& document_starts() const { return document_starts_; }
    // Some of the sentences, given by their numbers from 0 in rising order, without those that are empty. A number that is
    // given several times gives as many copies.
    Columns select(const std::vector<size_t>& chosen) const;

    // The sentences of several files, one of them at least, as if these were one. Tokens know the file that they are in.
    // Throws DataError if the files have different numbers of columns.
    static Columns joined(const std::vector<const Columns*>& files);

    // "name:line" of a token, for messages. Takes linear time, because it counts line ends.
    std::string where(size_t token) const;

  private:
    void add_row(size_t begin, size_t end, size_t line);
    void push(size_t offset, size_t length);
    [[noreturn]] void fail(size_t line, const std::string& what) const;

    std::string_view bytes_;
    std::shared_ptr<const void> owner_;
    std::string built_;  // the bytes, if the object was filled by add_cell
    std::string name_;
    size_t first_line_ = 1;
    Origins origins_;  // of the bytes of several files
    size_t width_ = 0;
    char separator_ = '\t';
    bool has_gaps_ = false;
    bool habit_ = false;  // most sentences have comments
    size_t comments_ = 0, first_comment_ = 0;
    std::vector<size_t> document_starts_;
    std::vector<Cell> cells_;           // [tokens][width]
    std::vector<float> values_;         // [tokens][width], or empty
    std::vector<size_t> starts_ = {0};  // [sentences + 1] first token of each sentence
};

}  // namespace sapwood

// A dependency treebank in memory, in CoNLL-U (universaldependencies.org/format.html) or CoNLL-X (Buchholz & Marsi
// 2006) format: one word per line, fields separated by tabs, a blank line after each sentence.
//
// Reading is lossless. The input bytes are not copied: a word stores the offset of its row and the ends of its cells,
// and writing copies the input with some cells replaced. Everything that a parser does not use is therefore preserved:
// comments, multiword tokens (1-2), empty nodes (1.1), MISC, CRLF, a byte order mark, a last line without a line end.
// Only syntactic words, with ids 1, 2, 3 ..., are counted. Multiword tokens are kept beside them.
//
// The format is recognised by its columns: CoNLL-X has the same ten columns, or the first eight of them, and has no
// comments, multiword tokens or empty nodes. A column that is not in the file reads as "_". In CoNLL-U Plus a comment in
// front of the first word, `# global.columns = ID FORM ...`, names the columns; the ten must be among them. Cells with
// blanks at their edges are counted.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/joined_text.hpp"

namespace sapwood {

enum class Field { id, form, lemma, upos, xpos, feats, head, deprel, deps, misc };
constexpr size_t kFields = 10;
constexpr std::array<std::string_view, kFields> kFieldNames = {"id",    "form", "lemma",  "upos", "xpos",
                                                               "feats", "head", "deprel", "deps", "misc"};

class Conllu {
  public:
    static constexpr size_t kLongestRow = (size_t{1} << 24) - 1;  // bytes

    // New cells for one column.
    struct Replacement {
        Field field;
        std::vector<std::string_view> cells;  // [words]
    };

    struct Row {
        uint64_t offset;                     // of the first cell
        std::array<uint32_t, kFields> ends;  // [width] end of each cell, relative to the offset; the last, of the row
    };

    // A token of several words: the row with the id 1-2.
    struct Multiword {
        size_t begin, end;  // the first word and the one after the last, counted in the file
        Row row;
    };

    // Reads `bytes`, which `owner` keeps alive. `name` and `first_line` appear in error messages. Throws DataError,
    // with name:line and the sentence, for: a NUL byte, invalid UTF-8, a row that has neither ten nor eight columns or
    // a different number than the first row, an empty cell, ids out of order, a range that ends before or after its
    // words, a comment inside a sentence, a comment without a sentence. `before`, if not null, is the previous block of
    // the same file, and its columns apply.
    Conllu(std::string_view bytes, std::shared_ptr<const void> owner, std::string name, size_t first_line = 1,
           const Conllu* before = nullptr);

    size_t sentences() const { return blocks_.size(); }
    size_t words() const { return rows_.size(); }
    size_t begin(size_t sentence) const { return starts_[sentence]; }
    size_t end(size_t sentence) const { return starts_[sentence + 1]; }
    const std::string& name() const { return name_; }
    std::string_view bytes() const { return bytes_; }

    const std::vector<Multiword>& multiwords() const { return multiwords_; }  // in the order of their words

    std::string_view cell(size_t word, Field field) const { return cell(rows_[word], field); }
    std::string_view cell(const Row& row, Field field) const {
        const auto column = static_cast<size_t>(field);
        if (!places_.empty()) return cell_of_plus(row, places_[column]);
        if (column >= width_) return "_";
        const size_t start = column == 0 ? 0 : row.ends[column - 1] + 1;
        return bytes_.substr(row.offset + start, row.ends[column] - start);
    }

    // The names of the columns of CoNLL-U Plus that are none of CoNLL-U, with spaces between.
    const std::optional<std::string>& other_columns() const { return others_; }
    size_t padded() const { return padded_; }              // cells with blanks at their edges
    size_t first_padded() const { return first_padded_; }  // the number of the first one's line

    // Whether one of the sentence's comments is `# newpar` or `# newdoc`, with or without an id.
    bool begins_paragraph(size_t sentence) const;
    // The value of the comment sent_id; empty if there is none.
    std::string_view sent_id(size_t sentence) const { return value_of(blocks_[sentence], "sent_id"); }
    // The value of the comment text, which the words should spell; empty if there is none.
    std::string_view text(size_t sentence) const { return value_of(blocks_[sentence], "text"); }

    // Returns the bytes of the sentences with some columns replaced. Without replacements these are the bytes that were
    // read. Throws DataError if a column does not have one cell per word, is not in the file, is the id column or is
    // given twice, or if a cell is empty or contains a tab, a line end or a NUL.
    std::string write(std::vector<Replacement> replacements) const;

    // A treebank of the same sentences with some columns replaced; `where` names the places of the words that were read.
    // Throws DataError as `write` does.
    Conllu replaced(std::vector<Replacement> replacements) const;

    class Builder;

    // Some of the sentences, given by their numbers from 0 in rising order. A number that is given several times gives as
    // many copies.
    Conllu select(const std::vector<size_t>& chosen) const;

    // The sentences of several files, one of them at least, as if these were one: words know the file that they are in.
    // Throws DataError if the files have different numbers of columns.
    static Conllu joined(const std::vector<const Conllu*>& files);

    // "name:line: sentence 'id'" of a word, for messages. The id comes from the comment sent_id, if there is one. Takes
    // linear time, because it counts line ends.
    std::string where(size_t word) const;

  private:
    struct Block {
        uint64_t begin, end;  // a sentence's bytes, from its comments to its blank lines
    };
    class Ids;

    std::string_view cell_of_plus(const Row& row, size_t place) const;
    size_t place_of(Field field) const {
        return places_.empty() ? static_cast<size_t>(field) : places_[static_cast<size_t>(field)];
    }
    void name_columns(std::string_view line_text, size_t line);
    void add_row(size_t begin, size_t end, size_t line, Ids& ids);
    void end_sentence(const Ids& ids, size_t line);
    void check(std::vector<Replacement>& replacements) const;
    // Returns what `write` does, and gives the rows, sentences and multiword tokens of `moved`, a copy of this treebank,
    // the places that they have in it; nullptr: of none.
    std::string copy(const std::vector<Replacement>& replacements, Conllu* moved) const;
    // The value of the first comment of this name; empty if there is none.
    std::string_view value_of(const Block& block, std::string_view name) const;
    // The first comment of a sentence that begins with one of the names, without its mark '#'; empty if there is none.
    std::string_view comment(const Block& block, std::initializer_list<std::string_view> names) const;
    std::string place(const Block& block, const std::string& line) const;
    [[noreturn]] void fail(size_t line, const std::string& what) const;  // names the sentence being read

    std::string_view bytes_;
    std::shared_ptr<const void> owner_;
    std::string name_;
    size_t first_line_;
    Origins origins_;                    // of the bytes of several files
    size_t width_ = 0;                   // columns: 10, 8, more of CoNLL-U Plus, or 0 for a file without words
    std::vector<size_t> places_;         // CoNLL-U Plus only: [kFields] which column each field is
    std::optional<std::string> others_;  // and the names of the other columns
    std::string header_;                 // and the line that names them all
    size_t padded_ = 0, first_padded_ = 0;
    std::vector<Row> rows_;             // [words]
    std::vector<size_t> starts_ = {0};  // [sentences + 1] first word of each sentence
    std::vector<Block> blocks_;         // [sentences]
    std::vector<Multiword> multiwords_;
    std::shared_ptr<const Conllu> read_;  // what was read, if columns were replaced: it knows the places of the words
};

// A treebank that is made in memory. Its text is written cell by cell; a cell must be neither empty nor have a tab or a
// line end in it.
class Conllu::Builder {
  public:
    explicit Builder(std::string name) : made_({}, nullptr, std::move(name)) { made_.width_ = kFields; }

    std::string& text() { return text_; }  // comments are added to it before the first row of a sentence
    void begin_row() { row_ = {text_.size(), {}}, cell_ = 0; }
    void end_cell() {
        row_.ends[cell_++] = static_cast<uint32_t>(text_.size() - row_.offset);
        text_ += cell_ == kFields ? '\n' : '\t';
    }
    void add_cell(std::string_view cell) { text_ += cell, end_cell(); }
    void end_word() { check_row(), made_.rows_.push_back(row_); }
    void end_multiword(size_t words) {  // before the first of its words
        check_row();
        made_.multiwords_.push_back({made_.rows_.size(), made_.rows_.size() + words, row_});
    }
    void end_sentence() {
        text_ += '\n';
        const uint64_t begin = made_.blocks_.empty() ? 0 : made_.blocks_.back().end;
        made_.blocks_.push_back({begin, text_.size()});
        made_.starts_.push_back(made_.rows_.size());
    }
    Conllu take();

  private:
    void check_row() const {
        if (text_.size() - row_.offset > kLongestRow) refuse_row();
    }
    [[noreturn]] void refuse_row() const;

    Conllu made_;
    std::string text_;
    Row row_{};
    size_t cell_ = 0;
};

// True if a text can stand in a cell: it is not empty, and has no tab, line end or NUL.
bool fits_a_cell(std::string_view text);

// A cell in quotation marks for a message, on one line and cut after 40 characters.
std::string quoted(std::string_view cell);

}  // namespace sapwood

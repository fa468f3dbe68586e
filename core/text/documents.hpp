// Documents to classify. A document has tokens of one or more columns (word, tag), optionally one marked token, fields
// that describe the whole document (author, genre), and a label if it is known.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/answers.hpp"
#include "text/columns.hpp"

namespace sapwood {

class Documents {
  public:
    static constexpr size_t kUnmarked = SIZE_MAX;

    // Starts empty, with `columns` cells per token and `fields` values per document. `name` appears in messages.
    Documents(size_t columns, size_t fields, std::string name)
        : tokens_(columns, name), fields_per_document_(fields), answers_(std::move(name)) {}

    // Reads fastText's format: one document per line. A word that begins with __label__ is a label, wherever it stands;
    // the other words are the text. Blank lines are skipped if `skip_blank`. If a document may have `several` labels, they
    // become one text (Answers::kBetween). Throws DataError for a NUL byte, for invalid UTF-8, for __label__ without a name
    // and else for two labels on one line.
    static Documents read_fasttext(std::string_view bytes, const std::string& name, size_t first_line, bool skip_blank,
                                   bool several = false);

    void add_text(std::string_view text);  // splits it by next_token; for documents with one column
    void add_cell(std::string_view value) { tokens_.add_cell(value); }
    void mark_next() { marked_.back() = tokens_.tokens() - starts_.back(); }  // marks the token added next
    void add_field(std::string_view value) { fields_.emplace_back(value); }
    void end_document(std::string_view label, size_t line);

    size_t size() const { return starts_.size() - 1; }
    const Columns& tokens() const { return tokens_; }
    size_t begin(size_t document) const { return starts_[document]; }
    size_t end(size_t document) const { return starts_[document + 1]; }
    size_t marked(size_t document) const { return marked_[document]; }  // relative to begin, or kUnmarked
    std::span<const std::string> fields(size_t document) const {
        return {fields_.data() + document * fields_per_document_, fields_per_document_};
    }
    size_t fields_per_document() const { return fields_per_document_; }
    const Answers& answers() const { return answers_; }

    // Lines of fastText's format in which labels are not parted by spaces: a word has __label__ inside of it, or a label ends
    // in a comma or semicolon. With the number of the first such line, and the word.
    size_t odd_labels() const { return odd_labels_; }
    const std::pair<size_t, std::string>& first_odd_label() const { return first_odd_label_; }

  private:
    // Adds the words of a line that are no labels, and returns the labels.
    std::string add_labelled(std::string_view line, size_t number, bool several);

    Columns tokens_;
    size_t fields_per_document_;
    std::vector<size_t> starts_ = {0};          // [documents + 1] first token of each document
    std::vector<size_t> marked_ = {kUnmarked};  // [documents + 1] the last entry is for the document being built
    std::vector<std::string> fields_;           // [documents][fields]
    Answers answers_;
    size_t odd_labels_ = 0;
    std::pair<size_t, std::string> first_odd_label_;
};

}  // namespace sapwood

// Texts to classify. A document has tokens of one column or more (word, tag), perhaps a marked one among them, fields
// that describe the whole (author, genre), and a label if it is known.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/answers.hpp"
#include "text/columns.hpp"

namespace sapwood {

class Documents {
  public:
    static constexpr size_t kUnmarked = SIZE_MAX;

    // A builder: `columns` cells a token, `fields` values a document. `name` goes into messages.
    Documents(size_t columns, size_t fields, std::string name)
        : tokens_(columns, name), fields_per_document_(fields), answers_(std::move(name)) {}

    // fastText's format: a document a line, __label__NAME in front of its text, or nowhere if it is not known. Lines
    // without anything are left out if `skip_blank`. Throws DataError: NUL byte, invalid UTF-8, two labels in a line.
    static Documents read_fasttext(std::string_view bytes, const std::string& name, size_t first_line,
                                   bool skip_blank);

    void add_text(std::string_view text);  // its tokens, see next_token; one column
    void add_cell(std::string_view value) { tokens_.add_cell(value); }
    void mark_next() { marked_.back() = tokens_.tokens() - starts_.back(); }  // the token that comes next
    void add_field(std::string_view value) { fields_.emplace_back(value); }
    void end_document(std::string_view label, size_t line);

    size_t size() const { return starts_.size() - 1; }
    const Columns& tokens() const { return tokens_; }
    size_t begin(size_t document) const { return starts_[document]; }
    size_t end(size_t document) const { return starts_[document + 1]; }
    size_t marked(size_t document) const { return marked_[document]; }  // counted from begin, or kUnmarked
    std::span<const std::string> fields(size_t document) const {
        return {fields_.data() + document * fields_per_document_, fields_per_document_};
    }
    size_t fields_per_document() const { return fields_per_document_; }
    const Answers& answers() const { return answers_; }

  private:
    Columns tokens_;
    size_t fields_per_document_;
    std::vector<size_t> starts_ = {0};          // [documents + 1] first token of each
    std::vector<size_t> marked_ = {kUnmarked};  // [documents + 1] the last is of the one that is being built
    std::vector<std::string> fields_;           // [documents][fields]
    Answers answers_;
};

}  // namespace sapwood

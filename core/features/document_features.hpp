// From documents to document_features (Schneider 2017): what a template's lines find in a text, as features with values. U lines
// look from the marked word, A and C lines at every token, N lines at numbers; see template.hpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "features/extractor.hpp"
#include "features/feature_rows.hpp"
#include "text/documents.hpp"

namespace sapwood {

class DocumentFeatures {
  public:
    DocumentFeatures(Template pattern, std::vector<WordList> lists);

    struct Workspace {
        Extractor::Workspace text;
        std::vector<uint64_t> once, counted,
            line;  // keys of A and U lines, of C lines; of one group at all tokens
        std::string word;
    };

    // Throws DataError if the documents lack a column or a field that the template reads.
    void check(const Documents& documents) const;

    // Appends the document_features of a document as one row. Throws DataError, naming the place, if a line looks from the
    // marked word and there is none, or the value of a number line is none.
    void read(const Documents& documents, size_t document, Workspace& workspace, FeatureRows& rows) const;

    // The texts of features; `keys` ascend.
    std::vector<std::string> names(const Documents& documents, const std::vector<uint64_t>& keys) const;

    const Extractor& extractor() const { return extractor_; }

  private:
    template <class Visit>
    void each_run(const Line& line, std::string_view word, std::string& scratch, Visit&& visit) const;
    bool is_runs(const Line& line) const;
    void collect(unsigned group, const Documents& documents, size_t document, Workspace& workspace,
                 std::vector<uint64_t>& keys) const;
    double number(const Line& line, const Documents& documents, size_t document) const;

    Extractor extractor_;
    bool looks_from_mark_ = false;  // a line needs the marked word
    std::vector<Line> numbers_;
    size_t fields_needed_ = 0;
};

}  // namespace sapwood

// Applies a template to documents (Schneider 2017) and gives each document's features with their values. U lines are
// expanded at the marked token, A and C lines at every token, and N lines take numbers; S lines leave tokens out. See
// template.hpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/counted_features.hpp"
#include "features/extractor.hpp"
#include "features/feature_rows.hpp"
#include "text/documents.hpp"

namespace sapwood {

class DocumentFeatures {
  public:
    DocumentFeatures(Template pattern, std::vector<WordList> lists,
                     std::shared_ptr<const WordClusters> clusters = nullptr);

    struct Workspace {
        Extractor::Workspace text;
        std::vector<uint64_t> once;  // keys of U and A lines
        CountedFeatures counted;     // keys of C lines
        std::vector<uint64_t> line;  // [tokens][lines] keys of one group
        std::string word;
        std::optional<Documents> kept;  // the document without the tokens that S lines leave out
    };

    // Throws DataError if the documents do not have a column or a field that the template reads.
    void check(const Documents& documents) const;

    // Appends the features of a document as one row. Throws DataError, with the document's place, if a line needs the
    // marked token and there is none, or if the field of a number line is not a number.
    void read(const Documents& documents, size_t document, Workspace& workspace, FeatureRows& rows) const;

    // The texts of features that occur in the documents, for keys in ascending order; "" for the others.
    std::vector<std::string> names(const Documents& documents, const std::vector<uint64_t>& keys) const;

    // Keys of the features that every document has: of lines without a macro, such as U:bias, and of N lines.
    std::vector<uint64_t> of_all() const;

    const Extractor& extractor() const { return extractor_; }

  private:
    template <class Visit>
    void each_run(const Line& line, std::string_view word, std::string& scratch, Visit&& visit) const;
    bool is_runs(const Line& line) const;

    // A document as the lines see it.
    struct Seen {
        const Documents& documents;
        size_t number;

        size_t begin() const { return documents.begin(number); }
        size_t end() const { return documents.end(number); }
        size_t marked() const { return documents.marked(number); }
    };
    Seen look(const Documents& documents, size_t document, Workspace& workspace) const;
    Seen without_skipped(const Documents& documents, size_t document, Workspace& workspace) const;
    template <class Add>
    void collect(unsigned group, const Seen& seen, Workspace& workspace, Add&& add) const;
    double number(const Line& line, const Seen& seen, const Documents& documents, size_t document) const;

    Extractor extractor_;
    bool looks_from_mark_ = false;  // whether a line needs the marked token
    std::vector<Line> numbers_;
    size_t fields_needed_ = 0;
};

}  // namespace sapwood

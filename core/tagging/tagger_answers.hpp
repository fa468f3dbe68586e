// A tagger's answers as users see them: with the names of labels, and at the end of the rows that were read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tagging/shown_labels.hpp"
#include "tagging/tagger.hpp"
#include "text/columns.hpp"

namespace sapwood {

class TaggerAnswers {
  public:
    // With `iobes`, the tagger has learned BIO chunks as IOBES, and its labels are shown as BIO.
    TaggerAnswers(const SequenceSpec& spec, bool iobes);

    const ShownLabels& shown() const { return shown_; }
    const std::vector<std::string>& labels() const { return shown_.names(); }  // [labels] of the tagger, by number

    // The bytes that were read, with a label at the end of every row: how many they are, and the bytes themselves. Lines
    // of -DOCSTART- get one as well, so that all rows stay as wide as they were to each other.
    size_t annotated_size(const Columns& data, const std::vector<Label>& guess) const;
    void annotate(const Columns& data, const std::vector<Label>& guess, char* to) const;

    // The n best label sequences of a sentence. Of sequences that are shown alike, only the best one is kept. At most
    // sixteen times as many sequences are searched, so there may be fewer.
    std::vector<Tagger::Ranked> n_best(const Tagger& tagger, const Columns& data, size_t sentence, size_t count) const;

  private:
    std::string_view of_document_start() const;  // the label that says nothing: O, or -X- among others

    ShownLabels shown_;
};

}  // namespace sapwood

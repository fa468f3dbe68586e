// The rows that a segmenter's tagger labels: one for each place at which there is a choice (places.hpp). Their cells are
// parts of the text, so that templates make features of them as of any other columns.
//
//     0  kind    class of the character before, gap (-, _ or /), class of the character after: "a-."
//     1  gap     - for none, _ for a space, / for a line end
//     2  head    what is before the place: the beginning of the same chunk, or the chunk before the gap
//     3  tail    what is behind it: the rest of the chunk, or the chunk after the gap
//     4  before  the chunk before these two
//     5  after   the chunk behind them
//     6  later   the one after that
//     7          in training, the label: . (nothing begins), T (a token) or S (a sentence)
//
// A chunk is a run of characters without a space. At most 24 characters of it are shown, those nearest to the place.
// Beyond the text there are chunks "<>".
#pragma once
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "segmenting/places.hpp"
#include "text/columns.hpp"

namespace sapwood {

constexpr size_t kSegmentColumns = 7;
constexpr std::string_view kOutside = "<>";  // the chunks beyond the text
constexpr std::array<std::string_view, 3> kBeginsLabels = {".", "T", "S"};

// A run of text without an empty line; tokens do not cross its ends, and at its first character a sentence begins.
struct Paragraph {
    size_t begin, end;
};

// The paragraphs of a text that are not only spaces. Each ends where an empty line begins.
std::vector<Paragraph> paragraphs(std::string_view text);
// The lines that are not only spaces, each as a paragraph. Each ends where the next line begins.
std::vector<Paragraph> lines(std::string_view text);

class SegmentRows {
  public:
    // `text` is the whole text, of which paragraphs will be added; `labelled` tells whether the rows have labels.
    SegmentRows(std::string_view text, const SegmentChoices& choices, bool labelled);

    // Adds a part of the text as one sequence of rows. decided(place, set) is called at every place, in order, with
    // what may begin there; in rows with labels it returns what does.
    template <class Visit>
    void add(size_t begin, size_t end, Visit&& visit);

    const Columns& columns() const { return columns_; }
    Columns take() { return std::move(columns_); }

  private:
    Columns::Cell last_of(size_t begin, size_t end) const;
    Columns::Cell first_of(size_t begin, size_t end) const;
    Columns::Cell chunk(size_t number) const;
    Columns::Cell kind(const Place& place, Gap gap);
    void find_chunks(size_t begin, size_t end);
    void add_row(const Place& place, size_t offset, Gap gap);

    std::string_view text_;
    const SegmentChoices& choices_;
    Columns columns_;
    Columns::Cell outside_;
    std::array<Columns::Cell, 3> gaps_, labels_;
    std::unordered_map<uint64_t, Columns::Cell> kinds_;
    std::vector<Paragraph> chunks_;  // of the part that is being added
    size_t chunk_ = 0;               // the one that the place's next character is in
};

template <class Visit>
void SegmentRows::add(size_t begin, size_t end, Visit&& visit) {
    find_chunks(begin, end);
    each_place(text_.substr(begin, end - begin), [&](const Place& place) {
        const BeginsSet set = choices_(place);
        const bool choice = (set & (set - 1)) != 0;
        if (choice) add_row(place, begin, choices_.gap(place));
        if constexpr (std::is_same_v<decltype(visit(place, set)), Begins>) {
            const Begins what = visit(place, set);
            if (choice) columns_.add_cell(labels_[static_cast<size_t>(what)]);
        } else {
            visit(place, set);
        }
    });
    columns_.end_sentence();
}

}  // namespace sapwood

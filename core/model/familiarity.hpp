// What a model was made for, told by the frequent words of its training data.
//
// A few hundred words make up most of any text of a language, and few of them occur in another language. So a model keeps
// the kMost most frequent words of its training data, and the share of all words that they make up there. A text with a
// far lower share is in another language, or is no text at all. Names and other rare words do no harm.
//
// A word is a cell of three bytes or more that begins with a letter, because many languages share shorter words. Capitals
// count as small letters. Where examples are features and have no words, the keys of the features are counted instead.
//
// The other columns that a model reads, such as tags, are counted cell by cell: how many cells have a value that is
// frequent in the training data, and how many are empty, which is a placeholder such as "_".
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "features/feature_rows.hpp"
#include "model/seen_sentences.hpp"
#include "text/columns.hpp"
#include "text/conllu.hpp"
#include "text/doc.hpp"
#include "text/documents.hpp"
#include "text/familiar_words.hpp"

namespace sapwood {

// What was counted in a text.
struct FamiliarityCounts {
    uint64_t characters = 0;  // of its words, with a space after each; of a Doc the bytes of its text
    FamiliarWords words;
};

// The cells of a column, how many of them have frequent values, and how many are empty.
struct FamiliarCells {
    uint64_t cells = 0, known = 0, empty = 0;
};

class Familiarity {
  public:
    static constexpr size_t kMost = 1536;   // frequent words, of all columns together
    static constexpr size_t kInterval = 4;  // of so many windows of a long text, the first is looked at

    // `frequent`: the keys of the frequent words and values, at most kMost, ascending. `columns`: the numbers of the
    // columns, that of the words first; in a treebank these are Fields, and the words are its forms.
    // Throws ModelError if the keys are not that.
    Familiarity(const std::vector<uint32_t>& frequent, std::vector<size_t> columns);

    // The counts of windows of so many characters, and of what is left. Of a long text one window in kInterval is looked
    // at, beginning with the first one, as a text in another language goes on for long; of a Doc all.
    std::vector<FamiliarityCounts> count(const Columns& data, size_t window) const;
    std::vector<FamiliarityCounts> count(const Conllu& data, size_t window) const;
    std::vector<FamiliarityCounts> count(const Documents& data, size_t window) const {
        return count(data.tokens(), window);
    }
    std::vector<FamiliarityCounts> count(const FeatureRows& data, size_t window) const;
    std::vector<FamiliarityCounts> count(const Doc& data, size_t window) const;  // what is in `familiar` already
    // The counts of each sentence, document or row, however long it is.
    std::vector<FamiliarityCounts> count_each(const Columns& data) const;
    std::vector<FamiliarityCounts> count_each(const Conllu& data) const;
    std::vector<FamiliarityCounts> count_each(const Documents& data) const;
    std::vector<FamiliarityCounts> count_each(const FeatureRows& data) const;
    // The words begin..end - 1 of the first column.
    FamiliarWords count(const Columns& data, size_t begin, size_t end) const;

    // The counts of the other columns in windows of so many words, [windows][columns - 1]. After the first window, one
    // word in kInterval is looked at.
    using Cells = std::vector<std::vector<FamiliarCells>>;
    Cells count_cells(const Columns& data, size_t window) const;
    Cells count_cells(const Conllu& data, size_t window) const;
    Cells count_cells(const Documents& data, size_t window) const { return count_cells(data.tokens(), window); }

  private:
    // Calls look(k, counts) for each word k of the windows that are looked at, with the counts of its window.
    template <class Look>
    static std::vector<FamiliarityCounts> in_windows(size_t words, size_t window, Look&& look);
    template <class Data, class Look>
    static std::vector<FamiliarityCounts> in_units(const Data& data, size_t units, Look&& look);
    template <class Cell>
    Cells cells_in_windows(size_t words, size_t window, Cell&& cell) const;  // cell(word, column)
    void look_at(std::string_view cell, FamiliarityCounts& now) const;
    void look_at(uint32_t key, FamiliarityCounts& now) const;
    bool knows(uint32_t key) const;

    std::vector<size_t> columns_;
    std::vector<uint32_t> slots_;  // an open hash table, 0: empty
};

// Finds the frequent words of training data, and how many of a text's words they are where the model did not see it.
// Each tenth of the data is held out in turn: a frequent word counts as known there if it also occurs elsewhere.
class FamiliarityLearner {
  public:
    static constexpr size_t kFewest = 1000;               // words, below which nothing can be said
    static constexpr size_t kFarthest = size_t{1} << 22;  // words of a column; those behind them are not looked at
    static constexpr size_t kWindow = 100;                // words

    // `columns`: as Familiarity takes them.
    explicit FamiliarityLearner(std::vector<size_t> columns)
        : columns_(std::move(columns)), keys_(columns_.size()), ends_(columns_.size()), seen_(columns_.size()) {}

    void add(const Columns& data);
    void add(const Conllu& data);
    void add(const Documents& data);
    void add(const FeatureRows& data);

    struct Column {
        double share;                            // of all words
        std::vector<double> sentences, windows;  // the shares at kQuantiles, ascending; windows are of kWindow words
        double empty = 0, most_empty = 0;        // share of empty cells; of all, and in 99 % of the windows at most
    };
    static constexpr double kQuantiles[] = {0.001, 0.01, 0.1, 0.5};
    struct Learned {
        std::vector<uint32_t> frequent;
        std::vector<Column> columns;
        std::vector<uint32_t> seen;  // as SeenSentences has them
    };
    // No frequent words and no columns if the first column has fewer than kFewest words.
    Learned learned() const;

  private:
    template <class Cell>
    void add_words(size_t begin, size_t end, Cell&& cell);  // cell(word, column)
    void add_word(std::string_view cell, size_t column);
    void end_sentence();
    std::vector<uint32_t> frequent_keys() const;
    Column column(size_t number, const std::vector<uint32_t>& frequent) const;

    std::vector<size_t> columns_;
    std::vector<std::vector<uint32_t>> keys_;  // [columns][words]
    std::vector<std::vector<size_t>> ends_;    // [columns][sentences] the word after the last one
    SeenSentences seen_;
};

}  // namespace sapwood

// Computes feature keys from tokens: each attribute of each different cell is hashed once, then every template line
// combines these hashes. A workspace holds the memory for a sentence and the hashes of cells seen before; it belongs
// to one extractor and is reused.
//
// Most lines look at one cell alone, so what they add to the scores is the same wherever the cell comes again. A caller
// who keeps these sums (tagging/cell_sums.hpp) sets `joint_only` in the workspace. It gets the keys of the other lines by
// kJointGroup, and those of a cell by cell_keys.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "features/cell_numbers.hpp"
#include "features/lexicon.hpp"
#include "features/template.hpp"
#include "features/word_clusters.hpp"
#include "text/columns.hpp"
#include "text/normal_form.hpp"
#include "text/tokens.hpp"

namespace sapwood {

// Lines that look at the same labels form a group, numbered reach + 3 * ahead: group 0 looks at no label, groups 1 and
// 2 at one and two labels to the left, and groups from 3 on also at labels to the right.
constexpr unsigned kLineGroups = 9;
// The lines that are expanded at all tokens of a document (see Scope) form three more groups.
constexpr unsigned kAnyGroup = 9, kCountGroup = 10, kSkipGroup = 11;
// The lines of group 0 that are not among Extractor::cell_lines.
constexpr unsigned kJointGroup = 12, kAllGroups = 13;
constexpr size_t kMostCellLines = 256;  // lines of one cell whose weights are added up to one sum
inline unsigned line_group(unsigned reach, unsigned ahead) {
    return reach + 3 * ahead;
}

// The key of a line that looks at an empty cell of columns with gaps: it has no feature at that token. A key that is a
// hash is this number by chance alone.
constexpr uint64_t kNoFeature = 0;

// The labels around a token, from two to the left to two to the right. L is a label's number or the hash of its name.
template <class L>
struct LabelContext {
    L l2, l1, r1, r2;
};

// Calls visit(offset, label) for the labels that a group of lines looks at, from left to right.
template <class L, class Visit>
void each_label(unsigned group, const LabelContext<L>& context, Visit&& visit) {
    const unsigned reach = group % 3, ahead = group / 3;
    if (reach == 2) visit(-2, context.l2);
    if (reach >= 1) visit(-1, context.l1);
    if (ahead >= 1) visit(1, context.r1);
    if (ahead == 2) visit(2, context.r2);
}

// Combines the key of a line with the hashes of the labels that its group looks at.
inline uint64_t with_labels(uint64_t key, unsigned group, const LabelContext<uint64_t>& context) {
    each_label(group, context, [&](int, uint64_t label) { key = combine(key, label); });
    return key;
}

// Tables in which template lines look up words; models share them. Lines that need a table which is null are left out.
struct WordTables {
    std::shared_ptr<const WordClusters> clusters;
    std::shared_ptr<const Lexicon> lexicon;
};

// CRF++'s names of the rows before the first token and after the last one, `distance` rows away.
std::string boundary(ptrdiff_t distance);

class Extractor {
  public:
    // Lines that look at labels further back than `reach` or further ahead than `ahead` are ignored. `lists` are in the
    // order of Template::list_names. Lines that look at a table which is not there are ignored, too. Cells are read in
    // their composed form (text/normal_form.hpp), and with_plain_apostrophes (text/tokens.hpp) if that is said.
    Extractor(Template pattern, std::vector<WordList> lists, unsigned reach, unsigned ahead, WordTables tables = {},
              bool plain_apostrophes = false);
    // Cannot be copied, because groups_, cell_lines_ and list_of_ point into other members.
    Extractor(Extractor&&) = default;

    // The different cells of a column so far, and the values of the column's attributes. Behind them stand the cells of
    // the sentence that are too long to be remembered.
    struct Cells {
        CellNumbers numbers;
        std::vector<uint64_t> values;  // [cells][attributes of the column]
        uint32_t forgotten = 0;        // how often all were forgotten: too many, or empty ones mean something else
    };

    // Two or more lines without labels that look at the same place of the same column: what they give depends on the
    // cell there alone. At most kMostCellLines, so that sums of their weights of int8 fit in 16 bits.
    struct CellLines {
        size_t column;     // an index of Workspace::cells
        ptrdiff_t offset;  // of the cell's row
        std::vector<const Line*> lines;
    };

    struct Workspace {
        std::vector<uint64_t> fields;  // hashes of the document's fields, if the template uses them
        std::vector<uint64_t> values;  // [attributes][padding + n + padding]
        std::vector<uint64_t> words;   // scratch for word lists
        std::vector<Cells> cells;      // [columns_]
        std::vector<uint32_t> ids;     // [columns_][padding + n + padding] which cell stands there, see lasting_ids
        std::string text, word, cell;  // scratch for transformed values
        std::vector<CellNumbers::Wanted> wanted;  // scratch: the cells of a column
        size_t n = 0;
        bool gaps = false;        // whether keys may be kNoFeature
        bool has_gaps = false;    // whether the data have gaps
        bool joint_only = false;  // whether values are needed for the lines of kJointGroup and those with labels alone
    };

    // The lines of each group (see line_group), in the template's order.
    size_t lines(unsigned group) const { return groups_[group].size(); }
    const Line& line(unsigned group, size_t index) const { return *groups_[group][index]; }
    const Template& pattern() const { return template_; }
    const std::vector<WordList>& lists() const { return lists_; }

    // Hashes the attributes of one sentence, the tokens begin to end - 1 of `data`.
    void read(const Columns& data, size_t begin, size_t end, Workspace& workspace) const;

    // Writes the keys of one group's lines, for the sentence that was read last, to keys[i * stride + line]. Keys of
    // lines that look at labels must still be combined with the labels (see with_labels).
    void keys(unsigned group, const Workspace& workspace, uint64_t* keys, size_t stride) const;

    // Writes the values of one group's lines at the tokens begin to end - 1 to values[i * stride + line]: the product of the
    // values of the cells that a line looks at (Columns::value).
    void values(unsigned group, const Columns& data, size_t begin, size_t end, float* values, size_t stride) const;

    // The key of a line without labels at one token of the sentence that was read last.
    uint64_t key(const Line& line, const Workspace& workspace, size_t i) const;

    const std::vector<CellLines>& cell_lines() const { return cell_lines_; }
    // The numbers of the cells at the rows of the sentence that was read last, from `padding` rows before its first
    // token; numbers from lasting_ids on are given anew in the next sentence.
    const uint32_t* ids(size_t column, const Workspace& workspace) const {
        return workspace.ids.data() + column * (workspace.n + 2 * template_.padding()) + template_.padding();
    }
    uint32_t lasting_ids(size_t column, const Workspace& workspace) const {
        return static_cast<uint32_t>(2 * template_.padding() + workspace.cells[column].numbers.size());
    }
    // The keys of these lines for a cell: kNoFeature if it is a gap.
    void cell_keys(const CellLines& lines, const Workspace& workspace, uint32_t id, uint64_t* keys) const;

    // For searches that combine keys with labels: the number of lines that look at labels, group by group; their keys,
    // written to keys[i * label_lines() + line]; and the keys of one token combined with the hashes of its labels.
    size_t label_lines() const;
    void label_keys(const Workspace& workspace, uint64_t* keys) const;
    void join_labels(const uint64_t* keys, const LabelContext<uint64_t>& context, uint64_t* joined) const;

    // The distance of the farthest label to the left, or to the right, that a line looks at.
    unsigned reach() const;
    unsigned ahead() const;

    // A cell as features see it: the cell itself, or what `scratch` holds then.
    std::string_view as_read(std::string_view cell, std::string& scratch) const {
        if (is_ascii(cell)) return cell;
        const std::string_view text = composed(cell, scratch);
        return plain_apostrophes_ ? with_plain_apostrophes(text, scratch) : text;
    }

    // Whether a line has a macro. A line without one, such as the label bigram B, has the same key at all tokens.
    bool varies(unsigned group, size_t line) const { return !groups_[group][line]->parts.empty(); }
    uint64_t constant_key(unsigned group, size_t line) const { return groups_[group][line]->seed; }

    // The text that a line expands to at token i, as CRF++ prints it. `fields` are those of the document.
    std::string name(const Line& line, const Columns& data, size_t begin, size_t end, size_t i,
                     std::span<const std::string> fields = {}) const;

  private:
    static constexpr uint64_t kGap = 0;  // the value of an empty cell of columns with gaps

    void drop_gaps(unsigned group, const Workspace& workspace, uint64_t* keys, size_t stride) const;
    // The attributes whose value for a token depends on the token's cell in one column alone. Attributes
    // that lines outside cell_lines look at come first.
    struct Column {
        size_t number;
        std::vector<size_t> attributes;
        size_t joint = 0;  // how many come first
    };

    void find_cell_lines();
    void read_column(size_t column, const Columns& data, size_t begin, size_t end, Workspace& workspace) const;
    void read_list(size_t attribute, const Columns& data, size_t begin, size_t end, uint64_t* values,
                   Workspace& workspace) const;
    uint64_t value(size_t attribute, std::string_view cell, Workspace& workspace) const;
    const WordClusters* table_of(const Attribute& attribute) const;
    bool lacks_table(const Line& line) const;
    uint32_t find_class(const Attribute& attribute, std::string_view cell, std::string& lower,
                        std::string& scratch) const;
    std::string_view class_text(const Attribute& attribute, uint32_t of_class) const;
    void transform(const Attribute& attribute, std::string_view cell, std::string& out) const;

    Template template_;
    std::vector<WordList> lists_;
    WordTables tables_;
    bool plain_apostrophes_;
    std::vector<std::vector<uint64_t>> class_values_;  // [attributes][classes + 1] the last for words without a class
    std::vector<Column> columns_;
    std::vector<CellLines> cell_lines_;
    std::vector<size_t> index_in_column_;           // [attributes]
    std::vector<uint64_t> before_, after_;          // [padding] values of the rows around a sentence
    std::vector<Pattern> patterns_;                 // [attributes] an empty pattern where the attribute has none
    std::vector<const WordList*> list_of_;          // [attributes] null where the attribute has none
    std::vector<std::vector<const Line*>> groups_;  // [kAllGroups]
};

}  // namespace sapwood

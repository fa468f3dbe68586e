#include "features/extractor.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/stop_check.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

// Different cells of a column that are remembered. If a sentence makes them more, all are forgotten before the next one.
constexpr size_t kMostCells = 1 << (sizeof(void*) > 4 ? 14 : 10);  // fewer where memory is short
constexpr size_t kAhead = 8;                                       // cells between prefetch and use

void forget(Extractor::Cells& cells) {
    cells = {.numbers = {}, .values = {}, .forgotten = cells.forgotten + 1};
}

// Whether an attribute looks words up in a table, if it is there.
bool looks_up(const Attribute& attribute) {
    return attribute.kind == Attribute::Kind::cluster || attribute.kind == Attribute::Kind::lexicon;
}

// Whether an attribute has a value for each cell, which depends on nothing else.
bool depends_on_cell(const Attribute& attribute, const WordClusters* table) {
    using Kind = Attribute::Kind;
    if (looks_up(attribute)) return table != nullptr;
    return attribute.kind != Kind::list && attribute.kind != Kind::chars && attribute.kind != Kind::field;
}

// The row that a part looks at from token i of n. An absolute row outside the sentence is the first row after it.
size_t place(const Part& part, size_t i, size_t n) {
    ptrdiff_t at = part.offset + static_cast<ptrdiff_t>(part.absolute ? (part.offset < 0 ? n : 0) : i);
    if (part.absolute && (at < 0 || at >= static_cast<ptrdiff_t>(n))) at = static_cast<ptrdiff_t>(n);
    return static_cast<size_t>(at);  // may wrap below 0, into the padding; adding it to a larger index undoes that
}

}  // namespace

Extractor::Extractor(Template pattern, std::vector<WordList> lists, unsigned reach, unsigned ahead, WordTables tables,
                     bool plain_apostrophes)
    : template_(std::move(pattern)),
      lists_(std::move(lists)),
      tables_(std::move(tables)),
      plain_apostrophes_(plain_apostrophes),
      groups_(kAllGroups) {
    for (size_t number = 0; const Attribute& a : template_.attributes()) {
        const WordClusters* table = table_of(a);
        if (depends_on_cell(a, table)) {
            const auto same = [&](const Column& c) { return c.number == a.column; };
            auto column = std::ranges::find_if(columns_, same);
            if (column == columns_.end()) column = columns_.insert(column, {a.column, {}});
            column->attributes.push_back(number);
        }
        ++number;
        const bool has_pattern = a.kind == Attribute::Kind::test || a.kind == Attribute::Kind::match;
        patterns_.emplace_back(has_pattern ? std::string_view(a.argument) : std::string_view());
        list_of_.push_back(a.kind == Attribute::Kind::list ? &lists_.at(template_.list_index(a.argument)) : nullptr);
        std::vector<uint64_t>& values = class_values_.emplace_back();
        if (table == nullptr) continue;
        for (uint32_t k = 0; k < table->classes(); ++k) values.push_back(hash_bytes(class_text(a, k)));
        values.push_back(hash_bytes(class_text(a, WordClusters::kNone)));
    }
    for (ptrdiff_t k = 1; k <= static_cast<ptrdiff_t>(template_.padding()); ++k) {
        before_.push_back(hash_bytes(boundary(-k)));
        after_.push_back(hash_bytes(boundary(k)));
    }
    for (const Line& line : template_.lines()) {
        if (lacks_table(line)) continue;
        if (line.scope == Scope::any || line.scope == Scope::count)
            groups_[line.scope == Scope::any ? kAnyGroup : kCountGroup].push_back(&line);
        else if (line.scope == Scope::skip)
            groups_[kSkipGroup].push_back(&line);
        else if (line.scope == Scope::token && line.reach <= reach && line.ahead <= ahead)
            groups_[line_group(line.reach, line.ahead)].push_back(&line);
    }
    find_cell_lines();
}

void Extractor::find_cell_lines() {
    constexpr size_t none = SIZE_MAX;
    std::vector<size_t> column_of(template_.attributes().size(), none);
    for (size_t c = 0; c < columns_.size(); ++c)
        for (const size_t attribute : columns_[c].attributes) column_of[attribute] = c;
    std::map<std::pair<size_t, ptrdiff_t>, size_t> open;  // column and offset -> the cell lines that have room
    std::vector<size_t> among(lines(0), none);            // [lines] the cell lines that a line is among
    for (size_t f = 0; f < lines(0); ++f) {
        const Line* line = groups_[0][f];
        if (line->parts.empty()) continue;
        const size_t column = column_of[line->parts[0].attribute];
        const ptrdiff_t offset = line->parts[0].offset;
        const auto same_cell = [&](const Part& part) {
            return !part.absolute && part.offset == offset && column_of[part.attribute] == column;
        };
        if (column == none || !std::ranges::all_of(line->parts, same_cell)) continue;
        const auto [at, fresh] = open.try_emplace({column, offset});
        if (fresh || cell_lines_[at->second].lines.size() == kMostCellLines) {
            at->second = cell_lines_.size();
            cell_lines_.push_back({column, offset, {}});
        }
        among[f] = at->second;
        cell_lines_[among[f]].lines.push_back(line);
    }
    for (size_t f = 0; f < lines(0); ++f)
        if (among[f] == none || cell_lines_[among[f]].lines.size() < 2) groups_[kJointGroup].push_back(groups_[0][f]);
    std::erase_if(cell_lines_, [](const CellLines& c) { return c.lines.size() < 2; });
    std::vector<bool> joint(template_.attributes().size());
    for (unsigned group = 1; group < kAllGroups; ++group)
        for (const Line* line : groups_[group])
            for (const Part& part : line->parts) joint[part.attribute] = true;
    index_in_column_.resize(joint.size());
    for (Column& column : columns_) {
        const auto others = std::ranges::stable_partition(column.attributes, [&](size_t a) { return joint[a]; });
        column.joint = column.attributes.size() - others.size();
        for (size_t k = 0; k < column.attributes.size(); ++k) index_in_column_[column.attributes[k]] = k;
    }
}

void Extractor::read(const Columns& data, size_t begin, size_t end, Workspace& workspace) const {
    const size_t n = workspace.n = end - begin, padding = template_.padding(), row = n + 2 * padding;
    const auto& attributes = template_.attributes();
    workspace.values.resize(attributes.size() * row);
    workspace.cells.resize(columns_.size());
    for (size_t a = 0; a < attributes.size(); ++a) {
        uint64_t* values = workspace.values.data() + a * row + padding;
        if (attributes[a].kind ==
            Attribute::Kind::field) {  // a field has the same value at all tokens, and in the padding
            std::fill_n(values - padding, row, workspace.fields[attributes[a].column]);
            continue;
        }
        for (ptrdiff_t k = 1; k <= static_cast<ptrdiff_t>(padding); ++k) {
            values[-k] = before_[static_cast<size_t>(k) - 1];
            values[static_cast<ptrdiff_t>(n) + k - 1] = after_[static_cast<size_t>(k) - 1];
        }
        if (attributes[a].kind == Attribute::Kind::list) read_list(a, data, begin, end, values, workspace);
    }
    if (workspace.has_gaps != data.has_gaps()) {  // an empty cell has another value then
        for (Cells& cells : workspace.cells) forget(cells);
        workspace.has_gaps = data.has_gaps();
        workspace.gaps = false;
    }
    workspace.ids.resize(columns_.size() * row);
    for (size_t c = 0; c < columns_.size(); ++c) read_column(c, data, begin, end, workspace);
}

void Extractor::read_column(size_t column, const Columns& data, size_t begin, size_t end, Workspace& workspace) const {
    const auto& [number, attributes, joint] = columns_[column];
    Cells& cells = workspace.cells[column];
    const size_t padding = template_.padding(), n = end - begin, row = n + 2 * padding, count = attributes.size();
    if (cells.numbers.size() >= kMostCells) forget(cells);
    cells.values.resize(cells.numbers.size() * count);  // without the long ones of the sentence before
    uint32_t* const ids = workspace.ids.data() + column * row;
    for (size_t k = 0; k < padding; ++k) {
        ids[k] = static_cast<uint32_t>(k);
        ids[padding + n + k] = static_cast<uint32_t>(padding + k);
    }
    const auto add_values = [&](std::string_view cell) {
        const bool gap = cell.empty() && data.has_gaps();
        const std::string_view text = as_read(cell, workspace.cell);
        for (const size_t a : attributes) cells.values.push_back(gap ? kGap : value(a, text, workspace));
        workspace.gaps |= gap;
    };
    bool any_long = false;
    auto& wanted = workspace.wanted;
    wanted.clear();
    for (size_t t = begin; t < end; ++t) {
        wanted.emplace_back(data.cell(t, number));
        cells.numbers.prefetch(wanted.back());
    }
    for (size_t i = 0; i < n; ++i) {
        StopCheck::every(i);
        const auto [at, fresh] = cells.numbers.find(wanted[i]);
        if (fresh) add_values(data.cell(begin + i, number));
        any_long |= at == CellNumbers::kLong;
        ids[padding + i] = static_cast<uint32_t>(2 * padding) + at;
    }
    const uint32_t is_long = static_cast<uint32_t>(2 * padding) + CellNumbers::kLong;
    for (size_t i = 0; any_long && i < n; ++i) {
        if (ids[padding + i] != is_long) continue;
        ids[padding + i] = static_cast<uint32_t>(2 * padding + cells.values.size() / count);
        add_values(data.cell(begin + i, number));
    }
    const size_t needed = workspace.joint_only ? joint : count;
    if (needed == 0) return;
    const auto values_of = [&](size_t i) { return cells.values.data() + (ids[padding + i] - 2 * padding) * count; };
    for (size_t i = 0; i < n; ++i) {
        if (i + kAhead < n) __builtin_prefetch(values_of(i + kAhead));
        const uint64_t* known = values_of(i);
        uint64_t* to = workspace.values.data() + padding + i;
        for (size_t k = 0; k < needed; ++k) to[attributes[k] * row] = known[k];
    }
}

void Extractor::cell_keys(const CellLines& lines, const Workspace& workspace, uint32_t id, uint64_t* keys) const {
    const size_t padding = template_.padding(), count = columns_[lines.column].attributes.size();
    const auto value = [&](size_t attribute) {
        if (id < padding) return before_[padding - 1 - id];
        if (id < 2 * padding) return after_[id - padding];
        return workspace.cells[lines.column].values[(id - 2 * padding) * count + index_in_column_[attribute]];
    };
    for (const Line* line : lines.lines) {
        uint64_t key = line->seed;
        bool gap = false;
        for (const Part& part : line->parts) {
            key = combine(key, value(part.attribute));
            gap |= workspace.has_gaps && value(part.attribute) == kGap;
        }
        *keys++ = gap ? kNoFeature : key;
    }
}

// Whether a token begins, continues or is outside a phrase of a word list.
void Extractor::read_list(size_t attribute, const Columns& data, size_t begin, size_t end, uint64_t* values,
                          Workspace& workspace) const {
    static const uint64_t outside = hash_bytes("O"), first = hash_bytes("B"), inside = hash_bytes("I");
    const WordList& list = *list_of_[attribute];
    const auto& [kind, lowercase, column, length, argument] = template_.attributes()[attribute];
    workspace.words.resize(end - begin);
    for (size_t t = begin; t < end; ++t) {
        std::string& text = workspace.text;
        text.clear();
        const std::string_view cell = as_read(data.cell(t, column), workspace.cell);
        if (lowercase) append_lower(text, cell);
        workspace.words[t - begin] = hash_bytes(lowercase ? std::string_view(text) : cell);
    }
    for (size_t i = 0; i < end - begin;) {
        StopCheck::every(i);
        const size_t words = list.match(workspace.words, i);
        values[i] = words == 0 ? outside : first;
        for (size_t k = 1; k < words; ++k) values[i + k] = inside;
        i += std::max<size_t>(words, 1);
    }
}

// The hash of what an attribute takes from a cell.
uint64_t Extractor::value(size_t attribute, std::string_view cell, Workspace& workspace) const {
    const Attribute& wanted = template_.attributes()[attribute];
    if (looks_up(wanted)) {
        const std::vector<uint64_t>& hashes = class_values_[attribute];
        const uint32_t found = find_class(wanted, cell, workspace.text, workspace.word);
        return hashes[std::min<size_t>(found, hashes.size() - 1)];
    }
    workspace.text.clear();
    transform(wanted, cell, workspace.text);
    return hash_bytes(workspace.text);
}

// The table that an attribute looks words up in, or null if it looks at none, or at one that is not there.
const WordClusters* Extractor::table_of(const Attribute& attribute) const {
    if (attribute.kind == Attribute::Kind::cluster) return tables_.clusters.get();
    const bool in_lexicon = attribute.kind == Attribute::Kind::lexicon && tables_.lexicon != nullptr;
    return in_lexicon ? &tables_.lexicon->words() : nullptr;
}

bool Extractor::lacks_table(const Line& line) const {
    return std::ranges::any_of(line.parts, [&](const Part& part) {
        const Attribute& attribute = template_.attributes()[part.attribute];
        return looks_up(attribute) && table_of(attribute) == nullptr;
    });
}

void Extractor::keys(unsigned group, const Workspace& workspace, uint64_t* keys, size_t stride) const {
    const size_t n = workspace.n, padding = template_.padding(), row = n + 2 * padding;
    for (size_t f = 0; f < groups_[group].size(); ++f) {
        const Line& line = *groups_[group][f];
        uint64_t* out = keys + f;
        if (line.parts.empty())
            for (size_t i = 0; i < n; ++i) out[i * stride] = line.seed;
        for (size_t p = 0; p < line.parts.size(); ++p) {
            const Part& part = line.parts[p];
            const uint64_t* values = workspace.values.data() + part.attribute * row + padding;
            auto at = static_cast<ptrdiff_t>(place(part, 0, n));
            const ptrdiff_t step = part.absolute ? 0 : 1;
            StopCheck::every(p, n);
            for (size_t i = 0; i < n; ++i, at += step)
                out[i * stride] = combine(p == 0 ? line.seed : out[i * stride], values[at]);
        }
    }
    if (workspace.gaps) drop_gaps(group, workspace, keys, stride);
}

// Lines that look at an empty cell have no feature.
void Extractor::drop_gaps(unsigned group, const Workspace& workspace, uint64_t* keys, size_t stride) const {
    const size_t n = workspace.n, padding = template_.padding(), row = n + 2 * padding;
    for (size_t f = 0; f < groups_[group].size(); ++f)
        for (const Part& part : groups_[group][f]->parts) {
            const uint64_t* values = workspace.values.data() + part.attribute * row + padding;
            for (size_t i = 0; i < n; ++i)
                if (values[static_cast<ptrdiff_t>(place(part, i, n))] == kGap) keys[i * stride + f] = kNoFeature;
        }
}

void Extractor::values(unsigned group, const Columns& data, size_t begin, size_t end, float* values,
                       size_t stride) const {
    const size_t n = end - begin;
    for (size_t i = 0; i < n; ++i) {
        StopCheck::every(i);
        for (size_t f = 0; f < groups_[group].size(); ++f) {
            float value = 1;
            for (const Part& part : groups_[group][f]->parts) {
                const Attribute& attribute = template_.attributes()[part.attribute];
                const size_t at = place(part, i, n);  // beyond n, also where it is before the first token
                if (at < n && attribute.kind != Attribute::Kind::field)
                    value *= data.value(begin + at, attribute.column);
            }
            values[i * stride + f] = value;
        }
    }
}

uint64_t Extractor::key(const Line& line, const Workspace& workspace, size_t i) const {
    const size_t n = workspace.n, padding = template_.padding(), row = n + 2 * padding;
    uint64_t key = line.seed;
    for (const Part& part : line.parts)
        key = combine(key, workspace.values[part.attribute * row + padding + place(part, i, n)]);
    return key;
}

size_t Extractor::label_lines() const {
    size_t total = 0;
    for (unsigned group = 1; group < kLineGroups; ++group) total += lines(group);
    return total;
}

void Extractor::label_keys(const Workspace& workspace, uint64_t* to) const {
    const size_t stride = label_lines();
    for (unsigned group = 1; group < kLineGroups; to += lines(group++)) keys(group, workspace, to, stride);
}

void Extractor::join_labels(const uint64_t* from, const LabelContext<uint64_t>& context, uint64_t* joined) const {
    for (unsigned group = 1; group < kLineGroups; ++group)
        for (size_t line = lines(group); line > 0; --line) *joined++ = with_labels(*from++, group, context);
}

unsigned Extractor::reach() const {
    unsigned farthest = 0;
    for (unsigned group = 0; group < kLineGroups; ++group)
        if (lines(group) > 0) farthest = std::max(farthest, group % 3);
    return farthest;
}

unsigned Extractor::ahead() const {
    unsigned farthest = 0;
    for (unsigned group = 0; group < kLineGroups; ++group)
        if (lines(group) > 0) farthest = std::max(farthest, group / 3);
    return farthest;
}

}  // namespace sapwood

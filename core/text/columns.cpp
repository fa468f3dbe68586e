#include "text/columns.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

namespace {

// Where a line ends without what is blank at its end, and where the next one begins.
struct RowBounds {
    size_t end, next;
};

RowBounds bounds_at(std::string_view text, size_t begin) {
    const size_t stop = std::min(text.find('\n', begin), text.size());
    size_t end = stop;
    while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t' || text[end - 1] == '\r')) --end;
    return {end, stop + 1};
}

char separator_in(std::string_view row) {
    return row.find('\t') == std::string_view::npos ? ' ' : '\t';
}

size_t count_cells(std::string_view row, char separator) {
    size_t cells = 0;
    for (size_t at = 0; at < row.size(); ++at)
        cells += separator == '\t' ? at == 0 || row[at] == '\t' : row[at] != ' ' && (at == 0 || row[at - 1] == ' ');
    return cells;
}

std::string_view last_cell(std::string_view row, char separator) {
    return row.substr(row.rfind(separator) + 1);  // npos + 1 is 0
}

// Whether a row begins a document, as in CoNLL-2003.
bool is_document_start(std::string_view row) {
    constexpr std::string_view kMark = "-DOCSTART-";
    return row.starts_with(kMark) &&
           (row.size() == kMark.size() || row[kMark.size()] == ' ' || row[kMark.size()] == '\t');
}

// Tells comments in front of sentences from rows that begin with '#', too. A comment has another number of cells than
// the rows; or most sentences, of two and more, begin with '#', and the line has '#' alone in the first of its cells, or
// in the last cell what no row has there.
class Comments {
  public:
    // Of a text that has rows of this width, which is 0 if they are to be seen in the text; `habit` if most sentences of
    // a text in front of it have comments.
    Comments(std::string_view text, size_t width, char separator, bool habit)
        : width_(width), separator_(separator), habit_(habit) {
        size_t sentences = 0, marked = 0;
        each_row(text, [&](std::string_view row, bool first, bool with_mark) {
            if (width_ == 0) separator_ = separator_in(row), width_ = count_cells(row, separator_);
            sentences += first;
            marked += first && with_mark;
        });
        habit_ = habit_ || (sentences > 1 && 2 * marked > sentences);
        if (habit_)
            each_row(text, [&](std::string_view row, bool, bool) { labels_.insert(last_cell(row, separator_)); });
    }
    bool habit() const { return habit_; }
    bool has(std::string_view row) const {
        if (width_ == 0) return false;
        if (count_cells(row, separator_) != width_) return true;
        return habit_ && width_ > 1 && (row[1] == separator_ || !labels_.contains(last_cell(row, separator_)));
    }

  private:
    // Calls visit(row, is it a sentence's first, does a line with '#' stand in front of that) for all other lines.
    template <class Visit>
    static void each_row(std::string_view text, Visit&& visit) {
        bool within = false, with_mark = false;
        size_t round = 0;
        for (RowBounds line{0, 0}; line.next < text.size(); StopCheck::every(++round)) {
            const size_t begin = line.next;
            line = bounds_at(text, begin);
            const std::string_view row = text.substr(begin, line.end - begin);
            if (row.empty() || is_document_start(row)) {
                within = with_mark = false;
            } else if (!within && row[0] == '#') {
                with_mark = true;
            } else {
                visit(row, !within, with_mark);
                within = true;
            }
        }
    }

    size_t width_;
    char separator_;
    bool habit_;
    std::unordered_set<std::string_view> labels_;  // the last cells of rows
};

}  // namespace

Columns::Columns(std::string_view bytes, std::shared_ptr<const void> owner, std::string name, size_t first_line,
                 const Columns* before, bool header)
    : bytes_(bytes), owner_(std::move(owner)), name_(std::move(name)), first_line_(first_line) {
    if (before) {
        width_ = before->width_;
        separator_ = before->separator_;
        habit_ = before->habit_;
    }
    if (auto kept = check_text(bytes_, name_, first_line_)) owner_ = std::move(kept);

    const size_t begin = bytes_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;  // the mark is not a word
    std::optional<Comments> in_front;  // of sentences, once a line begins with '#'
    size_t at = begin;
    for (size_t line = first_line_; at < bytes_.size(); ++line) {
        const auto [end, next] = bounds_at(bytes_, at);
        const std::string_view row = bytes_.substr(at, end - at);
        const bool aside =
            width_ > 1 && separator_ == '\t' && row.starts_with("# ") && row.find('\t') == std::string_view::npos;
        const bool marked = row.starts_with('#') && (aside || tokens() == starts_.back());
        if (marked && !in_front) {
            in_front.emplace(bytes_.substr(begin), width_, separator_, habit_);
            habit_ = in_front->habit();
        }
        if (row.empty()) {
            end_sentence();
        } else if (header && !row.starts_with("# ")) {
            header = false;
        } else if (is_document_start(row)) {
            end_sentence();
            if (width_ == 0) separator_ = separator_in(row);
            document_starts_.push_back(end);
        } else if (marked && in_front->has(row)) {
            if (comments_++ == 0) first_comment_ = line;
        } else {
            add_row(at, end, line);
        }
        StopCheck::every(line);
        at = next;
    }
    end_sentence();
}

Columns::Columns(size_t width, std::string name) : name_(std::move(name)), width_(width) {}

void Columns::add_cell(std::string_view value) {
    if (value.empty() && !has_gaps_)
        throw DataError(name_ + ": sentence " + std::to_string(sentences() + 1) + " has an empty value");
    add_cell(keep(value));
}

Columns Columns::over(std::string text, size_t width, std::string name) {
    Columns columns(width, std::move(name));
    columns.built_ = std::move(text);
    return columns;
}

Columns::Cell Columns::keep(std::string_view value) {
    if (built_.size() + value.size() > kLargestText || value.size() > kLongestCell)
        throw DataError(name_ + ": a value is longer than 16 MiB");
    const Cell cell = part(built_.size(), built_.size() + value.size());
    built_.append(value);
    return cell;
}

void Columns::add_column(const std::vector<Cell>& cells) {
    std::vector<Cell> wider;
    wider.reserve(cells_.size() + cells.size());
    for (size_t t = 0; t < cells.size(); ++t) {
        wider.insert(wider.end(), cells_.begin() + static_cast<ptrdiff_t>(t * width_),
                     cells_.begin() + static_cast<ptrdiff_t>((t + 1) * width_));
        wider.push_back(cells[t]);
    }
    cells_ = std::move(wider);
    ++width_;
}

void Columns::end_sentence() {
    if (tokens() > starts_.back()) starts_.push_back(tokens());
}

void Columns::push(size_t offset, size_t length) {
    cells_.push_back(part(offset, offset + length));
}

void Columns::add_row(size_t begin, size_t end, size_t line) {
    const std::string_view row = bytes_.substr(0, end);
    if (width_ == 0) separator_ = row.find('\t', begin) == std::string_view::npos ? ' ' : '\t';
    if (separator_ == ' ' && row.find('\t', begin) != std::string_view::npos)
        fail(line, "this line has a tab, the lines before it have none (separated by spaces)");
    size_t count = 0;
    for (size_t at = begin; at < end;) {
        if (separator_ == ' ' && row[at] == ' ') {
            ++at;
            continue;
        }
        size_t stop = at;
        while (stop < end && row[stop] != separator_) ++stop;
        if (stop == at)
            fail(line, "column " + std::to_string(count + 1) + " is empty (two tabs in a row, or one in front)");
        if (stop - at > kLongestCell) fail(line, "a value is longer than 16 MiB");
        push(at, stop - at);
        ++count;
        at = stop + 1;
    }
    if (width_ == 0) width_ = count;
    if (count != width_) {
        auto columns = [](size_t n) { return std::to_string(n) + (n == 1 ? " column" : " columns"); };
        fail(line, "this line has " + columns(count) + ", the lines before it " + columns(width_) +
                       (separator_ == '\t' ? " (separated by tabs)" : " (separated by spaces)"));
    }
}

Columns Columns::select(const std::vector<size_t>& chosen) const {
    Columns part(*this);
    part.cells_.clear();
    part.values_.clear();
    part.starts_.assign(1, 0);
    for (const size_t s : chosen) {
        part.cells_.insert(part.cells_.end(), cells_.begin() + static_cast<ptrdiff_t>(begin(s) * width_),
                           cells_.begin() + static_cast<ptrdiff_t>(end(s) * width_));
        if (has_values())
            part.values_.insert(part.values_.end(), values_.begin() + static_cast<ptrdiff_t>(begin(s) * width_),
                                values_.begin() + static_cast<ptrdiff_t>(end(s) * width_));
        part.end_sentence();
    }
    return part;
}

std::string Columns::where(size_t token) const {
    const Cell c = cells_[token * width_];
    if (!built_.empty()) {
        const auto next = std::upper_bound(starts_.begin(), starts_.end(), token);
        return name_ + ": sentence " + std::to_string(next - starts_.begin()) + ", token " +
               std::to_string(token - *(next - 1) + 1);
    }
    return origins_.line(bytes_, c.offset, name_, first_line_);
}

Columns Columns::joined(const std::vector<const Columns*>& files) {
    std::vector<Origin> origins;
    auto text = std::make_shared<std::string>();
    Columns whole(*files.front());
    whole.built_.clear();
    for (const Columns* file : files) {
        text->append(end_of_sentence(*text));
        const size_t at = text->size(), tokens = whole.tokens();
        origins.push_back({file->name_, file->first_line_, at});
        const std::string_view bytes = file->bytes();
        const size_t mark = at > 0 && bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
        text->append(bytes.substr(mark));
        if (file == files.front()) continue;
        if (file->tokens() > 0 && file->width_ != whole.width_)
            throw DataError(file->where(0) + ": this line has " + std::to_string(file->width_) +
                            (file->width_ == 1 ? " column" : " columns") + ", those of the other files " +
                            std::to_string(whole.width_));
        for (const size_t end : file->document_starts_) whole.document_starts_.push_back(end + at - mark);
        for (const Cell& cell : file->cells_) whole.push(cell.offset + at - mark, cell.length);
        for (size_t s = 0; s < file->sentences(); ++s) whole.starts_.push_back(tokens + file->end(s));
    }
    whole.bytes_ = *text;
    whole.owner_ = std::move(text);
    whole.name_ = names_of(origins);
    whole.origins_ = Origins(std::move(origins));
    return whole;
}

void Columns::fail(size_t line, const std::string& what) const {
    throw DataError(name_ + ":" + std::to_string(line) + ": " + what);
}

}  // namespace sapwood

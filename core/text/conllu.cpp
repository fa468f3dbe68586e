#include "text/conllu.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/plain_text.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr size_t kMostWords = std::numeric_limits<uint32_t>::max();
constexpr size_t kNoNumber = std::numeric_limits<size_t>::max();

// Parses a number in an id: one to nine digits without a leading zero. Returns kNoNumber for anything else.
size_t number(std::string_view digits) {
    if (digits.empty() || digits.size() > 9 || (digits[0] == '0' && digits.size() > 1)) return kNoNumber;
    size_t value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return kNoNumber;
        value = value * 10 + static_cast<size_t>(c - '0');
    }
    return value;
}

}  // namespace

bool fits_a_cell(std::string_view text) {
    return !text.empty() && std::none_of(text.begin(), text.end(),
                                         [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == '\0'; });
}

std::string quoted(std::string_view cell) {
    const std::string_view start = prefix(cell, 40);
    std::string text(start);
    std::replace_if(text.begin(), text.end(), [](char c) { return c >= 0 && (c < ' ' || c == 0x7F); }, '?');
    return "'" + text + (start.size() < cell.size() ? "...'" : "'");
}

// Checks the order of the ids of one sentence. Words are numbered 1, 2, 3 ...; a range stands directly before its first
// word; empty nodes 4.1, 4.2 ... stand directly after word 4.
class Conllu::Ids {
  public:
    // Whether the id belongs to a word. If the id is out of order, `problem` is set to the reason.
    bool is_word(std::string_view id, std::string& problem) {
        started_ = true;
        if (number(id) == words_ + 1) {
            ++words_;
            empty_nodes_ = 0;
            if (words_ <= range_end_) in_range_ = true;
            return true;
        }
        problem = read_other(id);
        return false;
    }
    bool started() const { return started_; }  // a row was read
    size_t words() const { return words_; }
    size_t range_end() const { return range_end_; }
    bool range_waits() const { return range_end_ > words_ && !in_range_; }  // for its first word

  private:
    std::string read_other(std::string_view id) {
        const size_t mark = id.find_first_of("-.");
        if (mark == std::string_view::npos)
            return "the id is " + quoted(id) + ", not " + std::to_string(words_ + 1) +
                   "; words are numbered 1, 2, 3 ... and a blank line ends a sentence";
        const size_t first = number(id.substr(0, mark)), second = number(id.substr(mark + 1));
        if (first == kNoNumber || second == kNoNumber)
            return "the id " + quoted(id) + " is neither a number nor like 1-2 or 1.1";
        if (id[mark] == '.') {
            if (range_waits() || first != words_ || second != empty_nodes_ + 1)
                return "the empty node " + quoted(id) + " is out of order; " + std::to_string(words_) + "." +
                       std::to_string(empty_nodes_ + 1) + " would come directly after word " + std::to_string(words_);
            empty_nodes_ = second;
        } else {
            if (range_end_ > words_ || first != words_ + 1 || second < first)
                return "the range " + quoted(id) +
                       " is out of order; it comes directly before its first word and overlaps no other";
            range_end_ = second;
            in_range_ = false;
        }
        return {};
    }

    size_t words_ = 0;        // the last word's id
    size_t empty_nodes_ = 0;  // number of empty nodes read after that word
    size_t range_end_ = 0;    // the last word of the last range
    bool in_range_ = false;   // that range's first word was read
    bool started_ = false;
};

Conllu::Conllu(std::string_view bytes, std::shared_ptr<const void> owner, std::string name, size_t first_line,
               const Conllu* before)
    : bytes_(bytes), owner_(std::move(owner)), name_(std::move(name)), first_line_(first_line) {
    if (before) {
        width_ = before->width_;
        places_ = before->places_;
        others_ = before->others_;
        header_ = before->header_;
    }
    if (auto kept = check_text(bytes_, name_, first_line_)) owner_ = std::move(kept);
    size_t at = bytes_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    size_t line = first_line_;
    bool open = false;  // within a sentence
    Ids ids;
    for (; at < bytes_.size(); ++line) {
        const size_t end = std::min(bytes_.find('\n', at), bytes_.size());
        size_t last = end;
        while (last > at && bytes_[last - 1] == '\r') --last;
        if (std::min(bytes_.find_first_not_of(' ', at), last) == last) {
            if (open) {
                blocks_.back().end = at;
                end_sentence(ids, line - 1);
            }
            open = false;
        } else {
            if (!open) {
                if (!blocks_.empty()) blocks_.back().end = at;
                blocks_.push_back({blocks_.empty() ? 0 : at, bytes_.size()});
                ids = Ids();
                open = true;
            }
            if (bytes_[at] != '#')
                add_row(at, last, line, ids);
            else if (rows_.empty() && !ids.started())
                name_columns(bytes_.substr(at, last - at), line);
            else if (ids.started())
                fail(line,
                     "a comment inside a sentence; comments come before the first word, "
                     "and a blank line ends a sentence");
        }
        StopCheck::every(line);
        at = end + 1;
    }
    if (open) end_sentence(ids, line - 1);
    if (!blocks_.empty()) blocks_.back().end = bytes_.size();
}

void Conllu::name_columns(std::string_view line_text, size_t line) {
    constexpr std::string_view kTitle = "global.columns";
    std::string_view comment = line_text;
    comment.remove_prefix(std::min(comment.find_first_not_of(" \t", 1), comment.size()));
    if (!comment.starts_with(kTitle)) return;
    comment.remove_prefix(kTitle.size());
    const size_t equals = comment.find('=');
    if (equals == std::string_view::npos || comment.find_first_not_of(' ') != equals) return;
    std::vector<size_t> places(kFields, std::string_view::npos);
    std::string others;
    size_t count = 0;
    for (size_t at = equals + 1; (at = comment.find_first_not_of(" \t", at)) != std::string_view::npos; ++count) {
        const std::string_view title = comment.substr(at, comment.find_first_of(" \t", at) - at);
        at += title.size();
        std::string lower;
        append_lower(lower, title);
        const auto field = std::find(kFieldNames.begin(), kFieldNames.end(), lower);
        if (field == kFieldNames.end()) {
            others.append(others.empty() ? "" : " ").append(title);
            continue;
        }
        size_t& place = places[static_cast<size_t>(field - kFieldNames.begin())];
        if (place != std::string_view::npos) fail(line, "global.columns names " + quoted(title) + " twice");
        place = count;
    }
    std::string missing;
    bool in_order = count == kFields;
    for (size_t k = 0; k < kFields; ++k) {
        in_order = in_order && places[k] == k;
        if (places[k] != std::string_view::npos) continue;
        missing += missing.empty() ? "" : ", ";
        for (const char c : kFieldNames[k]) missing += static_cast<char>(c - 'a' + 'A');
    }
    if (!missing.empty())
        fail(line, "this is CoNLL-U Plus without the columns " + missing +
                       "; it is read if all ten of CoNLL-U are among its own");
    if (in_order) return;
    header_ = std::string(line_text) + '\n';
    places_ = std::move(places);
    others_ = std::move(others);
    width_ = count;
}

std::string_view Conllu::cell_of_plus(const Row& row, size_t place) const {
    std::string_view rest = bytes_.substr(row.offset, row.ends.back());
    for (; place > 0; --place) rest.remove_prefix(rest.find('\t') + 1);
    return rest.substr(0, rest.find('\t'));
}

void Conllu::add_row(size_t begin, size_t end, size_t line, Ids& ids) {
    if (end - begin > kLongestRow) fail(line, "the line is longer than 16 MiB");
    Row row{begin, {}};
    size_t count = 0;
    for (size_t at = begin;; ++count) {
        const auto* tab = static_cast<const char*>(std::memchr(bytes_.data() + at, '\t', end - at));
        const size_t stop = tab ? static_cast<size_t>(tab - bytes_.data()) : end;
        if (stop == at)
            fail(line, "column " + std::to_string(count + 1) + " is empty; a field without a value is written as _");
        if ((bytes_[at] == ' ' || bytes_[stop - 1] == ' ') && padded_++ == 0) first_padded_ = line;
        if (count < kFields) row.ends[count] = static_cast<uint32_t>(stop - begin);
        at = stop + 1;
        if (!tab) break;
    }
    ++count;
    if (width_ == 0 && (count == kFields || count == 8)) width_ = count;
    if (!places_.empty()) row.ends.back() = static_cast<uint32_t>(end - begin);
    if (count != width_) {
        const bool spaces = count == 1 && bytes_.substr(begin, end - begin).find(' ') != std::string_view::npos;
        fail(line, "this line has " + std::to_string(count) + (count == 1 ? " column, " : " columns, ") +
                       (width_ == 0       ? "not 10 or 8"
                        : places_.empty() ? "the lines before it " + std::to_string(width_)
                                          : "global.columns names " + std::to_string(width_)) +
                       (spaces ? "; put tabs, not spaces, between the columns" : " (separated by tabs)"));
    }
    std::string problem;
    if (ids.is_word(cell(row, Field::id), problem)) {
        if (rows_.size() == kMostWords) fail(line, "more than 2^32 words; split the file");
        rows_.push_back(row);
    } else if (!problem.empty()) {
        fail(line, problem);
    } else if (ids.range_waits()) {
        multiwords_.push_back({rows_.size(), rows_.size() + ids.range_end() - ids.words(), row});
    }
}

void Conllu::end_sentence(const Ids& ids, size_t line) {
    if (ids.words() == 0)
        fail(line, ids.started() ? "a sentence without words; remove it"
                                 : "a sentence without words: comments alone; remove them");
    if (ids.range_end() > ids.words())
        fail(line, "the last range ends at word " + std::to_string(ids.range_end()) + ", the sentence at " +
                       std::to_string(ids.words()));
    starts_.push_back(rows_.size());
}

void Conllu::check(std::vector<Replacement>& replacements) const {
    std::sort(replacements.begin(), replacements.end(),
              [&](const Replacement& a, const Replacement& b) { return place_of(a.field) < place_of(b.field); });
    for (size_t k = 0; k < replacements.size(); ++k) {
        const auto& [field, cells] = replacements[k];
        const auto column = static_cast<size_t>(field);
        const std::string title = "column " + std::string(kFieldNames[column]);
        if (field == Field::id) throw DataError(name_ + ": ids cannot be replaced");
        if (k > 0 && replacements[k - 1].field == field) throw DataError(name_ + ": " + title + " is given twice");
        if (column >= width_ && words() > 0)
            throw DataError(name_ + ": " + title + " cannot be replaced; the file has " + std::to_string(width_) +
                            " columns only");
        if (cells.size() != words())
            throw DataError(name_ + ": " + title + " has " + std::to_string(cells.size()) + " cells for " +
                            std::to_string(words()) + " words");
        for (size_t w = 0; w < words(); ++w) {
            StopCheck::every(w);
            if (!fits_a_cell(cells[w]))
                throw DataError(where(w) + ": the new cell of " + title +
                                " is empty or has a tab, a line end or a NUL: " + quoted(cells[w]));
        }
    }
}

std::string Conllu::write(std::vector<Replacement> replacements) const {
    check(replacements);
    return copy(replacements, nullptr);
}

Conllu Conllu::replaced(std::vector<Replacement> replacements) const {
    check(replacements);
    Conllu changed(*this);
    auto text = std::make_shared<std::string>(copy(replacements, &changed));
    if (read_ == nullptr) changed.read_ = std::make_shared<Conllu>(*this);
    changed.bytes_ = *text;
    changed.owner_ = std::move(text);
    return changed;
}

std::string Conllu::copy(const std::vector<Replacement>& replacements, Conllu* moved) const {
    if (blocks_.empty()) return std::string(bytes_);  // nothing but blank lines
    size_t size = 0;
    for (const Block& block : blocks_) size += block.end - block.begin;
    for (const auto& [field, cells] : replacements)
        for (size_t w = 0; w < words(); ++w) size += cells[w].size() - cell(w, field).size();
    std::string out;
    if (blocks_[0].begin > 0) out = header_;  // some of the sentences, without those that it stands before
    out.reserve(out.size() + size);
    auto token = multiwords_.begin();
    for (size_t s = 0; s < sentences(); ++s) {
        const size_t block = out.size();
        size_t at = blocks_[s].begin;  // the input before this offset has been written
        const auto place = [&](uint64_t offset) { return out.size() + offset - at; };  // of what follows unchanged
        for (size_t w = begin(s); w < end(s); ++w) {
            StopCheck::every(w);
            if (moved != nullptr) {
                for (; token != multiwords_.end() && token->begin == w; ++token)
                    moved->multiwords_[static_cast<size_t>(token - multiwords_.begin())].row.offset =
                        place(token->row.offset);
                moved->rows_[w].offset = place(rows_[w].offset);
            }
            for (const auto& [field, cells] : replacements) {
                const std::string_view old = cell(w, field);
                const auto start = static_cast<size_t>(old.data() - bytes_.data());
                out.append(bytes_, at, start - at).append(cells[w]);
                at = start + old.size();
                if (moved == nullptr) continue;
                const auto longer = static_cast<uint32_t>(cells[w].size() - old.size());  // modulo 2^32
                auto& ends = moved->rows_[w].ends;
                for (size_t k = places_.empty() ? place_of(field) : kFields - 1; k < kFields; ++k) ends[k] += longer;
            }
        }
        out.append(bytes_, at, blocks_[s].end - at);
        if (moved != nullptr) moved->blocks_[s] = {block, out.size()};
    }
    return out;
}

void Conllu::Builder::refuse_row() const {
    throw DataError(made_.name_ + ":" + std::to_string(line_of(text_, row_.offset, 1)) +
                    ": the line is longer than 16 MiB");
}

Conllu Conllu::Builder::take() {
    auto text = std::make_shared<std::string>(std::move(text_));
    made_.bytes_ = *text;
    made_.owner_ = std::move(text);
    return std::move(made_);
}

Conllu Conllu::select(const std::vector<size_t>& chosen) const {
    Conllu part(*this);
    part.rows_.clear();
    part.starts_.assign(1, 0);
    part.blocks_.clear();
    part.multiwords_.clear();
    for (const size_t s : chosen) {
        const auto from = std::lower_bound(multiwords_.begin(), multiwords_.end(), begin(s),
                                           [](const Multiword& token, size_t word) { return token.begin < word; });
        for (auto token = from; token != multiwords_.end() && token->begin < end(s); ++token) {
            const size_t first = part.rows_.size() + token->begin - begin(s);
            part.multiwords_.push_back({first, first + token->end - token->begin, token->row});
        }
        part.rows_.insert(part.rows_.end(), rows_.begin() + static_cast<ptrdiff_t>(begin(s)),
                          rows_.begin() + static_cast<ptrdiff_t>(end(s)));
        part.starts_.push_back(part.rows_.size());
        part.blocks_.push_back(blocks_[s]);
    }
    if (chosen.empty()) part.bytes_ = {};
    if (read_ != nullptr) part.read_ = std::make_shared<Conllu>(read_->select(chosen));
    return part;
}

std::string Conllu::where(size_t word) const {
    if (read_ != nullptr) return read_->where(word);
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), word);
    return place(blocks_[static_cast<size_t>(next - starts_.begin()) - 1],
                 origins_.line(bytes_, rows_[word].offset, name_, first_line_));
}

std::string_view Conllu::comment(const Block& block, std::initializer_list<std::string_view> names) const {
    std::string_view rest = bytes_.substr(block.begin, block.end - block.begin);
    if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \r"), line.size()));
        if (line.empty()) continue;
        if (line[0] != '#') break;
        line.remove_prefix(1);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        line = line.substr(0, line.find_last_not_of(" \r") + 1);
        for (const std::string_view name : names)
            if (line.starts_with(name) &&
                (line.size() == name.size() || line[name.size()] == ' ' || line[name.size()] == '='))
                return line;
    }
    return {};
}

bool Conllu::begins_paragraph(size_t sentence) const {
    return !comment(blocks_[sentence], {"newpar", "newdoc"}).empty();
}

std::string Conllu::place(const Block& block, const std::string& line) const {
    const std::string_view id = value_of(block, "sent_id");
    return id.empty() ? line : line + ": sentence " + quoted(id);
}

std::string_view Conllu::value_of(const Block& block, std::string_view name) const {
    const std::string_view found = comment(block, {name});
    const size_t equals = found.find('=');
    if (equals == std::string_view::npos) return {};
    return found.substr(std::min(found.find_first_not_of(' ', equals + 1), found.size()));
}

void Conllu::fail(size_t line, const std::string& what) const {
    throw DataError(place(blocks_.back(), name_ + ":" + std::to_string(line)) + ": " + what);
}

Conllu Conllu::joined(const std::vector<const Conllu*>& files) {
    std::vector<Origin> origins;
    auto text = std::make_shared<std::string>();
    Conllu whole(*files.front());
    whole.read_ = nullptr;
    for (const Conllu* file : files) {
        text->append(end_of_sentence(*text));
        const size_t at = text->size(), words = whole.rows_.size();
        origins.push_back({file->name_, file->first_line_, at});
        const size_t mark = at > 0 && file->bytes_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
        text->append(file->bytes_.substr(mark));
        if (file == files.front()) continue;
        if (file->words() > 0 && file->width_ != whole.width_)
            throw DataError(file->where(0) + ": this line has " + std::to_string(file->width_) +
                            " columns, those of the other files " + std::to_string(whole.width_));
        if (file->places_ != whole.places_)
            throw DataError(file->name_ + ": its columns are not in the order of the other files' (global.columns)");
        const auto moved = [&](Row row) {
            row.offset += at - mark;
            return row;
        };
        if (!whole.blocks_.empty()) whole.blocks_.back().end = at;
        for (const Block& block : file->blocks_)
            whole.blocks_.push_back({std::max<uint64_t>(block.begin, mark) + at - mark, block.end + at - mark});
        for (const Row& row : file->rows_) whole.rows_.push_back(moved(row));
        for (size_t s = 0; s < file->sentences(); ++s) whole.starts_.push_back(words + file->end(s));
        for (const Multiword& token : file->multiwords_)
            whole.multiwords_.push_back({words + token.begin, words + token.end, moved(token.row)});
    }
    whole.bytes_ = *text;
    whole.owner_ = std::move(text);
    whole.name_ = names_of(origins);
    whole.origins_ = Origins(std::move(origins));
    return whole;
}

}  // namespace sapwood

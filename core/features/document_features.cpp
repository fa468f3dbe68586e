#include "features/document_features.hpp"

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/long_sort.hpp"
#include "base/stop_check.hpp"
#include "features/key_names.hpp"
#include "text/utf8.hpp"

namespace sapwood {

DocumentFeatures::DocumentFeatures(Template pattern, std::vector<WordList> lists,
                                   std::shared_ptr<const WordClusters> clusters)
    : extractor_(std::move(pattern), std::move(lists), 0, 0, {std::move(clusters), nullptr}, true) {
    const Template& lines = extractor_.pattern();
    for (const Attribute& a : lines.attributes())
        if (a.kind == Attribute::Kind::field) fields_needed_ = std::max(fields_needed_, a.column + 1);
    for (const Line& line : lines.lines()) {
        if (line.scope == Scope::number) numbers_.push_back(line);
        if (line.number == Number::field) fields_needed_ = std::max(fields_needed_, line.field + 1);
        looks_from_mark_ |= line.number >= Number::before && line.number <= Number::offset;
        for (const Part& part : line.parts)
            looks_from_mark_ |= line.scope == Scope::token && !part.absolute &&
                                lines.attributes()[part.attribute].kind != Attribute::Kind::field;
    }
}

std::vector<uint64_t> DocumentFeatures::of_all() const {
    std::vector<uint64_t> keys;
    for (const Line& line : extractor_.pattern().lines())
        if (line.scope == Scope::number || line.parts.empty()) keys.push_back(line.seed);
    return keys;
}

void DocumentFeatures::check(const Documents& documents) const {
    const size_t columns = extractor_.pattern().columns_needed();
    bool reads_columns = false;
    for (const Attribute& a : extractor_.pattern().attributes()) reads_columns |= a.kind != Attribute::Kind::field;
    if (reads_columns && documents.tokens().width() < columns)
        throw DataError(documents.answers().name() + ": the template reads column " + std::to_string(columns - 1) +
                        " of the tokens, which have " + std::to_string(documents.tokens().width()));
    if (documents.fields_per_document() < fields_needed_)
        throw DataError(documents.answers().name() + ": the documents lack fields that the template reads");
}

bool DocumentFeatures::is_runs(const Line& line) const {
    return !line.parts.empty() &&
           extractor_.pattern().attributes()[line.parts[0].attribute].kind == Attribute::Kind::chars;
}

// Calls visit(run) for every run of consecutive characters of "<word>" that has the line's length.
template <class Visit>
void DocumentFeatures::each_run(const Line& line, std::string_view word, std::string& scratch, Visit&& visit) const {
    const Attribute& attribute = extractor_.pattern().attributes()[line.parts[0].attribute];
    std::string read;
    word = extractor_.as_read(word, read);
    scratch = "<";
    if (attribute.lowercase)
        append_lower(scratch, word);
    else
        scratch += word;
    scratch += '>';
    size_t begin = 0, end = 0;
    for (size_t k = 0; k < attribute.length; ++k) {
        if (end == scratch.size()) return;
        next_code_point(scratch, end);
    }
    for (;;) {
        visit(std::string_view(scratch).substr(begin, end - begin));
        if (end == scratch.size()) return;
        next_code_point(scratch, begin);
        next_code_point(scratch, end);
    }
}

// Calls add(key) for the keys of a group of lines at all tokens of the document that was read last.
template <class Add>
void DocumentFeatures::collect(unsigned group, const Seen& seen, Workspace& workspace, Add&& add) const {
    const size_t n = workspace.text.n, lines = extractor_.lines(group);
    if (n == 0 || lines == 0) return;
    workspace.line.resize(n * lines);
    extractor_.keys(group, workspace.text, workspace.line.data(), lines);
    for (size_t k = 0; k < lines; ++k) {
        const Line& line = extractor_.line(group, k);
        if (!is_runs(line)) {
            for (size_t i = 0; i < n; ++i) StopCheck::every(i), add(workspace.line[i * lines + k]);
            continue;
        }
        const auto offset = static_cast<ptrdiff_t>(line.parts[0].offset);
        const size_t column = extractor_.pattern().attributes()[line.parts[0].attribute].column;
        for (size_t i = 0; i < n; ++i) {
            StopCheck::after(100);
            const ptrdiff_t at = static_cast<ptrdiff_t>(i) + offset;
            if (at < 0 || at >= static_cast<ptrdiff_t>(n)) continue;
            const size_t token = seen.begin() + static_cast<size_t>(at);
            each_run(line, seen.documents.tokens().cell(token, column), workspace.word,
                     [&](std::string_view run) { add(combine(line.seed, hash_bytes(run))); });
        }
    }
}

double DocumentFeatures::number(const Line& line, const Seen& seen, const Documents& documents, size_t document) const {
    const auto n = static_cast<double>(seen.end() - seen.begin());
    const auto before = static_cast<double>(seen.marked()), after = n - 1 - before;
    switch (line.number) {
        case Number::before:
            return before;
        case Number::after:
            return after;
        case Number::offset:
            return n > 1 ? before / (before + after) : 0;
        case Number::tokens:
            return n;
        default:
            break;
    }
    const std::string& text = documents.fields(document)[line.field];
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && (error != std::errc() || stop != text.data() + text.size()))
        throw DataError(documents.answers().where(document) + ": '" + text +
                        "' is not a number; the template takes this field as one (an N line)");
    return value;
}

// Reads a document, without the tokens that S lines leave out.
DocumentFeatures::Seen DocumentFeatures::look(const Documents& documents, size_t document, Workspace& workspace) const {
    workspace.text.fields.clear();
    if (fields_needed_ > 0)
        for (const std::string& field : documents.fields(document))
            workspace.text.fields.push_back(hash_composed(field));
    extractor_.read(documents.tokens(), documents.begin(document), documents.end(document), workspace.text);
    if (extractor_.lines(kSkipGroup) == 0) return {documents, document};
    const Seen seen = without_skipped(documents, document, workspace);
    extractor_.read(seen.documents.tokens(), seen.begin(), seen.end(), workspace.text);
    return seen;
}

// A copy of the document that was read last, without the tokens that pass the test of an S line; the marked token stays.
DocumentFeatures::Seen DocumentFeatures::without_skipped(const Documents& documents, size_t document,
                                                         Workspace& workspace) const {
    static const uint64_t passed[] = {hash_bytes("B"), hash_bytes("I"), hash_bytes("true")};
    const auto skips = [&](size_t i) {
        for (size_t k = 0; k < extractor_.lines(kSkipGroup); ++k) {
            const Line& line = extractor_.line(kSkipGroup, k);
            const uint64_t key = extractor_.key(line, workspace.text, i);
            for (uint64_t value : passed)
                if (key == combine(line.seed, value)) return true;
        }
        return false;
    };
    const size_t width = documents.tokens().width(), begin = documents.begin(document);
    Documents& kept = workspace.kept.emplace(width, documents.fields_per_document(), documents.answers().name());
    for (size_t i = 0; i < documents.end(document) - begin; ++i) {
        StopCheck::after(100);
        const bool marked = i == documents.marked(document);
        if (!marked && skips(i)) continue;
        if (marked) kept.mark_next();
        for (size_t column = 0; column < width; ++column) kept.add_cell(documents.tokens().cell(begin + i, column));
    }
    for (const std::string& field : documents.fields(document)) kept.add_field(field);
    kept.end_document({}, 0);
    return {kept, 0};
}

void DocumentFeatures::read(const Documents& documents, size_t document, Workspace& workspace,
                            FeatureRows& rows) const {
    if (looks_from_mark_ && documents.marked(document) == Documents::kUnmarked)
        throw DataError(documents.answers().where(document) +
                        ": no word is marked, and the template looks from the marked word");
    auto& once = workspace.once;
    auto& counted = workspace.counted;
    once.clear();
    const Seen seen = look(documents, document, workspace);
    const size_t marked = seen.marked();
    for (size_t k = 0; k < extractor_.lines(0); ++k)
        once.push_back(
            extractor_.key(extractor_.line(0, k), workspace.text, marked == Documents::kUnmarked ? 0 : marked));
    collect(kAnyGroup, seen, workspace, [&](uint64_t key) { once.push_back(key); });
    collect(kCountGroup, seen, workspace, [&](uint64_t key) { counted.add(key); });
    long_sort(once);
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (size_t k = 0; uint64_t key : once) StopCheck::every(k++), rows.add(key);
    counted.move_to(rows);
    for (const Line& line : numbers_)
        rows.add_checked(line.seed, number(line, seen, documents, document),
                         [&] { return documents.answers().where(document) + ": " + line.text[0]; });
    rows.end_row();
}

std::vector<std::string> DocumentFeatures::names(const Documents& documents, const std::vector<uint64_t>& keys) const {
    KeyNames names(keys);
    Workspace workspace;
    for (const Line& line : numbers_) names.add(line.seed, [&] { return line.text[0]; });
    for (size_t d = 0; d < documents.size(); ++d) {
        const Seen seen = look(documents, d, workspace);
        const Columns& tokens = seen.documents.tokens();
        const size_t begin = seen.begin(), end = seen.end(), n = end - begin;
        const auto at = [&](const Line& line, size_t i) {
            names.add(extractor_.key(line, workspace.text, i),
                      [&] { return extractor_.name(line, tokens, begin, end, i, documents.fields(d)); });
        };
        const size_t marked = seen.marked() == Documents::kUnmarked ? 0 : seen.marked();
        for (size_t k = 0; k < extractor_.lines(0); ++k) at(extractor_.line(0, k), marked);
        for (unsigned group : {kAnyGroup, kCountGroup})
            for (size_t k = 0; k < extractor_.lines(group); ++k) {
                const Line& line = extractor_.line(group, k);
                for (size_t i = 0; i < n; ++i) {
                    StopCheck::after(200);
                    if (!is_runs(line)) {
                        at(line, i);
                        continue;
                    }
                    const size_t column = extractor_.pattern().attributes()[line.parts[0].attribute].column;
                    each_run(line, tokens.cell(begin + i, column), workspace.word, [&](std::string_view run) {
                        names.add(combine(line.seed, hash_bytes(run)),
                                  [&] { return line.text[0] + std::string(run) + line.text[1]; });
                    });
                }
            }
    }
    return std::move(names).all();
}

}  // namespace sapwood

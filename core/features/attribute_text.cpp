// What an attribute of a template takes from a cell, as text or class; and the names of features, which such texts make up.

#include <string>
#include <string_view>
#include <vector>

#include "features/extractor.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

// Maps upper case to X, lower case to x and digits to d, and reduces each run of equal characters to one:
// McDonald -> XxXx.
void append_shape(std::string& out, std::string_view cell) {
    char32_t last = 0;
    for (size_t at = 0; at < cell.size();) {
        char32_t c = next_code_point(cell, at);
        c = is_digit(c) ? U'd' : is_upper(c) ? U'X' : is_lower(c) ? U'x' : c;
        if (c != last) append_utf8(out, c);
        last = c;
    }
}

bool capital(std::string_view cell) {
    size_t at = 0;
    return is_upper(next_code_point(cell, at));
}

}  // namespace

std::string boundary(ptrdiff_t distance) {
    return (distance < 0 ? "_B-" : "_B+") + std::to_string(distance < 0 ? -distance : distance);
}

std::string_view Extractor::class_text(const Attribute& attribute, uint32_t of_class) const {
    if (attribute.kind == Attribute::Kind::lexicon) return tables_.lexicon->text(of_class);
    return tables_.clusters->bits(of_class, attribute.length);
}

uint32_t Extractor::find_class(const Attribute& attribute, std::string_view cell, std::string& lower,
                               std::string& scratch) const {
    const WordClusters& table = *table_of(attribute);
    if (attribute.lowercase) {
        lower.clear();
        append_lower(lower, cell);
        cell = lower;
    }
    const uint32_t found = table.find(cell, scratch);
    const size_t apostrophe = plain_apostrophes_ && found == WordClusters::kNone ? cell.find('\'') : cell.npos;
    if (apostrophe == cell.npos) return found;
    // The words of a table may have the curly one.
    const std::string curly = std::string(cell).replace(apostrophe, 1, "\u2019");
    return table.find(curly, scratch);
}

void Extractor::transform(const Attribute& attribute, std::string_view cell, std::string& out) const {
    using Kind = Attribute::Kind;
    std::string_view part;
    switch (attribute.kind) {
        case Kind::shape:
            append_shape(out, cell);
            return;
        case Kind::digit:
            out += has_digit(cell) ? "true" : "false";
            return;
        case Kind::hyphen:
            out += cell.find('-') != std::string_view::npos ? "true" : "false";
            return;
        case Kind::capital:
            out += capital(cell) ? "true" : "false";
            return;
        case Kind::test:
        case Kind::match: {
            const size_t index = static_cast<size_t>(&attribute - template_.attributes().data());
            const auto found = patterns_[index].search(cell);
            if (attribute.kind == Kind::test) {
                out += found ? "true" : "false";
                return;
            }
            part = found.value_or(std::string_view());
            break;
        }
        case Kind::prefix:
            part = prefix(cell, attribute.length);
            break;
        case Kind::suffix:
            part = suffix(cell, attribute.length);
            break;
        case Kind::cluster:
        case Kind::lexicon: {
            std::string lower, scratch;
            out += class_text(attribute, find_class(attribute, cell, lower, scratch));
            return;
        }
        case Kind::value:
        case Kind::list:
        case Kind::chars:
        case Kind::field:
            part = cell;
            break;
    }
    if (attribute.lowercase)
        append_lower(out, part);
    else
        out += part;
}

std::string Extractor::name(const Line& line, const Columns& data, size_t begin, size_t end, size_t i,
                            std::span<const std::string> fields) const {
    const auto n = static_cast<ptrdiff_t>(end - begin);
    std::string result = line.text[0];
    for (size_t p = 0; p < line.parts.size(); ++p) {
        const Part& part = line.parts[p];
        const Attribute& attribute = template_.attributes()[part.attribute];
        ptrdiff_t at = part.offset + (part.absolute ? 0 : static_cast<ptrdiff_t>(i));
        if (part.absolute && part.offset < 0) at += n;
        if (attribute.kind == Attribute::Kind::field) {
            result += fields[attribute.column];
        } else if (at < 0 || at >= n) {
            result += part.absolute ? boundary(1) : boundary(at < 0 ? at : at - n + 1);
        } else if (attribute.kind == Attribute::Kind::list) {
            Workspace workspace;
            std::vector<uint64_t> values(end - begin);
            read_list(part.attribute, data, begin, end, values.data(), workspace);
            const uint64_t value = values[static_cast<size_t>(at)];
            result += value == hash_bytes("B") ? "B" : value == hash_bytes("I") ? "I" : "O";
        } else {
            std::string scratch;
            const std::string_view cell = data.cell(begin + static_cast<size_t>(at), attribute.column);
            transform(attribute, as_read(cell, scratch), result);
        }
        result += line.text[p + 1];
    }
    return result;
}

}  // namespace sapwood

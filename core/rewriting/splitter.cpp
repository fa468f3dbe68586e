#include "rewriting/splitter.hpp"

#include "text/characters.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

bool has_apostrophe(std::string_view form) {
    for (size_t at = 0; at < form.size();)
        if (is_apostrophe(next_code_point(form, at))) return true;
    return false;
}

std::string with_plain_letters(std::string_view form) {
    std::string plain, scratch;
    form = composed(form, scratch);
    for (size_t at = 0; at < form.size();) {
        const size_t begin = at;
        const char32_t c = next_code_point(form, at);
        if (is_apostrophe(c))
            plain += '\'';
        else if (c >= 'A' && c <= 'Z')
            plain += static_cast<char>(c | 0x20);
        else
            plain += form.substr(begin, at - begin);
    }
    return plain;
}

std::vector<Rewriter::Changed> Splitter::split(const Columns& tokens, size_t threads) const {
    return rewriter_.changed(rows(tokens), tokens, threads);
}

Columns Splitter::rows(const Columns& tokens) const {
    std::string scratch;
    Columns rows(known_.empty() ? 1 : 2, tokens.name());
    for (size_t s = 0; s < tokens.sentences(); ++s) {
        for (size_t t = tokens.begin(s); t < tokens.end(s); ++t) {
            const std::string_view form = composed(tokens.cell(t, 0), scratch);
            if (has_apostrophe(form))
                rows.add_cell(with_plain_letters(form));
            else
                rows.add_cell(form);
            if (!known_.empty()) rows.add_cell(known_.parts(form));
        }
        rows.end_sentence();
    }
    return rows;
}

}  // namespace sapwood

#include "rewriting/next_words.hpp"

#include <vector>

#include "text/characters.hpp"
#include "text/utf8.hpp"

namespace sapwood {

bool is_clitic(std::string_view form) {
    if (form.empty()) return false;
    size_t at = 0;
    const char32_t first = next_code_point(form, at);
    return at < form.size() && is_apostrophe(first);
}

Columns with_next_words(const Columns& words) {
    Columns rows = words;
    rows.allow_gaps();
    const Columns::Cell nothing = Columns::part(0, 0);
    std::vector<Columns::Cell> next(words.tokens(), nothing), tags(words.tokens(), nothing);
    const auto cell = [&](size_t w, size_t column) { return words.cell(w, column); };
    for (size_t s = 0; s < words.sentences(); ++s)
        for (size_t w = words.begin(s); w < words.end(s); ++w) {
            if (!is_clitic(words.cell(w, 0))) continue;
            const NextWords found = next_words(w, words.end(s), cell);
            next[w] = rows.keep(found.next);
            tags[w] = rows.keep(found.tags);
        }
    rows.add_column(next);
    rows.add_column(tags);
    return rows;
}

}  // namespace sapwood

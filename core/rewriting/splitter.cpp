#include "rewriting/splitter.hpp"

namespace sapwood {

std::vector<Rewriter::Changed> Splitter::split(const Columns& tokens, size_t threads) const {
    return known_.empty() ? rewriter_.changed(tokens, threads) : rewriter_.changed(rows(tokens), threads);
}

Columns Splitter::rows(const Columns& tokens) const {
    Columns rows(known_.empty() ? 1 : 2, tokens.name());
    for (size_t s = 0; s < tokens.sentences(); ++s) {
        for (size_t t = tokens.begin(s); t < tokens.end(s); ++t) {
            rows.add_cell(tokens.cell(t, 0));
            if (!known_.empty()) rows.add_cell(known_.parts(tokens.cell(t, 0)));
        }
        rows.end_sentence();
    }
    return rows;
}

}  // namespace sapwood

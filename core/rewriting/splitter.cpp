#include "rewriting/splitter.hpp"

namespace sapwood {

std::vector<Rewriter::Changed> Splitter::split(const Columns& tokens, size_t threads) const {
    if (known_.empty()) return rewriter_.changed(tokens, threads);
    Columns rows(2, tokens.name());
    for (size_t s = 0; s < tokens.sentences(); ++s) {
        for (size_t t = tokens.begin(s); t < tokens.end(s); ++t) {
            rows.add_cell(tokens.cell(t, 0));
            rows.add_cell(known_.parts(tokens.cell(t, 0)));
        }
        rows.end_sentence();
    }
    return rewriter_.changed(rows, threads);
}

}  // namespace sapwood

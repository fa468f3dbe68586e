#include "segmenting/place_explainer.hpp"

namespace sapwood {

std::string shown_place(const Columns& rows, size_t place) {
    std::string shown(rows.cell(place, 2));
    if (rows.cell(place, 1) != "-") shown += ' ';
    shown += '|';
    return shown += rows.cell(place, 3);
}

std::string explain_places(const TaggerExplainer& tagger, const Columns& rows, const Question& question, size_t begin,
                           size_t end) {
    ScaledNumbers numbers(tagger.tagger().model().scale());
    std::string lines;
    for (size_t s = begin; s < end; ++s) {
        if (!question.asks_sentence(s)) continue;
        for (Explanation& explanation : tagger.explain_sentence(rows, s, question)) {
            explanation.word = shown_place(rows, rows.begin(s) + explanation.token);
            append_json(explanation, numbers, lines);
        }
    }
    return lines;
}

}  // namespace sapwood

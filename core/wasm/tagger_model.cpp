#include "wasm/tagger_model.hpp"

#include <algorithm>

#include "file/context.hpp"
#include "text/json.hpp"
#include "text/numbers.hpp"

namespace sapwood::wasm {

namespace {

// A list of the values of each sentence, in JSON; append(out, token) adds one.
template <class Append>
std::string by_sentence(const Columns& rows, Append&& append) {
    std::string out = "[";
    for (size_t s = 0; s < rows.sentences(); ++s) {
        out += s == 0 ? "[" : ", [";
        for (size_t t = rows.begin(s); t < rows.end(s); ++t) {
            if (t > rows.begin(s)) out += ", ";
            append(out, t);
        }
        out += ']';
    }
    return out += ']';
}

}  // namespace

TaggerModel::TaggerModel(const ModelFile& file) : rows_(file), curves_(making::curves_of(file)) {}

std::string TaggerModel::answer(const Json& asked) const {
    const Json* sentences = asked.find("sentences");
    if (sentences == nullptr) throw OptionError("a tagger is asked about sentences");
    const Columns rows = rows_of(*sentences);
    const std::string kind = text_in(asked, "ask");
    if (kind == "confidence") return confidences(rows);
    if (kind == "explain") {
        const Question question = question_in(asked);
        const std::string missing = flaw_of(question, rows.sentences());
        if (!missing.empty()) throw OptionError(missing);
        return rows_.explainer.explain(rows, question, 0, rows.sentences(), 1);
    }
    const std::vector<Label> labels = rows_.tagger.tag(rows, 1);
    return by_sentence(rows,
                       [&](std::string& out, size_t t) { append_json_string(out, rows_.answers.labels()[labels[t]]); });
}

Columns TaggerModel::rows_of(const Json& sentences) const {
    const size_t width = std::max<size_t>(1, rows_.tagger.columns_needed());
    Columns rows(width, "input");
    for (size_t s = 0; s < sentences.items.size(); ++s) {
        const std::vector<Json>& tokens = sentences.items[s].items;
        for (size_t t = 0; t < tokens.size(); ++t) {
            const std::vector<Json>& cells = tokens[t].items;
            if (!tokens[t].is_strings() || cells.size() < width)
                throw DataError("input: sentence " + std::to_string(s + 1) + ", token " + std::to_string(t + 1) +
                                ": it has " + std::to_string(cells.size()) + " columns, and the model reads " +
                                std::to_string(width));
            for (size_t c = 0; c < width; ++c) rows.add_cell(cells[c].text);
        }
        if (tokens.empty())
            rows.add_empty_sentence();
        else
            rows.end_sentence();
    }
    return rows;
}

std::string TaggerModel::confidences(const Columns& rows) const {
    require(!curves_.empty(), kNotCalibrated);
    const std::vector<double> margins = rows_.explainer.margins(rows, 1);
    return by_sentence(rows, [&](std::string& out, size_t t) { append_exact(out, curves_[0].at(margins[t])); });
}

}  // namespace sapwood::wasm

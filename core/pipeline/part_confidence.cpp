#include "pipeline/part_confidence.hpp"

#include <algorithm>
#include <limits>

#include "base/errors.hpp"
#include "text/chunks.hpp"

namespace sapwood {

namespace {

std::vector<double> of_chunks(const TaggerExplainer& tagger, const Curve& curve, const Columns& words) {
    const std::vector<double> margins = tagger.margins(words, 1);
    const std::vector<Label> labels = tagger.tagger().tag(words, 1);
    std::vector<double> found(words.tokens(), std::numeric_limits<double>::quiet_NaN());
    for (size_t s = 0; s < words.sentences(); ++s) {
        std::vector<std::string> names;
        for (size_t w = words.begin(s); w < words.end(s); ++w) names.push_back(tagger.shown().names()[labels[w]]);
        const auto keep = [&](const Chunk& chunk) {
            const size_t begin = words.begin(s) + chunk.begin, end = words.begin(s) + chunk.end;
            const double least = *std::min_element(margins.begin() + static_cast<ptrdiff_t>(begin),
                                                   margins.begin() + static_cast<ptrdiff_t>(end));
            for (size_t w = begin; w < end; ++w) found[w] = curve.at(least);
        };
        each_chunk(names, keep, [](size_t) {});
    }
    return found;
}

}  // namespace

std::vector<double> PartConfidence::of(const Doc& doc) const {
    if (of_chunks && curves.size() < 2) throw ModelError("the model was calibrated on labels that are not chunks");
    if (of_chunks) return sapwood::of_chunks(*tagger, curves[1], doc.words);
    std::vector<double> found;
    if (tagger != nullptr) {
        found = tagger->margins(doc.words, 1);
        for (double& each : found) each = curves[0].at(each);
        return found;
    }
    Parser::Margins margins = parser->margins(treebank_of({&doc}, "document"), 1);
    for (double& each : margins.arcs) each = curves[0].at(each);
    for (size_t w = 0; w < margins.relations.size(); ++w) margins.arcs[w] *= curves[1].at(margins.relations[w]);
    return margins.arcs;
}

}  // namespace sapwood

// The features by which two label sequences of a sentence differ, for training and for explanations; and the texts of
// features.
#pragma once
#include <span>
#include <string>

#include "base/stop_check.hpp"
#include "tagging/sequence_spec.hpp"
#include "text/columns.hpp"

namespace sapwood {

// The output in table t of the label n-gram that ends at token i.
inline uint32_t path_output(const SequenceSpec& spec, unsigned t, std::span<const Label> path, size_t i) {
    const auto label = [&](size_t back) { return i >= back ? path[i - back] : boundary_label(spec.labels.size()); };
    if (t == 0) return path[i];
    if (t == 1) return spec.bigram_cell(label(1), path[i]);
    return spec.trigram_cell(label(2), label(1), path[i]);
}

// Names features of a table by which two outputs differ. values: [features], or nullptr if all are 1.
template <FeatureDifference Difference>
void output_difference(uint32_t table, std::span<const uint32_t> features, const float* values, uint32_t right,
                       uint32_t wrong, Difference& difference) {
    if (values == nullptr) {
        for (uint32_t feature : features) {
            difference.gold(table, feature, right);
            difference.guess(table, feature, wrong);
        }
        return;
    }
    for (size_t k = 0; k < features.size(); ++k) {
        difference.gold(table, features[k], right, values[k]);
        difference.guess(table, features[k], wrong, values[k]);
    }
}

// features(t, i) gives the numbers of token i's features in table t, values(i) the values of those in table 0, or nullptr.
template <class Features, class Values, FeatureDifference Difference>
void path_difference(const SequenceSpec& spec, Features&& features, Values&& values, std::span<const Label> gold,
                     std::span<const Label> guess, Difference& difference) {
    const auto differs_at = [&](size_t i, size_t back) { return i >= back && gold[i - back] != guess[i - back]; };
    for (size_t i = 0; i < gold.size(); ++i) {
        bool differs = false;
        for (unsigned t = 0; t < spec.tables(); ++t) {
            differs = differs || differs_at(i, t);
            if (!differs) continue;
            StopCheck::after(100);
            const uint32_t right = path_output(spec, t, gold, i), wrong = path_output(spec, t, guess, i);
            output_difference(t, features(t, i), t == 0 ? values(i) : nullptr, right, wrong, difference);
        }
    }
}

// The text of a feature, with the labels that join its key: "U01:dog y[-1]=DT y[+1]=_?". `context` holds the labels
// around the token, which is one of the tokens begin to end - 1.
inline std::string feature_text(const SequenceSpec& spec, const Extractor& extractor, unsigned group, size_t line,
                                const Columns& data, size_t begin, size_t end, size_t token,
                                const LabelContext<Label>& context) {
    std::string text = extractor.name(extractor.line(group, line), data, begin, end, token - begin);
    if (spec.joins_labels())
        each_label(group, context, [&](int offset, Label y) {
            text += (offset < 0 ? " y[" : " y[+") + std::to_string(offset) + "]=" + spec.label_name(y);
        });
    return text;
}

}  // namespace sapwood

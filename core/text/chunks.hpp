// BIO chunk labels to IOBES (inside, outside, begin, end, single), which tells a model where chunks end.
// The way back is a property of each label alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

// Labels of one sentence: B-X alone becomes S-X, the last I-X becomes E-X. Labels that are not B-X or I-X
// stay.
inline std::vector<std::string> bio_to_iobes(const std::vector<std::string_view>& labels) {
    std::vector<std::string> result;
    for (size_t i = 0; i < labels.size(); ++i) {
        const std::string_view label = labels[i];
        std::string encoded(label);
        if (label.size() > 1 && label[1] == '-' && (label[0] == 'B' || label[0] == 'I')) {
            const bool goes_on = i + 1 < labels.size() && labels[i + 1].size() > 1 &&
                                 labels[i + 1][0] == 'I' && labels[i + 1].substr(1) == label.substr(1);
            if (!goes_on) encoded[0] = label[0] == 'B' ? 'S' : 'E';
        }
        result.push_back(std::move(encoded));
    }
    return result;
}

// S-X to B-X, E-X to I-X, others as they are.
inline std::string iobes_to_bio(std::string_view label) {
    std::string decoded(label);
    if (label.size() > 1 && label[1] == '-' && (label[0] == 'S' || label[0] == 'E'))
        decoded[0] = label[0] == 'S' ? 'B' : 'I';
    return decoded;
}

}  // namespace sapwood

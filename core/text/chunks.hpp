// Chunk labels: conversion between BIO and IOBES (inside, outside, begin, end, single), and extraction of chunks from
// labels of any scheme. BILUO, also called BILOU, is IOBES with L (last) for E and U (unit) for S; M of BMES is I. IOBES also marks where a chunk ends. Converting to IOBES looks at the next label; converting
// back looks at each label alone.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

constexpr bool is_inside(char tag) {
    return tag == 'I' || tag == 'E' || tag == 'L' || tag == 'M';
}
constexpr bool is_last(char tag) {
    return tag == 'E' || tag == 'L' || tag == 'S' || tag == 'U';
}

// Converts the labels of one sentence. A B-X that no I-X follows becomes S-X, the last I-X of a chunk becomes E-X, and
// every other label stays as it is.
inline std::vector<std::string> bio_to_iobes(const std::vector<std::string_view>& labels) {
    std::vector<std::string> result;
    for (size_t i = 0; i < labels.size(); ++i) {
        const std::string_view label = labels[i];
        std::string encoded(label);
        if (label.size() > 1 && label[1] == '-' && (label[0] == 'B' || label[0] == 'I')) {
            const bool goes_on = i + 1 < labels.size() && labels[i + 1].size() > 1 && is_inside(labels[i + 1][0]) &&
                                 labels[i + 1].substr(1) == label.substr(1);
            if (!goes_on) encoded[0] = label[0] == 'B' ? 'S' : 'E';
        }
        result.push_back(std::move(encoded));
    }
    return result;
}

// Converts one label: S-X to B-X and E-X to I-X; every other label stays as it is.
inline std::string iobes_to_bio(std::string_view label) {
    std::string decoded(label);
    if (label.size() > 1 && label[1] == '-' && (label[0] == 'S' || label[0] == 'E'))
        decoded[0] = label[0] == 'S' ? 'B' : 'I';
    return decoded;
}

// Whether every label is O or one of B-X, I-X, E-X, S-X, L-X and U-X.
inline bool spell_chunks(const std::vector<std::string>& labels) {
    return std::ranges::all_of(labels, [](std::string_view label) {
        return label == "O" || (label.size() > 2 && label[1] == '-' &&
                                std::string_view("BIESLUM").find(label[0]) != std::string_view::npos);
    });
}

struct Chunk {
    std::string_view type;
    size_t begin, end;
};

// Calls visit(chunk) for every chunk, from left to right, and visit_outside(i) for every token outside chunks. The
// rules are those of conlleval; sapwood.metrics.extract_chunks implements the same ones.
template <class Visit, class VisitOutside>
void each_chunk(const std::vector<std::string>& labels, Visit&& visit, VisitOutside&& visit_outside) {
    const auto typed = [](std::string_view label) { return label.size() > 1 && label[1] == '-'; };
    for (size_t i = 0; i < labels.size();) {
        if (!typed(labels[i])) {
            visit_outside(i++);
            continue;
        }
        const Chunk first{std::string_view(labels[i]).substr(2), i, i + 1};
        for (++i; i < labels.size(); ++i) {
            const std::string_view label = labels[i], left = labels[i - 1];
            const bool goes_on =
                typed(label) && is_inside(label[0]) && label.substr(2) == first.type && !is_last(left[0]);
            if (!goes_on) break;
        }
        visit(Chunk{first.type, first.begin, i});
    }
}

}  // namespace sapwood

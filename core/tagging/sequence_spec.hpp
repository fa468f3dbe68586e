// What training and tagging must agree on: which search, which labels, which table holds which features.
//
//     search          table 0                                     table 1          table 2
//     argmax          lines without labels -> label
//     greedy          all lines, labels joined to the key -> label
//     easiest-first   the same, with labels on both sides
//     viterbi         lines without labels -> label               -> label pair    -> label triple (order 2)
//
// In greedy and easiest-first search the labels beside a token are part of the feature, as in any classifier;
// in Viterbi they are part of the output, as in a CRF, so that one lookup a token serves all label pairs.
#pragma once
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/sum_rows.hpp"
#include "features/extractor.hpp"
#include "tagging/label_searches.hpp"

namespace sapwood {

struct SequenceSpec {
    Search search = Search::viterbi;
    unsigned order = 1;               // of label n-grams, where whole sequences are ranked
    std::vector<std::string> labels;  // in order of first appearance

    const LabelSearchTraits& traits() const { return kSearchTraits[static_cast<size_t>(search)]; }
    // Whether the labels beside a token are part of its features' keys.
    bool joins_labels() const { return traits().joins(); }
    // How far back and ahead template lines may look: lines that look further are left out.
    unsigned reach() const { return traits().whole ? order : traits().before; }
    unsigned ahead() const { return traits().after; }
    size_t tables() const { return traits().whole ? order + 1 : 1; }
    size_t table_of(unsigned line_reach) const { return traits().whole ? line_reach : 0; }

    LabelSearchSizes sizes(const Extractor& extractor) const { return {order, extractor.reach(), extractor.ahead()}; }

    // Outputs of a table in the file: label, pair h * L + y, triple (h * (L + 1) + g) * L + y, where h, g may
    // be the boundary L. In memory each run of L is padded to a run of padded(L), a matrix row.
    size_t width(size_t table) const {
        size_t width = labels.size();
        for (size_t t = 0; t < table; ++t) width *= labels.size() + 1;
        return width;
    }
    size_t cells(size_t table) const { return table == 0 ? labels.size() : width(table) / labels.size() * stride(); }
    size_t stride() const { return padded(labels.size()); }
    uint32_t cell(size_t output) const {
        return static_cast<uint32_t>(output / labels.size() * stride() + output % labels.size());
    }
    uint32_t bigram_cell(Label h, Label y) const { return static_cast<uint32_t>(h * stride() + y); }
    uint32_t trigram_cell(Label h, Label g, Label y) const {
        return static_cast<uint32_t>((h * (labels.size() + 1) + g) * stride() + y);
    }

    // Throws OptionError if the label n-grams would not fit in memory.
    void check_size() const {
        size_t cells = stride();
        for (unsigned k = 0; k < (traits().whole ? order : 0); ++k) {
            cells *= labels.size() + 1;
            if (cells > size_t{1} << 26)
                throw OptionError("too many labels (" + std::to_string(labels.size()) + ") for Viterbi of order " +
                                  std::to_string(order) + "; use a lower order or greedy search");
        }
    }

    // The name by which features know a label, a place outside the sentence, or a token that has no label yet.
    std::string label_name(Label y) const {
        static const char* const none[] = {"_B-1", "_B+1", "_?"};
        return y < labels.size() ? labels[y] : none[y - labels.size()];
    }
};

// The hashes of label names, which join the keys of features.
class LabelHashes {
  public:
    explicit LabelHashes(const SequenceSpec& spec) {
        for (Label y = 0; y <= unknown_label(spec.labels.size()); ++y)
            hashes_.push_back(hash_bytes(spec.label_name(y)));
    }

    LabelContext<uint64_t> operator()(const LabelContext<Label>& context) const {
        return {hashes_[context.l2], hashes_[context.l1], hashes_[context.r1], hashes_[context.r2]};
    }

  private:
    std::vector<uint64_t> hashes_;  // [labels + 3]
};

}  // namespace sapwood

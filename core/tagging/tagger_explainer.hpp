// Why a tagger gave a token its label.
//
// In argmax, greedy and easiest-first search the reasons are those of one step: the token's turn, with the labels that
// stood around it then. In Viterbi search they are about the whole: the best sequence against the best one in which
// this token has another label (search/max_marginals.hpp).
#pragma once
#include <string>
#include <vector>

#include "model/explanation.hpp"
#include "tagging/tagger.hpp"

namespace sapwood {

// How a tagger's labels are shown: [labels] names. Labels that are shown alike are one answer, and none of them stands
// against another.
using ShownLabels = std::vector<std::string>;

class TaggerExplainer {
  public:
    // The tagger must outlive this object.
    TaggerExplainer(const Tagger& tagger, ShownLabels shown);

    // A line of JSON for each token that is asked about in the sentences begin..end - 1; the same for every number of
    // threads. Throws DataError if the data lack a column, and
    // OptionError if no label has the name that the question is about.
    std::string explain(const Columns& data, const Question& question, size_t begin, size_t end, size_t threads) const;

    // [tokens] How far each token's label is ahead of the best other one, in the unit of training: the margins of
    // `explain`. Infinite where there is no other label. Throws DataError if the data lack a column.
    std::vector<double> margins(const Columns& data, size_t threads) const;

    // The explanations of one sentence.
    std::vector<Explanation> explain_sentence(const Columns& data, size_t sentence, const Question& question) const;

    const Tagger& tagger() const { return tagger_; }

  private:
    template <class W>
    class Worker;

    void check(const Columns& data, const Question& question) const;
    std::optional<uint32_t> number(const std::string& name) const;  // in number_

    const Tagger& tagger_;
    ShownLabels shown_;
    std::vector<uint32_t> number_;  // [labels] equal for labels that are shown alike
    LabelHashes label_hashes_;
};

}  // namespace sapwood

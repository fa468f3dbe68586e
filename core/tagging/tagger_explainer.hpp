// Explains why a tagger gave a token its label.
//
// In argmax, greedy and easiest-first search the label is compared with the best other label at the step that labelled the
// token, given the labels that the neighbours had at that step. In Viterbi search the best sequence is compared with the
// best sequence in which this token has another label (search/max_marginals.hpp).
#pragma once
#include <string>
#include <vector>

#include "model/explanation.hpp"
#include "tagging/tagger.hpp"

namespace sapwood {

// The names under which a tagger's labels are shown, [labels]. Labels of the same name are one answer and are not compared
// with each other.
using ShownLabels = std::vector<std::string>;

class TaggerExplainer {
  public:
    // The tagger must outlive this object.
    TaggerExplainer(const Tagger& tagger, ShownLabels shown);

    // Returns a line of JSON for each token of the sentences begin..end - 1 that is asked about. The result does not depend
    // on the number of threads. Throws DataError if the data lack a column, and OptionError if no label has the name
    // `Question::against`.
    std::string explain(const Columns& data, const Question& question, size_t begin, size_t end, size_t threads) const;

    // [tokens] The margins of `explain`: the score of each token's label minus the score of the best other label, in the
    // unit of training. Infinite where there is no other label. Throws DataError if the data lack a column.
    std::vector<double> margins(const Columns& data, size_t threads) const;

    // [tokens][labels] How far the best labels of a sentence in which a token has a label are behind the best ones of all, in
    // the unit of training: at most 0, minus infinity where the label is not allowed. Throws as `margins` does.
    std::vector<double> gaps(const Columns& data, size_t threads) const;

    // The explanations of one sentence.
    std::vector<Explanation> explain_sentence(const Columns& data, size_t sentence, const Question& question) const;

    const Tagger& tagger() const { return tagger_; }

  private:
    template <class W>
    class Worker;

    // Returns `width` numbers of each token, which fill(worker, sentence, numbers) gives, in the unit of training.
    template <class Fill>
    std::vector<double> by_token(const Columns& data, size_t threads, size_t width, Fill&& fill) const;
    void check(const Columns& data, const Question& question) const;
    std::optional<uint32_t> number(const std::string& name) const;  // in number_

    const Tagger& tagger_;
    ShownLabels shown_;
    std::vector<uint32_t> number_;  // [labels] equal for labels of the same name
    LabelHashes label_hashes_;
};

}  // namespace sapwood

// Explains why a tagger gave a token its label.
//
// What its label is compared with depends on the search: label_explainer.hpp, path_explainer.hpp.
#pragma once
#include <string>
#include <vector>

#include "model/explanation.hpp"
#include "tagging/shown_labels.hpp"
#include "tagging/tagger.hpp"

namespace sapwood {

class TaggerExplainer {
  public:
    // The tagger must outlive this object.
    TaggerExplainer(const Tagger& tagger, ShownLabels shown)
        : tagger_(tagger), shown_(std::move(shown)), label_hashes_(tagger.spec()) {}

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

    // The flaw of a question, a label that the tagger does not have; empty if it has none.
    std::string flaw_of(const Question& question) const;

    // The explanations of one sentence.
    std::vector<Explanation> explain_sentence(const Columns& data, size_t sentence, const Question& question) const;

    const Tagger& tagger() const { return tagger_; }
    const ShownLabels& shown() const { return shown_; }

  private:
    template <class W>
    class Worker;

    // Returns `width` numbers of each token, which fill(worker, sentence, numbers) gives, in the unit of training.
    template <class Fill>
    std::vector<double> by_token(const Columns& data, size_t threads, size_t width, Fill&& fill) const;
    void check(const Columns& data, const Question& question) const;

    const Tagger& tagger_;
    ShownLabels shown_;
    LabelHashes label_hashes_;
};

}  // namespace sapwood

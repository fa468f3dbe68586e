// The training data of a tagger, and how one of its sentences is presented to the learner (learner/trainer.hpp).
//
// The data are turned into feature numbers once. An epoch then costs no hashing, except where labels that are only
// known in the search join the features: the model's own to the left, or those given so far on both sides.
//
// A decision, for the averaging clock, is the token in argmax, greedy and easiest-first search (in the order in which
// it has its turn), and the sentence in Viterbi. A token for which a tag dictionary has one label is no decision.
#pragma once
#include <string>
#include <vector>

#include "features/extractor.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "search/easiest_first.hpp"
#include "search/viterbi.hpp"
#include "tagging/sentence_scorer.hpp"
#include "tagging/sequence_spec.hpp"
#include "tagging/tag_dictionary.hpp"
#include "text/columns.hpp"

namespace sapwood {

struct TaggerOptions {
    Search search = Search::viterbi;
    unsigned order = 1;  // of Viterbi
    TrainingOptions training;
    bool own_history = false;        // greedy: train on the labels the model gives, not on the gold ones
    bool iobes = false;              // learn BIO chunks as IOBES
    std::vector<size_t> dictionary;  // the columns whose values restrict the labels, in argmax and greedy search
    // Of a training from which this one goes on: its labels, which are the first ones here, and its dictionary.
    std::vector<std::string> known_labels;
    TagDictionary known_dictionary;
};

class TaggerProblem {
  public:
    using Learner = sapwood::Learner;

    // Reads the labels from column `label` of `data`. Throws DataError if there is no sentence or no such column.
    TaggerProblem(const Columns& data, size_t label, Extractor extractor, const TaggerOptions& options);

    // Turns the same data, which must outlive the training, into feature numbers.
    void encode(const Columns& data, Learner& learner, FeatureNames* names);

    const SequenceSpec& spec() const { return spec_; }
    const TagDictionary& dictionary() const { return dictionary_; }

    // By table, the outputs here of those that a training with the known labels had.
    std::vector<std::vector<uint32_t>> outputs_of_known() const;

    size_t examples() const { return gold_.starts.size() - 1; }
    std::vector<uint32_t>& numbered(size_t t) { return encoded_[t].features; }
    size_t present(size_t sentence, Learner& learner, FeatureNames* names);
    size_t bytes() const;

  private:
    class Sentence;
    struct PathChoice;

    struct Gold {
        std::vector<std::string> names;  // in order of first appearance
        std::vector<size_t> starts;      // [sentences + 1]
        std::vector<Label> labels;       // [tokens]
    };
    static Gold read_gold(const Columns& data, size_t label, const TaggerOptions& options);

    // Feature numbers of one table for every token: [tokens][lines].
    struct Encoded {
        size_t lines = 0;
        std::vector<uint32_t> features;
    };

    // Whether the labels in a key are only known in the search.
    bool labels_join_late() const {
        return options_.search == Search::easiest_first || (options_.search == Search::greedy && options_.own_history);
    }
    // Lines that look farther back are not encoded.
    unsigned encoded_reach() const { return labels_join_late() ? 0 : spec_.reach(); }
    void check(const Columns& data) const;
    LabelContext<Label> gold_before(size_t begin, size_t token) const;
    std::string name(unsigned group, size_t line, size_t begin, size_t end, size_t token,
                     const LabelContext<Label>& context, const Columns& data) const;

    void present_tokens(Sentence& sentence);
    void present_own_history(Sentence& sentence);
    void present_easiest_first(Sentence& sentence);
    Presented present_token(Sentence& sentence, size_t i);

    TaggerOptions options_;
    Extractor extractor_;
    Gold gold_;
    SequenceSpec spec_;
    LabelHashes label_hashes_;
    TagDictionary dictionary_;
    Encoded encoded_[3];                // by table
    std::vector<uint64_t> label_keys_;  // labels that join late: [tokens][label lines] keys yet to be joined
    const Columns* data_ = nullptr;     // for the tag dictionary, and to name features that are met late

    // Scratch.
    SentenceScorer<WeightTable> scorer_;
    Viterbi<float> viterbi_;
    EasiestFirst<float> easiest_;
    std::vector<uint64_t> joined_keys_;  // [label lines] of one token
    std::vector<uint32_t> joined_;  // labels that join late: [tokens of the sentence][lines of table 0, label lines]
    std::vector<uint32_t> rows_;    // [tokens of the sentence][features of a token in table 0]
    std::vector<Label> path_;
    AlignedVector<float> scores_;  // [padded(labels)] of one token
};

}  // namespace sapwood

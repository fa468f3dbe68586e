// The training data of a tagger, and how one of its sentences is presented to the learner (learner/trainer.hpp).
//
// The data are turned into feature numbers once, in memory or in scratch files (base/store.hpp). An epoch then costs no
// hashing, except where labels that are only known in the search join the features: the model's own to the left, or those
// given so far on both sides.
//
// A decision, for the averaging clock, is the sentence if the search ranks whole sequences; otherwise the token, in the order
// in which it has its turn. A token for which a tag dictionary has one label is no decision.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/store.hpp"
#include "features/extractor.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "tagging/sentence_scorer.hpp"
#include "tagging/sequence_options.hpp"
#include "tagging/sequence_spec.hpp"
#include "tagging/tag_dictionary.hpp"
#include "text/columns.hpp"

namespace sapwood {

inline constexpr const char* kHistories[] = {"gold", "own"};
struct TaggerOptions : SequenceOptions {
    TrainingOptions training;
    bool own_history = false;  // train on the labels the model gives, not on the gold ones, where labels join features

    template <class Visit>
    void each(Visit&& visit) {
        SequenceOptions::each(visit);
        training.each(visit);
        visit("names", training.names);
        visit("guided", training.learner.repeat, kGuided);
        visit("history", own_history, kHistories);
    }

    // What depends on the data.
    std::vector<size_t> dictionary;  // the columns whose values restrict the labels
    std::string scratch;             // a folder for scratch files with the examples, which are in memory without one
    // Of a training from which this one goes on: its labels, which are the first ones here, and its dictionary.
    std::vector<std::string> known_labels;
    TagDictionary known_dictionary;
};

class TaggerProblem {
  public:
    using Learner = sapwood::Learner;

    // Labels are read from column `label`.
    TaggerProblem(size_t label, Extractor extractor, const TaggerOptions& options);

    // Adds sentences and turns them into feature numbers. `data` must outlive the training if labels that join late are to
    // be spelled. Throws DataError if there is no label column or no column that the template looks at.
    void add(const Columns& data, Learner& learner, FeatureNames* names);
    // To be called when all are added. Throws DataError if there is no sentence.
    void finish(Learner& learner);

    size_t tokens() const { return labels_.size(); }
    const SequenceSpec& spec() const { return spec_; }
    const TagDictionary& dictionary() const { return dictionary_; }

    // For each table, the output here of each output of the earlier training.
    std::vector<std::vector<uint32_t>> outputs_of_known() const;

    size_t examples() const { return starts_.size() - 1; }
    void begin(const Learner&) const {
        if (scratch_ == nullptr) throw OptionError("finish has to be called after the last part of the data");
    }
    std::span<uint32_t> numbered(size_t t) { return encoded_[t].features.all(); }
    size_t present(size_t sentence, Learner& learner, FeatureNames* names) {
        return present(sentence, learner, names, *scratch_);
    }
    // Scratch memory of one thread, and `present` with it (learner/trainer.hpp).
    struct Scratch;
    std::unique_ptr<Scratch> scratch() const;
    size_t present(size_t sentence, Learner& learner, FeatureNames* names, Scratch& scratch) const;
    void arrange(std::span<const uint32_t> order, size_t from, size_t group);
    void reach(std::span<const uint32_t> order, size_t position);
    bool knows_features() const { return !labels_join_late(); }

  private:
    class Sentence;
    class PresentedSentence;

    // Feature numbers of one table for every token: [tokens][lines].
    struct Encoded {
        size_t lines = 0;
        Store<uint32_t> features;
    };

    // Calls visit(store, starts) for the items of sentences, where starts(k) is the first item of sentence k.
    template <class Visit>
    void each_store(Visit&& visit);

    // Whether the labels in a key are only known in the search.
    bool labels_join_late() const {
        return spec_.joins_labels() && (spec_.traits().joins_late || options_.own_history);
    }
    // Lines that look farther back are not encoded.
    unsigned encoded_reach() const { return labels_join_late() ? 0 : spec_.reach(); }
    void check_options() const;
    void check(const Columns& data) const;
    void read_labels(const Columns& data, size_t begin, size_t end);
    void encode(const Columns& data, size_t begin, size_t end, Learner& learner, FeatureNames* names);
    LabelContext<Label> gold_before(size_t i) const;

    TaggerOptions options_;
    size_t label_;
    Extractor extractor_;
    SequenceSpec spec_;  // the labels in order of first appearance
    std::unordered_map<std::string, Label> number_of_;
    LabelHashes label_hashes_;
    TagDictionary dictionary_;
    TagDictionary::Allowed allowed_;  // what will be the dictionary
    std::vector<uint64_t> starts_;    // [sentences + 1] first token
    Store<Label> labels_;             // [tokens] gold
    Store<uint64_t> values_;          // [tokens] in the columns of the tag dictionary, if there is one
    Encoded encoded_[3];              // by table
    bool has_values_ = false;         // whether features have values; in tables 1 and 2 every value is 1
    Store<float> feature_values_;     // [tokens][lines of table 0], if they have
    Store<uint64_t> label_keys_;      // labels that join late: [tokens][label lines] keys yet to be joined
    const Columns* data_ = nullptr;   // to name features that are met late

    // Of the sentence that is being added.
    Extractor::Workspace workspace_;
    std::vector<Label> gold_;  // [tokens]
    std::vector<uint64_t> keys_;

    std::unique_ptr<Scratch> scratch_;  // once all labels are known
};

struct TaggerProblem::Scratch {
    SentenceScorer<WeightTable> scorer;
    LabelSearches<float> search;
    AlignedVector<float> scores;          // [padded(labels)] of one token
    std::vector<uint64_t> joined_keys{};  // [label lines] of one token
    std::vector<uint32_t> joined{};  // labels that join late: [tokens of the sentence][lines of table 0, label lines]
    std::vector<float> values{};     // of the features in `joined`, if they have values
    std::vector<uint32_t> rows{};    // [tokens of the sentence][features of a token in table 0]
    std::vector<Label> path{};
};

}  // namespace sapwood

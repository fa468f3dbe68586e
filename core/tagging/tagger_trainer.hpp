// Trains a tagger. The training set is turned into feature numbers once; an epoch then walks them in a
// shuffled order, and costs no hashing.
//
// An example, for the averaging clock, is the token in argmax, greedy and easiest-first search (in the order
// in which it has its turn), and the sentence in Viterbi.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "features/extractor.hpp"
#include "learner/epochs.hpp"
#include "learner/learner.hpp"
#include "model/freeze.hpp"
#include "search/easiest_first.hpp"
#include "search/viterbi.hpp"
#include "tagging/sequence_spec.hpp"
#include "text/columns.hpp"

namespace sapwood {

struct TrainerOptions {
    Search search = Search::viterbi;
    unsigned order = 1;
    LearnerOptions learner;
    uint32_t prune_below = 1;  // features that occur less often in the training set are dropped beforehand
    uint64_t seed = 1;
    bool own_history = false;  // greedy: train on the labels the model gives, not on the gold ones
    bool iobes = false;        // learn BIO chunks as IOBES
};

class TaggerTrainer {
  public:
    // Reads the labels from column `label` of `data`. Throws DataError if there is no sentence or no such
    // column.
    TaggerTrainer(const Columns& data, size_t label, Extractor extractor, const TrainerOptions& options);

    // Trains on sentences until about `tokens` tokens have been seen or the epoch is over; true if it is
    // over.
    bool step(size_t tokens);

    Progress progress() const;
    size_t bytes() const;  // memory of the training set and the weights

    // The averaged (or last) weights so far.
    PackedModel freeze(const FreezeOptions& options) const;

    // The text of every feature of a frozen model, in its order, one vector a table.
    std::vector<std::vector<std::string>> names(const PackedModel& model, const Columns& data) const;

    const SequenceSpec& spec() const { return spec_; }

  private:
    // Feature numbers of one table for every token: [tokens][lines].
    struct Encoded {
        size_t lines = 0;
        std::vector<uint32_t> features;
        const uint32_t* at(size_t token) const { return features.data() + token * lines; }
    };

    // Where a feature of labels that join late was first met, to name it.
    struct Origin {
        uint64_t key;
        size_t token, line;  // the line in its group
        unsigned group;
        LabelContext<Label> context;
    };

    // Whether the labels in a key are only known in the search: the model's own, or those given so far.
    bool labels_join_late() const {
        return spec_.search == Search::easiest_first ||
               (spec_.search == Search::greedy && options_.own_history);
    }
    unsigned encoded_reach() const {
        return labels_join_late() ? 0 : spec_.reach();
    }  // lines that are encoded once
    void read_labels(const Columns& data, size_t label);
    void encode(const Columns& data);
    void prune(uint32_t below);
    template <class Visit>
    void each_key(const Columns& data, Visit&& visit) const;
    LabelContext<Label> gold_before(size_t begin, size_t token) const;
    LabelContext<uint64_t> hashes(const LabelContext<Label>& context) const;
    std::string labels_name(unsigned group, const LabelContext<Label>& context) const;

    void learn_tokens(size_t begin, size_t end);
    void learn_own_history(size_t begin, size_t end);
    void learn_easiest_first(size_t begin, size_t end);
    void join_labels(size_t token, const LabelContext<Label>& context, uint32_t* features);
    void score(const uint32_t* features, size_t count, float* scores);
    Label decide(size_t token, const uint32_t* features, size_t count);
    void learn_sentence(size_t begin, size_t end);
    void fill_lattice(size_t begin, size_t end);
    void fill_transitions(unsigned reach, size_t begin, size_t end);
    float path_score(const std::vector<Label>& path);

    TrainerOptions options_;
    SequenceSpec spec_;
    Extractor extractor_;
    Learner learner_;
    std::vector<size_t> starts_;  // [sentences + 1]
    std::vector<Label> gold_;     // [tokens]
    Encoded encoded_[3];          // by table
    // Labels that join late:
    std::vector<uint64_t> label_keys_;  // [tokens][label lines] keys yet to be joined with labels
    std::vector<Origin> origins_;       // of the features with labels, in the order of their numbers
    size_t first_origin_ = 0;           // the number before the first of them
    std::vector<uint64_t> label_hashes_;

    Epochs epochs_;

    // Scratch of the epoch loop.
    Lattice<float> lattice_;
    Viterbi<float> viterbi_;
    EasiestFirst<float> easiest_;
    Violation violation_;
    std::vector<uint32_t> rows_;
    std::vector<uint64_t> joined_;    // [label lines] keys of one token, joined with labels
    std::vector<uint32_t> features_;  // labels that join late: [1 or the sentence's tokens][lines]
    std::vector<Label> path_, gold_path_;
    AlignedVector<float> scores_;
    uint64_t base_updates_ =
        UINT64_MAX;  // learner_.updates() when the lattice's transition matrices were filled
};

}  // namespace sapwood

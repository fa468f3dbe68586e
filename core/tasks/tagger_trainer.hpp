// Trains a tagger. The training set is turned into feature numbers once; an epoch then walks them in a
// shuffled order, and costs no hashing.
//
// An example, for the averaging clock, is the token in argmax and greedy search and the sentence in Viterbi.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "features/extractor.hpp"
#include "learner/learner.hpp"
#include "model/freeze.hpp"
#include "search/viterbi.hpp"
#include "tasks/epochs.hpp"
#include "tasks/sequence_model.hpp"
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
    PackedModel freeze(unsigned bits) const;

    // The text of every feature of a frozen model, in its order, one vector a table.
    std::vector<std::vector<std::string>> names(const PackedModel& model, const Columns& data) const;

    const SequenceShape& shape() const { return shape_; }

  private:
    // Feature numbers of one table for every token: [tokens][lines].
    struct Encoded {
        size_t lines = 0;
        std::vector<uint32_t> features;
        const uint32_t* at(size_t token) const { return features.data() + token * lines; }
    };

    // Own history: where a feature with labels was first met, to name it.
    struct Origin {
        uint64_t key;
        size_t token, line;
        unsigned reach;
        Label l2, l1;
    };

    bool own_history() const { return options_.own_history && shape_.search == Search::greedy; }
    unsigned encoded_reach() const {
        return own_history() ? 0 : shape_.reach();
    }  // lines that are encoded once
    void read_labels(const Columns& data, size_t label);
    void encode(const Columns& data);
    void prune(uint32_t below);
    template <class Visit>
    void each_key(const Columns& data, Visit&& visit) const;
    std::string history_name(unsigned reach, Label l2, Label l1) const;

    void learn_tokens(size_t begin, size_t end);
    void learn_own_history(size_t begin, size_t end);
    Label decide(size_t token, const uint32_t* features, size_t count);
    void learn_sentence(size_t begin, size_t end);
    void fill_lattice(size_t begin, size_t end);
    void fill_transitions(unsigned reach, size_t begin, size_t end);
    float path_score(const std::vector<Label>& path);

    TrainerOptions options_;
    SequenceShape shape_;
    Extractor extractor_;
    Learner learner_;
    std::vector<size_t> starts_;             // [sentences + 1]
    std::vector<Label> gold_;                // [tokens]
    Encoded encoded_[3];                     // by table
    std::vector<uint64_t> history_keys_[2];  // own history: keys of lines of reach 1 and 2, [tokens][lines]
    std::vector<Origin> origins_;  // own history: features with labels, in the order of their numbers
    size_t first_origin_ = 0;      // the number before the first of them
    std::vector<uint64_t> label_hashes_;

    std::vector<uint32_t> order_;  // of the sentences, shuffled every epoch
    size_t position_ = 0;          // in order_
    uint64_t random_;
    Progress progress_;

    // Scratch of the epoch loop.
    Lattice<float> lattice_;
    Viterbi<float> viterbi_;
    Violation violation_;
    std::vector<uint32_t> rows_;
    std::vector<Label> path_, gold_path_;
    AlignedVector<float> scores_;
    uint64_t base_updates_ =
        UINT64_MAX;  // learner_.updates() when the lattice's transition matrices were filled
};

}  // namespace sapwood

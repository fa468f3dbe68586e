// Trains a tagger: the walk over the data is the Trainer's, what a sentence is to the learner is in tagger_problem.hpp.
#pragma once
#include <string>
#include <vector>

#include "model/freeze.hpp"
#include "tagging/tagger_problem.hpp"

namespace sapwood {

class TaggerTrainer {
  public:
    // Reads the labels from column `label` of `data`, which must outlive the training. Throws
    // DataError if there is no sentence or no such column.
    TaggerTrainer(const Columns& data, size_t label, Extractor extractor, const TaggerOptions& options);

    // The same without data, which are added in as many parts as there are before the first step. A part has to live only
    // until it is added, except where TaggerProblem::add says otherwise. Throws DataError.
    TaggerTrainer(size_t label, Extractor extractor, const TaggerOptions& options);
    void add(const Columns& data);
    void finish();

    size_t sentences() const { return trainer_.problem().examples(); }
    size_t tokens() const { return trainer_.problem().tokens(); }

    // Trains on sentences until about `tokens` tokens have been seen or the epoch is over; true if it is over.
    bool step(size_t tokens) { return trainer_.step(tokens); }

    // The whole state between two steps; see Trainer::state.
    template <class State>
    void state(State s) {
        trainer_.state(s);
    }

    // Before the first step: goes on from the state of a training with the known labels (TaggerOptions) and other data.
    void go_on_from(const StateReader& s) { trainer_.go_on_from(s); }

    // The walk over the examples, for learner/mixing.hpp.
    Trainer<TaggerProblem>& walk() { return trainer_; }

    Progress progress() const { return trainer_.progress(); }

    // The averaged (or last) weights so far.
    PackedModel freeze(const FreezeOptions& options) const;

    // Begins anew with the weights alone that freeze would keep of `whole` (model/freeze.hpp).
    void prune(const TaggerTrainer& whole, const FreezeOptions& options) {
        sapwood::prune(trainer_, whole.trainer_, options);
    }

    // The texts of a frozen model's features, in its order, one vector a table.
    std::vector<std::vector<std::string>> names(const PackedModel& model) const {
        return feature_names(trainer_, model);
    }

    const SequenceSpec& spec() const { return trainer_.problem().spec(); }
    const TagDictionary& dictionary() const { return trainer_.problem().dictionary(); }

  private:
    Trainer<TaggerProblem> trainer_;
};

inline PackedModel freeze(const TaggerTrainer& trainer, const FreezeOptions& options) {
    return trainer.freeze(options);
}
inline void prune(TaggerTrainer& trainer, const TaggerTrainer& whole, const FreezeOptions& options) {
    trainer.prune(whole, options);
}

}  // namespace sapwood

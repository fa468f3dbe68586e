// Trains a dependency parser: the words of the training set are hashed once and its trees made projective; an
// epoch then presents every sentence to the search, and its arcs to the labeller where labels come second.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "learner/epochs.hpp"
#include "model/freeze.hpp"
#include "parsing/parser_worker.hpp"
#include "text/conllu.hpp"

namespace sapwood {

struct ParserTrainerOptions {
    LearnerOptions learner;
    bool early = false;  // beam: early update, not max-violation
    size_t k_best = 1;   // eisner, passive-aggressive: trees of a sentence to learn from at once
    bool skip_non_projective = false;  // leave their sentences out instead of lifting arcs
    bool names = false;                // keep the texts of features
    uint64_t seed = 1;
};

class ParserTrainer {
  public:
    // `shape` is complete but for the labels, which the data give. Throws DataError for a tree that is not
    // valid and for data without a sentence to learn from.
    ParserTrainer(const Conllu& data, ParserSpec spec, const ParserTrainerOptions& options);

    // Trains on sentences until about `words` words have been seen or the epoch is over; true if it is over.
    bool step(size_t words);

    Progress progress() const;
    size_t bytes() const;  // memory of the training set and the weights

    // The averaged (or last) weights so far.
    PackedModel freeze(const FreezeOptions& options) const;

    // The text of every feature of a frozen model, in its order, one vector a table; needs options.names.
    std::vector<std::vector<std::string>> names(const PackedModel& model) const;

    const ParserSpec& spec() const { return spec_; }
    size_t sentences() const { return words_.size(); }  // of an epoch
    size_t words() const { return words_in_all_; }
    size_t non_projective_sentences() const { return crossing_; }  // in the data, lifted or skipped
    size_t lifted_arcs() const { return lifted_; }

  private:
    void read(const Conllu& data);
    void read_texts(const Conllu& data);
    size_t learn(size_t sentence);

    ParserSpec spec_;
    ParserTrainerOptions options_;
    std::vector<Words> words_;  // [sentences]
    std::vector<Tree> gold_;    // [sentences]
    size_t words_in_all_ = 0, crossing_ = 0, lifted_ = 0;
    Learner learner_;
    std::optional<std::variant<TransitionTrainer, EasyFirstTrainer, EisnerTrainer>> search_;
    std::optional<ArcLabeller> labeller_;
    Tree unlabelled_;  // what the search learns from if labels come second
    std::optional<Epochs> epochs_;
    std::map<uint64_t, std::string> texts_;  // of attributes' values
    std::unique_ptr<ParserNames> names_;
};

}  // namespace sapwood

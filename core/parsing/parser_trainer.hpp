// Training data of dependency parsers: the words of a treebank, hashed once, and its trees, made projective. A sentence is
// presented to the search, and its arcs to the labeller where labels come second.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "learner/trainer.hpp"
#include "parsing/parser_worker.hpp"
#include "text/conllu.hpp"

namespace sapwood {

inline constexpr const char* kUpdateStrategies[] = {"max", "early"};
inline constexpr const char* kNonProjective[] = {"lift", "skip"};

struct ParserOptions {
    TrainingOptions training;
    bool early = false;                // beam: early update, not max-violation
    size_t k_best = 1;                 // eisner, passive-aggressive: trees of a sentence to learn from at once
    bool skip_non_projective = false;  // leave their sentences out instead of lifting arcs

    template <class Visit>
    void each(Visit&& visit) {
        training.each(visit);
        visit("names", training.names);
        visit("guided", training.learner.repeat, kGuided);
        visit("update_strategy", early, kUpdateStrategies);
        visit("k_best", k_best);
        visit("non_projective", skip_non_projective, kNonProjective);
    }
};

class ParserProblem {
  public:
    using Learner = sapwood::Learner;

    // `spec` is complete but for the labels, which the data give. If it has some, they come first: those of a training
    // from which this one goes on. Throws DataError for a tree that is not
    // valid and for data without a sentence to learn from.
    ParserProblem(const Conllu& data, ParserSpec spec, const ParserOptions& options);

    size_t examples() const { return words_.size(); }  // sentences
    size_t present(size_t sentence, Learner& learner, FeatureNames* names) {
        return present(sentence, learner, names, *scratch_);
    }
    // Scratch memory of one thread, and `present` with it (learner/trainer.hpp).
    struct Scratch {
        std::variant<TransitionTrainer, EasyFirstTrainer, EisnerTrainer> search;
        std::optional<ArcLabeller> labeller;
        Tree unlabelled{};  // what the search learns from if labels come second
    };
    std::unique_ptr<Scratch> scratch() const;
    size_t present(size_t sentence, Learner& learner, FeatureNames* names, Scratch& scratch) const;

    std::vector<std::vector<uint32_t>> outputs_of_known() const { return spec_.outputs_of(known_); }

    const ParserSpec& spec() const { return spec_; }
    size_t words() const { return words_in_all_; }
    size_t non_projective_sentences() const { return crossing_; }  // in the data, lifted or skipped
    size_t lifted_arcs() const { return lifted_; }

  private:
    void read(const Conllu& data, bool skip_non_projective);
    void read_texts(const Conllu& data);
    std::string text_of(uint64_t value) const;

    ParserSpec spec_, known_;   // known: with the labels that were given
    std::vector<Words> words_;  // [sentences]
    std::vector<Tree> gold_;    // [sentences]
    size_t words_in_all_ = 0, crossing_ = 0, lifted_ = 0;
    bool early_;
    size_t k_best_;
    std::unique_ptr<Scratch> scratch_;
    std::map<uint64_t, std::string> texts_;  // of the atoms' values, if features are named
};

using ParserTrainer = Trainer<ParserProblem>;

inline ParserTrainer parser_trainer(const Conllu& data, ParserSpec spec, const ParserOptions& options) {
    ParserProblem problem(data, std::move(spec), options);
    const ParserSpec& known = problem.spec();
    const std::vector<size_t> widths = known.widths();
    const size_t of_structures =
        known.decides_alone() ? 0 : widths.size() - (known.labelling == Labelling::second_stage);
    Learner learner(options.training.learner, widths, of_structures);
    return ParserTrainer(options.training, std::move(problem), std::move(learner));
}

}  // namespace sapwood

// A frozen dependency parser: sentences in, trees out. Immutable and shared by threads, each of which borrows scratch.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/pool.hpp"
#include "model/frozen_model.hpp"
#include "parsing/parser_spec.hpp"
#include "search/projective.hpp"

namespace sapwood {

class Parser {
  public:
    // `bits` and `scale` as in PackedModel. Throws ModelError if the tables do not fit the spec, TemplateError.
    Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale);
    ~Parser();

    // One tree a sentence, lifted arcs put back; the same for every number of threads.
    std::vector<Tree> parse(const Conllu& data, size_t threads) const;
    // Parses sentences that are no treebank: read(s, words) gives the words of sentence s.
    std::vector<Tree> parse(size_t sentences, const std::function<void(size_t, Words&)>& read, size_t threads) const;

    // The names of the labels of those trees.
    const LabelSet& labels() const { return labels_; }

    // The bytes that were read, with those heads and relations.
    std::string annotate(const Conllu& data, size_t threads) const;

    // The n best trees of one sentence with their scores (Eisner order 1 only, else OptionError).
    struct Ranked {
        Tree tree;
        double score;
    };
    std::vector<Ranked> n_best(const Conllu& data, size_t sentence, size_t count) const;

    // How far the decisions about words are ahead of the best other ones, in the unit of training: the margins of
    // `explain_parses` (parsing/parser_explainer.hpp). They are infinite where there was no other one. `relations` is empty
    // unless labels come from a second stage.
    struct Margins {
        std::vector<double> arcs, relations;  // [words]
    };
    // Throws DataError for a sentence that is too long for the search.
    Margins margins(const Conllu& data, size_t threads) const;

    // For each sentence the least gap with which a beam parser gives it the same tree, in the unit of training. Throws
    // OptionError for another search, DataError.
    std::vector<double> gaps(const Conllu& data, size_t threads) const;

    const ParserSpec& spec() const { return spec_; }
    const FrozenModel& model() const { return model_; }

  private:
    class Worker;
    template <class W>
    class TableWorker;

    Pool<Worker>::Loan worker() const;

    ParserSpec spec_;
    FrozenModel model_;
    LabelSet labels_;
    LiftedLabels lifted_;
    mutable Pool<Worker> workers_;
};

}  // namespace sapwood

// A frozen dependency parser: sentences in, trees out. Immutable and shared; what a thread needs is in a worker
// of its own.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/frozen_model.hpp"
#include "parsing/parser_spec.hpp"
#include "search/projective.hpp"

namespace sapwood {

class Parser {
  public:
    // `bits` and `scale` as in PackedModel. Throws ModelError if the tables do not fit the spec, TemplateError.
    Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale);

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

    const ParserSpec& spec() const { return spec_; }
    const FrozenModel& model() const { return model_; }

  private:
    ParserSpec spec_;
    FrozenModel model_;
    LabelSet labels_;
    LiftedLabels lifted_;
};

}  // namespace sapwood

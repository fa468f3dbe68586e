// A frozen dependency parser: sentences in, trees out. Immutable and shared by threads, each of which borrows scratch.
//
// A parser may be the first of a committee, whose members make different mistakes. Then a sentence gets the tree of the
// member that has most arcs in common with the others (parsing/committee.hpp).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/pool.hpp"
#include "model/frozen_model.hpp"
#include "parsing/parser_spec.hpp"
#include "search/projective.hpp"

namespace sapwood {

class Parser {
  public:
    // Another member of the committee. A backward one reads each sentence from its end.
    struct Member {
        std::unique_ptr<const Parser> parser;
        bool backward = false;
    };

    // `bits` and `scale` as in PackedModel. Throws ModelError if the tables do not fit the spec, or if a member does not
    // go with this parser, TemplateError.
    Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale,
           std::vector<Member> others = {});
    ~Parser();

    // One tree a sentence, lifted arcs put back; the same for every number of threads.
    std::vector<Tree> parse(const Conllu& data, size_t threads) const;
    // Parses sentences that are no treebank: read(spec, s, words) gives the words of sentence s as a parser reads them.
    using ReadWords = std::function<void(const ParserSpec&, size_t, Words&)>;
    std::vector<Tree> parse(size_t sentences, const ReadWords& read, size_t threads) const;

    // The trees of all members of the committee, this parser first: [members][sentences].
    std::vector<std::vector<Tree>> parse_by_all(size_t sentences, const ReadWords& read, size_t threads) const;

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
    // unless labels come from a second stage. In a committee an arc has the number of other members that have the arc and, if
    // this parser has it, a number from 0 to 1 that grows with its own margin x: (1 + x / (1 + |x|)) / 2.
    struct Margins {
        std::vector<double> arcs, relations;  // [words]
    };
    // Throws DataError for a sentence that is too long for the search.
    Margins margins(const Conllu& data, size_t threads) const;

    // For each sentence the least gap with which a beam parser, without its committee, gives it the same tree, in the
    // unit of training. Throws OptionError for another search, DataError.
    std::vector<double> gaps(const Conllu& data, size_t threads) const;

    const ParserSpec& spec() const { return spec_; }
    const FrozenModel& model() const { return model_; }
    bool has_committee() const { return !others_.empty(); }

  private:
    class Worker;
    template <class W>
    class TableWorker;

    Pool<Worker>::Loan worker() const;
    std::vector<Tree> parse_alone(size_t sentences, const ReadWords& read, size_t threads, bool backward) const;
    Margins margins_alone(const Conllu& data, size_t threads) const;

    ParserSpec spec_;
    FrozenModel model_;
    LabelSet labels_;
    LiftedLabels lifted_;
    std::vector<Member> others_;
    std::vector<std::vector<uint32_t>> label_of_;  // [others][their labels]
    mutable Pool<Worker> workers_;
};

}  // namespace sapwood

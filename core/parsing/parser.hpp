// A frozen dependency parser: sentences in, trees out. Immutable and shared; what a thread needs is in a worker
// of its own.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "model/frozen_table.hpp"
#include "parsing/parser_worker.hpp"
#include "search/projective.hpp"

namespace sapwood {

class Parser {
  public:
    // `bits` and `scale` as in PackedModel. Throws ModelError if the tables do not fit the spec, TemplateError.
    Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale);

    // One tree a sentence, lifted arcs put back; the same for every number of threads.
    std::vector<Tree> parse(const Conllu& data, size_t threads) const;

    // The names of the labels of those trees.
    const LabelSet& labels() const { return labels_; }

    // The n best trees of one sentence with their scores (Eisner order 1 only, else OptionError).
    struct Ranked {
        Tree tree;
        double score;
    };
    std::vector<Ranked> n_best(const Conllu& data, size_t sentence, size_t count) const;

    std::vector<Weight> weights() const;

    // How many rows of each table are added up to parse the data: lookups of features that the model has.
    std::vector<size_t> rows_added(const Conllu& data) const;

    // See FrozenTable::gather.
    double gather(size_t table, size_t count, size_t rows, uint64_t seed) const;

    const ParserSpec& spec() const { return spec_; }
    size_t bytes() const;

  private:
    template <class W>
    using Tables = std::vector<FrozenTable<W>>;

    ParserSpec spec_;
    LabelSet labels_;
    std::optional<LiftedLabels> lifted_;
    double scale_;
    std::variant<Tables<int8_t>, Tables<int16_t>, Tables<float>> tables_;
};

}  // namespace sapwood

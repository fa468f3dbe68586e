// A frozen tagger: sentences in, labels out. Immutable and shared; what a call needs is in its workspace.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "features/extractor.hpp"
#include "model/frozen_table.hpp"
#include "search/viterbi.hpp"
#include "tagging/sequence_spec.hpp"
#include "text/columns.hpp"

namespace sapwood {

class Tagger {
  public:
    // `spec.labels` are the labels that the model chooses among, `bits` and `scale` as in PackedModel.
    // Throws ModelError if the tables do not fit the labels.
    Tagger(SequenceSpec spec, Extractor extractor, const std::vector<PackedTable>& tables, unsigned bits,
           double scale);

    // One label a token, in the order of the tokens; the same for every number of threads.
    // Throws DataError if the data lack a column that the template reads.
    std::vector<Label> tag(const Columns& data, size_t threads) const;

    // The n best label sequences of one sentence with their scores (Viterbi only, else OptionError).
    struct Ranked {
        std::vector<Label> labels;
        double score;
    };
    std::vector<Ranked> n_best(const Columns& data, size_t sentence, size_t count) const;

    std::vector<Weight> weights() const;  // all that are not zero

    // Adds up `count` pseudo-random rows of the first table, as scoring does: the machine's own limit, for
    // benchmarks. Returns something that depends on all of them.
    double gather(size_t count, size_t rows_per_token, uint64_t seed) const;

    const SequenceSpec& spec() const { return spec_; }
    const Extractor& extractor() const { return extractor_; }
    size_t bytes() const;

  private:
    template <class W>
    struct Scorer;
    template <class W>
    using Tables = std::vector<FrozenTable<W>>;

    void check_columns(const Columns& data) const;

    SequenceSpec spec_;
    Extractor extractor_;
    double scale_;
    std::variant<Tables<int8_t>, Tables<int16_t>, Tables<float>> tables_;
    std::vector<uint64_t> label_hashes_;  // [labels + 3] as SequenceSpec has them
};

}  // namespace sapwood

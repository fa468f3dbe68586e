// A frozen tagger: sentences in, labels out. Immutable and shared by threads, each of which borrows scratch. Scratch
// remembers what depends on a word alone, so that it is computed once for many texts; no answer depends on it.
#pragma once
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "base/pool.hpp"
#include "features/extractor.hpp"
#include "model/frozen_model.hpp"
#include "tagging/sequence_spec.hpp"
#include "tagging/tag_dictionary.hpp"
#include "text/columns.hpp"

namespace sapwood {

class Tagger {
  public:
    // `spec.labels` are the labels that the model chooses among, `bits` and `scale` as in PackedModel.
    // Throws ModelError if the tables do not fit the labels, or if the search does not go with a dictionary.
    Tagger(SequenceSpec spec, Extractor extractor, TagDictionary dictionary, const std::vector<PackedTable>& tables,
           unsigned bits, double scale);
    ~Tagger();

    // One label a token, in the order of the tokens; the same for every number of threads.
    // Throws DataError if the data lack a column that the template reads.
    std::vector<Label> tag(const Columns& data, size_t threads) const;

    // The n best label sequences of one sentence with their scores (Viterbi only, else OptionError).
    struct Ranked {
        std::vector<Label> labels;
        double score;
    };
    std::vector<Ranked> n_best(const Columns& data, size_t sentence, size_t count) const;

    // The labels of one token from the best to the worst, by itself; those that the tag dictionary allows. Ties go to
    // the lowest number. In argmax search the first one is what `tag` gives.
    std::vector<Label> ranked(const Columns& data, size_t sentence, size_t token) const;

    // The number of columns that the template and the tag dictionary read; throws DataError if the data have fewer.
    size_t columns_needed() const;
    void check_columns(const Columns& data) const;

    const SequenceSpec& spec() const { return spec_; }
    const Extractor& extractor() const { return extractor_; }
    const TagDictionary& dictionary() const { return dictionary_; }
    const FrozenModel& model() const { return model_; }

    // Calls f(tables) with the weights that score these data: the model's own or, for features with values, a copy of them
    // as floats.
    template <class F>
    decltype(auto) with_tables(const Columns& data, F&& f) const {
        if (!data.has_values()) return model_.with_tables(f);
        return f(float_tables());
    }

  private:
    class Worker;
    template <class W>
    class TableWorker;

    const FrozenModel::Tables<float>& float_tables() const;
    Pool<Worker>::Loan worker(const Columns& data) const;

    SequenceSpec spec_;
    Extractor extractor_;
    TagDictionary dictionary_;
    FrozenModel model_;
    LabelHashes label_hashes_;
    mutable Pool<Worker> workers_, float_workers_;
    mutable OnceFlag made_floats_;
    mutable FrozenModel::Tables<float> floats_;  // made when they are first needed
};

}  // namespace sapwood

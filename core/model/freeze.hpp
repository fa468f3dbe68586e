// From a learner to packed tables: average, drop what is zero, shorten the keys, quantise.
#pragma once
#include <vector>

#include "base/errors.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "model/packed_table.hpp"

namespace sapwood {

struct PackedModel {
    unsigned bits = 32;  // 8 or 16: integer weights; 32: float
    double scale = 1;    // what an integer weight is multiplied by
    std::vector<PackedTable> tables;
    // Before quantisation, which makes the smallest weights zero:
    uint64_t features = 0;                         // keys with a non-zero weight
    uint64_t weights = 0;                          // non-zero weights
    std::vector<std::vector<uint64_t>> full_keys;  // [tables][features kept], for naming
};

struct FreezeOptions;  // model/freeze_options.hpp

// `output_of[t](output)` renumbers the outputs of table t; it must keep their order. Linear quantisation with
// one scale for all weights: q = round(w / scale), scale = max |w| / (2^(bits - 1) - 1), so that scores are
// exact integer sums. Throws DataError if a weight is not finite.
PackedModel freeze(const Learner& learner, const FreezeOptions& options, const std::vector<uint64_t>& widths,
                   const std::vector<std::vector<uint32_t>>& output_of);

// The same where outputs keep their numbers.
PackedModel freeze(const Learner& learner, const FreezeOptions& options);

// Begins anew with those weights alone that freeze(whole, options) would keep: they are WeightTable::kBeginning, training
// changes them and adds no other, and the averaging clock starts again. Those that never change are not frozen. `whole`
// may be the learner itself. Throws OptionError if it has other tables.
void prune(Learner& learner, const Learner& whole, const FreezeOptions& options);

template <class Problem>
PackedModel freeze(const Trainer<Problem>& trainer, const FreezeOptions& options) {
    return freeze(trainer.learner(), options);
}
template <class Problem>
void prune(Trainer<Problem>& trainer, const Trainer<Problem>& whole, const FreezeOptions& options) {
    trainer.change_weights([&](auto& learner) { prune(learner, whole.learner(), options); });
}

// The texts of a frozen model's features, in its order, one vector a table; empty for one that nobody has spelled.
template <class Problem>
std::vector<std::vector<std::string>> feature_names(const Trainer<Problem>& trainer, const PackedModel& model) {
    const FeatureNames none;
    const FeatureNames& names = trainer.names() == nullptr ? none : *trainer.names();
    if (model.full_keys.size() != trainer.learner().tables()) throw ModelError("it has the weights of other tables");
    std::vector<std::vector<std::string>> texts(model.full_keys.size());
    for (uint32_t t = 0; t < texts.size(); ++t)
        for (uint64_t key : model.full_keys[t]) texts[t].push_back(names(t, trainer.learner().table(t).find(key)));
    return texts;
}

}  // namespace sapwood

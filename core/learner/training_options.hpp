// The options of a training, and its progress between two steps (learner/trainer.hpp).
#pragma once
#include <cstddef>
#include <cstdint>

#include "learner/presenting.hpp"

namespace sapwood {

struct Progress {
    size_t epoch = 0;      // epochs completed
    size_t examples = 0;   // units (tokens, say) seen in the current or just completed epoch
    size_t mistakes = 0;   // wrong parts in what the training search returned, in this epoch (presenting.hpp)
    size_t features = 0;   // what has been learned: features that score, or support examples
    uint64_t updates = 0;  // since the start
    uint64_t repeated = 0, given_up = 0;  // of guided learning, since the start (presenting.hpp)
};

struct TrainingOptions {
    LearnerOptions learner;
    uint32_t prune_below = 1;  // features that occur less often in the training data are dropped beforehand
    uint64_t seed = 1;
    bool shuffled = true;  // a new order for every epoch, or that of the data
    bool names = false;    // keep the texts of features; an option of the tasks whose trainers spell them
    size_t batch = 1;      // examples that are presented with the same weights (learner/recording.hpp)
    size_t threads = 1;    // that present the examples of a batch
    size_t mixings = 1;    // of the weights of shards in an epoch (learner/mixing.hpp)

    template <class Visit>
    void each(Visit&& visit) {
        learner.each(visit);
        visit("prune_below", prune_below);
        visit("seed", seed);
        visit("shuffle", shuffled);
        visit("batch", batch);
        visit("threads", threads);
        visit("mixings", mixings);
    }
};

}  // namespace sapwood

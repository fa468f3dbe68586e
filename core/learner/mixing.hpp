// Iterative parameter mixing (McDonald, Hall & Mann 2010): the training data lie in shards, each of which may be on
// another machine. In every epoch each shard begins with the same weights w and trains on its examples alone; then the
// weights w_i of the shards are mixed:
//
//     w'  =  sum over i of mu_i w_i        mu_i >= 0, sum of mu_i = 1
//
// uniformly, mu_i = 1 / shards, or by errors, mu_i = k_i / sum of k_j, where k_i counts the shard's updates. Or the weights
// of each feature are mixed for themselves, and k_i counts the shard's updates of the feature. Then a feature that only one
// shard has seen keeps what was learned about it; uniform mixing and mixing by errors shrink its weights in every epoch.
//
// An epoch may have several mixings. Then each shard is trained in as many parts, and what is said here of an epoch is true of
// a part.
//
// The average is that of all weight vectors that stood after a decision, in all shards and epochs. Those of the e-th epoch
// count e * e times (polynomial-decay averaging, Shamir & Zhang 2013): in a shard the first epochs have few updates, so the
// vectors of the first epochs are much worse than later ones. For one shard all count once, and it is the average of
// training without shards. It is kept lazily (learner/learner.hpp): with w, the sums w_a and the clock c at the beginning of
// the epoch, and T_i decisions in shard i, whose own sums a_i begin at 0, by a clock that does, too, the weight vectors of the
// shard add up to
//
//     T_i w_i - a_i
//
// so that with T = sum of T_i, n = e * e, and c w - w_a the sum of the vectors before, w - w_a / c stays the average by
//
//     w_a'  =  w_a + (c + n T) (w' - w) + n * sum over i of (a_i - T_i (w_i - w)),        c' = c + n T
//
// A running sum of the problem (learner/trainer.hpp) counts as often as the clock does.
//
// The count of updates of a feature, or of a weight, which `min_updates` is about, is the sum over shards and epochs.
//
// Runs, whole trainings with all the data, each in another order, are mixed uniformly, once: their averages are averaged.
//
// A shard sends the rows of the features that it updated in the epoch, with weights and sums. It receives the mixed rows of
// all features that any shard updated. So a shard that has received every message since the beginning has the weights of all
// features.
#pragma once
#include <cstdint>
#include <vector>

#include "learner/learner.hpp"
#include "learner/state.hpp"

namespace sapwood {

enum class Mixing { uniform, errors, features };

// [tables][features] how often each feature had been updated when mixed weights were taken; features that are not there, never.
using UpdateCounts = std::vector<std::vector<uint32_t>>;

// All weights of a learner, as a shard takes them.
void write_mixed(const Learner& learner, StateWriter s);

// Takes mixed weights into a learner that has those that were mixed before, when its counts were `counts`; its sums become 0.
// `known_only`: features that it does not know are left out, as no example of the shard has them. Throws ModelError.
void read_mixed(Learner& learner, StateReader s, bool known_only, UpdateCounts& counts);

// The changes that a shard has made since it took the mixed weights, when its counts were `before`.
void write_changes(const Learner& learner, const UpdateCounts& before, StateWriter s);

// Mixes the changes of the shards, in their order, into a learner with the weights from which they began, and writes the mixed
// rows for the shards. `count`: how often the weight vectors of this epoch count in the average. Throws ModelError if it is
// not what shards of this learner write.
void mix(Learner& learner, std::vector<StateReader> shards, Mixing mixing, uint64_t count, StateWriter s);

// Gives a learner the mean of runs, which are trainings with all the data that began with its weights and have their own
// averages. A feature's count is the mean of theirs, rounded up. Throws OptionError if a run has other outputs.
void take_mean(Learner& learner, const std::vector<const Learner*>& runs);

}  // namespace sapwood

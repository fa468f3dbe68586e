#include "ranking/ranker_trainer.hpp"

#include "base/stop_check.hpp"

namespace sapwood {

void RankerProblem::add(const FeatureRows& rows, const std::vector<size_t>& starts, const std::vector<double>& losses,
                        WeightTable& table) {
    lists_.add(rows.size(), starts, losses);
    for (size_t list = 1; list < starts.size(); ++list) {
        for (size_t r = starts[list - 1]; r < starts[list]; ++r) {
            for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
                features_.push_back(table.intern(rows.keys()[k]));
                values_.push_back(rows.binary() ? 1.0f : rows.values()[k]);
            }
            counts_.push_back(static_cast<uint32_t>(rows.end(r) - rows.begin(r)));
            StopCheck::after(50 * (rows.end(r) - rows.begin(r)));
        }
        starts_.push_back(features_.size());
    }
}

void RankerProblem::begin(const Learner&) {
    lists_.require();
    lists_.seal();
    counts_.seal();
    features_.seal();
    values_.seal();
}

template <class Visit>
void RankerProblem::each_store(Visit&& visit) {
    const auto feature = [this](size_t list) { return starts_[list]; };
    visit(counts_, [this](size_t list) { return lists_.begin(list); });
    visit(features_, feature);
    visit(values_, feature);
}

void RankerProblem::arrange(std::span<const uint32_t> order, size_t from, size_t group) {
    lists_.arrange(order, from, group);
    each_store([&](auto& store, const auto& starts) { store.arrange(order, from, group, starts); });
}

void RankerProblem::reach(std::span<const uint32_t> order, size_t position) {
    lists_.reach(order, position);
    each_store([&](auto& store, const auto& starts) { store.reach(order, position, starts); });
}

size_t RankerProblem::present(size_t list, Learner& learner, FeatureNames*, Scratch& scratch) const {
    const WeightTable& table = learner.table(0);
    const size_t begin = lists_.begin(list), candidates = lists_.end(list) - begin;
    const uint32_t* counts = counts_.at(begin);
    const uint32_t* features = features_.at(starts_[list]);
    const float* values = values_.at(starts_[list]);
    float score[kLanes];
    scratch.scores.resize(candidates);
    scratch.starts.assign(1, 0);
    for (size_t c = 0; c < candidates; ++c) {
        const size_t from = scratch.starts.back(), count = counts[c];
        scratch.starts.push_back(from + count);
        scratch.rows.resize(count);
        for (size_t k = 0; k < count; ++k) scratch.rows[k] = table.scored_row(features[from + k]);
        StopCheck::every(c, 16 * count);
        table.score(scratch.rows.data(), values + from, count, score);
        scratch.scores[c] = score[0];
    }
    lists_.present(list, learner, scratch.scores, [&](Violation& violation, size_t oracle, size_t guess) {
        const std::span<const size_t> starts(scratch.starts);
        for (size_t c = oracle - begin, k = starts[c]; k < starts[c + 1]; ++k)
            violation.gold(0, features[k], 0, values[k]);
        for (size_t c = guess - begin, k = starts[c]; k < starts[c + 1]; ++k)
            violation.guess(0, features[k], 0, values[k]);
    });
    return 1;
}

void RankerTrainer::prime(uint64_t key, double weight) {
    trainer_.change_examples(
        [&](RankerProblem&, Learner& learner, FeatureNames*) { learner.prime(0, key, {&weight, 1}); });
}

}  // namespace sapwood

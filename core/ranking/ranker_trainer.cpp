#include "ranking/ranker_trainer.hpp"

namespace sapwood {

void RankerProblem::add(const FeatureRows& rows, const std::vector<size_t>& starts, const std::vector<double>& losses,
                        WeightTable& table) {
    lists_.add(rows.size(), starts, losses);
    for (size_t r = 0; r < rows.size(); ++r) {
        for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
            features_.push_back(table.intern(rows.keys()[k]));
            values_.push_back(rows.binary() ? 1.0f : rows.values()[k]);
        }
        starts_.push_back(features_.size());
    }
}

void RankerProblem::begin(const Learner&) {
    lists_.require();
    lists_.seal();
    starts_.seal();
    features_.seal();
    values_.seal();
}

size_t RankerProblem::present(size_t list, Learner& learner, FeatureNames*, Scratch& scratch) const {
    const WeightTable& table = learner.table(0);
    const size_t begin = lists_.begin(list), end = lists_.end(list);
    float score[kLanes];
    scratch.scores.resize(end - begin);
    starts_.visited(end - begin + 1);
    features_.visited(starts_[end] - starts_[begin]);
    values_.visited(starts_[end] - starts_[begin]);
    for (size_t c = begin; c < end; ++c) {
        const size_t from = starts_[c], count = starts_[c + 1] - from;
        scratch.rows.resize(count);
        for (size_t k = 0; k < count; ++k) scratch.rows[k] = table.scored_row(features_[from + k]);
        table.score(scratch.rows.data(), values_.data() + from, count, score);
        scratch.scores[c - begin] = score[0];
    }
    lists_.present(list, learner, scratch.scores, [&](Violation& violation, size_t oracle, size_t guess) {
        for (size_t k = starts_[oracle]; k < starts_[oracle + 1]; ++k) violation.gold(0, features_[k], 0, values_[k]);
        for (size_t k = starts_[guess]; k < starts_[guess + 1]; ++k) violation.guess(0, features_[k], 0, values_[k]);
    });
    return 1;
}

void RankerTrainer::prime(uint64_t key, double weight) {
    trainer_.change_examples(
        [&](RankerProblem&, Learner& learner, FeatureNames*) { learner.prime(0, key, {&weight, 1}); });
}

}  // namespace sapwood

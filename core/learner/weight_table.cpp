#include "learner/weight_table.hpp"

#include <vector>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

constexpr uint8_t kHasRow = 1, kScores = 2;

}  // namespace

void WeightTable::update_and_count(uint32_t feature, uint32_t output, float delta, double clock) {
    update(feature, output, delta, clock);
    if (!counts_by_weight()) return;
    const uint32_t before = updates(feature, output);
    if (!closed_ || before > 0) show(feature, output, before + 1);
}

uint32_t WeightTable::updates(uint32_t feature, uint32_t output) const {
    const uint32_t row = counts_row(feature);
    if (row == 0) return 0;
    return with_rows([&](const auto& rows) { return static_cast<uint32_t>(rows.at(row, output).second); });
}

void WeightTable::show(uint32_t feature, uint32_t output, uint32_t updates) {
    if (counts_row_.size() <= feature) counts_row_.resize(features_.size());
    const Feature& f = features_[feature];
    const bool scores = updates >= min_updates_;
    const auto [weight, whole] = std::visit(
        [&](const auto& rows) { return std::pair(rows.at(f.row, output).first, rows.whole()); }, rows_[kLearned]);
    uint32_t& row = counts_row_[feature];
    const uint32_t before = row;
    std::visit(
        [&](auto& rows) {
            if (row == 0) row = rows.add(f.key);
            row = rows.put(row, output, scores ? weight : 0, updates);
            rows.set_whole(whole);  // of what is learned, so that a training that goes on adds in the same order
        },
        rows_[scoring_]);
    if (scored_row_[feature] == 0) {
        if (!scores) return;
        ++active_;
        let_score(feature, row);
    } else if (row != before) {
        scored_row_[feature] = row;
        scored_.replace(spread(f.key), before, row);
    }
}

// Of each feature, in the order of their numbers: key, updates, whether it has a row and scores, how many of its outputs
// have a weight or a sum; and of all these outputs number, weight and sum, and the count of the weight's updates if the
// table counts by weight.
void WeightTable::write(StateWriter s) const {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> counts, sizes, outputs;
    std::vector<uint8_t> flags;
    for (size_t f = 1; f < features_.size(); ++f) {
        StopCheck::every(f);
        keys.push_back(features_[f].key);
        counts.push_back(features_[f].updates);
        flags.push_back(features_[f].row == 0 ? 0 : scored_row_[f] == 0 ? kHasRow : kHasRow | kScores);
    }
    s("keys", keys);
    s("counts", counts);
    s("flags", flags);
    std::vector<float> weights;
    std::vector<double> sums;
    std::vector<uint32_t> updates;
    for (uint32_t f = 1; f < features_.size(); ++f) {
        StopCheck::every(f);
        const size_t before = outputs.size();
        each_of(f, [&](uint32_t output, float weight, double sum, uint32_t count) {
            if (weight == 0 && sum == 0 && count == 0) return;
            outputs.push_back(output);
            weights.push_back(weight);
            sums.push_back(sum);
            if (counts_by_weight()) updates.push_back(count);
        });
        sizes.push_back(static_cast<uint32_t>(outputs.size() - before));
    }
    std::visit([&](const auto& rows) { s("whole", rows.whole()); }, rows_[kLearned]);
    if (counts_by_weight()) s("updates", updates);
    s("sizes", sizes);
    s("outputs", outputs);
    s("weights", weights);
    s("sums", sums);
    s("active", active_);
    s("closed", closed_);
}

void WeightTable::read(StateReader s, bool same_numbers, std::span<const uint32_t> output_of) {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> counts, sizes, outputs;
    std::vector<uint8_t> flags;
    std::vector<float> weights;
    std::vector<double> sums;
    bool whole = true;
    s("keys", keys);
    s("counts", counts);
    s("flags", flags);
    s("sizes", sizes);
    s("outputs", outputs);
    s("weights", weights);
    s("sums", sums);
    s("whole", whole);
    s.require(counts.size() == keys.size(), "counts", "does not have a number for each key");
    s.require(flags.size() == keys.size(), "flags", "does not have a number for each key");
    s.require(sizes.size() == keys.size(), "sizes", "does not have a number for each key");
    s.require(weights.size() == outputs.size(), "weights", "does not have a number for each output");
    s.require(sums.size() == outputs.size(), "sums", "does not have a number for each output");
    std::vector<uint32_t> updates;
    if (counts_by_weight()) {
        s("updates", updates);
        s.require(updates.size() == outputs.size(), "updates", "does not have a number for each output");
    }
    // One that has learned may know features of its own answers, which an earlier state lacks.
    const bool has_learned = active_ > 0 || closed_;
    s.require(!same_numbers || has_learned || keys.size() >= features(), "keys", "lacks features of the data");
    forget_weights();
    for (Feature& f : features_) f.updates = 0;
    const size_t known = features();
    size_t next = 0;
    std::visit(
        [&](auto& rows) {
            for (size_t k = 0; k < keys.size(); ++k) {
                StopCheck::every(k);
                const uint32_t feature = intern(keys[k]);
                s.require(!same_numbers || feature == k + 1, "keys",
                          k < known ? "has other features than the data" : "has a key twice");
                Feature& f = features_[feature];
                s.require(f.row == 0, "keys", "has a key twice");
                f.updates = counts[k];
                const bool has_row = (flags[k] & kHasRow) != 0, scores = (flags[k] & kScores) != 0;
                s.require(flags[k] <= (kHasRow | kScores) && (has_row || (!scores && sizes[k] == 0)), "flags",
                          "has a feature that scores without weights");
                s.require(sizes[k] <= outputs.size() - next, "sizes", "has more outputs than there are");
                if (!has_row) continue;
                f.row = rows.add(f.key);
                for (const size_t end = next + sizes[k], first = next; next < end; ++next) {
                    const uint32_t y = outputs[next];
                    s.require(next == first || outputs[next - 1] < y, "outputs", "does not ascend");
                    s.require(y < (output_of.empty() ? width_ : output_of.size()), "outputs",
                              "has one that is too large");
                    const uint32_t here = output_of.empty() ? y : output_of[y];
                    s.require(here < width_, "outputs", "has one that stands for nothing");
                    f.row = rows.put(f.row, here, weights[next], sums[next]);
                    if (counts_by_weight()) show(feature, here, updates[next]);
                }
                if (scores && !counts_by_weight()) let_score(feature);
            }
            rows.set_whole(whole);
        },
        rows_[kLearned]);
    if (counts_by_weight()) std::visit([&](auto& rows) { rows.set_whole(whole); }, rows_[scoring_]);
    s.require(next == outputs.size(), "outputs", "has more numbers than its features have");
    s("active", active_);
    s("closed", closed_);
}

}  // namespace sapwood

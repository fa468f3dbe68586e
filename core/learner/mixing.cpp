#include "learner/mixing.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "base/long_sort.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

namespace {

// Rows of features of one table, one after the other.
struct Rows {
    std::vector<uint64_t> keys;     // [features]
    std::vector<uint32_t> counts;   // [features] updates in which it took part; from a shard, in its epoch
    std::vector<uint32_t> sizes;    // [features] how many outputs have a weight or a sum
    std::vector<uint32_t> outputs;  // [all of them] ascending in a feature
    std::vector<float> weights;     // [all of them]
    std::vector<double> sums;  // [all of them] from a shard: sum of delta times the time since it took mixed weights
    std::vector<uint32_t> updates;  // [all of them] of each weight, since the beginning, if the table counts by weight

    template <class State>
    void state(State s, bool with_sums, bool by_weight) {
        s("keys", keys);
        s("counts", counts);
        s("sizes", sizes);
        s("outputs", outputs);
        s("weights", weights);
        if (with_sums) s("sums", sums);
        if (by_weight) s("updates", updates);
    }

    void read(const StateReader& s, const WeightTable& table, bool with_sums) {
        state(s, with_sums, table.counts_by_weight());
        s.require(counts.size() == keys.size(), "counts", "does not have a number for each key");
        s.require(std::ranges::find(counts, 0u) == counts.end(), "counts", "has a feature without updates");
        s.require(sizes.size() == keys.size(), "sizes", "does not have a number for each key");
        s.require(weights.size() == outputs.size(), "weights", "does not have a number for each output");
        s.require(!with_sums || sums.size() == outputs.size(), "sums", "does not have a number for each output");
        s.require(!table.counts_by_weight() || updates.size() == outputs.size(), "updates",
                  "does not have a number for each output");
        size_t next = 0;
        for (const uint32_t size : sizes) {
            s.require(size <= outputs.size() - next, "sizes", "has more outputs than there are");
            for (const size_t first = next, end = next + size; next < end; ++next)
                s.require(outputs[next] < table.width() && (next == first || outputs[next - 1] < outputs[next]),
                          "outputs", "has one that is too large, or does not ascend");
        }
        s.require(next == outputs.size(), "outputs", "has more numbers than its features have");
    }

    struct Where {
        size_t begin;
        uint32_t size;
    };
    // Calls each(key, count, where) for every row.
    template <class Each>
    void each_row(Each&& each) const {
        for (size_t k = 0, begin = 0; k < keys.size(); begin += sizes[k++])
            each(keys[k], counts[k], Where{begin, sizes[k]});
    }
    // visit(output, weight, sum, updates) for the outputs of a row of a shard, in ascending order.
    template <class Visit>
    void each_of(Where row, Visit&& visit) const {
        for (size_t k = row.begin; k < row.begin + row.size; ++k)
            visit(outputs[k], weights[k], sums[k], updates.empty() ? 0 : updates[k]);
    }

    // Adds the row of a feature, with a count.
    void add(const WeightTable& table, uint32_t feature, uint32_t count, bool with_sums) {
        const size_t before = outputs.size();
        table.each_of(feature, [&](uint32_t output, float weight, double sum, uint32_t all) {
            if (weight == 0 && (sum == 0 || !with_sums) && all == 0) return;
            outputs.push_back(output);
            weights.push_back(weight);
            if (with_sums) sums.push_back(sum);
            if (table.counts_by_weight()) updates.push_back(all);
        });
        keys.push_back(table.key(feature));
        counts.push_back(count);
        sizes.push_back(static_cast<uint32_t>(outputs.size() - before));
    }
};

// The weights that a run has learned, as a shard's rows.
class RunRows {
  public:
    // mean: the table with the weights from which the run began. It may come to know features while rows are visited; their
    // counts are 0 until all rows have been.
    RunRows(const WeightTable& run, const WeightTable& mean) : run_(run), mean_(mean) {}

    using Where = uint32_t;  // the feature's number

    template <class Each>
    void each_row(Each&& each) const {
        for (uint32_t f = 1; f <= run_.features(); ++f) {
            StopCheck::every(f);
            if (run_.updates(f) == 0) continue;
            const uint64_t key = run_.key(f);
            if (const uint32_t updates = run_.updates(f) - mean_.updates(mean_.find(key))) each(key, updates, f);
        }
    }
    template <class Visit>
    void each_of(Where feature, Visit&& visit) const {
        run_.each_of(feature, [&](uint32_t output, float weight, double sum, uint32_t updates) {
            if (weight != 0 || sum != 0 || updates != 0) visit(output, weight, sum, updates);
        });
    }

  private:
    const WeightTable& run_;
    const WeightTable& mean_;
};

StateWriter of_table(const StateWriter& s, size_t t) {
    return s.within(std::to_string(t));
}
StateReader of_table(const StateReader& s, size_t t) {
    return s.within(std::to_string(t));
}

// A shard's part in mixing: mu, and how many decisions it had.
struct Share {
    double mu = 0;
    double decisions = 0;
};

struct Epoch {
    std::vector<Share> shares;
    bool by_feature;  // each feature has a mu of its own, by its updates
    bool runs;        // the shards are whole trainings
    double clock;     // when it began
    double count;     // how often its weight vectors count in the average
};

// Mixes the rows of one table, and calls mixed(feature, updates) for each that has changed. Source: Rows or RunRows.
template <class Source, class Each>
void mix_table(WeightTable& table, const std::vector<Source>& shards, const Epoch& epoch, Each&& mixed) {
    struct Place {  // of a feature's row in a shard
        uint32_t feature, shard, count;
        typename Source::Where row;
    };
    std::vector<Place> places;
    for (uint32_t i = 0; i < shards.size(); ++i)
        shards[i].each_row([&](uint64_t key, uint32_t count, typename Source::Where row) {
            places.push_back({table.intern(key), i, count, row});
        });
    long_sort(places, [](const Place& a, const Place& b) {
        return std::tuple(a.feature, a.shard) < std::tuple(b.feature, b.shard);
    });
    double clock = epoch.clock;
    for (const Share& share : epoch.shares) clock += epoch.count * share.decisions;

    struct Weight {
        double before = 0, after = 0, sum = 0;  // w, w' and w_a, as far as they are added up
        uint32_t updates_before = 0;            // of the weight
        uint64_t updates = 0;                   // in all shards since then
        bool known = false;
    };
    const auto of_runs = [&](uint64_t updates) {  // the mean of whole trainings, rounded up
        return epoch.runs ? (updates + shards.size() - 1) / shards.size() : updates;
    };
    const auto sum_of = [](uint64_t a, uint64_t b) {
        return static_cast<uint32_t>(std::min<uint64_t>(a + b, UINT32_MAX));
    };
    std::vector<Weight> row(table.width());
    std::vector<float> local(table.width());  // w_i
    std::vector<double> local_sum(table.width());
    std::vector<uint32_t> outputs;
    for (auto place = places.begin(); place != places.end();) {
        StopCheck::after(500);
        const uint32_t feature = place->feature;
        uint64_t count = 0;  // of all shards
        outputs.clear();
        const auto know = [&](uint32_t output) {
            if (!std::exchange(row[output].known, true)) outputs.push_back(output);
        };
        table.each_of(feature, [&](uint32_t output, float weight, double sum, uint32_t updates) {
            if (weight == 0 && sum == 0 && updates == 0) return;
            know(output);
            row[output] = {.before = static_cast<double>(weight),
                           .after = static_cast<double>(weight),
                           .sum = sum,
                           .updates_before = updates,
                           .known = true};
        });
        auto last = place;
        for (; last != places.end() && last->feature == feature; ++last) {
            shards[last->shard].each_of(last->row, [&](uint32_t y, float, double, uint32_t) { know(y); });
            count += last->count;
        }
        const uint32_t all = sum_of(table.updates(feature), of_runs(count));
        std::ranges::sort(outputs);
        for (; place != last; ++place) {
            const Share& share = epoch.shares[place->shard];
            const double mu = epoch.by_feature ? place->count / static_cast<double>(count) : share.mu;
            shards[place->shard].each_of(place->row, [&](uint32_t y, float weight, double sum, uint32_t updates) {
                local[y] = weight;
                local_sum[y] = sum;
                row[y].updates += updates - std::min(updates, row[y].updates_before);
            });
            for (const uint32_t y : outputs) {
                Weight& w = row[y];
                const double change = static_cast<double>(std::exchange(local[y], 0.0f)) - w.before;
                w.after += mu * change;
                w.sum += epoch.count * (std::exchange(local_sum[y], 0.0) - share.decisions * change);
            }
        }
        table.set_updates(feature, all);
        for (const uint32_t y : outputs) {
            const Weight w = std::exchange(row[y], {});
            const auto after = static_cast<float>(w.after);
            table.set(feature, y, after, w.sum + clock * (static_cast<double>(after) - w.before),
                      sum_of(w.updates_before, of_runs(w.updates)));
        }
        mixed(feature, all);
    }
}

// Whether counts may be those of a learner that went on from `before`.
bool follows(const Counts& counts, const Counts& before) {
    return counts.clock >= before.clock && counts.updates >= before.updates && counts.mistakes >= before.mistakes &&
           counts.repeated >= before.repeated && counts.given_up >= before.given_up;
}

// Adds to `after` what a shard has counted since `before`; its decisions count `count` times. Throws OptionError if the
// clock would be too large.
void add_counts(Counts& after, const Counts& counts, const Counts& before, uint64_t count) {
    after.clock += count * (counts.clock - before.clock);
    after.updates += counts.updates - before.updates;
    after.mistakes += counts.mistakes - before.mistakes;
    after.repeated += counts.repeated - before.repeated;
    after.given_up += counts.given_up - before.given_up;
    if (after.clock >= uint64_t{1} << 53) throw OptionError("there are too many epochs of so many examples");
}

// Throws OptionError for a run that cannot have begun with the weights of a learner.
void check_run(const Learner& run, const Learner& learner) {
    bool fits = run.tables() == learner.tables() && follows(run.counts(), learner.counts());
    for (size_t t = 0; fits && t < learner.tables(); ++t)
        fits = run.table(t).width() == learner.table(t).width() &&
               run.table(t).counts_by_weight() == learner.table(t).counts_by_weight();
    if (!fits) throw OptionError("a run has other outputs or lower counts than the trainer that takes the mean");
}

}  // namespace

void write_mixed(const Learner& learner, StateWriter s) {
    learner.counts().state(s);
    for (size_t t = 0; t < learner.tables(); ++t) {
        const WeightTable& table = learner.table(t);
        Rows rows;
        for (uint32_t f = 1; f <= table.features(); ++f) {
            StopCheck::every(f);
            if (table.updates(f) > 0) rows.add(table, f, table.updates(f), false);
        }
        rows.state(of_table(s, t), false, table.counts_by_weight());
    }
}

void read_mixed(Learner& learner, StateReader s, bool known_only, UpdateCounts& counts) {
    Counts all = learner.counts();
    all.state(s);
    learner.set_counts(all);
    learner.begin_sums();
    counts.resize(learner.tables());
    std::vector<uint32_t> outputs;
    std::array<uint32_t, 32> features;  // found at a time, so that their cache misses overlap
    for (size_t t = 0; t < learner.tables(); ++t) {
        WeightTable& table = learner.table(t);
        Rows rows;
        rows.read(of_table(s, t), table, false);
        size_t next = 0;
        for (size_t from = 0; from < rows.keys.size(); from += features.size()) {
            StopCheck::after(100 * features.size());
            const size_t n = std::min(features.size(), rows.keys.size() - from);
            if (known_only)
                std::ranges::transform(std::span(rows.keys).subspan(from, n), features.begin(),
                                       [&](uint64_t key) { return table.find(key); });
            else
                table.intern(&rows.keys[from], n, features.data());
            for (size_t k = 0; k < n; ++k) table.prefetch_update(features[k], 0);
            for (size_t k = 0; k < n; ++k) {
                const size_t first = std::exchange(next, next + rows.sizes[from + k]);
                const uint32_t feature = features[k], updates = rows.counts[from + k];
                if (feature == 0) continue;
                table.clear(feature, outputs);
                table.set_updates(feature, updates);
                if (counts[t].size() <= feature) counts[t].resize(table.features() + 1);
                counts[t][feature] = updates;
                for (size_t j = first; j < next; ++j)
                    table.set(feature, rows.outputs[j], rows.weights[j], 0,
                              table.counts_by_weight() ? rows.updates[j] : 0);
            }
        }
    }
}

void write_changes(const Learner& learner, const UpdateCounts& before, StateWriter s) {
    learner.counts().state(s);
    for (size_t t = 0; t < learner.tables(); ++t) {
        const WeightTable& table = learner.table(t);
        Rows rows;
        for (uint32_t f = 1; f <= table.features(); ++f) {
            StopCheck::every(f);
            const uint32_t updates = table.updates(f) - (f < before[t].size() ? before[t][f] : 0);
            if (updates > 0) rows.add(table, f, updates, true);
        }
        rows.state(of_table(s, t), true, table.counts_by_weight());
    }
}

void mix(Learner& learner, std::vector<StateReader> shards, Mixing mixing, uint64_t count, StateWriter s) {
    const Counts before = learner.counts();
    Counts after = before;
    std::vector<Share> shares;
    for (StateReader& shard : shards) {
        Counts counts = before;
        counts.state(shard);
        shard.require(follows(counts, before), "clock", "is one of before the epoch");
        add_counts(after, counts, before, count);
        shares.push_back({.mu = static_cast<double>(counts.updates - before.updates),
                          .decisions = static_cast<double>(counts.clock - before.clock)});
    }
    const auto updates = static_cast<double>(after.updates - before.updates);
    for (Share& share : shares)
        share.mu =
            mixing == Mixing::uniform || updates == 0 ? 1 / static_cast<double>(shards.size()) : share.mu / updates;
    const Epoch epoch{.shares = shares,
                      .by_feature = mixing == Mixing::features,
                      .runs = false,
                      .clock = static_cast<double>(before.clock),
                      .count = static_cast<double>(count)};
    std::vector<std::vector<Rows>> rows(learner.tables(),
                                        std::vector<Rows>(shards.size()));  // all read before a change
    for (size_t t = 0; t < learner.tables(); ++t)
        for (size_t i = 0; i < shards.size(); ++i) rows[t][i].read(of_table(shards[i], t), learner.table(t), true);
    learner.set_counts(after);
    after.state(s);
    for (size_t t = 0; t < learner.tables(); ++t) {
        WeightTable& table = learner.table(t);
        Rows mixed;
        mix_table(table, rows[t], epoch,
                  [&](uint32_t feature, uint32_t all) { mixed.add(table, feature, all, false); });
        mixed.state(of_table(s, t), false, table.counts_by_weight());
    }
}

void take_mean(Learner& learner, const std::vector<const Learner*>& runs) {
    for (const Learner* run : runs) check_run(*run, learner);
    const Counts before = learner.counts();
    Counts after = before;
    std::vector<Share> shares;
    for (const Learner* run : runs) {
        add_counts(after, run->counts(), before, 1);
        shares.push_back({.mu = 1 / static_cast<double>(runs.size()),
                          .decisions = static_cast<double>(run->counts().clock - before.clock)});
    }
    const Epoch epoch{
        .shares = shares, .by_feature = false, .runs = true, .clock = static_cast<double>(before.clock), .count = 1};
    learner.set_counts(after);
    for (size_t t = 0; t < learner.tables(); ++t) {
        std::vector<RunRows> rows;
        for (const Learner* run : runs) rows.emplace_back(run->table(t), learner.table(t));
        mix_table(learner.table(t), rows, epoch, [](uint32_t, uint32_t) {});
    }
}

}  // namespace sapwood

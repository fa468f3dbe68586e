// Scores of transition configurations, put together from what was computed before in the sentence.
//
// The template lines are taken in groups that look at the same parts of a configuration: the word on top of the
// stack, its children, the next words, and so on. A group's sum is kept under a digest of these parts, so that a new
// configuration looks up only the groups in which it differs from all those before. The features of all these, of all
// configurations in a beam, are looked up in one batch, so that their cache misses overlap. In a beam of 8 that saves four lookups out of five
// (counted by bench/tasks/parsing.py). Along a single derivation many parts change together; groups that would always be
// found together, or never, are joined.
#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>

#include "features/conjunctions.hpp"
#include "features/line_group.hpp"
#include "features/transition_features.hpp"
#include "learner/scoring_table.hpp"
#include "search/score_cache.hpp"

namespace sapwood {

template <class Score>
class ConfigurationScores {
  public:
    // beam: how many derivations there are at a time.
    ConfigurationScores(const Conjunctions& conjunctions, size_t width, size_t beam)
        : lines_(conjunctions.lines()), whole_(width), sums_(width) {
        for (uint32_t line = 0; line < conjunctions.lines(); ++line) {
            ConfigurationParts parts = 0;
            for (uint16_t atom : conjunctions.atoms(line)) parts |= TransitionContext::parts(atom);
            if (beam == 1 && kGroupsAreFree) parts = TransitionContext::determined_by(parts);
            group(parts).lines.push_back(line);
        }
        merge_small_groups();
        for (const Group& g : groups_) features_.emplace_back(conjunctions, g.lines, kGroupsAreFree);
        digests_.resize(groups_.size());
    }

    // Begins a sentence, or forgets scores because weights have changed.
    void clear() {
        whole_.clear();
        sums_.clear();
    }

    // [padded(width)] scores of a configuration, valid until the next call.
    template <ScoringTable Table>
    const Score* operator()(const Table& table, const Words& words, TransitionContext& context, const ArcHybrid& c) {
        prepare(table, words, context, 1, [&](size_t) -> const ArcHybrid& { return c; });
        return (*this)[0];
    }

    // Computes the scores of n configurations, configuration(0) and so on. All features that are missing are looked up in
    // one batch.
    template <ScoringTable Table, class Configuration>
    void prepare(const Table& table, const Words& words, TransitionContext& context, size_t n,
                 Configuration&& configuration) {
        if (whole_.size() + n > kMost) clear();
        totals_.clear();
        fresh_.clear();
        missing_.clear();
        size_t keys = 0;
        for (size_t k = 0; k < n; ++k) {
            context.look(configuration(k));
            const auto [number, is_fresh] = whole_.find(context.digest(kWholeConfiguration));
            totals_.push_back(number);
            if (!is_fresh) continue;
            places_.resize(std::max(places_.size(), (fresh_.size() + 1) * groups_.size()));
            uint32_t* place = places_.data() + fresh_.size() * groups_.size();
            fresh_.push_back(number);
            keys_.resize(std::max(keys_.size(), keys + lines_));
            const uint64_t* values = context.values(words);
            for (size_t g = 0; g < groups_.size(); ++g) sums_.prefetch(digests_[g] = context.digest(groups_[g].parts));
            for (size_t g = 0; g < groups_.size(); ++g) {
                const auto [at, is_missing] = sums_.find(digests_[g]);
                place[g] = at;
                if (!is_missing) continue;
                const size_t size = features_[g].keys(values, keys_.data() + keys);
                missing_.push_back({at, keys, size});
                keys += size;
            }
        }
        rows_.resize(std::max(rows_.size(), keys));
        table.find_rows(keys_.data(), keys, rows_.data());
        const auto sums = [&](const Missing& m) { return sums_[m.place]; };
        if constexpr (requires { table.score_parts(rows_.data(), missing_, sums); })
            table.score_parts(rows_.data(), missing_, sums);
        else
            for (const Missing& m : missing_) table.score(rows_.data() + m.first, m.size, sums(m));
        for (size_t k = 0; k < fresh_.size(); ++k)
            sums_.sum(places_.data() + k * groups_.size(), groups_.size(), whole_[fresh_[k]]);
    }

    // [padded(width)] scores of the k-th of the configurations that were prepared.
    const Score* operator[](size_t k) { return whole_[totals_[k]]; }

  private:
    static constexpr size_t kFewestLines = 6;
    // Configurations that are remembered. In a very long sentence those of its beginning do not come again.
    static constexpr size_t kMost = 1 << 13;
    // Sums of floats depend on the order of addition. Groups would change it, and with it the model that is learned.
    static constexpr bool kGroupsAreFree = std::is_integral_v<Score>;

    struct Group {
        ConfigurationParts parts;
        std::vector<uint32_t> lines;
    };
    struct Missing {
        uint32_t place;
        size_t first, size;  // of the keys
    };

    Group& group(ConfigurationParts parts) {
        for (Group& g : groups_)
            if (g.parts == parts) return g;
        return groups_.emplace_back(Group{parts, {}});
    }

    // A group of few lines is not worth its place: its lines go to the group that looks at fewest parts more.
    void merge_small_groups() {
        std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
            return std::pair(__builtin_popcount(a.parts), a.parts) < std::pair(__builtin_popcount(b.parts), b.parts);
        });
        for (size_t g = 0; g < groups_.size();) {
            const auto larger =
                std::find_if(groups_.begin() + static_cast<ptrdiff_t>(g) + 1, groups_.end(),
                             [&](const Group& other) { return (groups_[g].parts & ~other.parts) == 0; });
            if (groups_[g].lines.size() >= kFewestLines || larger == groups_.end()) {
                ++g;
                continue;
            }
            larger->lines.insert(larger->lines.end(), groups_[g].lines.begin(), groups_[g].lines.end());
            groups_.erase(groups_.begin() + static_cast<ptrdiff_t>(g));
        }
    }

    size_t lines_;  // of the template
    std::vector<Group> groups_;
    std::vector<LineGroup> features_;  // [groups]
    ScoreCache<Score> whole_, sums_;   // of configurations, of groups
    std::vector<uint64_t> digests_;    // [groups]
    std::vector<uint32_t> totals_;     // [configurations] places in whole_
    std::vector<uint32_t> fresh_;      // those among them whose scores are to be computed
    std::vector<uint32_t> places_;     // [fresh][groups] places in sums_
    std::vector<Missing> missing_;     // groups whose features are looked up
    std::vector<uint64_t> keys_;       // of all missing groups
    std::vector<uint32_t> rows_;
};

}  // namespace sapwood

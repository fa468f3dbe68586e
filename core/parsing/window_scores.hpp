// Scores of easy-first attachment points, kept while their windows change bit by bit.
//
// A point's score is a sum over groups of template lines, a group being the lines that look at the same places of
// the window. After an attachment only the groups that look at a changed place are looked up again, for all changed
// points in one batch, so that the cache misses of all their features overlap.
#pragma once
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "features/conjunctions.hpp"
#include "features/easy_first_features.hpp"
#include "features/line_group.hpp"
#include "learner/rows.hpp"
#include "learner/scoring_table.hpp"

namespace sapwood {

template <class Score>
class WindowScores {
  public:
    WindowScores(const Conjunctions& conjunctions, size_t width) : stride_(padded(width)), total_(stride_) {
        for (uint32_t line = 0; line < conjunctions.lines(); ++line) {
            WindowPlaces places = 0;
            for (uint16_t atom : conjunctions.atoms(line)) places |= EasyFirstContext::places(atom);
            size_t g = 0;
            while (g < groups_.size() && groups_[g].places != places) ++g;
            if (g == groups_.size()) groups_.push_back({places, {}});
            groups_[g].lines.push_back(line);
        }
        for (const Group& g : groups_) features_.emplace_back(conjunctions, g.lines, std::is_integral_v<Score>);
        keys_.resize(kBatch * conjunctions.lines());
        rows_.resize(keys_.size());
    }

    void start(size_t words) {
        const size_t needed = (words + 1) * groups_.size() * stride_;
        if (sums_.size() < needed) sums_.resize(needed);
    }

    // Calls put(point, scores) for each changed point; scores, [padded(width)], are valid during the call.
    template <ScoringTable Table, class Put>
    void rescore(const Table& table, const PendingTrees& pending, EasyFirstContext& context, Put&& put) {
        const std::span<const ChangedPoint> changes = pending.changes();
        for (size_t from = 0; from < changes.size(); from += kBatch) {
            StopCheck::after(1000 * kBatch);
            const auto batch = changes.subspan(from, std::min(kBatch, changes.size() - from));
            context.look(pending, batch[0].point, batch.size());
            size_t n = 0;
            parts_.clear();
            for (size_t k = 0; k < batch.size(); ++k)
                for (size_t g = 0; g < groups_.size(); ++g) {
                    if ((groups_[g].places & batch[k].places) == 0) continue;
                    const size_t size = features_[g].keys(context.values(k), keys_.data() + n);
                    table.prefetch_keys(keys_.data() + n, size);
                    parts_.push_back({sum(batch[k].point, g), n, size});
                    n += size;
                }
            table.find_rows(keys_.data(), n, rows_.data());
            for (const Part& part : parts_) table.score(rows_.data() + part.first, part.size, part.sum);
            for (const ChangedPoint& change : batch) {
                std::fill(total_.begin(), total_.end(), Score{});
                const Score* group = sum(change.point, 0);
                for (size_t g = 0; g < groups_.size(); ++g, group += stride_)
                    for (size_t y = 0; y < stride_; ++y) total_[y] += group[y];
                put(change.point, total_.data());
            }
        }
    }

  private:
    static constexpr size_t kBatch = kWindow;  // points looked up together

    struct Group {
        WindowPlaces places;
        std::vector<uint32_t> lines;
    };
    struct Part {  // one group at one point
        Score* sum;
        size_t first, size;  // of the keys
    };

    Score* sum(uint32_t point, size_t group) { return sums_.data() + (point * groups_.size() + group) * stride_; }

    size_t stride_;
    std::vector<Group> groups_;
    std::vector<LineGroup> features_;  // [groups]
    AlignedVector<Score> sums_;        // [words + 1][groups][stride]
    AlignedVector<Score> total_;
    std::vector<uint64_t> keys_;  // [kBatch * lines]
    std::vector<uint32_t> rows_;
    std::vector<Part> parts_;
};

}  // namespace sapwood

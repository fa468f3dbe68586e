#include "model/levels.hpp"

#include <algorithm>
#include <cmath>

#include "base/stop_check.hpp"
#include "model/coded_contexts.hpp"

namespace sapwood {

using namespace table_code;

namespace {

constexpr int kRounds = 6;
constexpr size_t kKept = 2;      // the best beginnings of a feature that are extended
constexpr int64_t kMost = 127;   // magnitude of an integer
constexpr double kUnusual = 20;  // bits of a number that has no code yet

// The numbers that have a code in some context, in ascending order. The numbers of one symbol have codes of one length.
struct Codes {
    struct Range {
        int64_t least, most;
        double bits;
    };
    std::vector<Range> ranges;

    static Codes of(const CodeTable& table) {
        Codes codes;
        for (const auto& [symbol, frequency, start] : table.entries) {
            const uint32_t code = symbol / 2;
            const unsigned plain = NumberCode::bits_after(code);
            const auto least = static_cast<int64_t>(NumberCode::least(code));
            const int64_t most = least + (int64_t{1} << plain) - 1;
            const double bits = table.bits(frequency) + plain;
            codes.ranges.push_back(symbol % 2 == 0 ? Range{least, most, bits} : Range{-most, -least, bits});
        }
        std::ranges::sort(codes.ranges, {}, &Range::least);
        return codes;
    }

    // Calls visit(number, bits) for the number of each range that is nearest to x, as long as within(number).
    template <class Within, class Visit>
    void near(double x, Within&& within, Visit&& visit) const {
        const auto above = std::ranges::partition_point(
            ranges, [&](const Range& range) { return static_cast<double>(range.most) < x; });
        for (auto range = above; range != ranges.end(); ++range) {
            const auto nearest = std::max(range->least, static_cast<int64_t>(std::nearbyint(x)));
            if (!within(nearest)) break;
            visit(std::min(nearest, range->most), range->bits);
        }
        for (auto range = above; range != ranges.begin();) {
            --range;
            if (!within(range->most)) break;
            visit(range->most, range->bits);
        }
    }
};

class Quantiser {
  public:
    Quantiser(const RealWeights& real, double bit_price) : real_(real), bit_price_(bit_price) {
        for (const float w : real.weights) levels_.push_back(rounded(w));
        double sum = 0;
        for (size_t f = 0; f < real.sizes.size(); ++f) sum += updates(f) * real.sizes[f];
        mean_updates_ = sum / static_cast<double>(real.weights.size());
    }

    std::vector<int8_t> run() {
        for (int round = 0; round < kRounds; ++round) {
            count();
            size_t first = 0;
            for (size_t f = 0; f < real_.sizes.size(); first += real_.sizes[f++])
                choose(first, real_.sizes[f], updates(f) / mean_updates_);
        }
        return std::move(levels_);
    }

  private:
    // A way to round the first weights of a feature.
    struct Beginning {
        double cost = 0;
        int64_t sum = 0;    // of the levels
        size_t before = 0;  // where the beginning without the last weight is, among those that were kept
        int8_t level = 0;   // of the last weight
    };
    using Kept = std::vector<Beginning>;  // ascending by cost, at most kKept

    static int8_t rounded(float weight) {
        const auto nearest = std::clamp(static_cast<int64_t>(std::nearbyint(weight)), -kMost, kMost);
        if (nearest == 0) return weight < 0 ? -1 : 1;
        return static_cast<int8_t>(nearest);
    }

    static size_t context_of(Place place, int64_t sum) {
        return WeightContext::of(place, WeightContext::units<int8_t>(sum));
    }

    double updates(size_t feature) const { return std::max(real_.updates[feature], 1u); }

    // The codes that are best for the levels so far.
    void count() {
        std::vector<uint32_t> counts(WeightContext::kTree.size() * kWeightAlphabet);
        size_t at = 0;
        for (const uint32_t size : real_.sizes) {
            int64_t sum = 0;
            for (uint32_t j = 0; j < size; ++j, ++at) {
                const Place place(size, j);
                const int64_t number = place.is_last() ? levels_[at] + sum : levels_[at];
                const auto magnitude = static_cast<uint64_t>(number < 0 ? -number : number);
                const uint32_t symbol = NumberCode::of(magnitude).symbol * 2 + (number < 0);
                ++counts[context_of(place, sum) * kWeightAlphabet + symbol];
                sum += levels_[at];
            }
        }
        const CodeTables tables = CodeTables::of(counts, kWeightAlphabet, WeightContext::kTree);
        table_of_ = tables.table_of;
        codes_.clear();
        for (const CodeTable& table : tables.tables) codes_.push_back(Codes::of(table));
    }

    // Chooses the levels of a feature, from its first weight to its last. After each weight the cheapest beginnings are kept
    // (a beam), because the code of a weight depends on the sum of those before it.
    void choose(size_t first, uint32_t size, double importance) {
        if (kept_.size() <= size) kept_.resize(size + 1);
        kept_[0].assign(1, {});
        for (uint32_t j = 0; j < size; ++j) {
            StopCheck::after(1000);
            Kept& next = kept_[j + 1];
            next.clear();
            for (size_t b = 0; b < kept_[j].size(); ++b)
                extend(kept_[j][b], b, real_.weights[first + j], Place(size, j), importance, next);
        }
        size_t b = 0;
        for (uint32_t j = size; j > 0; --j) {
            levels_[first + j - 1] = kept_[j][b].level;
            b = kept_[j][b].before;
        }
    }

    // Adds to `next` what follows the beginning of this number: a weight.
    void extend(const Beginning& before, size_t number_before, double weight, Place place, double importance,
                Kept& next) const {
        const int64_t added = place.is_last() ? before.sum : 0;  // the last weight is coded as the sum of all
        const auto cost_without_bits = [&](int64_t number) {
            const double error = weight - static_cast<double>(number - added);
            return before.cost + importance * error * error;
        };
        const auto is_cheap = [&](double cost) { return next.size() < kKept || cost < next.back().cost; };
        const auto offer = [&](int64_t number, double bits) {
            const int64_t level = number - added, sum = before.sum + level;
            const double cost = cost_without_bits(number) + bit_price_ * bits;
            if (level == 0 || level > kMost || level < -kMost || !is_cheap(cost)) return;
            const auto same = std::ranges::find(next, sum, &Beginning::sum);
            if (same != next.end() && same->cost <= cost) return;
            if (same != next.end()) next.erase(same);
            if (next.size() == kKept) next.pop_back();
            const auto at = std::ranges::upper_bound(next, cost, {}, &Beginning::cost);
            next.insert(at, {cost, sum, number_before, static_cast<int8_t>(level)});
        };
        offer(rounded(static_cast<float>(weight)) + added, kUnusual);
        codes_[table_of_[context_of(place, before.sum)]].near(
            weight + static_cast<double>(added), [&](int64_t number) { return is_cheap(cost_without_bits(number)); },
            offer);
    }

    const RealWeights& real_;
    double bit_price_, mean_updates_ = 0;
    std::vector<int8_t> levels_;
    std::vector<uint32_t> table_of_;  // [contexts]
    std::vector<Codes> codes_;        // [tables]
    std::vector<Kept> kept_;          // [weights of a feature + 1] after so many weights
};

}  // namespace

std::vector<int8_t> to_levels(const RealWeights& real, double bit_price) {
    if (real.weights.empty()) return {};
    return Quantiser(real, bit_price).run();
}

}  // namespace sapwood

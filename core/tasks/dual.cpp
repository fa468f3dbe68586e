#include "tasks/dual.hpp"

#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "tasks/parallel.hpp"

namespace sapwood {

namespace {

constexpr double kLargest = 1e100;  // of an alpha: sums of so large ones are finite

bool is_weight(double value) {
    return std::abs(value) <= kLargest;  // NaN is none
}

}  // namespace

DualScorer::DualScorer(std::shared_ptr<const KernelItems> support, DualWeights weights)
    : support_(std::move(support)), weights_(std::move(weights)) {
    const size_t size = support_->size();
    if (weights_.alphas.size() != (weights_.voted ? 0 : size))
        throw DataError("there are " + std::to_string(size) + " support candidates, but " +
                        std::to_string(weights_.alphas.size()) + " alphas");
    for (double alpha : weights_.alphas)
        if (!is_weight(alpha)) throw DataError("an alpha is not a number up to 1e100");
    uint64_t clock = 0;
    for (const DualUpdate& update : weights_.updates) {
        if (update.oracle >= size || update.guess >= size)
            throw DataError("an update is of a candidate that is not there");
        if (!is_weight(update.step)) throw DataError("the step of an update is not a number up to 1e100");
        if (update.clock < clock || update.clock >= weights_.clock)
            throw DataError("the updates are not in the order of their times");
        clock = update.clock;
    }
    if (weights_.clock == 0) throw DataError("its clock is 0");
    if (weights_.voted) return;
    sum_ = support_->sum();
    for (size_t k = 0; sum_ != nullptr && k < size; ++k) sum_->add(k, weights_.alphas[k]);
}

std::vector<double> DualScorer::scores(const KernelItems& candidates, const std::vector<size_t>& starts,
                                       const std::vector<double>& bases, size_t threads) const {
    if (starts.empty() || starts.front() != 0 || starts.back() != candidates.size() ||
        bases.size() != candidates.size() || !std::is_sorted(starts.begin(), starts.end()))
        throw DataError("lists, candidates and scores differ in number");
    std::vector<double> all(candidates.size());
    for_each_sentence(
        starts.size() - 1, threads,
        [&] {
            return [&, row = candidates.row(), kernels = std::vector<double>(),
                    scores = std::vector<double>()](size_t list) mutable {
                const size_t begin = starts[list], end = starts[list + 1], support = support_->size();
                if (begin == end) return;
                if (sum_ != nullptr) {
                    sum_->score(candidates, begin, end, &all[begin]);
                    for (size_t c = begin; c < end; ++c) all[c] += bases[c];
                    return;
                }
                kernels.resize((end - begin) * support);
                for (size_t c = begin; c < end; ++c)
                    row->compute(c, *support_, 0, support, kernels.data() + (c - begin) * support);
                if (weights_.voted) {
                    scores.assign(bases.data() + begin, bases.data() + end);
                    vote(kernels, scores, &all[begin]);
                    return;
                }
                for (size_t c = begin; c < end; ++c) {
                    double sum = bases[c];
                    for (size_t k = 0; k < support; ++k)
                        sum += weights_.alphas[k] * kernels[(c - begin) * support + k];
                    all[c] = sum;
                }
            };
        },
        4);
    return all;
}

// The vector that an update made stands from that list on, until the list of the next update.
void DualScorer::vote(const std::vector<double>& kernels, std::vector<double>& scores, double* votes) const {
    const size_t support = support_->size();
    uint64_t since = 0;
    const auto count = [&](uint64_t until) {
        const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
        votes[best] += static_cast<double>(until - since) / static_cast<double>(weights_.clock);
        since = until;
    };
    for (const DualUpdate& update : weights_.updates) {
        count(update.clock);
        for (size_t c = 0; c < scores.size(); ++c) {
            const double* k = kernels.data() + c * support;
            scores[c] += update.step * (k[update.oracle] - k[update.guess]);
        }
    }
    count(weights_.clock);
}

}  // namespace sapwood

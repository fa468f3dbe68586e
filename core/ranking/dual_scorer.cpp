#include "ranking/dual_scorer.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "base/threads.hpp"

namespace sapwood {

DualScorer::DualScorer(std::shared_ptr<const KernelItems> support, DualWeights weights)
    : support_(std::move(support)), weights_(std::move(weights)) {
    const size_t size = support_->size();
    weights_.check(size);
    if (weights_.voted) return;
    sum_ = support_->sum();
    for (size_t k = 0; sum_ != nullptr && k < size; ++k) StopCheck::now(), sum_->add(k, weights_.alphas[k]);
}

std::vector<double> DualScorer::kernels(const KernelItems& candidates, size_t candidate) const {
    std::vector<double> values(support_->size());
    candidates.row()->compute(candidate, *support_, 0, values.size(), values.data());
    return values;
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
                    const auto best = [&] { return std::ranges::max_element(scores) - scores.begin(); };
                    const auto apply = [&](const DualUpdate& update) {
                        const double* k = kernels.data();
                        for (size_t c = 0; c < scores.size(); ++c, k += support)
                            scores[c] += update.step * (k[update.oracle] - k[update.guess]);
                    };
                    vote(weights_, best, apply, &all[begin]);
                    return;
                }
                for (size_t c = begin; c < end; ++c) {
                    double sum = bases[c];
                    for (size_t k = 0; k < support; ++k) sum += weights_.alphas[k] * kernels[(c - begin) * support + k];
                    all[c] = sum;
                }
            };
        },
        4);
    return all;
}

}  // namespace sapwood

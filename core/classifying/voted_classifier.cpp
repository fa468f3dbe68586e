#include "classifying/voted_classifier.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "search/argmax.hpp"

namespace sapwood {

VotedClassifier::VotedClassifier(size_t labels, const FeatureRows& support, DualWeights weights)
    : labels_(labels), support_(support.size()), index_(SortedRows(support)), weights_(std::move(weights)) {
    if (labels == 0) throw ModelError("a classifier has labels");
    if (!weights_.voted) throw DataError("a classifier keeps examples to vote only");
    weights_.check(support_ * labels_);
    for (const DualUpdate& update : weights_.updates)
        if (update.oracle / labels_ != update.guess / labels_) throw DataError("an update is of two examples");
}

void VotedClassifier::score(const FeatureRows& rows, size_t row, Workspace& workspace, double* votes,
                            std::span<const uint64_t>) const {
    const size_t begin = rows.begin(row), n = rows.end(row) - begin;
    auto& [values, products, scores, known] = workspace;
    values.assign(n, 1.0);
    if (!rows.binary()) std::copy_n(rows.values().begin() + static_cast<ptrdiff_t>(begin), n, values.begin());
    products.resize(support_);
    index_.dot({{rows.keys().data() + begin, n}, values}, 0, support_, products.data());
    scores.assign(labels_, 0.0);
    std::fill_n(votes, labels_, 0.0);
    size_t best = 0;
    // An update changes the scores of two labels; only if the best one's falls are all to be looked at.
    const auto add = [&](uint32_t candidate, double step) {
        const size_t label = candidate % labels_;
        const double change = step * products[candidate / labels_];
        scores[label] += change;
        if (label == best) {
            if (change < 0) best = argmax(scores.data(), labels_);
        } else if (scores[label] > scores[best] || (scores[label] == scores[best] && label < best)) {
            best = label;
        }
    };
    const auto apply = [&](const DualUpdate& update) {
        add(update.oracle, update.step);
        add(update.guess, -update.step);
    };
    vote(weights_, [&] { return best; }, apply, votes);
}

}  // namespace sapwood

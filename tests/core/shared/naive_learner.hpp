// The averaged perceptron with update counts (Goldberg & Elhadad 2011), literally as defined: the weights are in a map,
// all of them are copied after every example, and the counts are in another map.
//
//     score     sum of w[f, y] over the features f with U[f] >= min_updates
//     update    w += step * delta, for all features; U[f] += 1 for each f with a delta that is not 0
//     result    mean of the copies, for the features with U[f] >= min_updates
//
// By weight, U[f, y] stands in the place of U[f].
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

class NaiveLearner {
  public:
    using Feature = std::string;
    using Part = std::pair<Feature, size_t>;  // a feature and an output
    using Weights = std::map<Part, double>;

    explicit NaiveLearner(unsigned min_updates, bool by_weight = false)
        : min_updates_(min_updates), by_weight_(by_weight) {}

    bool counts(const Part& part) const {
        const auto at = U_.find(counted(part));
        return at != U_.end() && at->second >= min_updates_;
    }

    double weight(const Feature& f, size_t y) const {
        const auto at = w_.find({f, y});
        return at != w_.end() && counts(at->first) ? at->second : 0;
    }

    double score(const std::vector<Feature>& features, size_t y) const {
        double sum = 0;
        for (const Feature& f : features) sum += weight(f, y);
        return sum;
    }

    // `delta` is phi(x, gold) - phi(x, guess).
    void learn(const Weights& delta, double step = 1) {
        std::map<Part, bool> took_part;
        for (const auto& [part, d] : delta) {
            if (d == 0) continue;
            w_[part] += step * d;
            took_part[counted(part)] = true;
        }
        for (const auto& entry : took_part) ++U_[entry.first];
    }

    void tick() { history_.push_back(w_); }

    // The non-zero weights, averaged or last, that count.
    Weights result(bool average) const {
        Weights sum;
        if (average)
            for (const Weights& w : history_)
                for (const auto& [part, value] : w) sum[part] += value / static_cast<double>(history_.size());
        else
            sum = w_;
        std::erase_if(sum, [&](const auto& entry) { return std::abs(entry.second) < 1e-12 || !counts(entry.first); });
        return sum;
    }

    // The sum of one weight over all copies, regardless of min_updates.
    double history_sum(const Feature& f, size_t y) const {
        double sum = 0;
        for (const Weights& w : history_)
            if (const auto at = w.find({f, y}); at != w.end()) sum += at->second;
        return sum;
    }

  private:
    // What has the count of a weight's updates.
    Part counted(const Part& part) const { return {part.first, by_weight_ ? part.second : 0}; }

    unsigned min_updates_;
    bool by_weight_;
    Weights w_;
    std::map<Part, unsigned> U_;
    std::vector<Weights> history_;
};

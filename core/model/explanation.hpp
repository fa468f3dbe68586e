// Why a model decided as it did: what was chosen, what came second, and the features by which the two differ.
//
//     score(chosen) - score(against) = sum over the features f of  value_f * weight_f
//     value_f = phi_f(x, chosen) - phi_f(x, against)
//
// These are the differences that an update of training is made of, with the chosen structure in the place of gold and
// the best one in which the decision is another in the place of the guess. So a search that names them for the learner
// (FeatureDifference in search/search.hpp) names them here as well; a task adds the texts. Scores and weights are in the
// unit of the model's weights: integers, so that sums are exact, if it is quantised.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "learner/violation.hpp"
#include "model/frozen_model.hpp"

namespace sapwood {

// A feature of the difference. Reasons with the same `feature` have the same text.
struct Reason {
    std::string text;   // of the feature
    std::string label;  // of the output that its weight is for
    double value, weight;
    uint32_t feature;

    double contribution() const { return value * weight; }
};

// The fewest features without which the decision would be another.
struct Flip {
    std::string to;  // what would be chosen then
    std::vector<std::string> features;
};

struct Explanation {
    size_t sentence = 0, token = 0;  // of the decision
    std::string word;                // that it is about
    std::string decision;            // its kind, such as "label"
    std::string chosen;
    std::optional<std::string> against;  // nothing if there was no choice
    double margin = 0;                   // score(chosen) - score(against)
    std::vector<Reason> reasons;
    std::optional<Flip> flip;  // nothing if features alone cannot do it
};

// Which decisions are explained, and against what.
struct Question {
    std::optional<size_t> sentence, token;  // all, if there is none
    std::string against;                    // the name of an alternative; empty: the second best
    bool flip_to_against = false;           // flip to that alternative only

    bool asks_sentence(size_t s) const { return !sentence || *sentence == s; }
    bool asks_token(size_t i) const { return !token || *token == i; }
};

// Numbers times a scale, as text. Those of quantised weights are few, and remembered.
class ScaledNumbers {
  public:
    explicit ScaledNumbers(double scale) : scale_(scale), texts_(2 * kMost + 1) {}
    void append(std::string& out, double number);
    double scale() const { return scale_; }

  private:
    static constexpr int kMost = 1024;

    double scale_;
    std::vector<std::string> texts_;  // [-kMost..kMost]
};

// Adds an explanation as a line of JSON, with weights in the unit of training. Reasons are in descending order of how
// much they contribute to either side.
void append_json(const Explanation& explanation, ScaledNumbers& numbers, std::string& out);

// A line of JSON for each explanation of the examples begin..end - 1 that are asked about; the same for every number of
// threads. make() gives a worker for each thread: worker(s, take) calls take(explanation) for those of an example.
template <class Make>
std::string json_lines(const Question& question, size_t begin, size_t end, size_t threads, double scale, Make&& make) {
    std::vector<std::string> lines(end - std::min(begin, end));
    for_each_sentence(lines.size(), threads, [&] {
        return [&, worker = make(), numbers = ScaledNumbers(scale)](size_t k) mutable {
            if (!question.asks_sentence(begin + k)) return;
            worker(begin + k, [&](Explanation& explanation) {
                explanation.sentence = begin + k;
                append_json(explanation, numbers, lines[k]);
            });
        };
    });
    size_t size = 0;
    for (const std::string& line : lines) size += line.size();
    std::string all;
    all.reserve(size);
    for (const std::string& line : lines) all += line;
    return all;
}

// Collects the difference of two structures by the rows of their features in a frozen model's tables. `Where` is how a
// task finds the text of a feature again: a place in the text and a line of the template, say.
template <class Where>
class Difference {
  public:
    void clear() {
        violation_.clear();
        places_.clear();
    }

    // Says where a feature is that gold() or guess() is about; one that the model does not have is row 0.
    void place(uint32_t table, uint32_t row, const Where& where) {
        if (row != 0) places_.push_back({uint64_t{table} << 32 | row, where});
    }

    // A FeatureDifference: the chosen structure's features, and those of the one against it.
    void gold(uint32_t table, uint32_t row, uint32_t output, float value = 1.0f) {
        violation_.gold(table, row, output, value);
    }
    void guess(uint32_t table, uint32_t row, uint32_t output, float value = 1.0f) {
        violation_.guess(table, row, output, value);
    }

    // Fills in the reasons: features of the difference with weights that are not 0. text(where) spells a feature, and
    // name(table, output) the output of a weight. `ids` takes table and row of each feature of the reasons. Clears the
    // difference.
    template <class Tables, class Text, class Name>
    void weigh(const Tables& tables, Text&& text, Name&& name, std::vector<Reason>& reasons,
               std::vector<std::pair<uint32_t, uint32_t>>* ids = nullptr) {
        reasons.clear();
        if (ids != nullptr) ids->clear();
        violation_.condense();
        std::stable_sort(places_.begin(), places_.end(),
                         [](const Place& a, const Place& b) { return a.feature < b.feature; });
        const auto& parts = violation_.parts();
        uint32_t number = 0;
        auto place = places_.begin();
        for (size_t k = 0, end; k < parts.size(); k = end, ++number) {
            for (end = k + 1; end < parts.size() && parts[end].feature() == parts[k].feature();) ++end;
            const uint32_t table = parts[k].table(), row = static_cast<uint32_t>(parts[k].feature());
            weights_.assign(end - k, 0.0);
            size_t at = k;
            tables[table].each(row, [&](uint32_t output, auto weight) {
                while (at < end && parts[at].output() < output) ++at;
                if (at < end && parts[at].output() == output) weights_[at - k] = static_cast<double>(weight);
            });
            if (ids != nullptr) ids->push_back({table, row});
            while (place != places_.end() && place->feature < (uint64_t{table} << 32 | row)) ++place;
            std::string spelled;
            for (size_t p = k; p < end; ++p) {
                if (weights_[p - k] == 0) continue;
                if (spelled.empty() && place != places_.end()) spelled = text(place->where);
                reasons.push_back({spelled, name(table, parts[p].output()), static_cast<double>(parts[p].delta),
                                   weights_[p - k], number});
            }
        }
        clear();
    }

  private:
    struct Place {
        uint64_t feature;  // table and row
        Where where;
    };

    Violation violation_;
    std::vector<Place> places_;
    std::vector<double> weights_;
};

// The largest contributions, as few as take away more than `margin`, by feature: the fewest features without which the
// alternative of the reasons wins. With `wins_ties` taking away all of it is enough. Returns their numbers, largest
// first; nothing if all together do not.
std::optional<std::vector<uint32_t>> fewest_features(const std::vector<Reason>& reasons, double margin, bool wins_ties);

// The same for plain contributions by feature, [features]; `most` is how many features are worth looking for.
std::optional<std::vector<uint32_t>> fewest_features(std::span<const double> contributions, double margin,
                                                     bool wins_ties, size_t most);

// The flip of a structure to the one against it: the fewest features of the reasons that make up the margin.
std::optional<Flip> flip_of(const Explanation& explanation);

}  // namespace sapwood

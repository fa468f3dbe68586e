// Why a model decided as it did: what was chosen, what came second, and the features by which the two differ.
//
//     score(chosen) - score(against) = sum over the features f of  value_f * weight_f
//     value_f = phi_f(x, chosen) - phi_f(x, against)
//
// An update in training consists of such differences, too. Here the chosen structure takes the place of gold, and the
// best structure with another decision takes the place of the guess. So the code with which a search finds differences for
// the learner (FeatureDifference in search/search.hpp) also finds them here; a task adds the texts of the features.
// Scores and weights are in units of the model's weights. In a quantised model they are integers, so that sums are exact.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "learner/violation.hpp"
#include "model/frozen_model.hpp"

namespace sapwood {

// A feature of the difference together with an output.
struct Reason {
    uint32_t feature;   // index into Explanation::features
    std::string label;  // the name of the output that the weight is for
    double value, weight;

    double contribution() const { return value * weight; }
};

struct Explanation {
    size_t sentence = 0, token = 0;  // where the decision is, counted from 0
    std::string word;                // the word at that place
    std::string decision;            // kind of decision, such as "label"
    std::string chosen;
    std::optional<std::string> against;   // empty if there was no choice
    std::optional<std::string> outvoted;  // by this answer, which is given in the place of the chosen one
    double margin = 0;                    // score(chosen) - score(against)
    std::vector<std::string> features;    // the texts of the features
    std::vector<Reason> reasons;
};

// What is called with each explanation, and may change it.
using TakeExplanation = std::function<void(Explanation&)>;

// Which decisions are explained, and what they are compared with.
struct Question {
    std::optional<size_t> sentence, token;  // counted from 0; empty: all of them
    std::string against;                    // the answer to compare with; empty: the second best answer

    bool asks_sentence(size_t s) const { return !sentence || *sentence == s; }
    bool asks_token(size_t i) const { return !token || *token == i; }
};

// The flaw of a question about so many sentences, or other units: one that is not there; empty if it has none.
std::string flaw_of(const Question& question, size_t sentences, const std::string& unit = "sentence");

// Writes numbers times a scale as text; those that have the scale already (`are_scaled`) as they are. Quantised weights
// have few different values, so their texts are cached.
class ScaledNumbers {
  public:
    explicit ScaledNumbers(double scale, bool are_scaled = false)
        : scale_(scale), factor_(are_scaled ? 1 : scale), texts_(2 * kMost + 1) {}
    void append(std::string& out, double number);
    double scale() const { return scale_; }

  private:
    static constexpr int kMost = 1024;

    double scale_, factor_;
    std::vector<std::string> texts_;  // [-kMost..kMost]
};

// Appends an explanation as a line of JSON, with weights in the unit of training. Reasons are sorted by the magnitude of
// their contribution, the largest first.
void append_json(const Explanation& explanation, ScaledNumbers& numbers, std::string& out);

// Returns a line of JSON for each decision of the examples begin..end - 1 that the question asks about. The result does
// not depend on the number of threads. make() returns a worker for a thread; worker(s, take) calls take(explanation) for
// each explanation of example s.
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

// Collects the features by which two structures differ, as rows of a frozen model's tables. `Where` is what a task needs
// to make the text of a feature, such as a token and a template line.
template <class Where>
class Difference {
  public:
    void clear() {
        violation_.clear();
        places_.clear();
    }

    // Records where a feature of gold() or guess() is in the input. Row 0, a feature that the model lacks, is ignored.
    void place(uint32_t table, uint32_t row, const Where& where) {
        if (row != 0) places_.push_back({uint64_t{table} << 32 | row, where});
    }

    // A FeatureDifference: gold() takes features of the chosen structure, guess() those of the compared structure.
    void gold(uint32_t table, uint32_t row, uint32_t output, float value = 1.0f) {
        violation_.gold(table, row, output, value);
    }
    void guess(uint32_t table, uint32_t row, uint32_t output, float value = 1.0f) {
        violation_.guess(table, row, output, value);
    }

    // Fills `features` and `reasons` with the features of the difference whose weights are not 0, then clears the
    // difference. text(where) gives the text of a feature, name(table, output) the name of an output.
    template <class Tables, class Text, class Name>
    void weigh(const Tables& tables, Text&& text, Name&& name, std::vector<std::string>& features,
               std::vector<Reason>& reasons) {
        features.clear();
        reasons.clear();
        violation_.condense();
        std::ranges::stable_sort(places_, {}, &Place::feature);
        const auto& parts = violation_.parts();
        auto place = places_.begin();
        for (size_t k = 0, end; k < parts.size(); k = end) {
            for (end = k + 1; end < parts.size() && parts[end].feature() == parts[k].feature();) ++end;
            const uint32_t table = parts[k].table(), row = static_cast<uint32_t>(parts[k].feature());
            weights_.clear();
            for (size_t p = k; p < end; ++p)
                weights_.push_back(static_cast<double>(tables[table].weight(row, parts[p].output())));
            if (std::ranges::all_of(weights_, [](double weight) { return weight == 0; })) continue;
            while (place != places_.end() && place->feature < (uint64_t{table} << 32 | row)) ++place;
            for (size_t p = k; p < end; ++p)
                if (weights_[p - k] != 0)
                    reasons.push_back({static_cast<uint32_t>(features.size()), name(table, parts[p].output()),
                                       static_cast<double>(parts[p].delta), weights_[p - k]});
            features.push_back(place == places_.end() ? std::string() : text(place->where));
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

}  // namespace sapwood

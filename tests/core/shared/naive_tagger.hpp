// A plain implementation of a tagger: features are strings, weights are in maps, Viterbi tries every label sequence,
// and easiest-first search scores every label of every token at each step.
//
// Feature names are those of Extractor::name with the number of the table in front ("0 U00:the"). For greedy and
// easiest-first search, the labels around the token follow, as TaggerTrainer::names writes them.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "naive_learner.hpp"
#include "tagging/tagger_trainer.hpp"

using Path = std::vector<sapwood::Label>;

class NaiveTagger {
  public:
    using Feature = NaiveLearner::Feature;
    using Features = std::vector<std::pair<Feature, size_t>>;  // (feature, output) for each feature that fires
    using Score = std::function<double(const Feature&, size_t)>;

    NaiveTagger(sapwood::Search search, unsigned order, const sapwood::Extractor& extractor,
                std::vector<std::string> labels)
        : search_(search), order_(order), extractor_(extractor), labels_(std::move(labels)) {}

    struct Sentence {
        std::vector<std::vector<std::string>> lines[sapwood::kLineGroups];  // [group][token][line] names
        size_t n = 0;
    };

    Sentence read(const sapwood::Columns& data, size_t sentence) const {
        const size_t begin = data.begin(sentence), end = data.end(sentence);
        Sentence s;
        s.n = end - begin;
        for (unsigned group = 0; group < sapwood::kLineGroups; ++group) {
            s.lines[group].resize(s.n);
            for (size_t i = 0; i < s.n; ++i)
                for (size_t f = 0; f < extractor_.lines(group); ++f)
                    s.lines[group][i].push_back(extractor_.name(extractor_.line(group, f), data, begin, end, i));
        }
        return s;
    }

    // The features that fire at token i, given the labels of tokens 0 .. i in the path. For easiest-first search the
    // path has all tokens, some of them with an unknown label.
    Features at(const Sentence& s, size_t i, const Path& path) const {
        const size_t L = labels_.size(), y = path[i];
        const size_t g = i >= 1 ? path[i - 1] : L, h = i >= 2 ? path[i - 2] : L;
        const auto after = [&](size_t k) {
            return " y[+" + std::to_string(k) + "]=" + (i + k < s.n ? name(path.at(i + k)) : "_B+1");
        };
        const std::string l1 = " y[-1]=" + name(g), l2 = " y[-2]=" + name(h);
        const bool viterbi = search_ == sapwood::Search::viterbi;
        const size_t outputs[] = {y, g * L + y, (h * (L + 1) + g) * L + y};
        const std::string history[] = {"", l1, l2 + l1};
        Features all;
        for (unsigned group = 0; group < sapwood::kLineGroups; ++group)
            for (const std::string& line : s.lines[group][i])
                if (viterbi)
                    all.emplace_back(std::to_string(group) + " " + line, outputs[group]);
                else
                    all.emplace_back(
                        "0 " + line + history[group % 3] + (group >= 3 ? after(1) : "") + (group >= 6 ? after(2) : ""),
                        y);
        return all;
    }

    // The best label of token i given the path: the highest score, then the lowest label. All labels except `gold` get
    // a cost.
    sapwood::Label decide(const Sentence& s, size_t i, Path path, const Score& score, double cost,
                          sapwood::Label gold) const {
        sapwood::Label best = 0;
        double most = 0;
        if (path.size() <= i) path.resize(i + 1);
        for (sapwood::Label y = 0; y < labels_.size(); ++y) {
            path[i] = y;
            double sum = y == gold ? 0 : cost;
            for (const auto& [feature, output] : at(s, i, path)) sum += score(feature, output);
            if (y == 0 || sum > most) best = y, most = sum;
        }
        return best;
    }

    // Easiest first: among the tokens whose label is unknown in the path, the token and label with the highest score,
    // then the lowest token, then the lowest label.
    std::pair<size_t, sapwood::Label> easiest(const Sentence& s, const Path& path, const Score& score) const {
        std::pair<size_t, sapwood::Label> best(s.n, 0);
        double most = 0;
        for (size_t i = 0; i < s.n; ++i)
            for (sapwood::Label y = 0; y < labels_.size(); ++y) {
                if (path[i] != sapwood::unknown_label(labels_.size())) continue;
                Path next = path;
                next[i] = y;
                double sum = 0;
                for (const auto& [feature, output] : at(s, i, next)) sum += score(feature, output);
                if (best.first == s.n || sum > most) best = {i, y}, most = sum;
            }
        return best;
    }

    Path nothing_known(const Sentence& s) const { return Path(s.n, sapwood::unknown_label(labels_.size())); }

    double score(const Sentence& s, const Path& path, const Score& weight) const {
        double sum = 0;
        for (size_t i = 0; i < s.n; ++i)
            for (const auto& [feature, output] : at(s, i, path)) sum += weight(feature, output);
        return sum;
    }

    // The best of all label sequences. `gold` may be empty.
    Path viterbi(const Sentence& s, const Score& weight, double cost, const Path& gold) const {
        Path path(s.n), best;
        double most = 0;
        for (;;) {
            double sum = score(s, path, weight);
            for (size_t i = 0; i < gold.size(); ++i) sum += path[i] == gold[i] ? 0 : cost;
            if (best.empty() || sum > most || (sum == most && before(path, best))) best = path, most = sum;
            size_t i = 0;
            while (i < s.n && ++path[i] == labels_.size()) path[i++] = 0;
            if (i == s.n) return best;
        }
    }

    Path tag(const Sentence& s, const Score& weight) const {
        if (search_ == sapwood::Search::viterbi) return viterbi(s, weight, 0, {});
        Path path;
        if (search_ == sapwood::Search::easiest_first) {
            path = nothing_known(s);
            for (size_t step = 0; step < s.n; ++step) {
                const auto [i, y] = easiest(s, path, weight);
                path[i] = y;
            }
            return path;
        }
        for (size_t i = 0; i < s.n; ++i) path.push_back(decide(s, i, path, weight, 0, 0));
        return path;
    }

  private:
    std::string name(size_t label) const {
        return label < labels_.size() ? labels_[label] : label == labels_.size() ? "_B-1" : "_?";
    }

    // Which of two equally good sequences Viterbi prefers: the one with the lower last label, then the one with the
    // lower label before it, and so on to the front. Order 2 compares the last state, a pair of labels, from left to
    // right.
    bool before(const Path& a, const Path& b) const {
        const auto key = [&](Path path) {
            std::reverse(path.begin(), path.end());
            if (order_ == 2 && path.size() > 1) std::swap(path[0], path[1]);
            return path;
        };
        return key(a) < key(b);
    }

    sapwood::Search search_;
    unsigned order_;
    const sapwood::Extractor& extractor_;
    std::vector<std::string> labels_;
};

// The order of the sentences in each epoch: a Fisher-Yates shuffle with SplitMix64 of the previous epoch's order.
class PresentationOrder {
  public:
    PresentationOrder(size_t sentences, uint64_t seed) : state_(seed) {
        for (size_t s = 0; s < sentences; ++s) order_.push_back(s);
    }

    const std::vector<size_t>& next_epoch() {
        for (size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[below(k)]);
        return order_;
    }

  private:
    size_t below(size_t k) {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        z ^= z >> 31;
        return static_cast<size_t>(static_cast<unsigned __int128>(z) * k >> 64);
    }

    std::vector<size_t> order_;
    uint64_t state_;
};

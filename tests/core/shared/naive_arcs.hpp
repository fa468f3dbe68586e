// A plain implementation of graph-based parsing: features of arcs and siblings are strings, weights are in maps, and
// the best tree is found by trying all trees.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "naive_learner.hpp"
#include "naive_sentence.hpp"

using Lines = std::vector<std::vector<std::string>>;  // the atoms of each template line

// The value of an atom such as "h-1t", "mw" or "bt": attribute w or t of the word at its place. `third` is b or s.
inline std::string arc_value(const NaiveSentence& s, size_t h, size_t third, size_t m, const std::string& atom) {
    const int n = static_cast<int>(s.forms.size());
    int at = static_cast<int>(atom[0] == 'h' ? h : atom[0] == 'm' ? m : third);
    if (atom[1] == '-') --at;
    if (atom[1] == '+') ++at;
    if (at < 0 || at > n) return "<outside>";
    if (at == 0) return "<root>";
    const auto word = static_cast<size_t>(at) - 1;
    return atom.back() == 'w' ? s.forms[word] : s.tags[word];
}

// The features of an arc, each once. Lines with a third word are expanded for each of `thirds`.
inline std::set<std::string> arc_features(const Lines& lines, const NaiveSentence& s, size_t h,
                                          const std::vector<size_t>& thirds, size_t m) {
    std::set<std::string> all;
    for (const auto& line : lines) {
        const bool has_third =
            std::any_of(line.begin(), line.end(), [](const auto& atom) { return atom[0] == 'b' || atom[0] == 's'; });
        for (size_t third : has_third ? thirds : std::vector<size_t>{0}) {
            std::string text;
            for (const std::string& atom : line)
                text += (text.empty() ? "" : " ") + atom + "=" + arc_value(s, h, third, m, atom);
            all.insert(text);
        }
    }
    return all;
}

inline std::vector<size_t> words_between(size_t h, size_t m) {
    std::vector<size_t> all;
    for (size_t b = std::min(h, m) + 1; b < std::max(h, m); ++b) all.push_back(b);
    return all;
}

class NaiveArcs {
  public:
    // `siblings` are the template lines of order 2.
    NaiveArcs(Lines arcs, std::optional<Lines> siblings) : arcs_(std::move(arcs)), siblings_(std::move(siblings)) {}

    // phi(x, tree): features with the number of their table in front ("0 hw=saw"), each alone and with the direction
    // and distance.
    NaiveLearner::Weights phi(const NaiveSentence& s, const Heads& heads) const {
        NaiveLearner::Weights sum;
        const size_t n = s.forms.size();
        for (size_t m = 1; m <= n; ++m) {
            const size_t h = heads[m];
            add(sum, "0 ", arc_features(arcs_, s, h, words_between(h, m), m), distance(h, m));
            if (!siblings_) continue;
            size_t sibling = n + 1;  // the child of h that is next to m between h and m; n + 1 if none
            for (size_t c : words_between(h, m))
                if (heads[c] == h && (sibling > n || distance_of(c, m) < distance_of(sibling, m))) sibling = c;
            add(sum, "1 ", arc_features(*siblings_, s, h, {sibling}, m), distance(sibling > n ? h : sibling, m));
        }
        return sum;
    }

    // The best of `trees`, where every wrong head adds gamma. Nothing if several trees are equally good.
    std::optional<Heads> best(const NaiveLearner& learner, const NaiveSentence& s, const std::vector<Heads>& trees,
                              double gamma) const {
        std::optional<Heads> best;
        double most = 0;
        bool tie = false;
        for (const Heads& heads : trees) {
            double score = 0;
            for (const auto& [part, count] : phi(s, heads)) score += count * learner.weight(part.first, part.second);
            for (size_t m = 1; m < heads.size(); ++m) score += heads[m] != s.heads[m] ? gamma : 0;
            if (best && score < most) continue;
            tie = best && score == most;
            most = score;
            best = heads;
        }
        if (tie) best.reset();
        return best;
    }

  private:
    static size_t distance_of(size_t a, size_t b) { return a < b ? b - a : a - b; }

    // The output for a distance of 1, 2, 3, 4, 5, 6-10 or more, to the left or to the right.
    static size_t distance(size_t h, size_t m) {
        const size_t d = distance_of(h, m);
        return 1 + 2 * (d <= 5 ? d - 1 : d <= 10 ? 5 : 6) + (m > h);
    }

    static void add(NaiveLearner::Weights& sum, const std::string& table, const std::set<std::string>& features,
                    size_t output) {
        for (const std::string& feature : features)
            for (size_t y : {size_t{0}, output}) sum[{table + feature, y}] += 1;
    }

    Lines arcs_;
    std::optional<Lines> siblings_;
};

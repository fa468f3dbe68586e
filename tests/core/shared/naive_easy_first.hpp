// A plain implementation of easy-first parsing: the pending list is a vector, every point is scored before every
// attachment, features are strings, and weights are in maps.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "naive_learner.hpp"
#include "naive_sentence.hpp"

// Two outputs per label: first all those with the head on the left, then those with the head on the right.
class NaivePending {
  public:
    NaivePending(size_t n, size_t labels, bool single_root)
        : heads(n + 1), arc_labels(n + 1), left(n + 1), right(n + 1), labels_(labels), single_root_(single_root) {
        for (uint32_t w = 0; w <= n; ++w) list.push_back(w);
    }

    // The possible attachments: positions in the list, each with an output.
    std::vector<std::pair<size_t, size_t>> choices() const {
        std::vector<std::pair<size_t, size_t>> all;
        for (size_t i = single_root_ && list.size() > 2 ? 1 : 0; i + 1 < list.size(); ++i)
            for (size_t output = 0; output < (list[i] == 0 ? 1 : 2) * labels_; ++output) all.emplace_back(i, output);
        return all;
    }

    uint32_t head(size_t i, size_t output) const { return output < labels_ ? list[i] : list[i + 1]; }
    uint32_t modifier(size_t i, size_t output) const { return output < labels_ ? list[i + 1] : list[i]; }

    void attach(size_t i, size_t output) {
        const uint32_t h = head(i, output), m = modifier(i, output);
        heads[m] = h;
        arc_labels[m] = static_cast<uint32_t>(output % labels_);
        (m < h ? left : right)[h].push_back(m);
        std::erase(list, m);
    }

    size_t size(uint32_t item) const {
        size_t words = 1;
        for (uint32_t child : left[item]) words += size(child);
        for (uint32_t child : right[item]) words += size(child);
        return words;
    }

    std::vector<uint32_t> list;
    std::vector<uint32_t> heads, arc_labels;         // [n + 1]
    std::vector<std::vector<uint32_t>> left, right;  // [n + 1] children from the inside out

  private:
    size_t labels_;
    bool single_root_;
};

class NaiveEasyFirst {
  public:
    // `lines` has the atoms of each template line.
    NaiveEasyFirst(std::vector<std::vector<std::string>> lines, std::vector<std::string> labels, bool single_root)
        : lines_(std::move(lines)), labels_(std::move(labels)), single_root_(single_root) {}

    // Guided learning with at most one update per decision. Returns the number of wrong decisions.
    size_t learn(NaiveLearner& learner, const NaiveSentence& s, double gamma) const {
        NaivePending pending(s.forms.size(), labels_.size(), single_root_);
        size_t mistakes = 0;
        while (pending.list.size() > 1) {
            const auto is_valid = [&](size_t i, size_t output) {
                const uint32_t m = pending.modifier(i, output);
                if (s.heads[m] != pending.head(i, output) || s.labels[m] != output % labels_.size()) return false;
                return std::none_of(pending.list.begin(), pending.list.end(),
                                    [&](uint32_t child) { return child != 0 && s.heads[child] == m; });
            };
            std::pair<size_t, size_t> right, wrong;
            double right_score = 0, wrong_score = 0;
            bool any_right = false, any_wrong = false;
            for (const auto& choice : pending.choices()) {
                const double score = learner.score(features(s, pending, choice.first), choice.second);
                const bool valid = is_valid(choice.first, choice.second);
                bool& any = valid ? any_right : any_wrong;
                double& best = valid ? right_score : wrong_score;
                if (any && score <= best) continue;
                any = true;
                best = score;
                (valid ? right : wrong) = choice;
            }
            const bool lost = any_wrong && wrong_score + gamma >= right_score;
            mistakes += lost;
            if (lost) {
                NaiveLearner::Weights delta;
                for (const auto& f : features(s, pending, right.first)) delta[{f, right.second}] += 1;
                for (const auto& f : features(s, pending, wrong.first)) delta[{f, wrong.second}] -= 1;
                learner.learn(delta);
            }
            learner.tick();
            pending.attach(right.first, right.second);
        }
        return mistakes;
    }

  private:
    std::vector<std::string> features(const NaiveSentence& s, const NaivePending& pending, size_t i) const {
        std::vector<std::string> all;
        for (const auto& line : lines_) {
            std::string text;
            bool whole = true;
            for (const std::string& atom : line) {
                const std::string v = value(s, pending, static_cast<int>(i), atom);
                whole &= !v.empty();
                text += (text.empty() ? "" : " ") + atom + "=" + v;
            }
            if (whole) all.push_back(text);
        }
        return all;
    }

    // The value of an atom such as "p-1lt", the tag of the outermost left child of p-1; empty if there is none.
    std::string value(const NaiveSentence& s, const NaivePending& pending, int i, const std::string& atom) const {
        static const std::vector<std::string> places = {"p-2", "p-1", "p0", "p1", "p2", "p3"};
        const auto& list = pending.list;
        size_t place = 0;
        while (!atom.starts_with(places[place])) ++place;
        std::string rest = atom.substr(places[place].size());
        const int at = i + static_cast<int>(place) - 2;
        const bool outside = at < 0 || at >= static_cast<int>(list.size());
        const auto bucket = [](size_t k) { return std::to_string(k <= 4 ? k : k <= 6 ? 5 : k <= 9 ? 6 : 7); };
        if (rest.starts_with("-p"))
            return outside || at + 1 >= static_cast<int>(list.size()) ? "" : bucket(list[at + 1] - list[at]);
        if (outside) return rest == "w" || rest == "t" ? "<outside>" : "";
        uint32_t w = list[at];
        const auto &left = pending.left[w], &right = pending.right[w];
        if (rest == "nc") return left.empty() && right.empty() ? "1" : "2";
        if (rest == "len") return bucket(pending.size(w));
        if (rest == "vl") return std::to_string(std::min<size_t>(left.size(), 4) + 1);
        if (rest == "vr") return std::to_string(std::min<size_t>(right.size(), 4) + 1);
        if (rest == "cl" || rest == "cr") {  // as a set of 63
            uint64_t set = 1;
            for (uint32_t child : rest == "cl" ? left : right)
                set |= uint64_t{1} << (sapwood::hash_bytes(s.tags[child - 1]) % 63 + 1);
            return std::to_string(set);
        }
        if (rest == "pp") return w != 0 && s.tags[w - 1] == "IN" ? s.forms[w - 1] : "";
        if (rest[0] == 'l' || rest[0] == 'r') {
            const auto& children = rest[0] == 'l' ? left : right;
            const size_t nth = rest[1] == '2' ? 2 : 1;
            if (children.size() < nth) return "";
            w = children[children.size() - nth];
            rest = rest.substr(nth);
        }
        if (rest == "d") return labels_[pending.arc_labels[w]];
        if (w == 0) return "<root>";
        return rest == "w" ? s.forms[w - 1] : s.tags[w - 1];
    }

    std::vector<std::vector<std::string>> lines_;
    std::vector<std::string> labels_;
    bool single_root_;
};

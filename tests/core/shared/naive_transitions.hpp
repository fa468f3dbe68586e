// A plain implementation of arc-hybrid parsing: a configuration keeps children in lists, the beam sorts all candidates,
// the cost of a transition is found by trying all continuations, and features are strings.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "naive_learner.hpp"
#include "naive_sentence.hpp"

// The outputs: 0 is shift; then come left from the root, left, and right, each with each label.
struct NaiveConfiguration {
    NaiveConfiguration(size_t words, size_t relations)
        : n(words), labels(relations), heads(n + 1), arc_labels(n + 1), left(n + 1), right(n + 1) {
        for (uint32_t w = 1; w <= n; ++w) buffer.push_back(w);
        buffer.push_back(0);  // the root
    }

    bool done() const { return buffer.size() == 1 && stack.empty(); }

    std::vector<size_t> outputs(bool single_root) const {
        std::vector<size_t> all;
        if (buffer.size() > 1) all.push_back(0);
        if (!stack.empty() && (buffer.size() > 1 || !single_root || stack.size() == 1))
            for (size_t label = 0; label < labels; ++label) all.push_back(1 + label + (buffer.size() > 1 ? labels : 0));
        if (stack.size() > 1)
            for (size_t label = 0; label < labels; ++label) all.push_back(1 + 2 * labels + label);
        return all;
    }

    bool is_right(size_t output) const { return output > 2 * labels; }
    uint32_t label(size_t output) const { return static_cast<uint32_t>((output - 1) % labels); }
    uint32_t head(size_t output) const { return is_right(output) ? stack[stack.size() - 2] : buffer[0]; }

    NaiveConfiguration after(size_t output) const {
        NaiveConfiguration c = *this;
        if (output == 0) {
            c.stack.push_back(buffer[0]);
            c.buffer.erase(c.buffer.begin());
            return c;
        }
        const uint32_t h = head(output), m = stack.back();
        c.heads[m] = h;
        c.arc_labels[m] = label(output);
        (is_right(output) ? c.right : c.left)[h].push_back(m);
        c.stack.pop_back();
        return c;
    }

    // The smallest number of words whose head differs from `gold`, over all continuations.
    size_t least_loss(const Heads& gold) const {
        if (done()) return 0;
        size_t least = std::numeric_limits<size_t>::max();
        for (size_t output : outputs(false))
            if (output == 0 || label(output) == 0)
                least = std::min(least, lost(gold, output) + after(output).least_loss(gold));
        return least;
    }

    bool lost(const Heads& gold, size_t output) const { return output != 0 && head(output) != gold[stack.back()]; }

    // The number of gold arcs that a transition makes unreachable.
    size_t cost(const Heads& gold, size_t output) const {
        return lost(gold, output) + after(output).least_loss(gold) - least_loss(gold);
    }

    size_t n, labels;
    std::vector<uint32_t> stack, buffer;             // the top of the stack last, the front of the buffer first
    std::vector<uint32_t> heads, arc_labels;         // [n + 1]
    std::vector<std::vector<uint32_t>> left, right;  // [n + 1] children from the inside out
};

// A configuration with the outputs that led to it.
struct NaiveItem {
    NaiveConfiguration c;
    double score = 0;
    std::vector<size_t> path;
};

// The next beam: all candidates, sorted by score, where equal candidates keep their order.
template <class Score>
std::vector<NaiveItem> naive_step(const std::vector<NaiveItem>& beam, size_t width, bool single_root, Score&& score) {
    std::vector<NaiveItem> next;
    for (const NaiveItem& item : beam)
        for (size_t output : item.c.outputs(single_root)) {
            next.push_back({item.c.after(output), item.score + score(item.c, output), item.path});
            next.back().path.push_back(output);
        }
    std::stable_sort(next.begin(), next.end(),
                     [](const NaiveItem& a, const NaiveItem& b) { return a.score > b.score; });
    if (next.size() > width) next.erase(next.begin() + static_cast<std::ptrdiff_t>(width), next.end());
    return next;
}

class NaiveTransitions {
  public:
    NaiveTransitions(std::vector<std::vector<std::string>> lines, std::vector<std::string> labels, bool single_root)
        : lines_(std::move(lines)), labels_(std::move(labels)), single_root_(single_root) {}

    // The derivation of the gold tree that makes each arc as early as possible.
    std::vector<size_t> gold_path(const NaiveSentence& s) const {
        NaiveConfiguration c = start(s);
        std::vector<size_t> path;
        while (!c.done()) {
            size_t next = 0;
            for (size_t output : c.outputs(false))
                if (output != 0 && next == 0 && !wrong(s, c, output) && c.cost(s.heads, output) == 0) next = output;
            path.push_back(next);
            c = c.after(next);
        }
        return path;
    }

    // Makes an early or a max-violation update. Returns the number of words with a wrong head or label at its place.
    size_t learn(NaiveLearner& learner, const NaiveSentence& s, size_t width, double gamma, bool early) const {
        const std::vector<size_t> gold = gold_path(s);
        std::vector<NaiveItem> beam = {{start(s), 0, {}}};
        NaiveItem right = beam[0];
        double greatest = -std::numeric_limits<double>::infinity();
        std::vector<size_t> guess;
        bool in_beam = true;
        for (size_t k = 0; k < gold.size(); ++k) {
            beam = naive_step(beam, width, single_root_, [&](const NaiveConfiguration& c, size_t output) {
                return learner.score(features(s, c), output) + (wrong(s, c, output) ? gamma : 0);
            });
            right.score += learner.score(features(s, right.c), gold[k]);
            right.c = right.c.after(gold[k]);
            right.path.push_back(gold[k]);
            in_beam = in_beam && std::any_of(beam.begin(), beam.end(),
                                             [&](const NaiveItem& item) { return item.path == right.path; });
            if (beam[0].path == right.path) continue;
            if (beam[0].score - right.score > greatest || (early && !in_beam)) {
                greatest = beam[0].score - right.score;
                guess = beam[0].path;
            }
            if (early && !in_beam) break;
        }
        size_t mistakes = 0;
        if (!guess.empty() && greatest >= 0) {
            NaiveLearner::Weights delta;
            NaiveConfiguration a = start(s), b = a;
            for (size_t k = 0; k < guess.size(); ++k) {
                for (const std::string& f : features(s, a)) delta[{f, gold[k]}] += 1;
                for (const std::string& f : features(s, b)) delta[{f, guess[k]}] -= 1;
                mistakes += wrong(s, b, guess[k]);
                a = a.after(gold[k]);
                b = b.after(guess[k]);
            }
            learner.learn(delta);
        }
        learner.tick();
        return mistakes;
    }

    // Greedy parsing with a dynamic oracle. Returns the number of wrong transitions.
    size_t learn_greedy(NaiveLearner& learner, const NaiveSentence& s, double gamma) const {
        NaiveConfiguration c = start(s);
        size_t mistakes = 0;
        while (!c.done()) {
            const std::vector<std::string> fired = features(s, c);
            const std::vector<size_t> outputs = c.outputs(single_root_);
            size_t least = std::numeric_limits<size_t>::max();
            for (size_t output : outputs) least = std::min(least, c.cost(s.heads, output));
            size_t best[2];  // the best wrong transition and the best right one
            double most[2];
            bool any[2] = {false, false};
            for (size_t output : outputs) {
                const bool mislabels = !c.lost(s.heads, output) && wrong(s, c, output);
                const bool right = c.cost(s.heads, output) == least && !mislabels;
                const double score = learner.score(fired, output);
                if (any[right] && score <= most[right]) continue;
                any[right] = true;
                best[right] = output;
                most[right] = score;
            }
            const bool lost = any[0] && most[0] + gamma >= most[1];
            if (lost) {
                NaiveLearner::Weights delta;
                for (const std::string& f : fired) {
                    delta[{f, best[1]}] += 1;
                    delta[{f, best[0]}] -= 1;
                }
                learner.learn(delta);
            }
            learner.tick();
            mistakes += lost;
            c = c.after(best[!any[0] || most[0] <= most[1]]);
        }
        return mistakes;
    }

  private:
    NaiveConfiguration start(const NaiveSentence& s) const { return {s.forms.size(), labels_.size()}; }

    static bool wrong(const NaiveSentence& s, const NaiveConfiguration& c, size_t output) {
        return output != 0 && (c.lost(s.heads, output) || c.label(output) != s.labels[c.stack.back()]);
    }

    std::vector<std::string> features(const NaiveSentence& s, const NaiveConfiguration& c) const {
        std::vector<std::string> all;
        for (const auto& line : lines_) {
            std::string text;
            bool whole = true;
            for (const std::string& atom : line) {
                const std::string v = value(s, c, atom);
                whole &= !v.empty();
                text += (text.empty() ? "" : " ") + atom + "=" + v;
            }
            if (whole) all.push_back(text);
        }
        return all;
    }

    // The value of an atom such as "S0l2t", the tag of the second outermost left child of S0; empty if there is none.
    std::string value(const NaiveSentence& s, const NaiveConfiguration& c, const std::string& atom) const {
        const auto word = [&](char side, size_t k) -> int {  // -1: none
            if (side == 'S') return k < c.stack.size() ? static_cast<int>(c.stack[c.stack.size() - 1 - k]) : -1;
            return k < c.buffer.size() ? static_cast<int>(c.buffer[k]) : -1;
        };
        const auto place = [&](const std::string& name) { return word(name[0], name[1] - '0'); };
        const std::string name = atom.substr(0, 2), rest = atom.substr(2);
        int w = place(name);
        if (rest.starts_with("-")) {
            const int to = place(rest.substr(1)), n = static_cast<int>(c.n);
            if (w < 0) return "";
            const int d = (to == 0 ? n + 1 : to) - w;
            return std::to_string(d < 5 ? d : d <= 6 ? 5 : d <= 9 ? 6 : 7);
        }
        static const std::vector<uint32_t> none;
        const auto &left = w < 0 ? none : c.left[w], &right = w < 0 ? none : c.right[w];
        if (rest[0] == 'v' || rest[0] == 's') {
            const auto& children = rest[1] == 'l' ? left : right;
            if (rest[0] == 'v') return std::to_string(std::min<size_t>(children.size(), 4) + 1);
            uint64_t set = 0;
            for (uint32_t child : children)
                set |= uint64_t{1} << (sapwood::hash_bytes(labels_[c.arc_labels[child]]) >> 58);
            return std::to_string(set + 1);
        }
        if (rest.size() == 1) {
            if (w < 0) return name == "S2" ? "" : "<outside>";
            return attribute(s, c, static_cast<uint32_t>(w), rest[0]);
        }
        const auto& children = rest[0] == 'l' ? left : right;
        const size_t nth = rest[1] == '2' ? 2 : 1;
        if (children.size() < nth) return "";
        return attribute(s, c, children[children.size() - nth], rest.back());
    }

    std::string attribute(const NaiveSentence& s, const NaiveConfiguration& c, uint32_t word, char kind) const {
        if (kind == 'd') return labels_[c.arc_labels[word]];
        if (word == 0) return "<root>";
        return kind == 'w' ? s.forms[word - 1] : s.tags[word - 1];
    }

    std::vector<std::vector<std::string>> lines_;
    std::vector<std::string> labels_;
    bool single_root_;
};

#include "search/projective.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

// The words in an order that puts every head after its children. Leaves are removed until no word is left.
std::vector<uint32_t> bottom_up(const std::vector<uint32_t>& heads) {
    std::vector<uint32_t> children(heads.size()), order;  // [n + 1] number of children not yet removed
    for (size_t m = 1; m < heads.size(); ++m) ++children[heads[m]];
    order.reserve(heads.size());
    for (uint32_t m = 1; m < heads.size(); ++m)
        if (children[m] == 0) order.push_back(m);
    for (size_t k = 0; k < order.size(); ++k) {
        const uint32_t h = heads[order[k]];
        if (--children[h] == 0 && h > 0) order.push_back(h);
    }
    return order;
}

// Numbers the words so that h and its descendants have the numbers from first[h] to end[h] - 1.
struct Descendants {
    std::vector<uint32_t> first, end;  // [n + 1]

    explicit Descendants(const std::vector<uint32_t>& heads) : first(heads.size()), end(heads.size(), 1) {
        const std::vector<uint32_t> order = bottom_up(heads);
        std::vector<uint32_t>& size = end;
        for (const uint32_t m : order) size[heads[m]] += size[m];
        std::vector<uint32_t> next(heads.size(), 1);  // first number of the next child
        for (size_t k = order.size(); k-- > 0;) {
            const uint32_t m = order[k], h = heads[m];
            first[m] = next[h];
            next[h] += size[m];
            next[m] = first[m] + 1;
        }
        for (size_t m = 0; m < heads.size(); ++m) end[m] += first[m];
    }
    bool has(size_t h, size_t m) const { return first[h] <= first[m] && first[m] < end[h]; }
};

// The tree during lifting. When m is lifted from h to g, only h loses descendants. So only two kinds of arcs can change
// from projective to non-projective or back: g -> m itself, and the arcs from h to other children that cross m or a
// descendant of m. Arcs of the second kind can only stop being projective; only lifting an arc makes it projective.
class Lifting {
  public:
    explicit Lifting(std::vector<uint32_t>& heads)
        : heads_(heads),
          first_(heads.size()),
          next_(heads.size()),
          before_(heads.size()),
          waits_(heads.size()),
          seen_(heads.size()) {
        for (uint32_t m = 1; m < heads.size(); ++m) link(m);
    }

    void run(const std::vector<uint32_t>& non_projective) {
        for (const uint32_t m : non_projective) wait(m);
        while (!queue_.empty()) {
            const uint32_t m = queue_.top().second, h = heads_[m];
            queue_.pop();
            waits_[m] = false;
            unlink(m);
            heads_[m] = heads_[h];
            link(m);
            if (!arc_is_projective(m)) wait(m);
            check_children(h, m);
        }
    }

  private:
    void link(uint32_t m) {
        uint32_t& first = first_[heads_[m]];
        before_[m] = 0;
        next_[m] = first;
        if (first > 0) before_[first] = m;
        first = m;
    }
    void unlink(uint32_t m) {
        (before_[m] > 0 ? next_[before_[m]] : first_[heads_[m]]) = next_[m];
        if (next_[m] > 0) before_[next_[m]] = before_[m];
    }
    void wait(uint32_t m) {
        if (waits_[m]) return;
        waits_[m] = true;
        queue_.emplace(std::max(m, heads_[m]) - std::min(m, heads_[m]), m);
    }

    // Walks up from each word inside the arc until it meets the head, or a word from which the head was reached before.
    bool arc_is_projective(uint32_t m) {
        const uint32_t h = heads_[m];
        if (h == 0) return true;
        ++checks_;
        for (uint32_t k = std::min(h, m) + 1; k < std::max(h, m); ++k) {
            StopCheck::every(k);
            for (uint32_t up = k; up != h && seen_[up] != checks_; up = heads_[up]) {
                if (up == 0) return false;
                seen_[up] = checks_;
            }
        }
        return true;
    }

    // Queues the children of h whose arcs cross m or a descendant of m, where m was a child of h.
    void check_children(uint32_t h, uint32_t m) {
        uint32_t left = 0, right = static_cast<uint32_t>(heads_.size());  // the nearest such descendants
        below_ = {m};
        for (size_t k = 0; k < below_.size(); ++k) {
            StopCheck::every(k);
            const uint32_t w = below_[k];
            if (w < h)
                left = std::max(left, w);
            else
                right = std::min(right, w);
            for (uint32_t c = first_[w]; c > 0; c = next_[c]) below_.push_back(c);
        }
        for (uint32_t c = first_[h]; c > 0; c = next_[c])
            if (c < left || c > right) wait(c);
    }

    using Arc = std::pair<uint32_t, uint32_t>;  // length, word
    std::vector<uint32_t>& heads_;
    std::vector<uint32_t> first_, next_, before_;  // [n + 1] first child; next and previous sibling
    std::vector<bool> waits_;                      // [n + 1] whether the word is in the queue
    std::priority_queue<Arc, std::vector<Arc>, std::greater<>> queue_;
    std::vector<size_t> seen_;  // [n + 1] number of the last check that visited the word
    size_t checks_ = 0;
    std::vector<uint32_t> below_;
};

}  // namespace

// An arc h -> m to the right is projective if m <= right[h], where right[h] ends the contiguous run of descendants of h
// that begins at h. Going from right to left, a run is composed of known runs: if the word after the run is a
// descendant of h, so is the whole run of that word. Each run is appended to another at most once, so the time is
// linear.
std::vector<uint32_t> non_projective_words(const Tree& tree) {
    const size_t n = tree.words();
    const Descendants descendants(tree.heads);
    std::vector<size_t> left(n + 1), right(n + 1);
    for (size_t h = n; h > 0; --h) {
        right[h] = h;
        while (right[h] < n && descendants.has(h, right[h] + 1)) right[h] = right[right[h] + 1];
    }
    for (size_t h = 1; h <= n; ++h) {
        left[h] = h;
        while (left[h] > 1 && descendants.has(h, left[h] - 1)) left[h] = left[left[h] - 1];
    }
    std::vector<uint32_t> words;
    for (uint32_t m = 1; m <= n; ++m) {
        const size_t h = tree.heads[m];
        if (h > 0 && (m < left[h] || m > right[h])) words.push_back(m);
    }
    return words;
}

bool is_projective(const Tree& tree) {
    return non_projective_words(tree).empty();
}

size_t projectivise(Tree& tree, LabelSet& labels) {
    const std::vector<uint32_t> words = non_projective_words(tree);
    if (words.empty()) return 0;
    const Tree original = tree;
    Lifting(tree.heads).run(words);
    size_t lifted = 0;
    for (size_t m = 1; m <= tree.words(); ++m) {
        const uint32_t h = original.heads[m];
        if (tree.heads[m] == h) continue;
        tree.labels[m] =
            labels.number(labels.name(original.labels[m]) + std::string(kLiftMark) + labels.name(original.labels[h]));
        ++lifted;
    }
    return lifted;
}

LiftedLabels::LiftedLabels(LabelSet& labels) {
    for (uint32_t label = 0; label < labels.size(); ++label) {  // the set grows in this loop
        const std::string name = labels.name(label);
        const size_t mark = name.find(kLiftMark);
        const bool lifted = mark != std::string::npos;
        const std::string plain = mark == 0 ? "_" : name.substr(0, mark);
        parts_.push_back({lifted ? labels.number(plain) : label, kNone, lifted});
    }
    for (uint32_t label = 0; label < labels.size(); ++label)
        if (const std::string& name = labels.name(label); parts_[label].lifted)
            parts_[label].head = labels.find(name.substr(name.find(kLiftMark) + kLiftMark.size())).value_or(kNone);
}

void deprojectivise(Tree& tree, const LiftedLabels& labels) {
    const size_t n = tree.words();
    std::vector<uint32_t> wanted(n + 1, LiftedLabels::kNone);  // [n + 1] relation of the head to search for
    bool any = false;
    for (size_t m = 1; m <= n; ++m) {
        const LiftedLabels::Parts& parts = labels[tree.labels[m]];
        tree.labels[m] = parts.plain;
        wanted[m] = parts.head;
        any = any || parts.head != LiftedLabels::kNone;
    }
    if (!any) return;

    std::vector<std::vector<uint32_t>> children(n + 1);  // from left to right
    for (uint32_t m = 1; m <= n; ++m) children[tree.heads[m]].push_back(m);
    std::vector<uint32_t> order = {0}, queue;
    for (size_t k = 0; k < order.size(); ++k)
        order.insert(order.end(), children[order[k]].begin(), children[order[k]].end());

    for (const uint32_t m : order) {
        if (wanted[m] == LiftedLabels::kNone) continue;
        queue = {tree.heads[m]};
        uint32_t found = 0;
        for (size_t k = 0; k < queue.size() && found == 0; ++k)
            for (const uint32_t w : children[queue[k]]) {
                StopCheck::every(queue.size());
                if (w == m) continue;  // attaching m below itself would make a cycle
                if (tree.labels[w] == wanted[m]) {
                    found = w;
                    break;
                }
                queue.push_back(w);
            }
        if (found == 0) continue;
        std::vector<uint32_t>& old = children[tree.heads[m]];
        old.erase(std::lower_bound(old.begin(), old.end(), m));
        std::vector<uint32_t>& now = children[found];
        now.insert(std::lower_bound(now.begin(), now.end(), m), m);
        tree.heads[m] = found;
    }
}

}  // namespace sapwood

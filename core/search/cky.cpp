#include "search/cky.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Returns, for rules sorted by state_of, the first rule of each state. [states + 1]
template <class Rules, class StateOf>
std::vector<uint32_t> starts_of(size_t states, const Rules& rules, StateOf&& state_of) {
    std::vector<uint32_t> starts(states + 1, 0);
    for (const auto& rule : rules) ++starts[state_of(rule) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    return starts;
}

template <class Rules, class StateOf>
std::vector<uint32_t> order_by(const Rules& rules, StateOf&& state_of) {
    std::vector<uint32_t> order(rules.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](uint32_t k) { return state_of(rules[k]); });
    return order;
}

}  // namespace

Pcfg::Pcfg(size_t number_of_states, uint32_t root_state, std::vector<Binary> binary_rules,
           std::vector<Chain> chain_rules)
    : states(number_of_states), root(root_state), binaries(std::move(binary_rules)), chains(std::move(chain_rules)) {
    std::ranges::stable_sort(binaries, {}, &Binary::left);
    std::ranges::stable_sort(chains, {}, &Chain::bottom);
    left_starts = starts_of(states, binaries, [](const Binary& b) { return b.left; });
    bottom_starts = starts_of(states, chains, [](const Chain& c) { return c.bottom; });
    of_parent = order_by(binaries, [](const Binary& b) { return b.parent; });
    parent_starts = starts_of(states, binaries, [](const Binary& b) { return b.parent; });
    of_top = order_by(chains, [](const Chain& c) { return c.top; });
    top_starts = starts_of(states, chains, [](const Chain& c) { return c.top; });
}

Cky::Cky(const Pcfg& grammar) : grammar_(grammar), bottom_(grammar.states, kNever), top_(grammar.states, kNever) {}

bool Cky::parse(std::span<const std::vector<Entry>> words) {
    words_ = static_cast<uint32_t>(words.size());
    entries_.clear();
    nodes_.clear();
    cells_.assign(words.size() * (words.size() + 1), {0, 0, 0});
    rights_.resize(words.size() * grammar_.states);
    found_ = false;
    for (uint32_t end = 1; end <= words_; ++end) {
        for (uint32_t begin = end; begin-- > 0;) {
            if (begin + 1 == end) {
                for (const Entry& word : words[begin]) {
                    bottom_[word.state] = word.score;
                    bottoms_.push_back(word.state);
                }
            } else {
                fill(begin, end);
            }
            close(begin, end);
        }
    }
    node_of_.assign(entries_.size(), kNone);
    if (words_ == 0) return false;
    const Cell& whole = cell(0, words_);
    root_entry_ = find(whole.tops, whole.end, grammar_.root);
    found_ = root_entry_ != kNone;
    return found_;
}

// bottom[i, j](A) = max over A -> B C and k of  log p(A -> B C) + top[i, k](B) + top[k, j](C)
void Cky::fill(uint32_t begin, uint32_t end) {
    const Pcfg::Binary* const rules = grammar_.binaries.data();
    float* const bottom = bottom_.data();
    for (uint32_t split = begin + 1; split < end; ++split) {
        const Cell& left = cell(begin, split);
        const Cell& right = cell(split, end);
        if (right.tops == right.end) continue;
        StopCheck::after(64 * (left.end - left.tops));
        const float* const tops = rights_.data() + split * grammar_.states;
        for (uint32_t e = left.tops; e < left.end; ++e) {
            const Entry part = entries_[e];
            const uint32_t stop = grammar_.left_starts[part.state + 1];
            for (uint32_t r = grammar_.left_starts[part.state]; r < stop; ++r) {
                const float score = rules[r].score + part.score + tops[rules[r].right];
                float& best = bottom[rules[r].parent];
                if (score > best) {
                    if (best == kNever) bottoms_.push_back(rules[r].parent);
                    best = score;
                }
            }
        }
    }
}

// top[i, j](X) = max over chains X => A of  log p(X => A) + bottom[i, j](A);  then stores the finished cell.
void Cky::close(uint32_t begin, uint32_t end) {
    for (const uint32_t a : bottoms_)
        for (uint32_t c = grammar_.bottom_starts[a]; c < grammar_.bottom_starts[a + 1]; ++c) {
            const Pcfg::Chain& chain = grammar_.chains[c];
            const float score = chain.score + bottom_[a];
            if (!(score > top_[chain.top])) continue;
            if (top_[chain.top] == kNever) tops_.push_back(chain.top);
            top_[chain.top] = score;
        }
    std::ranges::sort(bottoms_);
    std::ranges::sort(tops_);
    Cell& cell = cells_[begin * (words_ + 1) + end];
    cell.bottoms = static_cast<uint32_t>(entries_.size());
    for (const uint32_t a : bottoms_) entries_.push_back({a, bottom_[a]});
    cell.tops = static_cast<uint32_t>(entries_.size());
    for (const uint32_t x : tops_) entries_.push_back({x, top_[x]});
    cell.end = static_cast<uint32_t>(entries_.size());
    float* const rights = rights_.data() + begin * grammar_.states;
    std::fill_n(rights, grammar_.states, kNever);
    for (uint32_t e = cell.tops; e < cell.end; ++e) rights[entries_[e].state] = entries_[e].score;
    for (const uint32_t a : bottoms_) bottom_[a] = kNever;
    for (const uint32_t x : tops_) top_[x] = kNever;
    bottoms_.clear();
    tops_.clear();
}

// The entry of a state among the entries from..to - 1 of a layer, or kNone.
uint32_t Cky::find(uint32_t from, uint32_t to, uint32_t state) const {
    const auto first = entries_.begin() + from, last = entries_.begin() + to;
    const auto at = std::ranges::lower_bound(first, last, state, {}, &Entry::state);
    return at == last || at->state != state ? kNone : static_cast<uint32_t>(at - entries_.begin());
}

bool Cky::Derivation::operator<(const Derivation& o) const {
    if (score != o.score) return score < o.score;
    if (rule != o.rule) return rule > o.rule;
    if (split != o.split) return split > o.split;
    return left_rank != o.left_rank ? left_rank > o.left_rank : right_rank > o.right_rank;
}

// Whether an entry has a k-th best derivation. If so, its list `best` then contains all derivations up to the k-th.
bool Cky::derive(uint32_t entry, Place place, size_t k) {
    if (node_of_[entry] == kNone) begin_node(entry, place);
    const uint32_t number = node_of_[entry];  // nodes_ may move below
    while (nodes_[number].best.size() <= k) {
        StopCheck::after(100);
        if (!nodes_[number].best.empty()) push_next(entry, place, nodes_[number].best.back());
        Node& node = nodes_[number];
        if (node.heap.empty()) return false;
        std::pop_heap(node.heap.begin(), node.heap.end());
        node.best.push_back(node.heap.back());
        node.heap.pop_back();
    }
    return true;
}

void Cky::begin_node(uint32_t entry, Place place) {
    node_of_[entry] = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
    std::vector<Derivation>& heap = nodes_.back().heap;
    const uint32_t state = entries_[entry].state;
    const auto [begin, end, top] = place;
    if (top) {
        const Cell& here = cell(begin, end);
        for (uint32_t k = grammar_.top_starts[state]; k < grammar_.top_starts[state + 1]; ++k) {
            const uint32_t chain = grammar_.of_top[k];
            const uint32_t below = find(here.bottoms, here.tops, grammar_.chains[chain].bottom);
            if (below != kNone)
                heap.push_back({grammar_.chains[chain].score + entries_[below].score, chain, 0, below, kNone, 0, 0});
        }
    } else if (begin + 1 == end) {
        heap.push_back({entries_[entry].score, kNone, 0, kNone, kNone, 0, 0});
    } else {
        for (uint32_t split = begin + 1; split < end; ++split) {
            const Cell &left = cell(begin, split), &right = cell(split, end);
            if (left.tops == left.end || right.tops == right.end) continue;
            StopCheck::after(16 * (grammar_.parent_starts[state + 1] - grammar_.parent_starts[state]));
            for (uint32_t k = grammar_.parent_starts[state]; k < grammar_.parent_starts[state + 1]; ++k) {
                const uint32_t number = grammar_.of_parent[k];
                const Pcfg::Binary& rule = grammar_.binaries[number];
                const uint32_t l = find(left.tops, left.end, rule.left);
                const uint32_t r = l == kNone ? kNone : find(right.tops, right.end, rule.right);
                if (r != kNone)
                    heap.push_back({rule.score + entries_[l].score + entries_[r].score, number, split, l, r, 0, 0});
            }
        }
    }
    std::make_heap(heap.begin(), heap.end());
}

// Pushes the neighbours of a derivation. Each pair of ranks is reached once, because the left rank increases only while
// the right rank is 0.
void Cky::push_next(uint32_t entry, Place place, const Derivation& last) {
    if (last.rule == kNone) return;
    Derivation next = last;
    ++next.left_rank;
    if (last.right_rank == 0) push(entry, place, next);
    if (place.top) return;
    next = last;
    ++next.right_rank;
    push(entry, place, next);
}

void Cky::push(uint32_t entry, Place place, Derivation next) {
    const auto score_of = [&](uint32_t part, uint32_t rank) { return nodes_[node_of_[part]].best[rank].score; };
    if (place.top) {
        if (!derive(next.left, {place.begin, place.end, false}, next.left_rank)) return;
        next.score = grammar_.chains[next.rule].score + score_of(next.left, next.left_rank);
    } else {
        if (!derive(next.left, {place.begin, next.split, true}, next.left_rank) ||
            !derive(next.right, {next.split, place.end, true}, next.right_rank))
            return;
        next.score = grammar_.binaries[next.rule].score + score_of(next.left, next.left_rank) +
                     score_of(next.right, next.right_rank);
    }
    std::vector<Derivation>& heap = nodes_[node_of_[entry]].heap;
    heap.push_back(next);
    std::push_heap(heap.begin(), heap.end());
}

std::vector<Cky::Constituent> Cky::tree(size_t k) {
    std::vector<Constituent> tree;
    collect(root_entry_, {0, words_, true}, k, tree);
    return tree;
}

void Cky::collect(uint32_t entry, Place place, size_t rank, std::vector<Constituent>& tree) {
    derive(entry, place, rank);
    const Derivation top = nodes_[node_of_[entry]].best[rank];
    tree.push_back({top.rule, place.begin, place.end});
    if (place.begin + 1 == place.end) return;
    derive(top.left, {place.begin, place.end, false}, top.left_rank);
    const Derivation bottom = nodes_[node_of_[top.left]].best[top.left_rank];
    collect(bottom.left, {place.begin, bottom.split, true}, bottom.left_rank, tree);
    collect(bottom.right, {bottom.split, place.end, true}, bottom.right_rank, tree);
}

}  // namespace sapwood

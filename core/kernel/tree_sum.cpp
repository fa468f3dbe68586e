#include "kernel/tree_sum.hpp"

#include <algorithm>
#include <cmath>

#include "base/stop_check.hpp"

namespace sapwood {

void TreeSum::add(const KernelTree& tree, double alpha) {
    if (tree.tags.empty()) return;
    if (normalise_) alpha /= std::sqrt(row_.self(tree));
    if (group_of_.size() <= tree.largest_production) {
        group_of_.resize(tree.largest_production + size_t{1}, kNone);
        tag_weights_.resize(tree.largest_production + size_t{1});
    }
    for (uint32_t production : tree.tags) tag_weights_[production] += alpha;
    subtrees_.each(tree, [&](uint32_t subtree) { add(subtree, alpha); });
}

void TreeSum::add(uint32_t subtree, double alpha) {
    if (places_.size() <= subtree) places_.resize(subtree + size_t{1}, kNone);
    uint32_t& number = group_of_[subtrees_.production(subtree)];
    if (number == kNone) {
        number = static_cast<uint32_t>(groups_.size());
        groups_.emplace_back();
    }
    Group& group = groups_[number];
    const auto children = subtrees_.children(subtree);
    if (places_[subtree] == kNone) {
        places_[subtree] = static_cast<uint32_t>(group.subtrees.size());
        group.subtrees.push_back(subtree);
        group.weights.push_back(0);
        for (Subtrees::Child child : children) group.productions.push_back(subtrees_.production(child));
    }
    const size_t place = places_[subtree];
    group.weights[place] += alpha;
    if (group.weights[place] != 0) return;
    const auto arity = static_cast<ptrdiff_t>(children.size());
    if (place + 1 < group.subtrees.size()) {  // move the last subtree to the free place
        places_[group.subtrees.back()] = static_cast<uint32_t>(place);
        group.subtrees[place] = group.subtrees.back();
        group.weights[place] = group.weights.back();
        std::copy(group.productions.end() - arity, group.productions.end(),
                  group.productions.begin() + static_cast<ptrdiff_t>(place) * arity);
    }
    places_[subtree] = kNone;
    group.subtrees.pop_back();
    group.weights.pop_back();
    group.productions.resize(group.productions.size() - children.size());
}

void TreeSum::score(std::span<const KernelTree> trees, Workspace& w, double* scores) const {
    w.subtrees_.clear();
    w.values_.clear();
    for (const KernelTree& tree : trees) {
        double tags = 0, sum = 0;
        for (uint32_t production : tree.tags)
            if (production < tag_weights_.size()) tags += tag_weights_[production];
        w.subtrees_.each(tree, [&](uint32_t n) {
            if (n == w.values_.size()) w.values_.push_back(value(n, w));
            sum += w.values_[n];
        });
        sum += kernel_.decay() * tags;
        *scores++ = normalise_ && !tree.tags.empty() ? sum / std::sqrt(w.row_.self(tree)) : sum;
    }
}

// f(n) = sum over s of w(s) lambda prod_k (1 + C(child k of s, child k of n))
double TreeSum::value(uint32_t n, Workspace& w) const {
    const uint32_t production = w.subtrees_.production(n);
    if (production >= group_of_.size() || group_of_[production] == kNone) return 0;
    const Group& group = groups_[group_of_[production]];
    const auto children = w.subtrees_.children(n);
    const uint32_t* productions = group.productions.data();
    double sum = 0;
    for (size_t place = 0; place < group.subtrees.size(); ++place) {
        double c = kernel_.decay();
        StopCheck::every(place);
        for (size_t k = 0; k < children.size(); ++k) {
            if (*productions++ != w.subtrees_.production(children[k])) continue;
            c *= 1 + (children[k].is_tag()
                          ? kernel_.decay()
                          : common(subtrees_.children(group.subtrees[place])[k].number(), children[k].number(), w));
        }
        sum += group.weights[place] * c;
    }
    return sum;
}

// C(s, n) of two subtrees with equal productions, without recursion.
double TreeSum::common(uint32_t s, uint32_t n, Workspace& w) const {
    w.open_.assign(1, {s, n, 0, kernel_.decay()});
    while (true) {
        Workspace::Pair& pair = w.open_.back();
        const auto children1 = subtrees_.children(pair.s), children2 = w.subtrees_.children(pair.n);
        if (pair.child == children1.size()) {
            const double c = pair.c;
            w.open_.pop_back();
            if (w.open_.empty()) return c;
            w.open_.back().c *= 1 + c;
            continue;
        }
        const Subtrees::Child child1 = children1[pair.child], child2 = children2[pair.child];
        ++pair.child;
        if (subtrees_.production(child1) != w.subtrees_.production(child2)) continue;
        if (child1.is_tag())
            pair.c *= 1 + kernel_.decay();
        else
            w.open_.push_back({child1.number(), child2.number(), 0, kernel_.decay()});
    }
}

size_t TreeSum::size() const {
    size_t count = 0;
    for (const Group& group : groups_) count += group.subtrees.size();
    return count;
}

}  // namespace sapwood

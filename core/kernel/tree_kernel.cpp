#include "kernel/tree_kernel.hpp"

#include <algorithm>
#include <numeric>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

// The first entries of a row's values_; the values C of matching pairs of nodes follow.
constexpr size_t kDifferent = 0, kSameTag = 1, kFirstPair = 2;

}  // namespace

KernelTree::KernelTree(const PhraseTree& tree, Productions& table) {
    const auto size = static_cast<uint32_t>(tree.nodes.size());
    std::vector<Child> places(size);     // every node of the tree, including tags, as a child
    std::vector<uint32_t> inner;         // [nodes] by rank: the node's position in the tree
    for (uint32_t k = size; k-- > 0;) {  // in reverse preorder
        places[k].production = table.number(tree, k);
        largest_production = std::max(largest_production, places[k].production);
        if (tree.nodes[k].is_tag()) {
            tags.push_back(places[k].production);
        } else {
            productions.push_back(places[k].production);
            inner.push_back(k);
        }
    }

    const auto count = static_cast<uint32_t>(inner.size());
    std::vector<uint32_t> ranks(count);  // by number
    std::iota(ranks.begin(), ranks.end(), 0);
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](uint32_t a, uint32_t b) { return productions[a] < productions[b]; });
    for (Child& tag : places) tag.number = 0, tag.rank = count;
    for (uint32_t number = 0; number < count; ++number) {
        places[inner[ranks[number]]].number = number;
        places[inner[ranks[number]]].rank = ranks[number];
    }

    nodes.resize(count);
    for (uint32_t number = 0; number < count; ++number) {
        const uint32_t rank = ranks[number], production = productions[rank];
        const auto first_child = static_cast<uint32_t>(children.size());
        tree.each_child(inner[rank], [&](uint32_t child) { children.push_back(places[child]); });
        nodes[rank] = {first_child, static_cast<uint32_t>(children.size()) - first_child};
        if (groups.empty() || groups.back().production != production)
            groups.push_back({production, number, number, first_child});
        groups.back().end = number + 1;
    }
}

TreeKernel::Row::Row(const TreeKernel& kernel) : decay_(kernel.decay_), values_(kFirstPair) {
    values_[kSameTag] = decay_;
}

void TreeKernel::Row::fix(const KernelTree& tree) {
    for (uint32_t production : set_) table_[production] = 0;
    set_ = tree.tags;
    set_.insert(set_.end(), tree.productions.begin(), tree.productions.end());
    fixed_ = &tree;
    if (table_.size() <= tree.largest_production) table_.resize(tree.largest_production + size_t{1});
    for (uint32_t production : tree.tags) ++table_[production];
    for (uint32_t g = 0; g < tree.groups.size(); ++g) table_[tree.groups[g].production] = g + 1;
}

double TreeKernel::Row::operator()(const KernelTree& tree) {
    const KernelTree& fixed = *fixed_;
    if (table_.size() <= tree.largest_production) table_.resize(tree.largest_production + size_t{1});
    const uint32_t* table = table_.data();

    uint64_t same_tags = 0;
    for (uint32_t production : tree.tags) same_tags += table[production];
    double sum = decay_ * static_cast<double>(same_tags);

    // Which nodes and children match depends on the data, so a branch on it would be mispredicted. The code below
    // computes with the outcome of the comparison instead of branching.
    const auto count = static_cast<uint32_t>(tree.nodes.size());
    if (starts_.size() <= count) {
        matches_.resize(count + size_t{1});
        starts_.resize(count + size_t{1});
    }
    size_t found = 0;
    for (uint32_t rank = 0; rank < count; ++rank) {
        const uint32_t group = table[tree.productions[rank]];
        matches_[found] = {rank, group - 1};
        found += group != 0;
    }
    starts_[count] = kSameTag;

    // C(n1, n2) = lambda prod_k (1 + C(child k of n1, child k of n2))
    size_t next = kFirstPair;
    for (size_t m = 0; m < found; ++m) {
        const auto [rank, g] = matches_[m];
        const KernelTree::Group& group = fixed.groups[g];
        const auto [first_child, arity] = tree.nodes[rank];
        const KernelTree::Child* children1 = &fixed.children[group.first_child];
        const KernelTree::Child* children2 = &tree.children[first_child];
        starts_[rank] = next - group.begin;  // may wrap below 0; adding a number of the group undoes that
        const size_t end = next + group.end - group.begin;
        if (values_.size() < end) values_.resize(2 * end);
        for (; next < end; ++next, children1 += arity) {
            double c = decay_;
            for (uint32_t k = 0; k < arity; ++k) {
                const size_t pair = starts_[children2[k].rank] + children1[k].number;
                const bool same = children1[k].production == children2[k].production;
                c *= 1 + values_[pair & (size_t{0} - same)];  // values_[kDifferent] if the productions differ
            }
            values_[next] = c;
            sum += c;
        }
    }
    StopCheck::every(0, next);
    return sum;
}

AllPairsKernel::Item::Item(const PhraseTree& source, Productions& table) : tree(source) {
    for (uint32_t k = 0; k < tree.nodes.size(); ++k) productions.push_back(table.number(tree, k));
}

double AllPairsKernel::Row::operator()(const Item& other) {
    const PhraseTree &tree1 = fixed_->tree, &tree2 = other.tree;
    const auto size1 = static_cast<uint32_t>(tree1.nodes.size()), size2 = static_cast<uint32_t>(tree2.nodes.size());
    if (values_.size() < size_t{size1} * size2) values_.resize(size_t{size1} * size2);
    const uint32_t *productions1 = fixed_->productions.data(), *productions2 = other.productions.data();
    double* values = values_.data();
    double sum = 0;
    for (uint32_t n1 = size1; n1-- > 0;) {
        StopCheck::after(size2);
        for (uint32_t n2 = size2; n2-- > 0;) {
            double c = 0;
            if (productions1[n1] == productions2[n2]) {
                c = decay_;
                uint32_t child2 = n2 + 1;
                tree1.each_child(n1, [&](uint32_t child1) {
                    c *= 1 + values[size_t{child1} * size2 + child2];
                    child2 = tree2.nodes[child2].next;
                });
                sum += c;
            }
            values[size_t{n1} * size2 + n2] = c;
        }
    }
    return sum;
}

}  // namespace sapwood

#include "clustering/class_tree.hpp"

#include <algorithm>

#include "base/stop_check.hpp"

namespace sapwood {

ClassTree::ClassTree(const Exchange& exchange)
    : classes_(exchange.classes()), h_(exchange.h()), losses_(classes_ * classes_, 0) {
    for (uint32_t i = 0; i < classes_; ++i) {
        members_.push_back(exchange.count(i));
        beside_.push_back(i);
        if (i >= ClusterText::kFirst) alive_.push_back(i);
        StopCheck::after(classes_);
        for (uint32_t j = 0; j < classes_; ++j) counts_.push_back(exchange.count(i, j));
    }
    for (const uint32_t i : alive_)
        for (const uint32_t j : alive_)
            if (i < j) loss(i, j) = whole_loss(i, j);
}

int64_t ClassTree::term(uint32_t c, uint32_t i, uint32_t j) const {
    const uint64_t ic = count(i, c), jc = count(j, c), ci = count(c, i), cj = count(c, j);
    return h_(ic) + h_(jc) - h_(ic + jc) + h_(ci) + h_(cj) - h_(ci + cj);
}

int64_t ClassTree::whole_loss(uint32_t i, uint32_t j) const {
    int64_t sum = 0;
    for (const uint32_t c : beside_)
        if (c != i && c != j) sum += term(c, i, j);
    StopCheck::after(8 * beside_.size());
    const uint64_t ii = count(i, i), ij = count(i, j), ji = count(j, i), jj = count(j, j);
    sum += h_(ii) + h_(ij) + h_(ji) + h_(jj) - h_(ii + ij + ji + jj);
    return sum - 2 * (h_(members_[i]) + h_(members_[j]) - h_(members_[i] + members_[j]));
}

bool ClassTree::merge() {
    if (alive_.size() < 2) return false;
    uint32_t a = alive_[0], b = alive_[1];
    for (size_t x = 0; x < alive_.size(); ++x) {
        StopCheck::after(alive_.size());
        for (size_t y = x + 1; y < alive_.size(); ++y)
            if (loss(alive_[x], alive_[y]) < loss(a, b)) a = alive_[x], b = alive_[y];
    }
    mergers_.push_back({a, b});
    std::erase(alive_, b);
    std::erase(beside_, b);

    const auto each_other_pair = [&](auto&& visit) {
        for (size_t x = 0; x < alive_.size(); ++x) {
            StopCheck::after(8 * alive_.size());
            for (size_t y = x + 1; y < alive_.size(); ++y)
                if (alive_[x] != a && alive_[y] != a) visit(alive_[x], alive_[y]);
        }
    };
    each_other_pair([&](uint32_t i, uint32_t j) { loss(i, j) -= term(a, i, j) + term(b, i, j); });
    const uint64_t own = count(a, a) + count(a, b) + count(b, a) + count(b, b);
    for (const uint32_t c : beside_) {
        counts_[a * classes_ + c] += count(b, c);
        counts_[c * classes_ + a] += count(c, b);
    }
    counts_[a * classes_ + a] = own;
    members_[a] += members_[b];
    each_other_pair([&](uint32_t i, uint32_t j) { loss(i, j) += term(a, i, j); });
    for (const uint32_t i : alive_)
        if (i != a) loss(a, i) = whole_loss(std::min(a, i), std::max(a, i));
    return alive_.size() > 1;
}

std::vector<std::string> ClassTree::strings() const {
    std::vector<std::string> strings(classes_);
    for (auto last = mergers_.rbegin(); last != mergers_.rend(); ++last) {
        StopCheck::after(100);
        strings[last->merged] = strings[last->kept] + '1';
        strings[last->kept] += '0';
    }
    if (mergers_.empty())
        for (const uint32_t only : alive_) strings[only] = "0";
    return strings;
}

}  // namespace sapwood

#include "clustering/clustering.hpp"

#include <algorithm>
#include <numeric>

#include "base/long_sort.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

void Clustering::begin(size_t classes, uint64_t min_count) {
    text_ = corpus_.text(min_count);
    corpus_ = ClusterCorpus(false);
    exchange_.emplace(text_, classes);
}

bool Clustering::merge(size_t pairs) {
    if (!tree_) tree_.emplace(*exchange_);
    for (; pairs > 0; --pairs) {
        StopCheck::now();
        if (!tree_->merge()) return false;
    }
    return tree_->left() > 1;
}

std::string Clustering::paths() const {
    const std::vector<std::string> strings = tree_.value().strings();
    std::vector<size_t> order(text_.words.size() - ClusterText::kFirst);
    std::iota(order.begin(), order.end(), ClusterText::kFirst);
    const auto bits = [&](size_t word) -> const std::string& { return strings[exchange_->of_word(word)]; };
    long_sort(order, [&](size_t a, size_t b) { return bits(a) != bits(b) ? bits(a) < bits(b) : a < b; });
    std::string out;
    for (const size_t word : order)
        out.append(bits(word))
            .append("\t")
            .append(text_.words[word])
            .append("\t")
            .append(std::to_string(text_.counts[word]))
            .append("\n");
    return out;
}

}  // namespace sapwood

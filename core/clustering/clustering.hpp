// Learning word clusters from text, a step at a time: text in; rounds of the exchange; mergers; clusters out.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "clustering/class_tree.hpp"
#include "clustering/cluster_corpus.hpp"
#include "clustering/exchange.hpp"

namespace sapwood {

class Clustering {
  public:
    explicit Clustering(bool tokenised) : corpus_(tokenised) {}
    Clustering(const Clustering&) = delete;  // exchange_ and tree_ point into other members
    Clustering& operator=(const Clustering&) = delete;

    ClusterCorpus& corpus() { return corpus_; }

    // Counts the text, whose memory is then freed, and puts the words into classes. Throws DataError if no word occurs
    // `min_count` times.
    void begin(size_t classes, uint64_t min_count);

    // After begin().
    const ClusterText& text() const { return text_; }
    Exchange& exchange() { return exchange_.value(); }

    // Merges up to `pairs` pairs of classes. Returns whether more than one class is left.
    bool merge(size_t pairs);
    size_t classes_left() const { return tree_ ? tree_->left() : exchange_->classes() - ClusterText::kFirst; }

    // After the last merger: `bits TAB word TAB count` lines, by bits and then the most frequent word first.
    std::string paths() const;

  private:
    ClusterCorpus corpus_;
    ClusterText text_;
    std::optional<Exchange> exchange_;
    std::optional<ClassTree> tree_;
};

}  // namespace sapwood

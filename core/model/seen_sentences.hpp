// Which share of a text a model was trained on, told by the hashes of a few of its training sentences.
//
// A model keeps the kMost smallest hashes of its training sentences (a bottom-k sketch: Cohen & Kaplan, Summarizing Data
// using Bottom-k Sketches, 2007). Sentences of another text whose hashes are no larger are among those, or are new. They
// are a random sample of that text, so the share of them that is among the kept ones is that of the whole text.
//
// Sentences of fewer than kLongEnough tokens come again by chance. They are left out where there are enough others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "features/feature_rows.hpp"
#include "text/columns.hpp"
#include "text/conllu.hpp"
#include "text/documents.hpp"

namespace sapwood {

class SeenSentences {
  public:
    static constexpr size_t kMost = 64;
    static constexpr uint64_t kUsual = 4;  // one of so many sentences is long, or short ones are kept, too

    // `columns`: of rows, so many columns are the input.
    explicit SeenSentences(size_t columns) : columns_(columns) {}

    void add(const Columns& data);
    void add(const Conllu& data);
    void add(const Documents& data);
    void add(const FeatureRows& data);

    // The fewest tokens of the sentences, and their hashes, ascending.
    std::vector<uint32_t> learned() const;

    // Throws ModelError if these are not what `learned` returns.
    static void check(const std::vector<uint32_t>& seen);

  private:
    void add(uint64_t hash, size_t tokens);

    size_t columns_;
    uint64_t sentences_ = 0, long_ones_ = 0;
    std::set<uint32_t> smallest_, smallest_of_long_;
};

// The share of sentences of a text that training saw, from 0 to 1; 0 also where they are so few that chance explains them.
// `seen`: what `learned` returned; throws ModelError if it is not that.
template <class Data>
double share_seen(const std::vector<uint32_t>& seen, size_t columns, const Data& data);

extern template double share_seen(const std::vector<uint32_t>&, size_t, const Columns&);
extern template double share_seen(const std::vector<uint32_t>&, size_t, const Conllu&);
extern template double share_seen(const std::vector<uint32_t>&, size_t, const Documents&);
extern template double share_seen(const std::vector<uint32_t>&, size_t, const FeatureRows&);

}  // namespace sapwood

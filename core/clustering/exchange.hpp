// Word classes by the exchange algorithm (Martin, Liermann & Ney 1998). With N the counts of class bigrams and of
// classes, the log-likelihood of the class bigram model is, but for what does not depend on the classes,
//
//     F = sum_{c, d} h(N(c, d)) - 2 sum_c h(N(c)),    h(n) = n log n.
//
// Every word in turn, the most frequent first, is taken out of its class and put into the class where F is highest,
// until no word moves. Where it came from the class k has counts N', and the word w the counts l(c) of class c before
// it and r(c) behind it, putting it into k adds
//
//     sum_c h(N'(c, k) + l(c)) - h(N'(c, k))  +  sum_c h(N'(k, c) + r(c)) - h(N'(k, c))  -  2 (h(N'(k) + n) - h(N'(k))),
//
// with one term for c = k, where both meet. That costs a pass over the classes for each class beside the word.
//
// Words are looked at in batches of kBatch, by all threads, with the classes as they are before the batch. Then those
// that would move do so in their order, if F still grows by it. So the result does not depend on the number of threads.
#pragma once
#include <cstdint>
#include <vector>

#include "clustering/cluster_corpus.hpp"
#include "clustering/entropy_table.hpp"

namespace sapwood {

class Exchange {
  public:
    static constexpr size_t kBatch = 128;

    // Begins with the words dealt out to the classes, the most frequent first. The boundary of sentences and the unknown
    // word have classes of their own, kBoundary and kUnknown, and stay there.
    Exchange(const ClusterText& text, size_t classes);

    // Works on some more batches, and returns whether all words have been looked at once more.
    bool step(size_t batches, size_t threads);

    size_t classes() const { return classes_; }  // the two of their own counted
    uint32_t of_word(size_t word) const { return class_of_[word]; }
    uint64_t count(size_t of_class) const { return members_[of_class]; }
    uint32_t count(size_t first, size_t second) const { return after_[first * classes_ + second]; }
    const EntropyTable& h() const { return h_; }

    size_t looked_at() const { return next_ - ClusterText::kFirst; }  // words of this round
    size_t moved() const { return moved_; }                           // and how many of them moved
    double likelihood() const;                                        // F, in bits

  private:
    struct Scratch {
        std::vector<uint64_t> left, right;    // [classes] counts of the classes beside a word, itself left out
        std::vector<uint32_t> lefts, rights;  // the classes that are there
        std::vector<uint64_t> row, column;    // [classes] counts of its class without it
        std::vector<int64_t> gain;            // [classes]
        uint64_t self = 0;                    // of the word beside itself
    };

    void look(size_t word, Scratch& s) const;
    uint32_t best_class(size_t word, Scratch& s) const;
    // By how much F rises if a word, taken out of its own class, is put into class k.
    int64_t gain(size_t word, uint32_t k, const Scratch& s) const;
    uint64_t without(size_t word, uint32_t c, uint32_t d, const Scratch& s) const;
    void move(size_t word, uint32_t to, const Scratch& s);
    void add(uint32_t c, uint32_t d, uint32_t count);

    const ClusterText& text_;
    size_t classes_;
    EntropyTable h_;
    std::vector<uint32_t> class_of_;        // [words]
    std::vector<uint64_t> members_;         // [classes] tokens
    std::vector<uint32_t> after_, before_;  // [classes][classes] bigrams by their first class, by their second class
    size_t next_ = ClusterText::kFirst, moved_ = 0;
};

}  // namespace sapwood

// Splits tokens into words: a rewriter of tokens (rewriter.hpp), which may know the words of the treebank that it learned
// from (known_words.hpp).
#pragma once
#include <vector>

#include "rewriting/known_words.hpp"
#include "rewriting/rewriter.hpp"

namespace sapwood {

class Splitter {
  public:
    static constexpr size_t kMostWords = 64;  // of a token

    // The tagger must outlive this. Throws ModelError as Rewriter does.
    Splitter(const Tagger& tagger, KnownWords known) : rewriter_(tagger, kMostWords), known_(std::move(known)) {}

    // The tokens that are other words than their form, in order. `tokens` have their form in column 0.
    std::vector<Rewriter::Changed> split(const Columns& tokens, size_t threads) const;

    // What the tagger labels: form and, if words are known, which parts of it are words.
    Columns rows(const Columns& tokens) const;

  private:
    Rewriter rewriter_;
    KnownWords known_;
};

}  // namespace sapwood

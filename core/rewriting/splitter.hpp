// Splits tokens into words: a rewriter of tokens (rewriter.hpp), which may know the words of the treebank that it learned
// from (known_words.hpp).
//
// A clitic is one whatever its case and its apostrophe: a token with an apostrophe is read in small letters, and with the
// straight one of those that people type (' \u2019 \u02BC ` \u00B4). Its words have the letters of the text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rewriting/known_words.hpp"
#include "rewriting/rewriter.hpp"

namespace sapwood {

// Whether a form has an apostrophe, of those that people type.
bool has_apostrophe(std::string_view form);
// A form in small letters (of ASCII), composed, and with straight apostrophes. It has as many characters as the composed one.
std::string with_plain_letters(std::string_view form);

class Splitter {
  public:
    static constexpr size_t kMostWords = 64;  // of a token

    // The tagger must outlive this. Throws ModelError as Rewriter does.
    Splitter(const Tagger& tagger, KnownWords known) : rewriter_(tagger, kMostWords), known_(std::move(known)) {}

    // The tokens that are other words than their form, in order. `tokens` have their form in column 0.
    std::vector<Rewriter::Changed> split(const Columns& tokens, size_t threads) const;

    // What the tagger labels: the form (with_plain_letters, if has_apostrophe) and, if words are known, which parts of
    // it are words.
    Columns rows(const Columns& tokens) const;

  private:
    Rewriter rewriter_;
    KnownWords known_;
};

}  // namespace sapwood

// Parses sentences into phrase-structure trees by a treebank grammar: its counts turned into log probabilities, and CKY.
//
// Rules have their relative frequencies. A word has the tags that it was seen with, mixed with those that rare words
// of its class had (Klein & Manning 2003, section 4), c being counts:
//
//     p(w | t) = p(t | w) p(w) / p(t),   p(t | w) = (c(t, w) + kMix p(t | class of w)) / (c(w) + kMix)
//
// A sentence for which the grammar has no tree, or of more than kLongest words, gets a flat one, TOP over the likeliest
// tags, with the log probability kFlat.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parsing/treebank_grammar.hpp"
#include "search/cky.hpp"

namespace sapwood {

class PhraseParser {
  public:
    static constexpr size_t kLongest = 200;  // words
    static constexpr double kFlat = -1e6;    // the log probability of a tree that the grammar does not have

    struct Scored {
        std::string tree;  // in brackets, in one line
        double score;      // log probability
    };

    // Scratch of one thread.
    class Workspace {
      public:
        explicit Workspace(const PhraseParser& parser) : cky_(parser.pcfg_) {}

      private:
        friend class PhraseParser;
        Cky cky_;
        std::vector<std::vector<Cky::Entry>> tags_;  // [words]
    };

    // Throws ModelError if the counts are of no grammar.
    explicit PhraseParser(const TreebankGrammar& counts);

    // The n best trees, best first, no two the same; at least one if there are words.
    std::vector<Scored> parse(const std::vector<std::string>& words, size_t n, Workspace& workspace) const;

    // Those of many sentences; the same for every number of threads.
    std::vector<std::vector<Scored>> parse_all(const std::vector<std::vector<std::string>>& sentences, size_t n,
                                               size_t threads) const;

    std::vector<std::string> labels() const;  // of the trees, sorted
    size_t states() const { return labels_.size(); }
    size_t rules() const { return pcfg_.binaries.size() + pcfg_.chains.size(); }

  private:
    struct Tags {
        TreebankGrammar::TagCounts counts;
        double total = 0;
    };
    using Lexicon = std::map<std::string, Tags, std::less<>>;

    // The tags that a word may have, with their log p(w | t).
    void look_up(const std::string& word, bool first, std::vector<Cky::Entry>& tags) const;
    std::string text_of(const std::vector<Cky::Constituent>& tree, const std::vector<std::string>& words) const;
    std::string flat_tree(const std::vector<std::string>& words,
                          const std::vector<std::vector<Cky::Entry>>& tags) const;

    std::vector<std::string> labels_;           // [states]
    std::vector<std::vector<uint32_t>> paths_;  // [chains] states, from the top
    std::vector<float> tag_scores_;             // [states] log of p(a word | state) / p(state)
    Pcfg pcfg_;
    Lexicon words_, classes_;
    double tokens_ = 0;
};

}  // namespace sapwood

// The most probable trees of a sentence by a probabilistic context-free grammar in binary form (Cocke, Kasami, Younger),
// and the k best of them, lazily (Huang & Chiang 2005, "Better k-best parsing", algorithm 3).
//
// A cell (i, j) of the chart, words i to j - 1, has two layers. A state at the *bottom* is a word's, or made of two
// smaller spans; a state at the *top* is a whole chain of unary rules over a bottom. Rules join tops:
//
//     bottom[i, j](A) = max over A -> B C and k of  log p(A -> B C) + top[i, k](B) + top[k, j](C)
//     top[i, j](X)    = max over chains X => A of   log p(X => A) + bottom[i, j](A)
//
// Chains are rules of their own, so that there are no cycles and every tree has exactly one derivation: a list of
// the k best derivations has no tree twice.
//
// For the k best, an entry of the chart keeps a heap of candidate derivations, each a rule, a split and which of the best
// of its two parts it takes; the next best is popped when somebody above asks for it, and only then are its
// neighbours pushed. Nearly all entries are never asked.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sapwood {

struct Pcfg {
    struct Binary {
        uint32_t parent, left, right;
        float score;  // log probability given the parent at the bottom
    };
    struct Chain {
        uint32_t top, bottom;  // the same state: no unary rule
        float score;           // log probability given the top
    };

    // From rules in any order; those of one parent stay in theirs.
    Pcfg(size_t number_of_states, uint32_t root_state, std::vector<Binary> binary_rules,
         std::vector<Chain> chain_rules);

    size_t states;
    uint32_t root;
    std::vector<Binary> binaries;                    // by left child
    std::vector<Chain> chains;                       // by bottom
    std::vector<uint32_t> left_starts;               // [states + 1] in binaries
    std::vector<uint32_t> bottom_starts;             // [states + 1] in chains
    std::vector<uint32_t> of_parent, parent_starts;  // binaries by parent; [states + 1]
    std::vector<uint32_t> of_top, top_starts;        // chains by top; [states + 1]
};

class Cky {
  public:
    struct Entry {
        uint32_t state;
        float score;
    };
    // A chain over a span; over one word the word follows, else the two parts of it, in preorder.
    struct Constituent {
        uint32_t chain;  // of the grammar
        uint32_t begin, end;
    };

    explicit Cky(const Pcfg& grammar);

    // Fills the chart. words: of each, the states it may have with their log probabilities. False if there is no tree.
    bool parse(std::span<const std::vector<Entry>> words);

    // Whether the last sentence has a k-th best tree, from 0. Memory grows with k.
    bool has(size_t k) { return found_ && derive(root_entry_, {0, words_, true}, k); }
    float score(size_t k) const { return nodes_[node_of_[root_entry_]].best[k].score; }
    std::vector<Constituent> tree(size_t k);  // which it has

  private:
    struct Cell {
        uint32_t bottoms, tops, end;  // in entries_
    };
    struct Place {
        uint32_t begin, end;
        bool top;
    };
    struct Derivation {
        float score;
        uint32_t rule;                   // of the chain or binary rule; of a word kNone
        uint32_t split;                  // of a binary rule
        uint32_t left, right;            // entries; of a chain only the left one
        uint32_t left_rank, right_rank;  // in their lists

        bool operator<(const Derivation& o) const;  // worse, in a heap
    };
    struct Node {
        std::vector<Derivation> best;  // sorted, as far as it was asked for
        std::vector<Derivation> heap;
        bool begun = false;
    };

    static constexpr uint32_t kNone = UINT32_MAX;

    const Cell& cell(uint32_t begin, uint32_t end) const { return cells_[begin * (words_ + 1) + end]; }
    void fill(uint32_t begin, uint32_t end);
    void close(uint32_t begin, uint32_t end);
    uint32_t find(uint32_t from, uint32_t to, uint32_t state) const;

    bool derive(uint32_t entry, Place place, size_t k);
    void begin_node(uint32_t entry, Place place);
    void push_next(uint32_t entry, Place place, const Derivation& last);
    void push(uint32_t entry, Place place, Derivation derivation);
    void collect(uint32_t entry, Place place, size_t rank, std::vector<Constituent>& tree);

    const Pcfg& grammar_;
    uint32_t words_ = 0;
    bool found_ = false;
    uint32_t root_entry_ = 0;
    std::vector<Entry> entries_;  // of all cells, each layer by state
    std::vector<Cell> cells_;     // [words][words + 1]
    std::vector<float> rights_;  // [words][states] tops of the cells that end where the one being filled does
    std::vector<float> bottom_, top_;       // [states] of the cell being filled
    std::vector<uint32_t> bottoms_, tops_;  // states that are in it
    std::vector<uint32_t> node_of_;         // [entries]
    std::vector<Node> nodes_;
};

}  // namespace sapwood

// The most probable trees of a sentence by a probabilistic context-free grammar in binary form (Cocke, Kasami,
// Younger), and the k best of them, lazily (Huang & Chiang 2005, "Better k-best parsing", algorithm 3).
//
// A cell (i, j) of the chart covers words i to j - 1 and has two layers. A state at the *bottom* covers one word, or is
// made of two smaller spans by a binary rule. A state at the *top* is a whole chain of unary rules over a bottom state.
// Binary rules combine top states:
//
//     bottom[i, j](A) = max over A -> B C and k of  log p(A -> B C) + top[i, k](B) + top[k, j](C)
//     top[i, j](X)    = max over chains X => A of   log p(X => A) + bottom[i, j](A)
//
// A chain counts as one rule, so there are no cycles and every tree has exactly one derivation. A list of the k best
// derivations therefore contains no tree twice.
//
// For the k best, each entry of the chart keeps a heap of candidate derivations. A candidate consists of a rule, a
// split and the ranks of its two parts. The next best candidate is popped when an entry above needs it, and only then
// are its neighbours pushed. Most entries are never expanded.
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
        uint32_t top, bottom;  // equal if the chain has no unary rule
        float score;           // log probability given the top
    };

    // Takes rules in any order. Rules with the same parent keep their order.
    Pcfg(size_t number_of_states, uint32_t root_state, std::vector<Binary> binary_rules,
         std::vector<Chain> chain_rules);

    size_t states;
    uint32_t root;
    std::vector<Binary> binaries;                    // sorted by left child
    std::vector<Chain> chains;                       // sorted by bottom
    std::vector<uint32_t> left_starts;               // [states + 1] first rule of each left child in binaries
    std::vector<uint32_t> bottom_starts;             // [states + 1] first chain of each bottom in chains
    std::vector<uint32_t> of_parent, parent_starts;  // indices of binaries sorted by parent; [states + 1]
    std::vector<uint32_t> of_top, top_starts;        // indices of chains sorted by top; [states + 1]
};

class Cky {
  public:
    struct Entry {
        uint32_t state;
        float score;
    };
    // A chain over a span. Trees list them in preorder: a chain over several words is followed by its two parts.
    struct Constituent {
        uint32_t chain;  // index in Pcfg::chains
        uint32_t begin, end;
    };

    explicit Cky(const Pcfg& grammar);

    // Fills the chart and returns whether there is a tree. `words` lists for each word its possible states with their
    // log probabilities.
    bool parse(std::span<const std::vector<Entry>> words);

    // Whether the last sentence has a k-th best tree, counted from 0. Memory grows with k.
    bool has(size_t k) { return found_ && derive(root_entry_, {0, words_, true}, k); }
    float score(size_t k) const { return nodes_[node_of_[root_entry_]].best[k].score; }
    std::vector<Constituent> tree(size_t k);  // requires has(k)

  private:
    struct Cell {
        uint32_t bottoms, tops, end;  // entries_[bottoms..tops) and entries_[tops..end) are its layers
    };
    struct Place {
        uint32_t begin, end;
        bool top;
    };
    struct Derivation {
        float score;
        uint32_t rule;                   // index of the chain or binary rule; kNone for a word
        uint32_t split;                  // where a binary rule splits the span
        uint32_t left, right;            // entries of the parts; a chain has only the left one
        uint32_t left_rank, right_rank;  // ranks of the derivations of the parts

        bool operator<(const Derivation& o) const;  // whether it is worse than `o`
    };
    struct Node {
        std::vector<Derivation> best;  // the best derivations found so far, in order
        std::vector<Derivation> heap;
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
    std::vector<Entry> entries_;            // entries of all cells; each layer is sorted by state
    std::vector<Cell> cells_;               // [words][words + 1]
    std::vector<float> rights_;             // [words][states] tops of the cells that end where the current cell does
    std::vector<float> bottom_, top_;       // [states] scores in the current cell
    std::vector<uint32_t> bottoms_, tops_;  // the states of the current cell
    std::vector<uint32_t> node_of_;         // [entries] node, or kNone
    std::vector<Node> nodes_;
};

}  // namespace sapwood

// What is asked of sentences before a model learns from them: how long they are, and which of them stand in other data,
// too. Sentences are compared by hashes, so that data of any size are looked at in one pass.
#pragma once
#include <cstdint>
#include <vector>

#include "text/columns.hpp"
#include "text/conllu.hpp"
#include "text/documents.hpp"

namespace sapwood {

// Tokens of a sentence that hardly comes twice by chance.
constexpr size_t kLongEnough = 8;

// The number of the sentence with the most tokens, the first one of several; 0 if there is none.
template <class Data>
size_t longest_sentence(const Data& data) {
    size_t longest = 0;
    for (size_t s = 1; s < data.sentences(); ++s)
        if (data.end(s) - data.begin(s) > data.end(longest) - data.begin(longest)) longest = s;
    return longest;
}

// The hash of each sentence: of all cells but those of the column `label`, of the forms of a treebank, of the cells of a
// document and the place of its marked token. It is 0 for those with fewer than kLongEnough tokens, unless most short
// sentences of the data come several times, so that this is no chance.
std::vector<uint64_t> sentence_hashes(const Columns& data, size_t label);
std::vector<uint64_t> sentence_hashes(const Conllu& data);
std::vector<uint64_t> sentence_hashes(const Documents& data);

// Sets the hashes of sentences that may come twice by chance to 0. `tokens`: of each sentence.
void forget_short(std::vector<uint64_t>& hashes, const std::vector<size_t>& tokens);

}  // namespace sapwood

// A whole task in one small file, to show what a new search takes: choosing words of a sentence, no two of them
// neighbours. Averaging, min_updates, margins, progress, names, the frozen model and its bytes come from elsewhere.
//
//     best(i) = max(best(i - 1), best(i - 2) + s_i),  s_i = w . phi(word i)
#pragma once
#include "base/hash.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "search/search.hpp"

namespace sapwood::toy {

using Chosen = std::vector<bool>;  // [n] by word

template <class Table>
std::vector<typename Table::Score> scores(const Table& table, const std::vector<uint64_t>& words) {
    std::vector<typename Table::Score> s;
    for (uint64_t word : words) {
        uint32_t row;
        alignas(64) typename Table::Score sum[kLanes];
        table.find_rows(&word, 1, &row);
        table.score(&row, 1, sum);
        s.push_back(sum[0]);
    }
    return s;
}

template <class S>
Chosen search(const std::vector<S>& s) {
    std::vector<S> best(s.size() + 2);  // best[i + 2] is that of words 0 .. i
    for (size_t i = 0; i < s.size(); ++i) best[i + 2] = std::max(best[i + 1], best[i] + s[i]);
    Chosen chosen(s.size());
    for (size_t i = s.size(); i-- > 0;)
        if (best[i + 2] > best[i + 1]) chosen[i] = true, i -= i > 0;
    return chosen;
}

struct Choosing {  // a Decision
    Learner& learner;
    const std::vector<uint64_t>& words;
    const Chosen& gold;
    Chosen guess = {};

    bool search(float cost) {
        std::vector<float> s = scores(learner.table(0), words);
        for (size_t i = 0; i < s.size(); ++i) s[i] += gold[i] ? -cost : cost;
        return (guess = toy::search(s)) != gold;
    }
    size_t mistakes() const {
        size_t wrong = 0;
        for (size_t i = 0; i < gold.size(); ++i) wrong += gold[i] != guess[i];
        return wrong;
    }
    void differ(Violation& violation) const {
        for (size_t i = 0; i < gold.size(); ++i) {
            if (gold[i]) violation.gold(0, learner.table(0).intern(words[i]), 0);
            if (guess[i]) violation.guess(0, learner.table(0).intern(words[i]), 0);
        }
    }
    double loss() const { return 0; }  // only passive-aggressive updates ask
};

struct Problem {
    using Learner = sapwood::Learner;
    std::vector<std::pair<std::vector<uint64_t>, Chosen>> sentences;

    size_t examples() const { return sentences.size(); }
    size_t bytes() const { return 0; }
    size_t present(size_t k, Learner& learner, FeatureNames*) {
        learner.present(Choosing{learner, sentences[k].first, sentences[k].second});
        return sentences[k].first.size();
    }
};

}  // namespace sapwood::toy

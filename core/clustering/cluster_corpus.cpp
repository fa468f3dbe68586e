#include "clustering/cluster_corpus.hpp"

#include <algorithm>
#include <numeric>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/long_sort.hpp"
#include "base/stop_check.hpp"
#include "features/word_clusters.hpp"
#include "text/normal_form.hpp"
#include "text/plain_text.hpp"
#include "text/tokens.hpp"

namespace sapwood {

namespace {

constexpr uint64_t kMostTokens = uint64_t{1} << 32;  // the count of a bigram fits into 32 bits

// The bigrams by their first words, from pairs in ascending order, each first << 32 | second.
Neighbours neighbours(const std::vector<uint64_t>& pairs, size_t words) {
    Neighbours result;
    result.first.assign(words + 1, 0);
    for (size_t k = 0; k < pairs.size(); ++k) {
        StopCheck::every(k);
        if (k > 0 && pairs[k] == pairs[k - 1]) {
            ++result.count.back();
            continue;
        }
        result.word.push_back(static_cast<uint32_t>(pairs[k]));
        result.count.push_back(1);
        ++result.first[(pairs[k] >> 32) + 1];
    }
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    return result;
}

}  // namespace

void ClusterCorpus::add_token(std::string_view token) {
    StopCheck::every(tokens_.size());
    std::string scratch;
    token = composed(token, scratch);
    const auto [at, added] = numbers_.try_emplace(hash_bytes(token), static_cast<uint32_t>(words_.size()));
    if (added) words_.emplace_back(token);
    tokens_.push_back(at->second);
}

void ClusterCorpus::end() {
    if (!tokens_.empty() && tokens_.back() != 0) tokens_.push_back(0);
}

void ClusterCorpus::add(std::string_view lines, const std::string& name, size_t first_line) {
    const auto kept = check_text(lines, name, first_line);
    if (lines.starts_with(kByteOrderMark)) lines.remove_prefix(kByteOrderMark.size());
    for (size_t at = 0; at < lines.size();) {
        const size_t stop = std::min(lines.find('\n', at), lines.size()), before = tokens_.size();
        std::string_view line = lines.substr(at, stop - at), token;
        at = stop + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (tokenised_) {
            for (size_t from = 0; !(token = next_given_token(line, from)).empty();) add_token(token);
        } else {
            for (size_t from = 0; !(token = next_token(line, from)).empty();) add_token(token);
        }
        if (tokenised_ || tokens_.size() == before) end();
    }
    if (tokens_.size() >= kMostTokens)
        throw DataError(name + ": there are more than 4,294,967,296 tokens; use a part of them");
}

ClusterText ClusterCorpus::text(uint64_t min_count) const {
    std::vector<uint64_t> counts(words_.size(), 0);
    for (size_t k = 0; k < tokens_.size(); ++k) StopCheck::every(k), ++counts[tokens_[k]];
    std::vector<uint32_t> form(words_.size());  // the word that each counts as
    std::iota(form.begin(), form.end(), 0);
    std::vector<std::string> words = words_;
    std::unordered_map<uint64_t, uint32_t> numbers = numbers_;
    std::string scratch;
    for (uint32_t w = 1; w < words_.size(); ++w) {
        StopCheck::after(100);
        if (counts[w] >= min_count) continue;
        WordClusters::lower_form(words_[w], scratch);
        if (const auto lower = numbers.find(hash_bytes(scratch));
            lower != numbers.end() && lower->second < words_.size() && counts[lower->second] >= min_count) {
            form[w] = lower->second;
        } else if (WordClusters::replace_digits(scratch)) {
            const auto [at, added] = numbers.try_emplace(hash_bytes(scratch), static_cast<uint32_t>(words.size()));
            if (added) words.push_back(scratch);
            form[w] = at->second;
        }
    }
    std::vector<uint64_t> of_form(words.size(), 0);
    for (size_t w = 0; w < words_.size(); ++w) of_form[form[w]] += counts[w];

    std::vector<uint32_t> order;
    for (uint32_t w = 1; w < words.size(); ++w)
        if (of_form[w] >= min_count) order.push_back(w);
    if (order.empty())
        throw DataError("no word occurs " + std::to_string(min_count) +
                        " times; give more text or a smaller min_count");
    long_sort(order, [&](uint32_t a, uint32_t b) {
        return of_form[a] != of_form[b] ? of_form[a] > of_form[b] : words[a] < words[b];
    });

    ClusterText text;
    text.words.resize(ClusterText::kFirst);
    std::vector<uint32_t> number(words.size(), ClusterText::kUnknown);
    number[0] = ClusterText::kBoundary;
    for (const uint32_t w : order) {
        number[w] = static_cast<uint32_t>(text.words.size());
        text.words.push_back(words[w]);
    }
    text.counts.assign(text.words.size(), 0);
    std::vector<uint64_t> pairs;
    pairs.reserve(tokens_.size());
    // The last boundary is also the one before the first token, so that each word is as often a first as a second one.
    uint32_t last = ClusterText::kBoundary;
    for (const uint32_t token : tokens_) {
        StopCheck::every(pairs.size());
        const uint32_t next = number[form[token]];
        pairs.push_back(uint64_t{last} << 32 | next);
        ++text.counts[next];
        last = next;
    }
    text.tokens = tokens_.size();
    long_sort(pairs);
    text.after = neighbours(pairs, text.words.size());
    for (uint64_t& pair : pairs) pair = pair << 32 | pair >> 32;
    long_sort(pairs);
    text.before = neighbours(pairs, text.words.size());
    return text;
}

}  // namespace sapwood

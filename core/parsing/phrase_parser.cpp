#include "parsing/phrase_parser.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "features/word_class.hpp"
#include "text/normalised_tree.hpp"

namespace sapwood {

namespace {

constexpr double kMix = 2.0;        // words of its class that a word is mixed with
constexpr double kRare = 2;         // of words that teach classes, at most
constexpr double kCommon = 20;      // of words whose tags are all known, at least
constexpr std::string_view kAny{};  // the class of all rare words

float log_of(double p) {
    return static_cast<float>(std::log(p));
}

}  // namespace

PhraseParser::PhraseParser(const TreebankGrammar& counts) : pcfg_(0, 0, {}, {}) {
    const size_t states = counts.states();
    std::vector<double> bottoms(states, 0), tops(states, 0), words(states, 0);
    for (uint32_t s = 0; s < states; ++s) labels_.push_back(counts.label(s));
    for (const auto& [word, tags] : counts.words()) {
        Tags& known = words_[word];
        known.counts = tags.all();
        for (const auto& [tag, count] : known.counts) {
            known.total += count;
            words[tag] += count;
            bottoms[tag] += count;
        }
        tokens_ += known.total;
        if (known.total > kRare) continue;
        for (const bool first : {true, false})
            for (const auto& [tag, count] : first ? tags.first : tags.others)
                for (const std::string& name : {word_class(word, first), std::string(kAny)}) {
                    classes_[name].counts[tag] += count;
                    classes_[name].total += count;
                }
    }
    for (const auto& [rule, count] : counts.binaries()) bottoms[rule[0]] += count;
    for (const auto& [path, count] : counts.chains()) tops[path.front()] += count;

    std::vector<Pcfg::Binary> binaries;
    for (const auto& [rule, count] : counts.binaries())
        binaries.push_back({rule[0], rule[1], rule[2], log_of(count / bottoms[rule[0]])});
    std::vector<std::pair<std::vector<uint32_t>, double>> chains(counts.chains().begin(), counts.chains().end());
    for (uint32_t s = 0; s < states; ++s) {
        if (!labels_[s].empty()) continue;
        tops[s] = bottoms[s];  // it only cuts a rule: a chain of itself
        chains.push_back({{s}, tops[s]});
    }
    std::ranges::stable_sort(chains, {}, [](const auto& chain) { return chain.first.back(); });
    std::vector<Pcfg::Chain> rules;
    for (auto& [path, count] : chains) {
        if (tops[path.front()] == 0) throw ModelError("its grammar has a rule without a probability");
        rules.push_back({path.front(), path.back(), log_of(count / tops[path.front()])});
        paths_.push_back(std::move(path));
    }
    for (uint32_t s = 0; s < states; ++s)  // p(a word | state) / p(state)
        tag_scores_.push_back(words[s] > 0 ? log_of(tokens_ / bottoms[s]) : 0);
    const auto root = std::ranges::find(labels_, kRootLabel);
    if (root == labels_.end()) throw ModelError("its grammar has no root");
    pcfg_ = Pcfg(states, static_cast<uint32_t>(root - labels_.begin()), std::move(binaries), std::move(rules));
}

std::vector<std::string> PhraseParser::labels() const {
    std::set<std::string> names(labels_.begin(), labels_.end());
    names.erase("");
    return {names.begin(), names.end()};
}

// p(w | t) = p(t | w) p(w) / p(t),   p(t | w) = (c(t, w) + kMix p(t | class of w)) / (c(w) + kMix)
void PhraseParser::look_up(const std::string& word, bool first, std::vector<Cky::Entry>& tags) const {
    static const Tags kUnknown;
    const auto known = words_.find(word);
    const Tags& seen = known == words_.end() ? kUnknown : known->second;
    std::map<uint32_t, double> mixed(seen.counts.begin(), seen.counts.end());
    double total = seen.total;
    if (seen.total < kCommon && !classes_.empty()) {
        auto found = classes_.find(word_class(word, first));
        if (found == classes_.end()) found = classes_.find(kAny);
        for (const auto& [tag, count] : found->second.counts) mixed[tag] += kMix * count / found->second.total;
        total += kMix;
    }
    tags.clear();
    for (const auto& [tag, count] : mixed)
        tags.push_back({tag, log_of(count / total) + log_of(std::max(seen.total, 0.5) / tokens_) + tag_scores_[tag]});
}

std::vector<PhraseParser::Scored> PhraseParser::parse(const std::vector<std::string>& words, size_t n,
                                                      Workspace& workspace) const {
    auto& [cky, tags] = workspace;
    tags.resize(words.size());
    for (size_t i = 0; i < words.size(); ++i) look_up(words[i], i == 0, tags[i]);
    std::vector<Scored> best;
    if (words.empty()) return best;
    if (words.size() > kLongest || !cky.parse(tags)) return {{flat_tree(words, tags), kFlat}};
    for (size_t k = 0; k < n && cky.has(k); ++k)
        best.push_back({text_of(cky.tree(k), words), static_cast<double>(cky.score(k))});
    return best;
}

std::vector<std::vector<PhraseParser::Scored>> PhraseParser::parse_all(
    const std::vector<std::vector<std::string>>& sentences, size_t n, size_t threads) const {
    std::vector<std::vector<Scored>> lists(sentences.size());
    const auto make = [&] {
        return [&, workspace = Workspace(*this)](size_t s) mutable { lists[s] = parse(sentences[s], n, workspace); };
    };
    for_each_sentence(sentences.size(), threads, make, 1);
    return lists;
}

std::string PhraseParser::text_of(const std::vector<Cky::Constituent>& tree,
                                  const std::vector<std::string>& words) const {
    struct Open {
        uint32_t end;
        size_t brackets;
    };
    std::vector<Open> open;
    std::string text;
    for (const auto& [chain, begin, end] : tree) {
        size_t brackets = 0;
        for (const uint32_t state : paths_[chain]) {
            if (labels_[state].empty()) continue;
            text += (text.empty() ? "(" : " (") + labels_[state];
            ++brackets;
        }
        open.push_back({end, brackets});
        if (begin + 1 < end) continue;
        text += ' ' + words[begin];
        for (; !open.empty() && open.back().end == end; open.pop_back()) text.append(open.back().brackets, ')');
    }
    return text;
}

std::string PhraseParser::flat_tree(const std::vector<std::string>& words,
                                    const std::vector<std::vector<Cky::Entry>>& tags) const {
    std::string text = '(' + std::string(kRootLabel);
    for (size_t i = 0; i < words.size(); ++i) {
        const auto best = std::ranges::max_element(tags[i], {}, &Cky::Entry::score);
        text += " (" + (best == tags[i].end() ? "X" : labels_[best->state]) + ' ' + words[i] + ')';
    }
    return text + ')';
}

}  // namespace sapwood

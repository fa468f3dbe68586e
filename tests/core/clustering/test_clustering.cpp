// Word clusters learned from text, against oracles that compute everything from scratch.
#include <algorithm>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "check.hpp"
#include "clustering/clustering.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

std::string random_text(Random& random, size_t sentences, size_t words) {
    std::string text;
    for (size_t s = 0; s < sentences; ++s) {
        size_t last = random.below(words);
        for (size_t n = random.below(9); n > 0; --n) {  // words of like numbers follow each other more often
            last = random.below(3) == 0 ? random.below(words) : (last * 3 + 1) % words;
            text += 'w' + std::to_string(last) + ' ';
        }
        text += '\n';
    }
    return text;
}

// What is counted from scratch: F of a class for each word, in the units of the table.
class Oracle {
  public:
    Oracle(const ClusterText& text) : text_(text), h_(text.tokens) {}

    int64_t likelihood(const std::vector<uint32_t>& classes) const {
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> bigrams;
        std::map<uint32_t, uint64_t> members;
        for (size_t w = 0; w < text_.words.size(); ++w) {
            members[classes[w]] += text_.counts[w];
            for (size_t k = text_.after.first[w]; k < text_.after.first[w + 1]; ++k)
                bigrams[{classes[w], classes[text_.after.word[k]]}] += text_.after.count[k];
        }
        int64_t sum = 0;
        for (const auto& [pair, count] : bigrams) sum += h_(count);
        for (const auto& [of_class, count] : members) sum -= 2 * h_(count);
        return sum;
    }

    // The strings of the classes by merging the pair that leaves F highest, the first of those.
    std::map<uint32_t, std::string> tree(std::vector<uint32_t> classes) const {
        std::map<uint32_t, std::string> strings;
        std::map<uint32_t, std::set<uint32_t>> merged;  // what each class that is left consists of
        for (size_t w = ClusterText::kFirst; w < classes.size(); ++w) merged[classes[w]] = {classes[w]};
        while (merged.size() > 1) {
            int64_t best = INT64_MIN;
            std::pair<uint32_t, uint32_t> pair;
            for (auto i = merged.begin(); i != merged.end(); ++i)
                for (auto j = std::next(i); j != merged.end(); ++j) {
                    std::vector<uint32_t> then = classes;
                    std::replace(then.begin(), then.end(), j->first, i->first);
                    if (const int64_t value = likelihood(then); value > best) {
                        best = value;
                        pair = {i->first, j->first};
                    }
                }
            for (const uint32_t c : merged[pair.first]) strings[c].insert(0, 1, '0');
            for (const uint32_t c : merged[pair.second]) strings[c].insert(0, 1, '1');
            merged[pair.first].merge(merged[pair.second]);
            merged.erase(pair.second);
            std::replace(classes.begin(), classes.end(), pair.second, pair.first);
        }
        return strings;
    }

  private:
    const ClusterText& text_;
    EntropyTable h_;
};

std::vector<uint32_t> classes_of(Clustering& clustering) {
    std::vector<uint32_t> classes;
    for (size_t w = 0; w < clustering.text().words.size(); ++w) classes.push_back(clustering.exchange().of_word(w));
    return classes;
}

void learn(Clustering& clustering, const std::string& text, size_t classes, size_t threads, uint64_t min_count = 1) {
    clustering.corpus().add(text, "text", 1);
    clustering.corpus().end();
    clustering.begin(classes, min_count);
    do
        while (!clustering.exchange().step(1, threads)) continue;
    while (clustering.exchange().moved() > 0);
}

void test_against_oracle() {
    Random random(11);
    for (int round = 0; round < 60; ++round) {
        const size_t words = 2 + random.below(18);
        const std::string text = random_text(random, 2 + random.below(60), words) + "a b\n";
        Clustering clustering(true);
        learn(clustering, text, 1 + random.below(8), 1);
        const Oracle oracle(clustering.text());
        std::vector<uint32_t> classes = classes_of(clustering);
        const int64_t reached = oracle.likelihood(classes);
        CHECK_EQ(clustering.exchange().likelihood(), static_cast<double>(reached) / EntropyTable::kUnit);

        int64_t better = 0;  // moves of one word that would be better
        for (size_t w = ClusterText::kFirst; w < classes.size(); ++w) {
            const uint32_t own = classes[w];
            for (uint32_t k = ClusterText::kFirst; k < clustering.exchange().classes(); ++k) {
                classes[w] = k;
                better += oracle.likelihood(classes) > reached;
            }
            classes[w] = own;
        }
        CHECK_EQ(better, 0);

        std::set<uint32_t> used(classes.begin() + ClusterText::kFirst, classes.end());
        if (used.size() + ClusterText::kFirst < clustering.exchange().classes()) continue;  // a class is empty
        while (clustering.merge(1)) continue;
        const auto strings =
            used.size() == 1 ? std::map<uint32_t, std::string>{{*used.begin(), "0"}} : oracle.tree(classes);
        std::map<std::string, std::string> expected, found;
        for (size_t w = ClusterText::kFirst; w < classes.size(); ++w)
            expected[clustering.text().words[w]] = strings.at(classes[w]);
        const std::string paths = clustering.paths();
        for (size_t at = 0; at < paths.size();) {
            const size_t tab = paths.find('\t', at), second = paths.find('\t', tab + 1);
            found[paths.substr(tab + 1, second - tab - 1)] = paths.substr(at, tab - at);
            at = paths.find('\n', at) + 1;
        }
        CHECK_EQ(found == expected, true);
    }
}

void test_threads() {
    Random random(11);
    const std::string text = random_text(random, 3000, 26) + random_text(random, 100, 90);
    std::string paths[3];
    for (size_t threads = 1; threads <= 3; ++threads) {
        Clustering clustering(true);
        learn(clustering, text, 7, threads);
        while (clustering.merge(2)) continue;
        paths[threads - 1] = clustering.paths();
    }
    CHECK_EQ(paths[0], paths[1]);
    CHECK_EQ(paths[0], paths[2]);
}

std::string counted(const std::string& text, uint64_t min_count, bool tokenised = true) {
    ClusterCorpus corpus(tokenised);
    corpus.add(text, "text", 1);
    corpus.end();
    const ClusterText found = corpus.text(min_count);
    std::string result;
    for (size_t w = 0; w < found.words.size(); ++w) {
        result += found.words[w] + ":" + std::to_string(found.counts[w]) + "(";
        for (size_t k = found.after.first[w]; k < found.after.first[w + 1]; ++k)
            result += std::to_string(found.after.word[k]) + "x" + std::to_string(found.after.count[k]) + " ";
        result += ") ";
    }
    return result;
}

void test_corpus() {
    // Word 0 is the boundary, 1 the unknown word.
    CHECK_EQ(counted("a b\na b\n", 1), ":2(2x2 ) :0() a:2(3x2 ) b:2(0x2 ) ");
    CHECK_EQ(counted("a b\n\nb c\n", 2), ":2(1x1 2x1 ) :2(0x1 2x1 ) b:2(0x1 1x1 ) ");
    CHECK_EQ(counted("The the\nthe 12 1984 2001 1999\n", 2), ":2(3x2 ) :1(2x1 ) 1111:3(0x1 2x2 ) the:3(0x1 1x1 3x1 ) ");
    CHECK_EQ(counted("don't stop.\nGo  on\n\n\nGo", 1, false).substr(0, 11), ":2(2x1 4x1 ");
    CHECK_THROWS(DataError, "no word occurs 2 times", counted("a b", 2));
    CHECK_THROWS(DataError, "no word occurs 1 times", counted("\n \n", 1));
    CHECK_THROWS(DataError, "text:2: invalid UTF-8", counted("a\n\xff\n", 1));
    CHECK_THROWS(DataError, "text:1: NUL byte", counted(std::string("a\0b", 3), 1));
}

}  // namespace

int main() {
    test_against_oracle();
    test_threads();
    test_corpus();
    return check::failures();
}

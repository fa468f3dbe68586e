#include "features/cluster_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/stop_check.hpp"
#include "text/normal_form.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

namespace {

struct Entry {
    std::string_view bits;
    uint64_t word;
    double count;
    size_t line;
};

class Reader {
  public:
    explicit Reader(std::string name) : name_(std::move(name)) {}

    [[noreturn]] void fail(size_t line, const std::string& what) const {
        throw DataError(name_ + ":" + std::to_string(line) + ": " + what);
    }

    Entry entry(std::string_view line, size_t number) const {
        const size_t first = line.find('\t'), second = line.find('\t', first + 1);
        if (first == std::string_view::npos)
            fail(number, "there is no tab; a line is bits, word and count with tabs between");
        Entry entry{line.substr(0, first), 0, 0, number};
        if (entry.bits.empty() || entry.bits.find_first_not_of("01") != std::string_view::npos)
            fail(number, "the cluster is not a string of 0 and 1");
        if (entry.bits.size() > WordClusters::kLongestString)
            fail(number, "the cluster has more than " + std::to_string(WordClusters::kLongestString) + " bits");
        const std::string_view word = line.substr(first + 1, std::min(second, line.size()) - first - 1);
        if (word.empty()) fail(number, "there is no word");
        entry.word = hash_composed(word);
        if (second == std::string_view::npos) return entry;
        const std::string_view count = line.substr(second + 1);
        const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), entry.count);
        if (error != std::errc() || stop != count.data() + count.size() || !std::isfinite(entry.count))
            fail(number, "the count is not a number");
        return entry;
    }

    std::vector<Entry> entries(std::string_view text) const {
        std::vector<Entry> all;
        if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
        size_t number = 0;
        for (size_t at = 0; at < text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            std::string_view line = text.substr(at, end - at);
            if (line.ends_with('\r')) line.remove_suffix(1);
            ++number;
            StopCheck::after(100 + line.size());
            if (!line.empty()) all.push_back(entry(line, number));
            at = end + 1;
        }
        if (all.empty()) throw DataError(name_ + ": there is no word in it");
        return all;
    }

    void check_words(const std::vector<Entry>& all) const {
        std::vector<const Entry*> by_word;
        for (const Entry& each : all) by_word.push_back(&each);
        std::sort(by_word.begin(), by_word.end(), [](const Entry* a, const Entry* b) {
            return a->word != b->word ? a->word < b->word : a->line < b->line;
        });
        for (size_t k = 1; k < by_word.size(); ++k)
            if (by_word[k]->word == by_word[k - 1]->word)
                fail(by_word[k]->line, "the word is already in line " + std::to_string(by_word[k - 1]->line));
    }

    // Maps each bit string of the file to the whole string that it stands for: one that is the beginning of another is
    // filled up with zeros to the length of the longest.
    std::map<std::string_view, std::string> whole_strings(const std::vector<Entry>& all) const {
        std::map<std::string_view, std::string> whole;  // in ascending order
        size_t longest = 0;
        for (const Entry& each : all) {
            whole.try_emplace(each.bits, each.bits);
            longest = std::max(longest, each.bits.size());
        }
        for (auto next = whole.begin(), at = next++; next != whole.end(); at = next++)
            if (next->first.starts_with(at->first)) at->second.resize(longest, '0');
        std::vector<std::string_view> strings;
        for (const auto& [written, meant] : whole) strings.push_back(meant);
        std::sort(strings.begin(), strings.end());
        for (size_t k = 1; k < strings.size(); ++k)
            if (strings[k].starts_with(strings[k - 1]))
                throw DataError(name_ + ": its clusters are not the leaves of a binary tree: " +
                                std::string(strings[k - 1]) + " and " + std::string(strings[k]));
        return whole;
    }

  private:
    std::string name_;
};

}  // namespace

WordClusters read_clusters(std::string_view text, const std::string& name, size_t most) {
    const auto kept = check_text(text, name, 1);
    const Reader reader(name);
    std::vector<Entry> all = reader.entries(text);
    reader.check_words(all);
    const auto whole = reader.whole_strings(all);
    std::stable_sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.count > b.count; });
    if (all.size() > std::min<size_t>(most, WordClusters::kMostWords))
        all.resize(std::min<size_t>(most, WordClusters::kMostWords));

    std::map<std::string_view, uint32_t> numbers;  // of the strings that are left, in ascending order
    for (const Entry& each : all) numbers.try_emplace(whole.at(each.bits), 0);
    if (numbers.size() > WordClusters::kMostClasses)
        throw DataError(name + ": " + std::to_string(numbers.size()) + " clusters are too many; there may be " +
                        std::to_string(WordClusters::kMostClasses));
    std::vector<std::string> strings;
    for (auto& [string, number] : numbers) {
        number = static_cast<uint32_t>(strings.size());
        strings.emplace_back(string);
    }
    std::vector<uint64_t> words;
    std::vector<uint32_t> classes;
    for (const Entry& each : all) {
        words.push_back(each.word);
        classes.push_back(numbers.at(whole.at(each.bits)));
    }
    return WordClusters(words, classes, strings);
}

}  // namespace sapwood

#include "features/lexicon.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

namespace {

// Why a text cannot be a tag, or null.
const char* flaw_of(const std::string& tag) {
    if (tag.empty()) return "is empty";
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
    if (std::any_of(tag.begin(), tag.end(), is_control)) return "has a line end or another control character in it";
    return tag.find(Lexicon::kJoint) == std::string::npos ? nullptr : "has a + in it";
}

std::vector<std::string> tags_of(const std::vector<std::pair<std::string, std::string>>& entries,
                                 const std::string& name) {
    std::set<std::string> tags;
    for (const auto& [word, tag] : entries) tags.insert(tag);
    if (tags.empty()) throw DataError(name + ": there is no word in it");
    if (tags.size() > Lexicon::kMostTags)
        throw DataError(name + ": it has more than " + std::to_string(Lexicon::kMostTags) + " tags");
    for (const std::string& tag : tags)
        if (const char* flaw = flaw_of(tag)) throw DataError(name + ": a tag " + flaw);
    return {tags.begin(), tags.end()};
}

WordClusters table_of(const std::vector<std::pair<std::string, std::string>>& entries,
                      const std::vector<std::string>& tags, const std::string& name) {
    std::vector<uint64_t> words;    // in order of appearance
    std::vector<std::string> sets;  // [words]
    std::unordered_map<uint64_t, size_t> number_of;
    for (const auto& [word, tag] : entries) {
        const auto [found, fresh] = number_of.try_emplace(hash_composed(word), words.size());
        if (fresh) {
            words.push_back(found->first);
            sets.emplace_back(tags.size(), '0');
        }
        const auto place = std::lower_bound(tags.begin(), tags.end(), tag) - tags.begin();
        sets[found->second][static_cast<size_t>(place)] = '1';
    }
    std::map<std::string, uint32_t> class_of;
    for (const std::string& each : sets) class_of.emplace(each, 0);
    if (class_of.size() > WordClusters::kMostClasses)
        throw DataError(name + ": it has more than " + std::to_string(WordClusters::kMostClasses) +
                        " different sets of tags");
    std::vector<std::string> strings;
    for (auto& [set, number] : class_of) {
        number = static_cast<uint32_t>(strings.size());
        strings.push_back(set);
    }
    std::vector<uint32_t> classes;
    for (const std::string& each : sets) classes.push_back(class_of.at(each));
    return WordClusters(words, classes, strings);
}

}  // namespace

Lexicon::Lexicon(PackedClusters packed, std::vector<std::string> tags)
    : tags_(std::move(tags)), words_(std::move(packed), "lexicon") {
    if (std::adjacent_find(tags_.begin(), tags_.end(), std::greater_equal<>()) != tags_.end() ||
        std::any_of(tags_.begin(), tags_.end(), flaw_of))
        throw ModelError("the lexicon: its tags are not distinct, ascending texts");
    for (uint32_t k = 0; k < words_.classes(); ++k)
        if (const std::string_view set = words_.bits(k);
            set.size() != tags_.size() || set.find('1') == std::string_view::npos)
            throw ModelError("the lexicon: a class is not a set of its tags");
    write_texts();
}

Lexicon::Lexicon(const std::vector<std::pair<std::string, std::string>>& entries, const std::string& name)
    : tags_(tags_of(entries, name)), words_(table_of(entries, tags_, name)) {
    write_texts();
}

bool Lexicon::has(std::string_view word, std::string_view tag) const {
    std::string scratch;
    const uint32_t found = words_.find(word, scratch);
    const size_t number = number_of(tag);
    return found != WordClusters::kNone && number < tags_.size() && words_.bits(found)[number] == '1';
}

size_t Lexicon::number_of(std::string_view tag) const {
    const auto at = std::lower_bound(tags_.begin(), tags_.end(), tag);
    return at != tags_.end() && *at == tag ? static_cast<size_t>(at - tags_.begin()) : tags_.size();
}

void Lexicon::write_texts() {
    for (uint32_t k = 0; k < words_.classes(); ++k) {
        std::string& text = texts_.emplace_back();
        for (size_t t = 0; t < tags_.size(); ++t) {
            if (words_.bits(k)[t] == '0') continue;
            if (!text.empty()) text += kJoint;
            text += tags_[t];
        }
    }
}

}  // namespace sapwood

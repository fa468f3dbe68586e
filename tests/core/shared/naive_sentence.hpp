// Random sentences for parsers, both as plain values and in the form that parsers read.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "features/words.hpp"
#include "naive_trees.hpp"
#include "random.hpp"
#include "search/tree.hpp"

struct NaiveSentence {
    std::vector<std::string> forms, tags;  // [n]
    std::vector<uint32_t> heads, labels;   // [n + 1] the gold tree
};

inline std::vector<std::string> names_of_labels(size_t labels) {
    std::vector<std::string> names;
    for (size_t label = 0; label < labels; ++label) names.push_back("label" + std::to_string(label));
    return names;
}

inline sapwood::Relations some_relations(size_t labels) {
    sapwood::Relations relations;
    for (const std::string& name : names_of_labels(labels)) {
        const auto label = static_cast<uint32_t>(relations.hashes.size());
        relations.hashes.push_back(sapwood::hash_bytes(name));
        relations.of_root.push_back(label);
        relations.of_left.push_back(label);
        relations.of_right.push_back(label);
    }
    return relations;
}

// A random sentence of nine different forms and three tags. Its tree is one of `trees`, and each arc determines its
// label.
inline NaiveSentence random_sentence(Random& random, const std::vector<Heads>& trees, size_t labels) {
    NaiveSentence s;
    s.heads = random.pick(trees);
    s.labels.push_back(0);
    for (size_t m = 1; m < s.heads.size(); ++m) {
        s.tags.push_back(random.pick<std::string>({"N", "V", "IN"}));
        s.forms.push_back(s.tags.back() + std::to_string(random.below(3)));
        s.labels.push_back(static_cast<uint32_t>((m + s.heads[m]) % labels));
    }
    return s;
}

inline sapwood::Words read(const NaiveSentence& s) {
    sapwood::Words words;
    words.clear();
    for (size_t k = 0; k < s.forms.size(); ++k) words.add(s.forms[k], s.tags[k], s.tags[k], "_");
    words.end();
    return words;
}

// The text of each attribute and label of such sentences, by its hash.
inline std::map<uint64_t, std::string> texts_of_values(size_t labels) {
    std::map<uint64_t, std::string> texts;
    const auto add = [&](const std::string& text) { texts[sapwood::hash_bytes(text)] = text; };
    for (const std::string tag : {"N", "V", "IN"})
        for (const std::string number : {"", "0", "1", "2"}) add(tag + number);
    for (const std::string& name : names_of_labels(labels)) add(name);
    add("<root>");
    add("<outside>");
    return texts;
}

// The text of a hashed value, or the number itself for other values, which are counts and distances.
inline std::string text_of_value(const std::map<uint64_t, std::string>& texts, uint64_t value) {
    const auto at = texts.find(value);
    return at == texts.end() ? std::to_string(value) : at->second;
}

// A sentence for a parser: the hashed attributes of each word, one cache line per word.
//
//     w  form                 p  first five letters of a longer word (McDonald 2006)    t  tag
//     l  form, lower-cased    s  last three letters                                     c  second tag
//                                                                                       f  morphological features
//
// and, where there are word clusters, of the word's cluster (Koo, Carreras & Collins 2008), in an array of its own, so
// that parsers without clusters do not pay for them:
//
//     x  its first 4 bits, much like a tag        y  its first 6 bits        z  all its bits, for the word itself
//
// Position 0 is the root, and 1 to n are the words. Every other position holds a special word, the boundary. An
// attribute that is "_" in the treebank is missing and has the value 0, and so have the clusters of a word without one.
// On request a missing tag is filled: the second tag stands in its place, with those features that tell most about a
// word's relations, as in "VERB|Mood=Ind|VerbForm=Fin".
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "features/word_clusters.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

struct alignas(64) Word {
    static constexpr std::string_view kAttributes = "wlpstcf";
    std::array<uint64_t, 8> values{};  // hash of each attribute; the last is not used
};

struct ClusterAtoms {
    static constexpr std::string_view kAttributes = "xyz";
    static constexpr std::array<size_t, 3> kLengths = {4, 6, 0};  // bits; 0: all
    std::array<uint64_t, 3> values{};                             // hash of each attribute

    // Whether an atom is one of a word's cluster: no other atom ends like them.
    static bool has(std::string_view atom) { return !atom.empty() && kAttributes.find(atom.back()) != atom.npos; }
};

class Words {
  public:
    // Begins a sentence, whose words have these clusters if there are any, and whose first tags may be made of the others.
    void clear(const WordClusters* clusters = nullptr, bool fill_tags = false) {
        fill_tags_ = fill_tags;
        words_ = {special<Word>("<outside>"), special<Word>("<root>")};
        clusters_ = clusters;
        cluster_atoms_.clear();
        if (clusters != nullptr) cluster_atoms_ = {special<ClusterAtoms>("<outside>"), special<ClusterAtoms>("<root>")};
    }

    void add(std::string_view form, std::string_view tag, std::string_view second_tag, std::string_view feats) {
        words_.push_back({});
        if (has_clusters()) cluster_atoms_.push_back({});
        each_value(form, tag, second_tag, feats, [&, k = size_t{0}](std::string_view, uint64_t value) mutable {
            const size_t own = Word::kAttributes.size();
            (k < own ? words_.back().values[k] : cluster_atoms_.back().values[k - own]) = value;
            ++k;
        });
    }

    void end() {
        words_.push_back(words_[0]);
        if (has_clusters()) cluster_atoms_.push_back(cluster_atoms_[0]);
    }

    // Turns an ended sentence round: its last word becomes the first.
    void reverse() {
        std::ranges::reverse(words_.begin() + 2, words_.end() - 1);
        if (has_clusters()) std::ranges::reverse(cluster_atoms_.begin() + 2, cluster_atoms_.end() - 1);
    }

    size_t size() const { return words_.size() - 3; }

    // Position 0 is the root, 1 to n are the words, n + 1 and -1 are the boundary.
    const Word& operator[](size_t position) const { return words_[position + 1]; }

    bool has_clusters() const { return clusters_ != nullptr; }
    const ClusterAtoms& clusters(size_t position) const { return cluster_atoms_[position + 1]; }

    // Calls visit(text, value) for the attributes of a word and of its cluster, in their order.
    template <class Visit>
    void each_value(std::string_view form, std::string_view tag, std::string_view second_tag, std::string_view feats,
                    Visit&& visit) {
        form = composed(form, composed_);
        lower_.clear();
        append_lower(lower_, form);
        for (std::string_view text : {form, std::string_view(lower_), prefix(lower_, 5), suffix(lower_, 3)})
            visit(text, hash_bytes(text));
        for (std::string_view cell : {fill_tags_ ? filled(second_tag, feats) : tag, second_tag, feats})
            visit(cell, cell == "_" ? 0 : hash_bytes(cell));
        if (!has_clusters()) return;
        const uint32_t cluster = clusters_->find(form, lower_);
        for (const size_t length : ClusterAtoms::kLengths) {
            const std::string_view bits = clusters_->bits(cluster, length);
            visit(bits, cluster == WordClusters::kNone ? 0 : hash_bytes(bits));
        }
    }

  private:
    static constexpr std::string_view kFilling[] = {"Case", "Definite", "Mood", "PronType", "VerbForm"};

    // The text in the place of the first tag. Valid until the next call.
    std::string_view filled(std::string_view second_tag, std::string_view feats) {
        filled_ = second_tag;
        for (size_t at = 0; at < feats.size();) {
            const std::string_view feature = feats.substr(at, feats.find('|', at) - at);
            if (std::ranges::count(kFilling, feature.substr(0, feature.find('='))) > 0)
                filled_.append("|").append(feature);
            at += feature.size() + 1;
        }
        return filled_;
    }

    template <class Values>
    static Values special(std::string_view text) {
        Values word;
        word.values.fill(hash_bytes(text));
        return word;
    }

    std::vector<Word> words_ = {special<Word>("<outside>"), special<Word>("<root>")};
    const WordClusters* clusters_ = nullptr;
    std::vector<ClusterAtoms> cluster_atoms_;  // as words_, or empty
    bool fill_tags_ = false;
    std::string lower_, composed_, filled_;
};

}  // namespace sapwood

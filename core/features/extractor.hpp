// From tokens to feature keys: each attribute of each token is hashed once, then every template line
// combines those hashes. Everything a sentence needs lies in a workspace that is used again.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "features/template.hpp"
#include "text/columns.hpp"

namespace sapwood {

class Extractor {
  public:
    // Lines whose labels reach further back than `reach` are left out. `lists` are in list_names order.
    Extractor(Template pattern, std::vector<WordList> lists, unsigned reach);
    Extractor(Extractor&&) = default;  // not copied: groups_ and list_of_ point into the members beside them

    struct Workspace {
        std::vector<uint64_t> values;  // [attributes][padding + n + padding]
        std::vector<uint64_t> words;   // scratch for word lists
        std::string text;              // scratch for transformed values
        size_t n = 0;
    };

    // The lines of each reach, in the template's order.
    size_t lines(unsigned reach) const { return groups_[reach].size(); }
    const Template& pattern() const { return template_; }
    const std::vector<WordList>& lists() const { return lists_; }

    // Hashes the attributes of tokens begin..end of `data`, one sentence.
    void read(const Columns& data, size_t begin, size_t end, Workspace& workspace) const;

    // Writes the keys of the sentence last read, for the lines of one reach, at keys[i * stride + line].
    // Keys of lines with labels are yet to be combined with them (see with_labels).
    void keys(unsigned reach, const Workspace& workspace, uint64_t* keys, size_t stride) const;

    // A line without a macro has one key for all tokens (the label bigram B, say).
    bool varies(unsigned reach, size_t line) const { return !groups_[reach][line]->parts.empty(); }
    uint64_t constant_key(unsigned reach, size_t line) const { return groups_[reach][line]->seed; }

    // The text a line expands to at token i, as CRF++ would print it.
    std::string name(unsigned reach, size_t line, const Columns& data, size_t begin, size_t end,
                     size_t i) const;

  private:
    void read_attribute(const Attribute& attribute, const Columns& data, size_t begin, size_t end,
                        uint64_t* values, Workspace& workspace) const;
    void transform(const Attribute& attribute, std::string_view cell, std::string& out) const;

    Template template_;
    std::vector<WordList> lists_;
    std::vector<uint64_t> before_, after_;          // [padding] values of the rows around a sentence
    std::vector<Pattern> patterns_;                 // [attributes] (an empty one where there is none)
    std::vector<const WordList*> list_of_;          // [attributes]
    std::vector<std::vector<const Line*>> groups_;  // [3] lines by reach
};

// Keys of lines that look at labels: the label before (l1), or the two before (l2 then l1); hashes of names.
inline uint64_t with_label(uint64_t key, uint64_t l1) {
    return combine(key, l1);
}
inline uint64_t with_labels(uint64_t key, uint64_t l2, uint64_t l1) {
    return combine(combine(key, l2), l1);
}

}  // namespace sapwood

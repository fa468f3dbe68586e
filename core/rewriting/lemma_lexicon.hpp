// Words of a dictionary with their edit scripts: an optional part of a lemmatizer, for words that its tagger would get
// wrong. For these words the tagger's choice is ignored. Of a lower-cased word and its tag, 32 bits of their hash are
// kept.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/search.hpp"

namespace sapwood {

class LemmaLexicon {
  public:
    struct Entry {
        std::string form, tag;
        Label script;
    };

    LemmaLexicon() = default;
    // Of entries that are the same, or have the same hash, the first one counts.
    explicit LemmaLexicon(const std::vector<Entry>& entries);
    // From a model file. Throws ModelError if there are not as many keys as scripts, if the keys are not sorted, or if
    // there is no such script.
    LemmaLexicon(std::vector<uint32_t> keys, std::vector<uint32_t> scripts, size_t script_count);

    bool empty() const { return keys_.empty(); }
    const std::vector<uint32_t>& keys() const { return keys_; }
    const std::vector<uint32_t>& scripts() const { return scripts_; }
    std::optional<Label> find(std::string_view form, std::string_view tag) const;

  private:
    std::vector<uint32_t> keys_;     // [entries] sorted
    std::vector<uint32_t> scripts_;  // [entries]
};

}  // namespace sapwood

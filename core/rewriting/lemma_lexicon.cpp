#include "rewriting/lemma_lexicon.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

uint32_t key_of(std::string_view form, std::string_view tag) {
    std::string lower, scratch;
    append_lower(lower, composed(form, scratch));
    return static_cast<uint32_t>(combine(hash_bytes(lower), hash_bytes(tag)) >> 32);
}

}  // namespace

LemmaLexicon::LemmaLexicon(const std::vector<Entry>& entries) {
    std::map<uint32_t, Label> sorted;
    for (const Entry& entry : entries) sorted.try_emplace(key_of(entry.form, entry.tag), entry.script);
    for (const auto& [key, script] : sorted) {
        keys_.push_back(key);
        scripts_.push_back(script);
    }
}

LemmaLexicon::LemmaLexicon(std::vector<uint32_t> keys, std::vector<uint32_t> scripts, size_t script_count)
    : keys_(std::move(keys)), scripts_(std::move(scripts)) {
    if (keys_.size() != scripts_.size()) throw ModelError("its lexicon does not have a script for each word");
    if (std::ranges::adjacent_find(keys_, std::ranges::greater_equal()) != keys_.end())
        throw ModelError("its lexicon is not sorted");
    if (std::ranges::any_of(scripts_, [&](uint32_t script) { return script >= script_count; }))
        throw ModelError("its lexicon has scripts that the model does not have");
}

std::optional<Label> LemmaLexicon::find(std::string_view form, std::string_view tag) const {
    const uint32_t key = key_of(form, tag);
    const auto at = std::ranges::lower_bound(keys_, key);
    if (at == keys_.end() || *at != key) return std::nullopt;
    return scripts_[static_cast<size_t>(at - keys_.begin())];
}

}  // namespace sapwood

#include "rewriting/known_words.hpp"

#include <algorithm>
#include <functional>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

uint32_t hash_of(std::string_view word) {
    return static_cast<uint32_t>(hash_composed(word) >> 32);
}

template <class Known>
std::string parts_that(std::string_view form, Known&& known) {
    const auto without_first = [&](size_t count) { return form.substr(prefix(form, count).size()); };
    const auto without_last = [&](size_t count) { return form.substr(0, form.size() - suffix(form, count).size()); };
    std::string letters;
    for (const std::string_view part :
         {form, without_first(1), without_first(2), without_first(3), without_last(2), without_last(1)})
        letters += !part.empty() && known(part) ? 'y' : 'n';
    return letters;
}

}  // namespace

KnownWords::KnownWords(const Conllu& treebank) {
    for (size_t w = 0; w < treebank.words(); ++w) hashes_.push_back(hash_of(treebank.cell(w, Field::form)));
    std::ranges::sort(hashes_);
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
}

KnownWords::KnownWords(std::vector<uint32_t> hashes) : hashes_(std::move(hashes)) {
    if (std::ranges::adjacent_find(hashes_, std::ranges::greater_equal()) != hashes_.end())
        throw ModelError("its known words are not sorted");
}

bool KnownWords::has(std::string_view word) const {
    return std::ranges::binary_search(hashes_, hash_of(word));
}

std::string KnownWords::parts(std::string_view form) const {
    return parts_that(form, [&](std::string_view part) { return has(part); });
}

CountedWords::CountedWords(const Conllu& treebank) {
    for (size_t w = 0; w < treebank.words(); ++w) ++counts_[composed(treebank.cell(w, Field::form))];
}

std::string CountedWords::parts(std::string_view form, const std::vector<std::string>& own) const {
    return parts_that(form, [&](std::string_view part) {
        const auto at = counts_.find(std::string(part));
        return at != counts_.end() && at->second > static_cast<size_t>(std::ranges::count(own, part));
    });
}

}  // namespace sapwood

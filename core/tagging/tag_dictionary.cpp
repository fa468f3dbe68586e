#include "tagging/tag_dictionary.hpp"

#include <algorithm>
#include <functional>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

TagDictionary::TagDictionary(std::vector<size_t> columns, const Allowed& allowed) : columns_(std::move(columns)) {
    set(allowed);
}

void TagDictionary::set(const Allowed& allowed) {
    values_.clear();
    labels_.clear();
    first_.assign(1, 0);
    for (const auto& [value, labels] : allowed) {
        values_.push_back(value);
        labels_.insert(labels_.end(), labels.begin(), labels.end());
        first_.push_back(static_cast<uint32_t>(labels_.size()));
    }
}

void TagDictionary::add(const TagDictionary& other) {
    if (other.empty()) return;
    Allowed both;
    for (const TagDictionary* dictionary : {static_cast<const TagDictionary*>(this), &other})
        for (size_t v = 0; v < dictionary->values_.size(); ++v)
            both[dictionary->values_[v]].insert(dictionary->labels_.begin() + dictionary->first_[v],
                                                dictionary->labels_.begin() + dictionary->first_[v + 1]);
    set(both);
}

TagDictionary::TagDictionary(std::vector<size_t> columns, std::vector<uint64_t> values,
                             std::span<const uint32_t> packed, size_t label_count)
    : columns_(std::move(columns)), values_(std::move(values)) {
    if (std::ranges::adjacent_find(values_, std::ranges::greater_equal()) != values_.end())
        throw ModelError("the values of its tag dictionary are not sorted");
    first_.push_back(0);
    for (size_t v = 0; v < values_.size(); ++v) {
        const size_t count = packed.empty() ? 0 : packed[0];
        if (count == 0 || count >= packed.size()) throw ModelError("its tag dictionary has a value without labels");
        const auto allowed = packed.subspan(1, count);
        if (std::ranges::adjacent_find(allowed, std::ranges::greater_equal()) != allowed.end() ||
            allowed.back() >= label_count)
            throw ModelError("its tag dictionary has labels that the model does not have");
        labels_.insert(labels_.end(), allowed.begin(), allowed.end());
        first_.push_back(static_cast<uint32_t>(labels_.size()));
        packed = packed.subspan(1 + count);
    }
    if (!packed.empty()) throw ModelError("its tag dictionary has labels without a value");
}

std::vector<uint32_t> TagDictionary::packed() const {
    std::vector<uint32_t> packed;
    for (size_t v = 0; v < values_.size(); ++v) {
        packed.push_back(first_[v + 1] - first_[v]);
        packed.insert(packed.end(), labels_.begin() + first_[v], labels_.begin() + first_[v + 1]);
    }
    return packed;
}

size_t TagDictionary::columns_needed() const {
    return columns_.empty() ? 0 : *std::ranges::max_element(columns_) + 1;
}

uint64_t TagDictionary::value_of(const Columns& data, std::span<const size_t> columns, size_t token) {
    uint64_t hash = hash_composed(data.cell(token, columns[0]));
    for (const size_t column : columns.subspan(1)) hash = combine(hash, hash_composed(data.cell(token, column)));
    return hash;
}

std::span<const Label> TagDictionary::find(uint64_t value) const {
    const auto at = std::ranges::lower_bound(values_, value);
    if (at == values_.end() || *at != value) return {};
    const auto v = at - values_.begin();
    return {labels_.data() + first_[v], labels_.data() + first_[v + 1]};
}

}  // namespace sapwood

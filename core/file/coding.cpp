#include "file/coding.hpp"

#include "base/coded_bytes.hpp"
#include "base/elias_fano.hpp"
#include "file/context.hpp"
#include "file/json_value.hpp"
#include "model/coded_table.hpp"
#include "text/utf8.hpp"

namespace sapwood::file {

namespace {

using Kind = Json::Kind;

constexpr const char* kCoded = "coded";                                         // key of the metadata
constexpr const char* kMetadata = "metadata";                                   // the array of coded metadata
constexpr uint64_t kLargest = std::min<uint64_t>(uint64_t{1} << 40, SIZE_MAX);  // bytes of an array
const std::string kWhere = "'coded' in its header ";

Array owned(std::string dtype, std::string bytes) {
    auto owner = std::make_shared<const std::string>(std::move(bytes));
    const uint64_t count = owner->size() / item_size(dtype);
    return {std::move(dtype), {count}, *owner, owner};
}

Array decoded_array(const std::string& name, const std::string& dtype, uint64_t size, const Arrays& arrays) {
    require(size > 0 && size <= (name == kMetadata ? kHeaderLimit : kLargest),
            kWhere + "has a number of bytes that array " + quoted(name) + " cannot have");
    const auto at = arrays.find(name);
    require(at != arrays.end() && at->second.dtype == "U8" && at->second.shape.size() == 1,
            "it has no coded array " + quoted(name));
    const Within array("its array " + quoted(name) + ": ");
    return owned(dtype, decode_bytes(at->second.data, static_cast<size_t>(size), "coded bytes"));
}

void decode_halves(const std::string& name, uint64_t count, uint64_t key_bits, const Arrays& arrays, Arrays& found) {
    const std::string low = (name.ends_with("high") ? name.substr(0, name.size() - 4) : name) + "low";
    const auto at = arrays.find(name);
    require(low != name && !arrays.contains(low) && at != arrays.end() && at->second.dtype == "U8",
            "it has no coded keys " + quoted(name) + ", or has them twice");
    require(count > 0 && count < kLargest && key_bits > 0 && key_bits <= 64,
            kWhere + "has a number of keys " + quoted(name) + ", or of their bits, that cannot be");
    const Within array("its array " + quoted(name) + ": ");
    const auto bits = static_cast<unsigned>(key_bits);
    EliasFano keys = pack_keys(decode_keys(at->second.data, count, bits), bits);
    found[name] = owned("U8", std::move(keys.high));
    found[low] = owned("U8", std::move(keys.low));
}

bool is_text(const std::vector<Json>& items, size_t at) {
    return at < items.size() && items[at].is(Kind::string);
}

bool is_natural(const std::vector<Json>& items, size_t at) {
    return at < items.size() && items[at].is_natural();
}

// Adds the decoded metadata, which have no name that the header has, too.
void add_texts(std::string_view data, Metadata& metadata) {
    require(find_invalid_utf8(data) == std::string_view::npos, "its coded metadata are not UTF-8");
    const std::string what = "'metadata', which is coded,";
    const Json texts = Json::read(data, what);
    bool fits = texts.is(Kind::object);
    for (const auto& [key, text] : texts.members) fits = fits && text.is(Kind::string);
    require(fits, what + " is not of the form dict of str");
    for (const auto& [key, text] : texts.members)
        require(key != kCoded && metadata.emplace(key, text.text).second,
                "its coded metadata have a name that its header has, too");
}

}  // namespace

void decode(Container& file) {
    const auto coded = file.metadata.find(kCoded);
    if (coded == file.metadata.end()) return;
    const Json codes = Json::read(coded->second, "'coded' in its header");
    bool fits = codes.is(Kind::object);
    for (const auto& [name, code] : codes.members) {
        fits = fits && code.is(Kind::array);
        for (const Json& item : code.items) fits = fits && (item.is(Kind::string) || item.is_natural());
    }
    require(fits, kWhere + "is not of the form dict of list of str or int");
    Arrays found = file.arrays;
    for (const auto& [name, code] : codes.members) found.erase(name);
    std::map<std::string, std::string> same;
    for (const auto& [name, code] : codes.members) {
        const std::vector<Json>& items = code.items;
        if (is_text(items, 0) && items[0].text == "same") {
            same[name] = items.size() == 2 && is_text(items, 1) ? items[1].text : std::string();
        } else if (items.size() == 3 && is_text(items, 0) && items[0].text == "keys" && is_natural(items, 1) &&
                   is_natural(items, 2)) {
            decode_halves(name, items[1].natural, items[2].natural, file.arrays, found);
        } else {
            const uint64_t size = items.size() == 2 && is_text(items, 0) ? item_size(items[0].text) : 0;
            require(size > 0 && is_natural(items, 1) && items[1].natural % size == 0,
                    kWhere + "does not say what the array " + quoted(name) + " is");
            found[name] = decoded_array(name, items[0].text, items[1].natural, file.arrays);
        }
    }
    for (const auto& [name, other] : same) {
        require(!same.contains(other) && found.contains(other) && !found.contains(name) && name != kMetadata,
                kWhere + "does not say which array " + quoted(name) + " equals");
    }
    for (const auto& [name, other] : same) found[name] = Array(found[other]);
    file.metadata.erase(coded);
    if (codes.find(kMetadata) != nullptr) {
        const auto at = found.find(kMetadata);
        require(at != found.end(), "it has no coded array 'metadata'");
        const Array texts = at->second;
        found.erase(at);
        add_texts(texts.data, file.metadata);
    }
    file.arrays = std::move(found);
}

}  // namespace sapwood::file

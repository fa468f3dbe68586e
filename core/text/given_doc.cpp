#include "text/given_doc.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "base/errors.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw DataError("document: " + what);
}

void require(bool holds, const std::string& what) {
    if (!holds) fail(what);
}

// Offsets in bytes of offsets in characters, which are asked for in ascending order.
class Bytes {
  public:
    explicit Bytes(std::string_view text) : text_(text) {}
    size_t at(size_t character) {
        while (count_ < character && at_ < text_.size()) {
            ++at_;
            while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;
            ++count_;
        }
        require(count_ == character, "a token ends behind the text");
        return at_;
    }

  private:
    std::string_view text_;
    size_t at_ = 0, count_ = 0;
};

void add_tokens(const GivenDoc& given, Doc& doc) {
    const size_t n = given.tokens.size();
    require(given.first_words.size() == n + 1, "there is a first word for each token, and one behind the last");
    require(given.first_words[0] == 0, "the first token's first word is 0");
    Bytes bytes(given.text);
    size_t last = 0;
    for (size_t t = 0; t < n; ++t) {
        const auto [begin, end] = given.tokens[t];
        const std::string where = "token " + std::to_string(t + 1);
        require(last <= begin && begin < end, where + " is empty, or does not stand behind the one before it");
        require(given.first_words[t] < given.first_words[t + 1], where + " has no words");
        last = end;
        const size_t first = bytes.at(begin);
        doc.tokens.push_back({first, bytes.at(end), given.first_words[t]});
    }
    doc.tokens.push_back({doc.text_size, doc.text_size, given.first_words[n]});
}

void add_sentences(const GivenDoc& given, Doc& doc) {
    const size_t n = given.tokens.size();
    require(!given.sentences.empty(), "there is no end of the last sentence");
    for (const auto& [token, word, paragraph] : given.sentences) {
        const std::string where = "sentence " + std::to_string(doc.sentences.size() + 1);
        require(token <= n && word == given.first_words[token],
                where + " does not begin with the first word of a token");
        require(doc.sentences.empty() ? token == 0 : token > doc.sentences.back().first_token,
                where + " does not stand behind the one before it, or the first one not at the beginning");
        doc.sentences.push_back({token, word, paragraph});
    }
    require(doc.sentences.back().first_token == n, "the last sentence does not end with the last token");
}

// Every word's way of heads ends at 0.
void check_tree(const std::vector<int64_t>& heads, size_t first, size_t last) {
    enum : uint8_t { unseen, on_the_way, done };
    const size_t words = last - first;
    std::vector<uint8_t> state(words + 1, unseen);
    state[0] = done;
    for (size_t m = 1; m <= words; ++m) {
        size_t at = m;
        for (; state[at] == unseen; at = static_cast<size_t>(heads[first + at - 1])) {
            const int64_t head = heads[first + at - 1];
            require(head >= 0 && static_cast<size_t>(head) <= words,
                    "word " + std::to_string(first + at) + " has the head " + std::to_string(head) +
                        " in a sentence of " + std::to_string(words) + " words");
            state[at] = on_the_way;
        }
        require(state[at] == done, "the heads of word " + std::to_string(first + m) + " make a cycle");
        for (at = m; state[at] == on_the_way; at = static_cast<size_t>(heads[first + at - 1])) state[at] = done;
    }
}

}  // namespace

Doc build_doc(const GivenDoc& given) {
    require(given.text.find('\0') == std::string::npos, "its text has a NUL character");
    require(find_invalid_utf8(given.text) == std::string_view::npos, "its text is not UTF-8");
    Doc doc;
    doc.text_size = given.text.size();
    doc.words = Columns::over(given.text, 1, "document");
    add_tokens(given, doc);
    add_sentences(given, doc);

    const size_t words = given.first_words.back();
    std::unordered_map<std::string_view, Columns::Cell> kept;
    // The cells of a column; equal values are kept once.
    const auto cells_of = [&](const std::string& name) {
        std::vector<Columns::Cell> cells;
        const auto column = given.columns.find(name);
        if (column == given.columns.end()) return cells;
        require(column->second.size() == words,
                std::to_string(words) + " words, but " + std::to_string(column->second.size()) + " values of " + name);
        for (const std::string& value : column->second) {
            const auto valid = [&] {
                return value.find('\0') == std::string::npos && find_invalid_utf8(value) == std::string_view::npos;
            };
            require(!value.empty() && valid(), "the " + name + " of word " + std::to_string(cells.size() + 1) +
                                                   " is empty, or has a NUL character");
            const auto [place, is_new] = kept.try_emplace(value);
            if (is_new) place->second = doc.words.keep(value);
            cells.push_back(place->second);
        }
        return cells;
    };
    for (const auto& [name, values] : given.columns) {
        constexpr std::array<std::string_view, 6> known = {"form", "upos", "xpos", "feats", "lemma", "deprel"};
        require(given.items.contains(name) || std::ranges::find(known, name) != known.end(),
                "there is no column '" + name + "'");
    }
    const auto has = [&](const char* name) { return given.columns.contains(name); };
    require(has("form"), "its words have no forms");
    const std::vector<Columns::Cell> forms = cells_of("form");
    for (size_t s = 0; s + 1 < doc.sentences.size(); ++s) {
        for (size_t w = doc.sentences[s].first_word; w < doc.sentences[s + 1].first_word; ++w)
            doc.words.add_cell(forms[w]);
        doc.words.end_sentence();
    }
    require(has("upos") == has("xpos") && has("upos") == has("feats"), "upos, xpos and feats go together");
    if (has("upos"))
        for (const char* name : {"upos", "xpos", "feats"}) doc.words.add_column(cells_of(name));
    for (const char* name : {"lemma", "deprel"})
        if (has(name)) doc.add({name, "", "_", cells_of(name)});
    for (const auto& [name, item] : given.items)
        if (given.columns.contains(name)) doc.add({name, item.first, item.second, cells_of(name)});
    require(given.heads.has_value() == has("deprel"), "heads and relations go together");
    if (given.heads) {
        const std::vector<int64_t>& heads = *given.heads;
        require(heads.size() == words,
                std::to_string(words) + " words, but " + std::to_string(heads.size()) + " heads");
        for (size_t s = 0; s + 1 < doc.sentences.size(); ++s)
            check_tree(heads, doc.sentences[s].first_word, doc.sentences[s + 1].first_word);
        for (const int64_t head : heads) doc.heads.push_back(static_cast<uint32_t>(head));
    }
    return doc;
}

}  // namespace sapwood

#include "making/row_tagger.hpp"

#include <algorithm>
#include <span>

#include "making/model_options.hpp"
#include "text/utf8.hpp"

namespace sapwood::making {

namespace {

// Names of arrays that only some tasks have: those of a tag dictionary, of a lexicon of tags and of one of lemmas.
constexpr const char* kDictionary[] = {"dictionary.values", "dictionary.labels"};
constexpr const char* kLexicon[] = {"lexicon.sizes",   "lexicon.high", "lexicon.low",
                                    "lexicon.classes", "lexicon.tree", "lexicon.tags"};
constexpr const char* kLemmas[] = {"lexicon.keys", "lexicon.scripts", "script_lists"};

bool is_in(std::string_view name, std::span<const char* const> names) {
    return std::ranges::find(names, name) != names.end();
}

// How many of these arrays a file has.
size_t count(const ModelFile& file, std::span<const char* const> names) {
    return static_cast<size_t>(
        std::ranges::count_if(names, [&](const char* name) { return file.extra.contains(name); }));
}

SequenceOptions sequence_options(const ModelFile& file) {
    SequenceOptions options;
    options.each(OptionReader(file.options));
    require(options.order <= 2, "the option order has a value that it cannot have");
    return options;
}

SequenceSpec spec_of(const ModelFile& file, const SequenceOptions& options) {
    return {options.search, options.order, file.labels};
}

// The dictionary's columns in a file's options; nullptr without a dictionary.
const Json* dictionary_names(const ModelFile& file) {
    const Json* names = file.options.find("dictionary");
    return names == nullptr || names->is(Json::Kind::null) ? nullptr : names;
}

std::vector<std::string> split(std::string_view text, char between) {
    std::vector<std::string> found;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(between, at), text.size());
        found.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return found;
}

}  // namespace

void check_extra(const ModelFile& file) {
    for (const auto& [name, array] : file.extra) {
        const bool lemmatizes = file.task == "lemmatize";
        const bool belongs = (dictionary_names(file) != nullptr && is_in(name, kDictionary)) ||
                             ((lemmatizes || file.task == "tag") && is_in(name, kLexicon)) ||
                             (lemmatizes && is_in(name, kLemmas)) || (file.task == "segment" && name == "places") ||
                             (file.task == "split" && name == "known");
        require(belongs, "it has an array that does not belong there: " + file::quoted("extra." + name));
    }
}

std::vector<WordList> lists_of(const ModelFile& file, const Template& pattern) {
    std::vector<std::string> names;
    std::vector<WordList> lists;
    for (const auto& [name, list] : file.word_lists) {
        names.push_back(name);
        lists.push_back(list);
    }
    require(pattern.list_names() == names, "its word lists are not those that its template asks for");
    return lists;
}

Extractor extractor_of(const ModelFile& file, const SequenceSpec& spec) {
    Template pattern(file.pattern, "template", Header{file.columns, file.label, false, {}});
    std::vector<WordList> lists = lists_of(file, pattern);
    return Extractor(std::move(pattern), std::move(lists), spec.reach(), spec.ahead(),
                     {file.clusters, file.task == "tag" ? lexicon_of(file) : nullptr});
}

std::vector<size_t> dictionary_columns(const ModelFile& file) {
    const Json* names = dictionary_names(file);
    if (names == nullptr) return {};
    require(names->is_string(), "its option dictionary is not names of columns");
    std::string known;
    for (size_t c = 0; c < file.columns.size(); ++c)
        if (c != file.label) known += (known.empty() ? "" : ", ") + file.columns[c];
    std::vector<size_t> columns;
    for (const std::string& name : split(names->text, '+')) {
        const auto found = std::ranges::find(file.columns, name);
        columns.push_back(static_cast<size_t>(found - file.columns.begin()));
        require(found != file.columns.end() && columns.back() != file.label,
                "the dictionary's columns are some of " + known + "; got " + name);
    }
    return columns;
}

TagDictionary dictionary_of(const ModelFile& file) {
    std::vector<size_t> columns = dictionary_columns(file);
    if (columns.empty()) return {};
    require(count(file, kDictionary) == std::size(kDictionary),
            "it does not have the tag dictionary that its options speak of");
    const std::vector<uint32_t> labels = file.numbers<uint32_t>("dictionary.labels", "U32");
    return TagDictionary(std::move(columns), file.numbers<uint64_t>("dictionary.values", "U64"), labels,
                         file.labels.size());
}

std::shared_ptr<const Lexicon> lexicon_of(const ModelFile& file) {
    const size_t arrays = count(file, kLexicon);
    if (arrays == 0) return nullptr;
    const std::vector<uint64_t> sizes = file.numbers<uint64_t>("lexicon.sizes", "U64");
    require(arrays == std::size(kLexicon) && sizes.size() == 2, "it does not have all of its lexicon");
    require(sizes[1] <= 64, "the lexicon: the key_bits are out of range");
    const auto bytes = [&](const char* name) { return std::string(file.bytes(name)); };
    PackedClusters packed{sizes[0],
                          static_cast<unsigned>(sizes[1]),
                          bytes("lexicon.high"),
                          bytes("lexicon.low"),
                          bytes("lexicon.classes"),
                          bytes("lexicon.tree")};
    const std::string_view tags = file.bytes("lexicon.tags");
    require(find_invalid_utf8(tags) == std::string_view::npos, "the lexicon: its tags are not UTF-8 text");
    return std::make_shared<const Lexicon>(std::move(packed), split(tags, '\n'));
}

RowTagger::RowTagger(const ModelFile& file) : RowTagger(file, (check_extra(file), sequence_options(file))) {}

RowTagger::RowTagger(const ModelFile& file, const SequenceOptions& options)
    : tagger{spec_of(file, options),  // braces: of several flaws, each compiler finds the same one first
             extractor_of(file, spec_of(file, options)),
             dictionary_of(file),
             file.tables,
             file.bits,
             file.scale},
      answers(tagger.spec(), options.iobes),
      explainer(tagger, answers.shown()) {}

}  // namespace sapwood::making

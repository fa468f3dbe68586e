#include "wasm/parts.hpp"

#include <algorithm>

#include "file/context.hpp"
#include "tagging/sequence_options.hpp"
#include "text/utf8.hpp"

namespace sapwood::wasm {

namespace {

using Kind = Json::Kind;

// Reads the values of options from a model's header, as bindings/options.hpp reads them from Python's dict.
class OptionReader {
  public:
    explicit OptionReader(const Json& values) : values_(values) {}

    void operator()(const char* name, bool& field) const {
        const Json& value = get(name);
        if (!value.is(Kind::boolean)) wrong(name);
        field = value.truth;
    }
    void operator()(const char* name, double& field) const {
        const Json& value = get(name);
        if (!value.is_number() || value.number < 0) wrong(name);
        field = value.number;
    }
    template <std::unsigned_integral T>
    void operator()(const char* name, T& field) const {
        const Json& value = get(name);
        if (!value.is_natural() || value.natural < 1 || value.natural > kMost) wrong(name);
        field = static_cast<T>(value.natural);
    }
    template <class T, class Choices>
    void operator()(const char* name, T& field, const Choices& choices) const {
        const Json& value = get(name);
        if (!value.is(Kind::string)) wrong(name);
        for (size_t k = 0; k < std::size(choices); ++k)
            if (value.text == choices[k]) {
                field = static_cast<T>(k);
                return;
            }
        throw ModelError("the option " + std::string(name) + " has no choice " + file::quoted(value.text));
    }

  private:
    static constexpr uint64_t kMost = 4096;  // configurations of a beam

    const Json& get(const char* name) const {
        const Json* value = values_.find(name);
        require(value != nullptr && !value->is(Kind::null), std::string("its options lack ") + name);
        return *value;
    }
    [[noreturn]] static void wrong(const char* name) {
        throw ModelError("the option " + std::string(name) + " has a value that it cannot have");
    }

    const Json& values_;
};

SequenceOptions sequence_options(const ModelFile& file) {
    SequenceOptions options;
    options.each(OptionReader(file.options));
    require(options.order <= 2, "the option order has a value that it cannot have");
    return options;
}

SequenceSpec spec_of(const ModelFile& file) {
    const SequenceOptions options = sequence_options(file);
    return {options.search, options.order, file.labels};
}

Extractor extractor_of(const ModelFile& file, const SequenceSpec& spec, std::shared_ptr<const Lexicon> lexicon) {
    Template pattern(file.pattern, "template", Header{file.columns, file.label, false, {}});
    std::vector<WordList> lists = lists_of(file, pattern);
    return Extractor(std::move(pattern), std::move(lists), spec.reach(), spec.ahead(),
                     {file.clusters, std::move(lexicon)});
}

// The numbers of the columns that names, joined by +, are; none but those of the input.
std::vector<size_t> columns_in(const std::string& names, const ModelFile& file) {
    std::vector<size_t> columns;
    for (size_t at = 0; at <= names.size();) {
        const size_t end = std::min(names.find('+', at), names.size());
        const auto found = std::ranges::find(file.columns, names.substr(at, end - at));
        const auto column = static_cast<size_t>(found - file.columns.begin());
        require(found != file.columns.end() && column != file.label,
                "the dictionary's columns are not those of the model");
        columns.push_back(column);
        at = end + 1;
    }
    return columns;
}

TagDictionary dictionary_of(const ModelFile& file) {
    const Json* names = file.options.find("dictionary");
    if (names == nullptr || names->is(Kind::null)) return {};
    require(names->is(Kind::string), "its option dictionary is no names of columns");
    require(file.extra.contains("dictionary.values") && file.extra.contains("dictionary.labels"),
            "it does not have the tag dictionary that its options speak of");
    const std::vector<uint32_t> labels = file.numbers<uint32_t>("dictionary.labels", "U32");
    return TagDictionary(columns_in(names->text, file), file.numbers<uint64_t>("dictionary.values", "U64"), labels,
                         file.labels.size());
}

std::shared_ptr<const Lexicon> lexicon_of(const ModelFile& file) {
    if (!file.extra.contains("lexicon.sizes")) return nullptr;
    const std::vector<uint64_t> sizes = file.numbers<uint64_t>("lexicon.sizes", "U64");
    require(sizes.size() == 2, "it does not have all of its lexicon");
    require(sizes[1] <= 64, "the lexicon: the key_bits are out of range");
    PackedClusters packed;
    packed.words = sizes[0];
    packed.key_bits = static_cast<unsigned>(sizes[1]);
    packed.high = file.bytes("lexicon.high");
    packed.low = file.bytes("lexicon.low");
    packed.classes = file.bytes("lexicon.classes");
    packed.tree = file.bytes("lexicon.tree");
    const std::string_view text = file.bytes("lexicon.tags");
    require(find_invalid_utf8(text) == std::string_view::npos, "the lexicon: its tags are not UTF-8 text");
    std::vector<std::string> tags;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        tags.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return std::make_shared<const Lexicon>(std::move(packed), std::move(tags));
}

// The arrays that a model of a task may have beside the tables.
void check_extra(const ModelFile& file) {
    constexpr std::string_view dictionary[] = {"dictionary.values", "dictionary.labels"};
    constexpr std::string_view lexicon[] = {"lexicon.high", "lexicon.low",   "lexicon.classes",
                                            "lexicon.tree", "lexicon.sizes", "lexicon.tags"};
    constexpr std::string_view lemmas[] = {"lexicon.keys", "lexicon.scripts", "script_lists"};
    const auto is_in = [](std::string_view name, auto& names) {
        return std::ranges::find(names, name) != std::end(names);
    };
    for (const auto& [name, array] : file.extra) {
        const bool lemmatizes = file.task == "lemmatize", tags = file.task == "tag" || lemmatizes;
        const bool belongs = is_in(name, dictionary) || (tags && is_in(name, lexicon)) ||
                             (lemmatizes && is_in(name, lemmas)) || (file.task == "segment" && name == "places") ||
                             (file.task == "split" && name == "known");
        require(belongs, "it has an array that does not belong there: " + file::quoted("extra." + name));
    }
}

}  // namespace

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

RowTagger::RowTagger(const ModelFile& file)
    : lexicon((check_extra(file), file.task == "tag" || file.task == "lemmatize" ? lexicon_of(file) : nullptr)),
      tagger(spec_of(file), extractor_of(file, spec_of(file), lexicon), dictionary_of(file), file.tables, file.bits,
             file.scale),
      answers(tagger.spec(), sequence_options(file).iobes),
      explainer(tagger, answers.shown()) {}

LemmaLexicon lemmas_of(const ModelFile& file) {
    const bool keys = file.extra.contains("lexicon.keys"), scripts = file.extra.contains("lexicon.scripts");
    require(keys == scripts, "it does not have all of its lexicon");
    if (!keys) return {};
    const std::vector<uint16_t> numbers = file.numbers<uint16_t>("lexicon.scripts", "U16");
    return LemmaLexicon(file.numbers<uint32_t>("lexicon.keys", "U32"), {numbers.begin(), numbers.end()},
                        file.labels.size());
}

std::unique_ptr<const Parser> parser_of(const ModelFile& file) {
    ParserSpec spec;
    Json options = file.options;
    for (const auto& [name, kind] : {std::pair{"gap", Kind::integer}, std::pair{"fill_tags", Kind::boolean}}) {
        if (options.find(name) != nullptr) continue;  // files from before have none
        Json none;
        none.kind = kind;
        options.members.emplace_back(name, none);
    }
    spec.each(OptionReader(options));
    require(spec.order <= 2, "the option order has a value that it cannot have");
    const Json* tags = options.find("tags");
    require(
        tags != nullptr && tags->is(Kind::string) && tags->text == "gold" && file.parts.empty() && file.extra.empty(),
        "it does not have the tagger that its options speak of");
    const auto labels = [&](const char* name) {
        const Json* list = options.find(name);
        require(list != nullptr, std::string("its options have no ") + name);
        require(list->is_strings(), std::string(name) + " in its options are not a list of strings");
        std::vector<std::string> found;
        for (const Json& each : list->items) found.push_back(each.text);
        return found;
    };
    spec.features = file.pattern;
    spec.clusters = file.clusters;
    for (size_t c = 0; c < file.label; ++c) {
        const auto at = std::ranges::find(kFieldNames, file.columns[c]);
        require(at != kFieldNames.end(), file::quoted(file.columns[c]) + " is no column of CoNLL-U");
        spec.tags.push_back(static_cast<Field>(at - kFieldNames.begin()));
    }
    spec.set_labels(file.labels, labels("root_labels"), labels("left_labels"), labels("right_labels"));
    return std::make_unique<const Parser>(std::move(spec), file.tables, file.bits, file.scale);
}

std::vector<Curve> curves_of(const CalibrationRecord& calibration, const char* noun, size_t fewest, size_t most) {
    std::vector<Curve> curves;
    if (calibration.method.empty()) return curves;
    const std::string count = std::to_string(fewest) + (most > fewest ? " or " + std::to_string(most) : "");
    require(
        calibration.method == "isotonic" && calibration.curves.size() >= fewest && calibration.curves.size() <= most,
        std::string("its calibration is not that of a ") + noun + ": isotonic curves, " + count);
    for (const std::vector<double>& curve : calibration.curves) curves.emplace_back(curve);
    return curves;
}

}  // namespace sapwood::wasm

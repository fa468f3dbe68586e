#include "making/parts.hpp"

#include <algorithm>
#include <memory>

#include "making/model_options.hpp"
#include "text/utf8.hpp"

namespace sapwood::making {

namespace {

LemmaLexicon lemmas_of(const ModelFile& file) {
    const bool keys = file.extra.contains("lexicon.keys"), scripts = file.extra.contains("lexicon.scripts");
    require(keys == scripts, "it does not have all of its lexicon");
    if (!keys) return {};
    const std::vector<uint16_t> numbers = file.numbers<uint16_t>("lexicon.scripts", "U16");
    return LemmaLexicon(file.numbers<uint32_t>("lexicon.keys", "U32"), {numbers.begin(), numbers.end()},
                        file.labels.size());
}

}  // namespace

void describe(const ModelFile& file, ParserSpec& spec) {
    spec.features = file.pattern;
    spec.clusters = file.clusters;
    for (size_t c = 0; c < file.label; ++c) {
        const auto at = std::ranges::find(kFieldNames, file.columns[c]);
        require(at != kFieldNames.end(), file::quoted(file.columns[c]) + " is no column of CoNLL-U");
        spec.tags.push_back(static_cast<Field>(at - kFieldNames.begin()));
    }
}

void set_labels(const ModelFile& file, ParserSpec& spec) {
    const OptionReader options(file.options);
    const std::vector<std::string> root = options.texts("root_labels"), left = options.texts("left_labels"),
                                   right = options.texts("right_labels");
    spec.set_labels(file.labels, root, left, right);
}

Parser parser_of(const ModelFile& file) {
    check_extra(file);
    Json values = file.options;  // files from before lack two, which were off
    for (auto& [name, kind] : {std::pair{"gap", Json::Kind::integer}, std::pair{"fill_tags", Json::Kind::boolean}})
        if (values.find(name) == nullptr) values.members.emplace_back(name, Json()).second.kind = kind;
    const OptionReader options(values);
    ParserSpec spec;
    spec.each(options);
    require(spec.order <= 2, "the option order has a value that it cannot have");
    require((file.part("tagger") == nullptr) == (options.text("tags") == "gold"),
            "it does not have the tagger that its options speak of");
    describe(file, spec);
    set_labels(file, spec);
    const bool has_members = file.part("backward") != nullptr;  // in training the first one is alone
    require(has_members == (file.part("easy-first") != nullptr) && (!has_members || is_true(file, "committee")),
            "it does not have the committee that its options speak of");
    std::vector<Parser::Member> others;
    for (const auto& [name, part] : file.parts)
        if (name != "tagger")
            others.push_back({std::unique_ptr<const Parser>(new Parser(parser_of(part))), name == "backward"});
    return Parser(std::move(spec), file.tables, file.bits, file.scale, std::move(others));
}

Segmenter segmenter_of(const ModelFile& file, const RowTagger& rows) {
    require(file.extra.contains("places"), "it has no table of places");
    return Segmenter(rows.tagger, SegmentChoices::from_text(file.bytes("places")));
}

Splitter splitter_of(const ModelFile& file, const RowTagger& rows) {
    return Splitter(rows.tagger, KnownWords(file.numbers<uint32_t>("known", "U32")));
}

Rewriter lemmatizer_of(const ModelFile& file, const RowTagger& rows) {
    const std::string_view lists = file.bytes("script_lists");
    require(find_invalid_utf8(lists) == std::string_view::npos, "its lists of forms are not UTF-8");
    return {rows.tagger, 1, lemmas_of(file), lists, lexicon_of(file)};
}

std::vector<Curve> curves_of(const ModelFile& file) {
    const auto& [method, numbers, least] = file.calibration;
    const bool parses = file.task == "parse";
    if (method.empty() || (!parses && file.task != "tag")) return {};
    const Json* labelling = file.options.find("labelling");
    const bool in_stages = parses && labelling != nullptr && labelling->text == "second-stage";
    const size_t fewest = in_stages ? 2 : 1, most = parses ? fewest : 2;
    const std::string count = parses ? std::to_string(most) : "1 or 2";
    require(method == "isotonic" && fewest <= numbers.size() && numbers.size() <= most,
            "its calibration is not that of a " + std::string(parses ? "parser" : "tagger") + ": isotonic curves, " +
                count);
    return {numbers.begin(), numbers.end()};
}

}  // namespace sapwood::making

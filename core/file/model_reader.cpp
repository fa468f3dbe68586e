#include "file/model_file.hpp"

#include <algorithm>
#include <set>

#include "file/coding.hpp"
#include "file/context.hpp"
#include "file/header_records.hpp"
#include "model/familiarity.hpp"
#include "model/seen_sentences.hpp"
#include "text/conllu.hpp"
#include "text/numbers.hpp"
#include "text/utf8.hpp"

namespace sapwood::file {

namespace {

using Kind = Json::Kind;

constexpr const char* kFormat = "sapwood/3";
constexpr size_t kLargestCard = 1 << 16;  // bytes

// The models that may lie inside one of a task: their names, and their tasks.
struct Inside {
    std::string_view task, name, part_task;
};
constexpr Inside kInside[] = {{"parse", "tagger", "tag"},        {"parse", "backward", "parse"},
                              {"parse", "easy-first", "parse"},  {"pipeline", "segmenter", "segment"},
                              {"pipeline", "splitter", "split"}, {"pipeline", "tagger", "tag"},
                              {"pipeline", "morphology", "tag"}, {"pipeline", "lemmatizer", "lemmatize"},
                              {"pipeline", "parser", "parse"},   {"pipeline", "entities", "tag"}};

void check_labels(const std::vector<std::string>& labels) {
    const std::set<std::string_view> distinct(labels.begin(), labels.end());
    require(distinct.size() == labels.size(), "labels are not distinct strings");
    for (const std::string_view label : labels)
        require(!label.empty() && label.find_first_of(std::string_view("\t\n\r\0", 4)) == std::string_view::npos,
                "a label is empty or has a tab or a line end in it");
}

// Whether the first bytes of a file are text: the size at the beginning of a model has zeros.
bool is_text(std::string_view start) {
    start = start.substr(0, 64);
    while (!start.empty() && (static_cast<unsigned char>(start.back()) & 0x80) != 0) start.remove_suffix(1);
    return start.size() > 8 && find_invalid_utf8(start) == std::string_view::npos &&
           std::ranges::all_of(start, [](unsigned char c) { return (c >= 0x20 && c != 0x7F) || (c >= 9 && c <= 13); });
}

// Takes each array out once, so that those left over are a flaw.
class Reader {
  public:
    Reader(Metadata metadata, Arrays arrays) : metadata_(std::move(metadata)), arrays_(std::move(arrays)) {}

    ModelFile model(const std::shared_ptr<const WordClusters>& around) {
        const auto version = metadata_.find("format");
        require(version != metadata_.end() && version->second == kFormat,
                "its format is " + (version == metadata_.end() ? "None" : quoted(version->second)) +
                    ", this version of sapwood reads " + kFormat);
        ModelFile found;
        read_weights(found);
        read_columns(found);
        read_lists(found);
        read_tables(found);
        const Json labels = json("labels");
        require_form(labels.is_strings(), "labels", "list of str");
        found.labels = strings_of(labels);
        check_labels(found.labels);
        found.task = text("task");
        found.pattern = text("template");
        found.options = json("options");
        require_form(found.options.is(Kind::object), "options", "dict of object");
        found.provenance = json("provenance");
        require_form(found.provenance.is(Kind::object), "provenance", "dict of object");
        if (metadata_.contains("clusters")) found.clusters = clusters(around);
        if (metadata_.contains("calibration")) found.calibration = calibration_in(json("calibration"));
        if (metadata_.contains("familiarity")) read_familiarity(found);
        read_card(found);
        read_extra(found);
        read_parts(found);
        if (!arrays_.empty())
            throw ModelError("it has an array that does not belong there: " + quoted(arrays_.begin()->first));
        found.metadata = std::move(metadata_);
        return found;
    }

  private:
    const std::string& text(const char* key) const {
        const auto at = metadata_.find(key);
        require(at != metadata_.end(), std::string("its header has no '") + key + "'");
        return at->second;
    }
    Json json(const char* key, const char* otherwise = nullptr) const {
        const bool is_there = otherwise == nullptr || metadata_.contains(key);
        return Json::read(is_there ? std::string_view(text(key)) : otherwise, where_in_header(key));
    }

    Array take(const std::string& name) {
        auto node = arrays_.extract(name);
        require(!node.empty(), "it has no array " + quoted(name));
        return std::move(node.mapped());
    }
    Array list(const std::string& name, const char* dtype) {
        Array array = take(name);
        require(array.dtype == dtype && array.shape.size() == 1,
                "its array " + quoted(name) + " is not a list of " + dtype);
        return array;
    }

    void read_weights(ModelFile& found) const {
        const Json weights = json("weights");
        const Json *bits = weights.find("bits"), *scale = weights.find("scale");
        require_form(has_form(weights, {{"bits", &Json::is_natural}, {"scale", &Json::is_number}}), "weights",
                     "{bits: int, scale: float}");
        require(bits->natural < 64 && is_width_of_weights(static_cast<unsigned>(bits->natural)),
                "weights of " + std::to_string(bits->natural) + " bits are not 8, 16 or 32 bits wide");
        found.bits = static_cast<unsigned>(bits->natural);
        found.scale = scale->number;
    }

    void read_columns(ModelFile& found) const {
        const Json columns = json("columns");
        const Json *names = columns.find("names"), *label = columns.find("label");
        require_form(has_form(columns, {{"names", &Json::is_strings}, {"label", &Json::is_natural}}), "columns",
                     "{names: list of str, label: int}");
        require(label->natural < names->items.size(), "the label is not one of the columns");
        found.columns = strings_of(*names);
        found.label = static_cast<size_t>(label->natural);
    }

    void read_lists(ModelFile& found) {
        const Json lists = json("word_lists");
        bool fits = lists.is(Kind::array);
        for (const Json& each : lists.items)
            fits = fits && has_form(each, {{"name", &Json::is_string}, {"longest", &Json::is_natural}});
        require_form(fits, "word_lists", "list of {name: str, longest: int}");
        for (size_t k = 0; k < lists.items.size(); ++k) {
            const Array keys = list("list." + std::to_string(k), "U64");
            const uint64_t longest = std::min<uint64_t>(lists.items[k].find("longest")->natural, SIZE_MAX);
            found.word_lists.emplace_back(
                lists.items[k].find("name")->text,
                WordList(file::numbers_of<uint64_t>(keys.data), static_cast<size_t>(longest)));
        }
    }

    void read_tables(ModelFile& found) {
        const Json tables = json("tables");
        require_form(tables.is(Kind::array), "tables", "list of object");
        for (size_t n = 0; n < tables.items.size(); ++n) {
            found.tables.push_back(table(n, tables.items[n]));
            const std::string names = std::to_string(n) + ".names";
            found.names.emplace_back();
            if (!arrays_.contains(names)) continue;
            const Array lines_of_names = list(names, "U8");
            const std::string_view text = lines_of_names.data;
            require(find_invalid_utf8(text) == std::string_view::npos, "its array " + quoted(names) + " is not UTF-8");
            const uint64_t lines = found.tables[n].features == 0 ? 0 : 1 + std::ranges::count(text, '\n');
            require(lines == found.tables[n].features,
                    "its array " + quoted(names) + " does not have a name for each feature");
            found.names.back() = text;
        }
    }

    PackedTable table(size_t n, const Json& record) {
        const auto value = [&](const char* name) { return record.find(name)->natural; };
        const bool fits = has_form(record, {{"features", &Json::is_natural},
                                            {"weights", &Json::is_natural},
                                            {"width", &Json::is_natural},
                                            {"key_bits", &Json::is_natural},
                                            {"lengths", &Json::is_naturals}});
        require(fits && record.find("lengths")->items.size() == 4,
                "'tables' in its header has something that is not the record of a table");
        require(value("key_bits") < uint64_t{1} << 31,
                "'tables' in its header has a width in bits that is out of range");
        const std::string name = std::to_string(n) + ".table";
        const Array array = list(name, "U8");
        std::string_view rest = array.data;
        PackedTable packed;
        packed.features = value("features");
        packed.weights = value("weights");
        packed.width = value("width");
        packed.key_bits = static_cast<unsigned>(value("key_bits"));
        packed.coded = true;
        std::string* const sections[] = {&packed.low, &packed.sizes, &packed.outputs, &packed.values};
        double wanted = 0;
        for (const Json& length : record.find("lengths")->items) wanted += length.number;
        std::string otherwise = "its array " + quoted(name) + " has " + std::to_string(rest.size()) + " bytes, not ";
        append_rounded(otherwise, wanted, 4);
        otherwise += " as its header says";
        for (size_t k = 0; k < 4; ++k) {
            const uint64_t length = record.find("lengths")->items[k].natural;
            require(length <= rest.size(), otherwise);
            *sections[k] = rest.substr(0, static_cast<size_t>(length));
            rest.remove_prefix(static_cast<size_t>(length));
        }
        require(rest.empty(), otherwise);
        return packed;
    }

    std::shared_ptr<const WordClusters> clusters(const std::shared_ptr<const WordClusters>& around) {
        if (text("clusters") == "\"whole\"") {
            require(around != nullptr,
                    "it has the word clusters of another model that it is no part of, or that has none");
            return around;
        }
        const Json sizes = json("clusters");
        require_form(has_form(sizes, {{"words", &Json::is_natural}, {"key_bits", &Json::is_natural}}), "clusters",
                     "{words: int, key_bits: int}");
        require(sizes.find("key_bits")->natural < uint64_t{1} << 31,
                "'key_bits' of 'clusters' in its header is out of range");
        const auto bytes = [&](const char* name) {
            return std::string(list(std::string("clusters.") + name, "U8").data);
        };
        PackedClusters packed;
        packed.words = sizes.find("words")->natural;
        packed.key_bits = static_cast<unsigned>(sizes.find("key_bits")->natural);
        packed.high = bytes("high");
        packed.low = bytes("low");
        packed.classes = bytes("classes");
        packed.tree = bytes("tree");
        if (around != nullptr && packed == around->packed()) return around;
#ifdef __wasm__  // elsewhere the constructor says so
        const Within clusters("the word clusters: ");
#endif
        return std::make_shared<const WordClusters>(std::move(packed));
    }

    void read_familiarity(ModelFile& found) {
        std::vector<std::string> names = found.columns;
        if (found.task == "parse") names.assign(kFieldNames.begin(), kFieldNames.end());
        found.familiarity = familiarity_in(json("familiarity"), names);
        found.frequent = file::numbers_of<uint32_t>(list("familiar", "U32").data);
        const Familiarity check(found.frequent, std::vector<size_t>(found.familiarity.size()));
        if (!arrays_.contains("seen")) return;
        found.seen = list("seen", "U32").data;
        SeenSentences::check(file::numbers_of<uint32_t>(found.seen));
    }

    void read_card(ModelFile& found) const {
        const Json card = json("card", "\"\"");
        require_form(card.is(Kind::string), "card", "str");
        require(card.text.size() <= kLargestCard, "its card has more bytes than the largest, 65,536");
        require(card.text.find('\0') == std::string::npos, "its card has a NUL character");
        found.card = card.text;
    }

    void read_extra(ModelFile& found) {
        const Json names = json("extra", "[]");
        require_form(names.is_strings(), "extra", "list of str");
        for (const Json& name : names.items) found.extra[name.text] = take("extra." + name.text);
    }

    void read_parts(ModelFile& found) {
        const Json parts = json("parts", "{}");
        bool fits = parts.is(Kind::object);
        for (const auto& [name, texts] : parts.members) {
            fits = fits && texts.is(Kind::object);
            for (const auto& [key, value] : texts.members) fits = fits && value.is(Kind::string);
        }
        require_form(fits, "parts", "dict of dict of str");
        for (const auto& [name, texts] : parts.members) {
            const auto inside = std::ranges::find_if(
                kInside, [&](const Inside& each) { return each.task == found.task && each.name == name; });
            require(inside != std::end(kInside), "a model of its task has no part " + quoted(name));
            Metadata metadata;
            for (const auto& [key, value] : texts.members) metadata[key] = value.text;
            require(found.task != inside->part_task || !metadata.contains("parts"),
                    "a member of a committee has parts");
            require(metadata["format"] == metadata_["format"] && metadata["task"] == inside->part_task,
                    "its part " + quoted(name) + " is not a model for the task " + quoted(inside->part_task) +
                        " in the same format");
            const Within part("its part " + quoted(name) + ": ");
            found.parts.emplace_back(name, Reader(std::move(metadata), arrays_of(name + "/")).model(found.clusters));
        }
    }

    // The arrays whose names begin like that, which is taken off.
    Arrays arrays_of(const std::string& beginning) {
        Arrays found;
        for (auto at = arrays_.lower_bound(beginning); at != arrays_.end() && at->first.starts_with(beginning);
             at = arrays_.erase(at))
            found[at->first.substr(beginning.size())] = std::move(at->second);
        return found;
    }

    Metadata metadata_;
    Arrays arrays_;
};

}  // namespace

ModelFile read_content(Container container, const std::shared_ptr<const WordClusters>& around) {
    if (around == nullptr) decode(container);
    return Reader(std::move(container.metadata), std::move(container.arrays)).model(around);
}

ModelFile read_model(std::string_view file, const std::string& name) {
    context() = {name + ": not a sapwood model: ", ""};
    require(!is_text(file), "it is a text; the model stands before the texts");
    context().behind = "; copy or train it again";
    Container container = read_container(file);
    context() = {name + ": not a usable model: ", ""};
    return read_content(std::move(container), nullptr);
}

}  // namespace sapwood::file

// A model file as the core for browsers reads it: the metadata and the arrays are records, which become a file with a right
// checksum. What is read answers a question, or says why not.
#include <algorithm>

#include "base/errors.hpp"
#include "model/coded_table.hpp"
#include "model/freeze.hpp"
#include "records.hpp"
#include "small_models.hpp"
#include "target.hpp"
#include "text/json.hpp"
#include "wasm/model.hpp"

namespace sapwood::fuzz::browser_models {
namespace {

constexpr size_t kAlignment = 64;
const std::string kText = "text ", kArray = "array ";  // records are called "text KEY" and "array DTYPE NAME"
const std::string kOpening = R"({"__metadata__":{"checksum":")";

std::string file_of(const std::vector<Record>& records) {
    std::string metadata, arrays, data;
    size_t fillers = 0;
    const auto add = [&](const std::string& name, const std::string& dtype, std::string_view content) {
        const size_t items = content.size() / std::max<uint64_t>(1, file::item_size(dtype)), begin = data.size();
        data += content.substr(0, items * file::item_size(dtype));
        append_json_string(arrays += ",", name);
        append_json_string(arrays += R"(:{"dtype":)", dtype);
        arrays += ",\"shape\":[" + std::to_string(items) + "],\"data_offsets\":[" + std::to_string(begin) + "," +
                  std::to_string(data.size()) + "]}";
    };
    for (const auto& [name, content] : records) {
        if (name.starts_with(kText)) {
            append_json_string(metadata += ",", name.substr(kText.size()));
            append_json_string(metadata += ":", content);
        } else if (const size_t space = name.find(' ', kArray.size()); name.starts_with(kArray) && space != name.npos) {
            if (const size_t gap = (kAlignment - data.size() % kAlignment) % kAlignment; gap > 0)
                add("_pad." + std::to_string(fillers++), "U8", std::string(gap, '\0'));
            add(name.substr(space + 1), name.substr(kArray.size(), space - kArray.size()), content);
        }
    }
    std::string header = kOpening + "00000000\"" + metadata + "}" + arrays + "}";
    header.resize((header.size() + 8 + kAlignment - 1) / kAlignment * kAlignment - 8, ' ');
    std::string file(8, '\0');
    for (size_t k = 0; k < 8; ++k) file[k] = static_cast<char>(uint64_t{header.size()} >> 8 * k & 255);
    file += header + data;
    return file.replace(8 + kOpening.size(), 8, file::checksum(file));
}

bool run(std::string_view input) {
    const std::string file = file_of(read_records(input));
    std::unique_ptr<const wasm::Model> model;
    const bool is_model =
        reads<ModelError, TemplateError>("", [&] { model = wasm::make_model(file::read_model(file, "file")); });
    if (!is_model) return false;
    for (const char* asked : {R"({"ask": "labels", "sentences": [[["New York", "NNP"], ["is", "VBZ"]], []]})",
                              R"({"ask": "explain", "sentences": [[["New York", "NNP"]]], "against": "O"})",
                              R"({"ask": "confidence", "sentences": [[["is", "VBZ"]]]})"})
        reads<ModelError, DataError, OptionError>("", [&] { model->answer(file::Json::read(asked, "question")); });
    return true;
}

// The sections of a table, coded as in files, and the record of it.
std::string coded(const PackedTable& packed, std::string& record) {
    const PlainTable<int8_t> plain = unpack<int8_t>(packed);
    const std::string sections[] = {code_keys(plain.keys, plain.key_bits), code_sizes(plain.sizes), code_outputs(plain),
                                    code_weights(plain)};
    record = "{\"features\":" + std::to_string(packed.features) + ",\"weights\":" + std::to_string(packed.weights) +
             ",\"width\":" + std::to_string(packed.width) + ",\"key_bits\":" + std::to_string(packed.key_bits) +
             ",\"lengths\":[";
    std::string all;
    for (const std::string& section : sections) {
        record += (all.empty() ? "" : ",") + std::to_string(section.size());
        all += section;
    }
    record += "]}";
    return all;
}

// A tagger that learned from kSmallColumns, with a calibration, shares of frequent words and a card.
std::vector<std::string> seeds() {
    const Template pattern("U0:%x[0,0]\nU1:%x[0,pos]\nU2:%in[0,0,\"cities\"]\nB\n", "template",
                           {{"word", "pos", "label"}, 2});
    const Trained trained = train(columns_of(kSmallColumns), 2, pattern, Search::viterbi);
    std::vector<Record> records;
    std::string tables, labels;
    for (size_t t = 0; t < trained.model.tables.size(); ++t) {
        std::string record;
        records.emplace_back("array U8 " + std::to_string(t) + ".table", coded(trained.model.tables[t], record));
        tables += (t == 0 ? "" : ",") + record;
    }
    for (const std::string& label : trained.spec.labels) append_json_string(labels += labels.empty() ? "" : ",", label);
    const WordList cities("New York\n");
    records.emplace_back("array U64 list.0", bytes_of(cities.phrases));
    records.emplace_back("array U32 familiar", bytes_of(std::vector<uint32_t>{7, 9}));
    const std::pair<const char*, std::string> texts[] = {
        {"format", "sapwood/3"},
        {"task", "tag"},
        {"template", "U0:%x[0,0]\nU1:%x[0,pos]\nU2:%in[0,0,\"cities\"]\nB\n"},
        {"labels", "[" + labels + "]"},
        {"columns", R"({"names":["word","pos","label"],"label":2})"},
        {"weights", "{\"bits\":8,\"scale\":" + std::to_string(trained.model.scale) + "}"},
        {"options", R"({"search":"viterbi","order":1,"encoding":"bio","dictionary":null})"},
        {"tables", "[" + tables + "]"},
        {"word_lists", "[{\"name\":\"cities\",\"longest\":" + std::to_string(cities.longest) + "}]"},
        {"provenance", "{}"},
        {"card", R"("# A small one")"},
        {"calibration", R"({"method":"isotonic","curves":[[0,0.5,2,1]]})"},
        {"familiarity", R"([{"share":0.5,"sentences":[],"windows":[0.1,0.2,0.3,0.4]}])"}};
    for (const auto& [key, text] : texts) records.emplace_back(kText + key, text);
    return {write_records(records)};
}

const Target target("browser_models", run, seeds, Form::records);

}  // namespace
}  // namespace sapwood::fuzz::browser_models

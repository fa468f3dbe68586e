// The content of a model file: what src/sapwood/model/file/schema.py says of it, decoded and checked.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/word_clusters.hpp"
#include "features/word_list.hpp"
#include "file/container.hpp"
#include "file/context.hpp"
#include "file/json_value.hpp"
#include "model/packed_table.hpp"

namespace sapwood::file {

// The numbers that bytes are. A last incomplete one is dropped.
template <class T>
std::vector<T> numbers_of(std::string_view bytes) {
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

// The shares of frequent words in the training data; without `windows`, nothing is judged by them.
struct FrequentShares {
    double share = 0;
    std::vector<double> sentences, windows;
    std::string name;           // of the column; empty: the first one
    std::vector<double> empty;  // none or two
};

// The curves from scores or margins to confidences, and the least confidence of an answer.
struct CalibrationRecord {
    std::string method;  // empty: the model is not calibrated
    std::vector<std::vector<double>> curves;
    std::vector<double> least;  // one, or one for each label; none: every answer is given
};

struct ModelFile {
    Metadata metadata;  // all texts of the header, decoded
    std::string task, pattern, card;
    std::vector<std::string> labels, columns;
    size_t label = 0;
    Json options, provenance;
    unsigned bits = 8;
    double scale = 1;
    std::vector<PackedTable> tables;
    std::vector<std::optional<std::string>> names;  // [tables] of their features, a line each, if they are kept
    std::vector<std::pair<std::string, WordList>> word_lists;
    std::shared_ptr<const WordClusters> clusters;  // parts may have those of the whole
    CalibrationRecord calibration;
    std::vector<uint32_t> frequent;
    std::vector<FrequentShares> familiarity;
    std::string seen;  // hashes of training sentences
    Arrays extra;
    std::vector<std::pair<std::string, ModelFile>> parts;

    const ModelFile* part(std::string_view name) const;  // nullptr if there is none

    // The numbers of `extra.NAME`; empty if there is no such array. Throws ModelError for another dtype.
    template <class T>
    std::vector<T> numbers(const std::string& name, const char* dtype) const {
        const auto at = extra.find(name);
        if (at == extra.end()) return {};
        require(at->second.dtype == dtype, "its array 'extra." + name + "' is not a list of " + dtype);
        return numbers_of<T>(at->second.data);
    }
    // The bytes of `extra.NAME`, of dtype U8.
    std::string_view bytes(const std::string& name) const;
};

// Reads the content of a container, all of which is checked. `around`: the word clusters of the model that this one is a part of,
// if it has some. Throws ModelError; see file/context.hpp.
ModelFile read_content(Container container, const std::shared_ptr<const WordClusters>& around);

// Reads a model file. Throws ModelError; `name` is the file's in messages, also of what is then made of the content.
ModelFile read_model(std::string_view file, const std::string& name);

}  // namespace sapwood::file

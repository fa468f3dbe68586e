#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/model_file.hpp"

#include "bindings/bindings.hpp"
#include "file/context.hpp"
#include "file/header_records.hpp"
#include "file/model_file.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Clusters = std::shared_ptr<const WordClusters>;  // null: there are none
using Buffer = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;

nb::dict dict_of(const file::Metadata& metadata) {
    nb::dict texts;
    for (const auto& [name, text] : metadata) texts[to_str(name)] = to_str(text);
    return texts;
}

nb::tuple shape_of(const file::Array& array) {
    nb::list counts;
    for (const uint64_t count : array.shape) counts.append(count);
    return nb::tuple(counts);
}

nb::tuple read_container(const Buffer& buffer) {
    const std::string_view bytes(reinterpret_cast<const char*>(buffer.data()), buffer.size());
    const file::Container found = interruptible([&] { return file::read_container(bytes); });
    nb::dict arrays;
    for (const auto& [name, array] : found.arrays) {
        const auto begin = static_cast<size_t>(array.data.data() - bytes.data());
        arrays[to_str(name)] = nb::make_tuple(array.dtype, shape_of(array), begin, begin + array.data.size());
    }
    return nb::make_tuple(dict_of(found.metadata), arrays);
}

// A model as Python values. Its tables and lists are moved out of it.
nb::dict values_of(file::ModelFile& model) {
    nb::list tables, word_lists;
    for (size_t n = 0; n < model.tables.size(); ++n) {
        const auto& names = model.names[n];
        tables.append(
            nb::make_tuple(nb::cast(std::move(model.tables[n])), names ? nb::object(to_str(*names)) : nb::none()));
    }
    for (auto& [name, list] : model.word_lists) word_lists.append(nb::make_tuple(name, nb::cast(std::move(list))));
    nb::dict extra, parts, values;
    for (const auto& [name, array] : model.extra)
        extra[to_str(name)] = nb::make_tuple(array.dtype, shape_of(array), to_bytes(array.data));
    for (auto& [name, part] : model.parts) parts[to_str(name)] = values_of(part);
    values["metadata"] = dict_of(model.metadata);
    values["tables"] = tables;
    values["word_lists"] = word_lists;
    values["clusters"] = nb::cast(std::const_pointer_cast<WordClusters>(model.clusters));
    values["frequent"] = bytes_of_numbers(model.frequent);
    values["seen"] = to_bytes(model.seen);
    values["extra"] = extra;
    values["parts"] = parts;
    return values;
}

nb::dict read_model(const nb::dict& metadata, const nb::dict& arrays, const Clusters& around) {
    file::Container container;
    for (const auto& [name, text] : metadata)
        container.metadata[nb::cast<std::string>(name)] = nb::cast<std::string>(text);
    for (const auto& [name, described] : arrays) {
        file::Array& array = container.arrays[nb::cast<std::string>(name)];
        array.dtype = nb::cast<std::string>(described[0]);
        for (const nb::handle count : described[1]) array.shape.push_back(nb::cast<uint64_t>(count));
        array.data = view(nb::cast<nb::bytes>(described[2]));
    }
    file::context() = {};
    try {
        file::ModelFile model = interruptible([&] { return file::read_content(std::move(container), around); });
        return values_of(model);
    } catch (const ModelError& error) {
        throw ModelError(file::context().before + error.what());
    }
}

template <class T>
T member(nb::handle object, const char* name) {
    return nb::cast<T>(object.attr(name));
}

// A member as it would be in a header.
file::Json json_of(nb::handle object, const char* name) {
    const nb::object text = nb::module_::import_("json").attr("dumps")(object.attr(name));
    return file::Json::read(nb::cast<std::string>(text), file::where_in_header(name));
}

}  // namespace

file::ModelFile without_weights(nb::handle model) {
    file::ModelFile found;
    found.task = member<std::string>(model, "task");
    found.pattern = member<std::string>(model, "template");
    found.labels = member<std::vector<std::string>>(model, "labels");
    found.columns = member<std::vector<std::string>>(model, "columns");
    found.label = member<size_t>(model, "label");
    file::require(found.label <= found.columns.size(), "the label is not one of the columns");
    found.options = json_of(model, "options");
    found.bits = member<unsigned>(model, "bits");
    found.scale = member<double>(model, "scale");
    found.word_lists = member<std::vector<std::pair<std::string, WordList>>>(model, "word_lists");
    found.clusters = member<Clusters>(model, "clusters");
    if (const nb::object calibration = model.attr("calibration"); !calibration.is_none()) {
        found.calibration.method = nb::cast<std::string>(calibration["method"]);
        found.calibration.curves = nb::cast<std::vector<std::vector<double>>>(calibration["curves"]);
    }
    for (const auto& [name, array] : member<nb::dict>(model, "extra")) {
        const nb::bytes data(array.attr("data"));
        found.extra[nb::cast<std::string>(name)] = {member<std::string>(array, "dtype"),
                                                    member<std::vector<uint64_t>>(array, "shape"), view(data),
                                                    keep_alive(data)};
    }
    return found;
}

file::ModelFile model_of(nb::handle model) {
    file::ModelFile found = without_weights(model);
    for (const nb::handle table : model.attr("tables"))
        found.tables.push_back(nb::cast<const PackedTable&>(table.attr("packed")));
    for (const auto& [name, part] : member<nb::dict>(model, "parts"))
        found.parts.emplace_back(nb::cast<std::string>(name), model_of(part));
    return found;
}

void bind_model_file(nb::module_& m) {
    m.def("read_container", &read_container, nb::arg("buffer"),
          nb::sig("def read_container(buffer: object) -> tuple[dict[str, str], dict[str, tuple[str, tuple[int, ...], "
                  "int, int]]]"),
          "Metadata, and of each array dtype, shape, begin and end in the buffer. Raises ModelError.");
    m.def("read_model", &read_model, nb::arg("metadata"), nb::arg("arrays"), nb::arg("around").none(),
          nb::sig("def read_model(metadata: dict[str, str], arrays: dict[str, tuple[str, tuple[int, ...], bytes]], "
                  "around: WordClusters | None) -> dict[str, typing.Any]"),
          "The content of a model file, checked. `around`: word clusters of the model that this is a part of. Raises "
          "ModelError.");
}

}  // namespace sapwood::bindings

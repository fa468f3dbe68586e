#include "file/model_file.hpp"

#include "file/context.hpp"

namespace sapwood::file {

const ModelFile* ModelFile::part(std::string_view name) const {
    for (const auto& [key, model] : parts)
        if (key == name) return &model;
    return nullptr;
}

std::string_view ModelFile::bytes(const std::string& name) const {
    const auto at = extra.find(name);
    if (at == extra.end()) return {};
    require(at->second.dtype == "U8", "its array 'extra." + name + "' is not a list of U8");
    return at->second.data;
}

}  // namespace sapwood::file

#include "text/joined_text.hpp"

#include <algorithm>

#include "text/plain_text.hpp"

namespace sapwood {

std::string Origins::line(std::string_view bytes, size_t offset, const std::string& name, size_t first_line) const {
    if (files_.empty()) return name + ":" + std::to_string(line_of(bytes, offset, first_line));
    const auto next = std::upper_bound(files_.begin(), files_.end(), offset,
                                       [](size_t at, const Origin& file) { return at < file.begin; });
    const Origin& file = *(next - 1);
    return file.name + ":" + std::to_string(line_of(bytes.substr(file.begin), offset - file.begin, file.first_line));
}

std::string_view end_of_sentence(std::string_view text) {
    if (text.empty() || text.ends_with("\n\n") || text.ends_with("\n\r\n")) return "";
    return text.ends_with('\n') ? "\n" : "\n\n";
}

std::string names_of(const std::vector<Origin>& files) {
    std::string names;
    for (const Origin& file : files) names += (names.empty() ? "" : " + ") + file.name;
    return names;
}

}  // namespace sapwood

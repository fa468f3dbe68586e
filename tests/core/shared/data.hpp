// Small inputs that tests write as string literals.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "features/extractor.hpp"
#include "features/template.hpp"
#include "text/columns.hpp"

// A column file named "data".
inline sapwood::Columns columns(const std::string& text, size_t first_line = 1) {
    auto owner = std::make_shared<std::string>(text);
    return sapwood::Columns(*owner, owner, "data", first_line);
}

// A template named "template" for data with the columns word, pos, label.
inline sapwood::Template compile(const std::string& text) {
    return sapwood::Template(text, "template", {{"word", "pos", "label"}, 2});
}

inline sapwood::Extractor extractor(const std::string& text, unsigned reach, std::vector<sapwood::WordList> lists = {},
                                    unsigned ahead = 0) {
    return sapwood::Extractor(compile(text), std::move(lists), reach, ahead);
}

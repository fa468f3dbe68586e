#include "features/conjunctions.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/hash.hpp"

namespace sapwood {

Conjunctions::Conjunctions(std::string_view text, const std::string& name, const std::vector<std::string>& atoms,
                           Absent absent)
    : names_(atoms), first_{0} {
    size_t number = 0;
    const auto fail = [&](const std::string& what) {
        throw TemplateError(name + ":" + std::to_string(number) + ": " + what);
    };
    while (!text.empty()) {
        ++number;
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line = line.substr(0, line.find('#'));
        std::string canonical;
        bool left_out = false;
        while (true) {
            line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
            if (line.empty()) break;
            const std::string_view atom = line.substr(0, line.find_first_of(" \t\r"));
            line.remove_prefix(atom.size());
            const auto at = std::find(names_.begin(), names_.end(), atom);
            if (at == names_.end()) fail("there is no atom '" + std::string(atom) + "' in this search");
            atoms_.push_back(static_cast<uint16_t>(at - names_.begin()));
            left_out |= absent != nullptr && absent(atom);
            canonical.append(canonical.empty() ? "" : " ").append(atom);
        }
        if (left_out) atoms_.resize(first_.back());
        if (left_out || canonical.empty()) continue;
        const uint64_t seed = hash_bytes(canonical);
        if (std::find(seeds_.begin(), seeds_.end(), seed) != seeds_.end())
            fail("this line is there already: " + canonical);
        seeds_.push_back(seed);
        first_.push_back(static_cast<uint32_t>(atoms_.size()));
    }
    if (seeds_.empty()) throw TemplateError(name + ": the template has no line");
}

size_t Conjunctions::keys(const uint64_t* values, uint64_t* out) const {
    uint64_t* to = out;
    for (size_t line = 0; line < seeds_.size(); ++line) to += key(line, values, to);
    return static_cast<size_t>(to - out);
}

size_t Conjunctions::keys(const uint64_t* values, uint64_t* out, uint32_t* lines) const {
    size_t n = 0;
    for (uint32_t line = 0; line < seeds_.size(); ++line) {
        lines[n] = line;
        n += key(line, values, out + n);
    }
    return n;
}

std::string Conjunctions::text(size_t line, const uint64_t* values,
                               const std::function<std::string(uint64_t)>& text_of) const {
    std::string text;
    for (uint16_t atom : atoms(line))
        text.append(text.empty() ? "" : " ").append(names_[atom]).append("=").append(text_of(values[atom]));
    return text;
}

}  // namespace sapwood

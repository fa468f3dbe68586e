// Edit scripts: the first line is a script, the others are forms to which it is applied. And the first line is a form,
// the others its words: scripts that make them are found.
#include "text/edit_script.hpp"

#include "base/errors.hpp"
#include "target.hpp"
#include "text/script_induction.hpp"

namespace sapwood::fuzz::edit_scripts {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    }
    return lines;
}

void apply(const std::vector<std::string>& lines) {
    const EditScript script(lines[0]);
    SAPWOOD_REQUIRE(script.text() == lines[0]);
    for (size_t k = 1; k < lines.size(); ++k) {
        const auto words = script.apply(lines[k]);
        SAPWOOD_REQUIRE(words.has_value() == (code_points(lines[k]) >= script.shortest()));
        if (!words) continue;
        SAPWOOD_REQUIRE(words->size() == script.words());
        for (const std::string& word : *words)
            SAPWOOD_REQUIRE(!word.empty() && find_invalid_utf8(word) == std::string::npos);
    }
}

void induce(std::vector<std::string> lines) {
    Rewriting example{lines[0], {lines.begin() + 1, lines.end()}};
    for (const EditScript& script : scripts_for(example)) {
        SAPWOOD_REQUIRE(EditScript(script.text()).apply(example.form) == example.words);
    }
    SAPWOOD_REQUIRE(EditScript(choose_scripts({example}).at(0)).apply(example.form) == example.words);
}

bool run(std::string_view input) {
    if (input.find('\0') != input.npos || find_invalid_utf8(input) != input.npos) return false;
    const std::vector<std::string> lines = lines_of(input);
    const bool applied = reads<ModelError>("", [&] { apply(lines); });
    const bool induced = reads<DataError>("", [&] { induce(lines); });
    return applied || induced;
}

std::vector<std::string> seeds() {
    return {"[:-3]y\ncities\nab\nabc",
            "[:1] \xD7\x94 [1:]\n\xD7\x91\xD7\x91\xD7\x99\xD7\xAA\nx",
            "[l:]\nThe\n",
            "c[:-1]\\[\\\\\\t [u:2]\\ a\nDon't\n\xC3\x89t\xC3\xA9",
            "don't\ndo\nn't",
            "CITIES\ncity",
            "a\n \\ []\nb\r"};
}

const Target target("edit_scripts", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::edit_scripts

// Feature templates for documents: a document's features have names, and different features of a line different ones.
#include <algorithm>

#include "base/errors.hpp"
#include "features/document_features.hpp"
#include "target.hpp"

namespace sapwood::fuzz::document_templates {
namespace {

const Documents& documents() {
    static const Documents two = [] {
        Documents documents(1, 2, "data");
        for (size_t d = 0; d < 2; ++d) {
            documents.add_field(d == 0 ? "drama" : "");
            documents.add_field(d == 0 ? "2.5" : "-3");
            for (const char* word : {"Oh", "caf\xC3\xA9", "no", "no"}) {
                if (documents.tokens().tokens() == 4 * d + 1) documents.mark_next();
                documents.add_cell(word);
            }
            documents.end_document("a", d + 1);
        }
        return documents;
    }();
    return two;
}

bool run(std::string_view input) {
    const auto read = [&] {
        const Template pattern(input, "template", Header{{"word"}, 1, true, {"genre", "price"}});
        const DocumentFeatures features(pattern,
                                        std::vector<WordList>(pattern.list_names().size(), WordList("no\nOh no\n")));
        features.check(documents());
        DocumentFeatures::Workspace workspace;
        FeatureRows rows;
        for (size_t d = 0; d < 2; ++d) features.read(documents(), d, workspace, rows);
        std::vector<uint64_t> keys = rows.keys();
        std::ranges::sort(keys);
        keys.erase(std::ranges::unique(keys).begin(), keys.end());
        std::vector<std::string> names = features.names(documents(), keys);
        for (const std::string& name : names) SAPWOOD_REQUIRE(!name.empty());
        // What one line expands to, another one may have as its own text.
        if (pattern.lines().size() > 1) return;
        std::ranges::sort(names);
        SAPWOOD_REQUIRE(std::ranges::adjacent_find(names) == names.end());
    };
    // A field that is no number, in an N line, is an error of the data.
    bool is_template = false;
    const bool fits = reads<DataError>("data:", [&] { is_template = reads<TemplateError>("template:", read); });
    return fits && is_template;
}

std::vector<std::string> seeds() {
    return {
        "U:bias\nU1:%x[-1,0]/%X[1,0]\nA2:%X[0,0] %shape[1,0]\nC3:%CHARS[0,0,2]\nN4:%before\nN5:%d[price]\n"
        "U6:%d[genre]/%x[@1,0]\nC7:%suffix[0,0,2]\n",
        "A:%in[0,0,\"no\"]\nU:%t[0,0,\"^\\u.*\"]%m[0,0,\".?$\"]\nN:%offset\nN2:%tokens\nN3:%after\n"};
}

const Target target("document_templates", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::document_templates

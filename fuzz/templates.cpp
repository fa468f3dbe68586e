// Feature templates for columns: those that compile give every token the features that they spell.
#include "features/template.hpp"

#include "base/errors.hpp"
#include "small_models.hpp"
#include "target.hpp"

namespace sapwood::fuzz::templates {
namespace {

// A model of three labels that has no weights.
Tagger empty_tagger(const Template& pattern, Search search, unsigned order) {
    const SequenceSpec spec{search, order, {"B-NP", "I-NP", "O"}};
    std::vector<PackedTable> tables;
    for (size_t t = 0; t < spec.tables(); ++t) {
        PlainTable<int8_t> table;
        table.width = spec.width(t);
        tables.push_back(pack(table));
    }
    return Tagger(spec, small_extractor(pattern, spec), {}, tables, 8, 1);
}

bool run(std::string_view input) {
    static const Columns data = columns_of(kSmallColumns);
    return reads<TemplateError>("template:", [&] {
        const Template pattern = small_template(input);
        const uint64_t choice = number_of(input);
        const Search search[] = {Search::argmax, Search::greedy, Search::easiest_first, Search::viterbi};
        const Tagger tagger = empty_tagger(pattern, search[choice % 4], 1 + choice / 4 % 2);
        SAPWOOD_REQUIRE(tagger.tag(data, 1) == std::vector<Label>(data.tokens(), 0));
        const Extractor& extractor = tagger.extractor();
        for (unsigned group = 0; group < kLineGroups; ++group)
            for (size_t f = 0; f < extractor.lines(group); ++f)
                for (size_t i = 0; i < 3; ++i)
                    SAPWOOD_REQUIRE(!extractor.name(extractor.line(group, f), data, 0, 3, i).empty());
        if (choice % 16 == 0) TaggerTrainer(data, 2, small_extractor(pattern, {}), {}).step(100);
    });
}

std::vector<std::string> seeds() {
    return {kSmallTemplate, "U:%x[0,0]\n# all columns\n*1:%x[-1,1]/%x[1,1]\n"};
}

const Target target("templates", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::templates

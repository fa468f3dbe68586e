// Feature templates for parsers: those that can be used parse a treebank.
#include "base/errors.hpp"
#include "model/freeze_options.hpp"
#include "parsing/treebank.hpp"
#include "small_models.hpp"
#include "target.hpp"

namespace sapwood::fuzz::parser_templates {
namespace {

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

// Of the search whose section there is, with labels that come second if they have a section.
ParserSpec spec_of(std::string_view text) {
    ParserSpec spec = small_parser().spec();
    spec.features = text;
    if (has(text, "[arcs]")) spec.search = ParserSearch::eisner, spec.labelling = Labelling::none;
    if (has(text, "[siblings]")) spec.order = 2;
    if (has(text, "[attachments]")) spec.search = ParserSearch::easy_first;
    if (has(text, "[labels]")) spec.labelling = Labelling::second_stage;
    return spec;
}

bool run(std::string_view input) {
    static const Conllu data = conllu_of(kSmallTreebank);
    if (find_invalid_utf8(input) != input.npos) return false;  // the template comes from Python as text
    return reads<TemplateError>("", [&] {
        const ParserSpec spec = spec_of(input);
        std::vector<PackedTable> tables;
        for (const size_t width : spec.widths()) {
            PlainTable<int8_t> table;
            table.width = width;
            tables.push_back(pack(table));
        }
        const Parser parser(spec, tables, 8, 1);
        LabelSet labels;
        const Conllu parsed = conllu_of(parser.annotate(data, 1));
        for (size_t s = 0; s < parsed.sentences(); ++s) read_tree(parsed, s, true, labels);
        if (number_of(input) % 8 != 0) return;
        ParserTrainer trainer = parser_trainer(data, spec, {});
        trainer.step(SIZE_MAX);
        freeze(trainer, {8, 0});
    });
}

std::vector<std::string> seeds() {
    return {kSmallParserTemplate, "# a comment\n[arcs]\nhw mw\nht mt bt\nh+1t mt\n[siblings]\nst mt\nhw st mw\n",
            "[attachments]\np0t p1t\np0w\np1w p2t\np0rd p1t\n[labels]\nhw mw\nmt d\n",
            "[arcs]\nhw\n[labels]\nmt m-1t\n"};
}

const Target target("parser_templates", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::parser_templates

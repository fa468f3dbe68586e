#include "parsing/parser_explainer.hpp"

#include <algorithm>
#include <memory>

#include "parsing/committee.hpp"
#include "parsing/sentence_explainer.hpp"

namespace sapwood {

std::string flaw_of(const Question& question, const ParserSpec& spec) {
    const std::string& against = question.against;
    const bool is_number = against.find_first_not_of("0123456789") == std::string::npos;
    const bool is_shift = against == "shift" && spec.traits().shifts;
    if (is_number || is_shift || std::ranges::find(spec.labels, against) != spec.labels.end()) return {};
    return "the parser has no label '" + against + "'; a head is given by its number";
}

std::string explain_parses(const Parser& parser, const Conllu& data, const Question& question, size_t begin, size_t end,
                           size_t threads) {
    const ParserSpec& spec = parser.spec();
    if (const std::string flaw = flaw_of(question, spec); !flaw.empty()) throw OptionError(flaw);
    const OutputNames outputs = output_names(spec);
    end = std::min(end, data.sentences());
    std::vector<std::vector<Tree>> votes;  // [members][sentences]
    if (parser.has_committee() && begin < end)
        votes = parser.parse_by_all(
            end - begin, [&](const ParserSpec& of, size_t s, Words& words) { read_words(data, begin + s, of, words); },
            threads);
    return json_lines(question, begin, end, threads, parser.model().scale(), [&] {
        return [&, explainer = make_sentence_explainer(parser), sentence = ExplainedSentence(spec, outputs, question),
                words = Words()](size_t s, const TakeExplanation& take) mutable {
            read_words(data, s, spec, words);  // which checks the length
            const auto cell = [&](size_t w, Field field) { return data.cell(w, field); };
            sentence.read(data.begin(s), data.end(s), cell);
            if (votes.empty()) return explainer->explain(sentence, take);
            const Tree &own = votes[0][s - begin], &given = votes[chosen_member(votes, s - begin)][s - begin];
            explainer->explain(sentence, [&](Explanation& explanation) {
                const size_t m = explanation.token + 1;
                if (!has_arc(own, given, m))
                    explanation.outvoted = sentence.arc(given.heads[m], parser.labels().name(given.labels[m]));
                take(explanation);
            });
        };
    });
}

}  // namespace sapwood

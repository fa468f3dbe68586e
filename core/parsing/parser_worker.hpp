// The search that a ParserSpec asks for, made of its template, and the labeller behind it. Parsing has one of each in
// every thread, training one that learns.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "parsing/arc_labeller.hpp"
#include "parsing/easy_first_parser.hpp"
#include "parsing/eisner_parser.hpp"
#include "parsing/parser_spec.hpp"
#include "parsing/transition_parser.hpp"

namespace sapwood {

template <class Transition, class EasyFirst, class Eisner>
std::variant<Transition, EasyFirst, Eisner> make_search(const ParserSpec& spec) {
    if (spec.search == ParserSearch::beam)
        return Transition(spec.section("transitions", TransitionContext::atoms()),
                          TransitionOutputs{spec.searched(), spec.single_root}, spec.beam);
    if (spec.search == ParserSearch::easy_first)
        return EasyFirst(spec.section("attachments", EasyFirstContext::atoms()),
                         AttachmentOutputs{spec.searched(), spec.single_root});
    std::optional<Conjunctions> siblings;
    if (spec.order == 2) siblings = spec.section("siblings", ArcFeatures::atoms("s"));
    return Eisner(spec.section("arcs", ArcFeatures::atoms("b")), siblings, spec.single_root);
}

inline std::optional<ArcLabeller> make_labeller(const ParserSpec& spec) {
    if (spec.labelling != Labelling::second_stage) return std::nullopt;
    return ArcLabeller(spec.section("labels", ArcLabelContext::atoms()), spec.relations(),
                       static_cast<uint32_t>(spec.widths().size() - 1));
}

template <ScoringTable Table>
class ParserWorker {
  public:
    explicit ParserWorker(const ParserSpec& spec)
        : search_(make_search<TransitionParser<Table>, EasyFirstParser<Table>, EisnerParser<Table>>(spec)),
          labeller_(make_labeller(spec)) {}

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        std::visit([&](auto& search) { search.parse(tables, words, tree); }, search_);
        label(tables, words, tree);
    }

    // Of an Eisner parser of order 1.
    void n_best(const std::vector<Table>& tables, const Words& words, size_t count, std::vector<Tree>& trees,
                std::vector<double>& scores) {
        std::get<EisnerParser<Table>>(search_).n_best(tables, words, count, trees, scores);
        for (Tree& tree : trees) label(tables, words, tree);
    }

  private:
    void label(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        if (labeller_) labeller_->label(tables.back(), words, tree);
    }

    std::variant<TransitionParser<Table>, EasyFirstParser<Table>, EisnerParser<Table>> search_;
    std::optional<ArcLabeller> labeller_;
};

}  // namespace sapwood

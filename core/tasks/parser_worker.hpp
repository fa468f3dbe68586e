// The search that a shape asks for, made of its template, and the labeller behind it. The parsers hold one of
// each a thread, the trainer one of the learning kind.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "tasks/arc_labeller.hpp"
#include "tasks/easy_first_parser.hpp"
#include "tasks/eisner_parser.hpp"
#include "tasks/parser_model.hpp"
#include "tasks/transition_parser.hpp"

namespace sapwood {

template <class Transition, class EasyFirst, class Eisner>
std::variant<Transition, EasyFirst, Eisner> make_search(const ParserShape& shape) {
    if (shape.search == ParserSearch::beam)
        return Transition(shape.section("transitions", TransitionContext::atoms()),
                          TransitionOutputs{shape.searched(), shape.single_root}, shape.beam);
    if (shape.search == ParserSearch::easy_first)
        return EasyFirst(shape.section("attachments", EasyFirstContext::atoms()),
                         AttachmentOutputs{shape.searched(), shape.single_root});
    std::optional<Conjunctions> siblings;
    if (shape.order == 2) siblings = shape.section("siblings", ArcFeatures::atoms("s"));
    return Eisner(shape.section("arcs", ArcFeatures::atoms("b")), siblings, shape.single_root);
}

inline std::optional<ArcLabeller> make_labeller(const ParserShape& shape) {
    if (shape.labelling != Labelling::second_stage) return std::nullopt;
    return ArcLabeller(shape.section("labels", ArcLabelContext::atoms()), shape.relations(),
                       static_cast<uint32_t>(shape.widths().size() - 1));
}

template <class Table>
class ParserWorker {
  public:
    explicit ParserWorker(const ParserShape& shape)
        : search_(make_search<TransitionParser<Table>, EasyFirstParser<Table>, EisnerParser<Table>>(shape)),
          labeller_(make_labeller(shape)) {}

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

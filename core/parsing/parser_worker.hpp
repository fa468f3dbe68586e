// The search that a ParserSpec asks for, made of its template, and the labeller behind it. Parsing has one of each in
// every thread, training one that learns.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "model/frozen_table.hpp"
#include "parsing/arc_labeller.hpp"
#include "parsing/easy_first_parser.hpp"
#include "parsing/eisner_parser.hpp"
#include "parsing/parser_spec.hpp"
#include "parsing/transition_parser.hpp"

namespace sapwood {

// scale: the unit of the tables' weights; infinite in training, where no gap counts.
template <class Transition, class EasyFirst, class Eisner>
std::variant<Transition, EasyFirst, Eisner> make_search(const ParserSpec& spec, double scale) {
    if (spec.search == ParserSearch::beam)
        return Transition(spec.section("transitions", TransitionContext::atoms()),
                          TransitionOutputs{spec.searched(), spec.single_root}, spec.beam, spec.gap / scale);
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
    // scale: the unit of the tables' weights.
    ParserWorker(const ParserSpec& spec, double scale)
        : search_(make_search<TransitionParser<Table>, EasyFirstParser<Table>, EisnerParser<Table>>(spec, scale)),
          labeller_(make_labeller(spec)) {
        if (!std::is_same_v<Table, FrozenTable<int8_t>> || !spec.traits().shifts) return;
        const Conjunctions transitions = spec.section("transitions", TransitionContext::atoms());
        if (transitions.lines() <= kLinesIn16Bits)
            in_16_bits_.emplace(transitions, TransitionOutputs{spec.searched(), spec.single_root}, spec.beam,
                                spec.gap / scale);
    }

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        if (in_16_bits_)
            in_16_bits_->parse(tables, words, tree);
        else
            std::visit([&](auto& search) { search.parse(tables, words, tree); }, search_);
        label(tables, words, tree);
    }

    // The least gap with which a beam parser gives the last sentence the same tree, as far as that can be told, in units
    // of the tables' weights.
    double gap() { return in_16_bits_ ? in_16_bits_->gap() : std::get<TransitionParser<Table>>(search_).gap(); }

    // The same as parse, and calls arc(m, margin) and relation(m, margin) for the words whose arcs, or labels of a second stage, had a
    // rival.
    template <class Arc, class Relation>
    void parse_with_margins(const std::vector<Table>& tables, const Words& words, Tree& tree, Arc&& arc,
                            Relation&& relation) {
        if (in_16_bits_)
            in_16_bits_->parse_with_margins(tables, words, tree, arc);
        else
            std::visit([&](auto& search) { search.parse_with_margins(tables, words, tree, arc); }, search_);
        if (labeller_) labeller_->label_with_margins(tables.back(), words, tree, relation);
    }

    // Of an Eisner parser of order 1.
    void n_best(const std::vector<Table>& tables, const Words& words, size_t count, std::vector<Tree>& trees,
                std::vector<double>& scores) {
        std::get<EisnerParser<Table>>(search_).n_best(tables, words, count, trees, scores);
        for (Tree& tree : trees) label(tables, words, tree);
    }

  private:
    static constexpr size_t kLinesIn16Bits = 256;  // sums of so many int8 do not overflow
    using In16Bits = std::conditional_t<std::is_same_v<Table, FrozenTable<int8_t>>, TransitionParser<Table, int16_t>,
                                        TransitionParser<Table>>;

    void label(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        if (labeller_) labeller_->label(tables.back(), words, tree);
    }

    std::variant<TransitionParser<Table>, EasyFirstParser<Table>, EisnerParser<Table>> search_;
    std::optional<In16Bits> in_16_bits_;  // a beam parser that sums the scores of int8 weights in half of the memory
    std::optional<ArcLabeller> labeller_;
};

}  // namespace sapwood

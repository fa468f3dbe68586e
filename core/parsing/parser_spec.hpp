// What training and parsing must agree on: which search, which labels, which table holds which features.
//
//     search       template section, table by table
//     eisner       [arcs], [siblings] (order 2)           arcs: no label
//     easy-first   [attachments]                          labels joint, or none
//     beam         [transitions]                          labels joint, or none
//
// and [labels], in a table behind these, where the labels are given in a second stage.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "features/conjunctions.hpp"
#include "features/words.hpp"
#include "search/tree.hpp"
#include "text/conllu.hpp"

namespace sapwood {

enum class ParserSearch { eisner, easy_first, beam };
enum class Labelling { joint, second_stage, none };
struct ParserSearchTraits {
    const char* name;     // by which users ask for it
    bool whole = false;   // it finds the best of all trees, in cubic time; arcs get their labels later
    bool shifts = false;  // its decisions are transitions, one of which is the shift
};
inline constexpr ParserSearchTraits kParserSearchTraits[] = {// by ParserSearch
                                                             {.name = "eisner", .whole = true},
                                                             {.name = "easy-first"},
                                                             {.name = "beam", .shifts = true}};
inline constexpr const char* kParserSearches[] = {kParserSearchTraits[0].name, kParserSearchTraits[1].name,
                                                  kParserSearchTraits[2].name};
inline constexpr const char* kLabellings[] = {"joint", "second-stage", "none"};

struct ParserSpec {
    ParserSearch search = ParserSearch::beam;
    unsigned order = 1;  // of Eisner
    size_t beam = 8;
    double gap = 0;  // what is further behind the best configuration of a beam is dropped; 0: nothing is
    bool single_root = true;
    Labelling labelling = Labelling::joint;
    bool fill_tags = false;  // the first tag is made of the other two (features/words.hpp)

    template <class Visit>
    void each(Visit&& visit) {
        visit("search", search, kParserSearches);
        visit("order", order);
        visit("beam", beam);
        visit("gap", gap);
        visit("single_root", single_root);
        visit("labelling", labelling, kLabellings);
        visit("fill_tags", fill_tags);
    }

    std::string features;                          // the template's text
    std::shared_ptr<const WordClusters> clusters;  // null: lines that look at them are left out
    std::vector<Field> tags;                       // the columns read beside the form: first tag, second tag, features
    std::vector<std::string> labels;  // in order of first appearance; lifted arcs' are "label↑head's label"
    std::vector<uint32_t> root_labels, left_labels, right_labels;  // see Relations

    const ParserSearchTraits& traits() const { return kParserSearchTraits[static_cast<size_t>(search)]; }
    // Whether each decision is learned by itself, and not the tree.
    bool decides_alone() const { return !traits().whole && (!traits().shifts || beam == 1); }
    // Whether it has the exact n best trees.
    bool ranks_trees() const { return traits().whole && order == 1; }

    // The labels that the search itself gives.
    Relations searched() const { return labelling == Labelling::joint ? relations() : Relations::unlabelled(); }
    Relations relations() const {
        Relations r{{}, root_labels, left_labels, right_labels};
        for (const std::string& label : labels) r.hashes.push_back(hash_bytes(label));
        return r;
    }
    // Outputs of each table.
    std::vector<size_t> widths() const;

    // Takes the names of all labels, and of those of `relations()`. Throws ModelError if these are not some of the
    // labels, in their order.
    void set_labels(const std::vector<std::string>& all, const std::vector<std::string>& root,
                    const std::vector<std::string>& left, const std::vector<std::string>& right);

    // Returns for each table the number here of each output of `before`, a parser with only the first of these labels.
    std::vector<std::vector<uint32_t>> outputs_of(const ParserSpec& before) const;

    // Throws OptionError for a search that does not go with the labelling, ModelError for labels that do not
    // fit each other.
    void check() const;

    // Whether a line of the template looks at the cluster of a word.
    static bool looks_at_clusters(std::string_view features);

    // The lines of one section of the template. Throws TemplateError.
    Conjunctions section(const std::string& name, const std::vector<std::string>& atoms) const;
};

// Adds the words begin..end - 1 of a sentence, whose cells are cell(word, field).
template <class Cell>
void add_words(size_t begin, size_t end, const ParserSpec& spec, Cell&& cell, Words& words) {
    words.clear(spec.clusters.get(), spec.fill_tags);
    for (size_t w = begin; w < end; ++w) {
        const auto tag = [&](size_t k) { return k < spec.tags.size() ? cell(w, spec.tags[k]) : std::string_view("_"); };
        words.add(cell(w, Field::form), tag(0), tag(1), tag(2));
        StopCheck::every(w);
    }
    words.end();
}

// Reads one sentence's words. Throws DataError if there are more than the search has memory for.
void read_words(const Conllu& data, size_t sentence, const ParserSpec& spec, Words& words);

// A warning about the longest sentence, in one line, if the search needs more than a few seconds for it; otherwise
// empty.
std::string slow_sentence(const Conllu& data, const ParserSpec& spec);

}  // namespace sapwood

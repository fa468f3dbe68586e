#include "parsing/output_names.hpp"

namespace sapwood {

namespace {

constexpr const char* kDistances[] = {"1", "2", "3", "4", "5", "6-10", "11+"};  // as distance_output numbers them

// Adds a move with each of the labels, or alone where the search gives none.
void add_moves(const std::string& move, const std::vector<uint32_t>& labels, const ParserSpec& spec,
               std::vector<OutputName>& to) {
    if (spec.labelling != Labelling::joint) return to.push_back({move, {}});
    for (const uint32_t label : labels) to.push_back({move + " " + spec.labels[label], spec.labels[label]});
}

std::vector<OutputName> arc_outputs(const std::string& part) {
    std::vector<OutputName> outputs{{part, {}}};
    for (const char* distance : kDistances)
        for (const char* side : {" left ", " right "}) outputs.push_back({part + side + distance, {}});
    return outputs;
}

}  // namespace

OutputNames output_names(const ParserSpec& spec) {
    OutputNames tables;
    std::vector<uint32_t> all(spec.labels.size());
    for (uint32_t label = 0; label < all.size(); ++label) all[label] = label;
    if (spec.traits().whole) {
        for (const char* part : {"arc", "sibling"})
            if (tables.size() < spec.order) tables.push_back(arc_outputs(part));
    } else if (spec.traits().shifts) {
        std::vector<OutputName>& moves = tables.emplace_back(1, OutputName{"shift", {}});
        add_moves("root", spec.root_labels, spec, moves);
        add_moves("left", spec.left_labels, spec, moves);
        add_moves("right", spec.right_labels, spec, moves);
    } else {
        add_moves("attach left", all, spec, tables.emplace_back());
        add_moves("attach right", all, spec, tables.back());
    }
    if (spec.labelling == Labelling::second_stage) {
        tables.emplace_back();
        for (const std::string& label : spec.labels) tables.back().push_back({label, label});
    }
    return tables;
}

}  // namespace sapwood

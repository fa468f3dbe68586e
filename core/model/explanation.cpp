#include "model/explanation.hpp"

#include <cmath>

#include "text/json.hpp"
#include "text/numbers.hpp"

namespace sapwood {

namespace {

void append_double(std::string& out, double number) {
    append_exact(out, number == 0 ? 0 : number);  // no minus
}

void append_value(std::string& out, double value) {
    if (value == 1)
        out += '1';
    else if (value == -1)
        out += "-1";
    else
        append_double(out, value);
}

}  // namespace

void ScaledNumbers::append(std::string& out, double number) {
    if (std::abs(number) > kMost || number != std::floor(number)) return append_double(out, number * factor_);
    std::string& text = texts_[static_cast<size_t>(static_cast<int>(number) + kMost)];
    if (text.empty()) append_double(text, number * factor_);
    out += text;
}

void append_json(const Explanation& e, ScaledNumbers& numbers, std::string& out) {
    const auto add_text = [&](std::string_view name, std::string_view text) {
        out += name;
        append_json_string(out, text);
    };
    out += "{\"sentence\": " + std::to_string(e.sentence + 1) + ", \"token\": " + std::to_string(e.token + 1);
    add_text(", \"word\": ", e.word);
    add_text(", \"decision\": ", e.decision);
    add_text(", \"chosen\": ", e.chosen);
    if (e.against)
        add_text(", \"against\": ", *e.against);
    else
        out += ", \"against\": null";
    out += ", \"margin\": ";
    numbers.append(out, e.margin);
    out += ", \"scale\": ";
    append_double(out, numbers.scale());
    std::vector<std::pair<double, uint32_t>> order;
    for (uint32_t k = 0; k < e.reasons.size(); ++k) order.push_back({-std::abs(e.reasons[k].contribution()), k});
    std::ranges::sort(order);
    out += ", \"features\": [";
    for (size_t k = 0; k < order.size(); ++k) {
        const Reason& r = e.reasons[order[k].second];
        add_text(k == 0 ? "{\"text\": " : ", {\"text\": ", e.features[r.feature]);
        add_text(", \"label\": ", r.label);
        out += ", \"value\": ";
        append_value(out, r.value);
        out += ", \"weight\": ";
        numbers.append(out, r.weight);
        out += ", \"contribution\": ";
        numbers.append(out, r.contribution());
        out += '}';
    }
    out += "], \"flip\": ";
    if (e.flip) {
        add_text("{\"to\": ", e.flip->to);
        out += ", \"features\": [";
        for (size_t k = 0; k < e.flip->features.size(); ++k) add_text(k == 0 ? "" : ", ", e.flip->features[k]);
        out += "]";
        if (e.flip->is_searched)
            out += e.flip->is_fewest ? ", \"searched\": true, \"fewest\": true" : ", \"searched\": true";
        out += "}";
    } else {
        out += "null";
    }
    out += "}\n";
}

std::optional<std::vector<uint32_t>> fewest_features(std::span<const double> contributions, double margin,
                                                     bool wins_ties, size_t most) {
    double sum = 0, largest = 0;
    for (const double c : contributions) sum += std::max(c, 0.0), largest = std::max(largest, c);
    const auto enough = [&](double taken) { return taken > margin || (wins_ties && taken == margin); };
    if (!enough(sum) || !enough(largest * static_cast<double>(most))) return std::nullopt;
    std::vector<uint32_t> order, found;
    for (uint32_t f = 0; f < contributions.size(); ++f)
        if (contributions[f] > 0) order.push_back(f);
    const auto smaller = [&](uint32_t a, uint32_t b) {
        return contributions[a] != contributions[b] ? contributions[a] < contributions[b] : a > b;
    };
    std::make_heap(order.begin(), order.end(), smaller);
    double left = margin;
    while (!order.empty() && found.size() < most) {
        std::pop_heap(order.begin(), order.end(), smaller);
        found.push_back(order.back());
        order.pop_back();
        left -= contributions[found.back()];
        if (left < 0 || (wins_ties && left == 0)) return found;
    }
    return std::nullopt;
}

std::optional<std::vector<uint32_t>> fewest_features(const std::vector<Reason>& reasons, double margin,
                                                     bool wins_ties) {
    std::vector<double> contributions;
    for (const Reason& r : reasons) {
        if (contributions.size() <= r.feature) contributions.resize(r.feature + 1);
        contributions[r.feature] += r.contribution();
    }
    return fewest_features(contributions, margin, wins_ties, contributions.size());
}

std::optional<Flip> flip_of(const Explanation& explanation) {
    const auto found = fewest_features(explanation.reasons, explanation.margin, false);
    if (!found) return std::nullopt;
    Flip flip{*explanation.against, {}, {}, false};
    for (const uint32_t f : *found) {
        flip.features.push_back(explanation.features[f]);
        if (!explanation.ids.empty()) flip.ids.push_back(explanation.ids[f]);
    }
    return flip;
}

}  // namespace sapwood

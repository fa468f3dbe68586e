#include "model/explanation.hpp"

#include <charconv>
#include <cmath>
#include <numeric>

#include "text/json.hpp"

namespace sapwood {

namespace {

void append_double(std::string& out, double number) {
    char digits[32];
    if (number == 0) number = 0;  // no minus
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void append_json(const Explanation& e, double scale, std::string& out) {
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
    append_double(out, e.margin * scale);
    out += ", \"scale\": ";
    append_double(out, scale);
    std::vector<uint32_t> order(e.reasons.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
        return std::abs(e.reasons[a].contribution()) > std::abs(e.reasons[b].contribution());
    });
    out += ", \"features\": [";
    for (size_t k = 0; k < order.size(); ++k) {
        const Reason& r = e.reasons[order[k]];
        add_text(k == 0 ? "{\"text\": " : ", {\"text\": ", r.text);
        add_text(", \"label\": ", r.label);
        out += ", \"value\": ";
        append_double(out, r.value);
        out += ", \"weight\": ";
        append_double(out, r.weight * scale);
        out += ", \"contribution\": ";
        append_double(out, r.contribution() * scale);
        out += '}';
    }
    out += "], \"flip\": ";
    if (e.flip) {
        add_text("{\"to\": ", e.flip->to);
        out += ", \"features\": [";
        for (size_t k = 0; k < e.flip->features.size(); ++k) add_text(k == 0 ? "" : ", ", e.flip->features[k]);
        out += "]}";
    } else {
        out += "null";
    }
    out += "}\n";
}

std::optional<std::vector<uint32_t>> fewest_features(const std::vector<double>& contributions, double margin,
                                                     bool wins_ties, size_t most) {
    std::vector<uint32_t> order;
    for (uint32_t f = 0; f < contributions.size(); ++f)
        if (contributions[f] > 0) order.push_back(f);
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return contributions[a] > contributions[b]; });
    double left = margin;
    for (size_t k = 0; k < std::min(order.size(), most); ++k) {
        left -= contributions[order[k]];
        if (left < 0 || (wins_ties && left == 0)) {
            order.resize(k + 1);
            return order;
        }
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

}  // namespace sapwood

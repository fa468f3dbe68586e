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

std::string flaw_of(const Question& question, size_t sentences, const std::string& unit) {
    if (!question.sentence || *question.sentence < sentences) return {};
    return "there is no " + unit + " " + std::to_string(*question.sentence + 1) + "; there are " +
           std::to_string(sentences);
}

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
    if (e.outvoted) add_text(", \"outvoted\": ", *e.outvoted);
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
    out += "]}\n";
}

}  // namespace sapwood

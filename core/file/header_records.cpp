#include "file/header_records.hpp"

#include <algorithm>

#include "file/context.hpp"

namespace sapwood::file {

namespace {

using Kind = Json::Kind;

constexpr size_t kQuantiles = 4;

bool is_abstention(const Json& value) {
    return has_form(value, {{"target", &Json::is_string},
                            {"value", &Json::is_number},
                            {"thresholds", &Json::is_numbers},
                            {"coverage", &Json::is_number},
                            {"precision", &Json::is_number},
                            {"interval", &Json::is_numbers},
                            {"noise", &Json::is_number}});
}

FrequentShares shares_in(const Json& each, const std::vector<std::string>& names) {
    FrequentShares found{
        each.find("share")->number, numbers_of(*each.find("sentences")), numbers_of(*each.find("windows")), "", {}};
    if (const Json* name = each.find("name")) found.name = name->text;
    if (const Json* empty = each.find("empty")) found.empty = numbers_of(*empty);
    require(found.name.empty() || std::ranges::find(names, found.name) != names.end(),
            "'familiarity' in its header has other columns than the training data");
    std::vector<double> all{found.share};
    for (const auto* more : {&found.sentences, &found.windows, &found.empty})
        all.insert(all.end(), more->begin(), more->end());
    const auto is_size = [](size_t size) { return size == 0 || size == kQuantiles; };
    require(is_size(found.sentences.size()) && is_size(found.windows.size()) &&
                (found.empty.empty() || found.empty.size() == 2) &&
                std::ranges::all_of(all, [](double share) { return share >= 0 && share <= 1; }),
            "'familiarity' in its header does not have 4 shares between 0 and 1");
    return found;
}

}  // namespace

std::string where_in_header(const char* key) {
    return std::string("'") + key + "' in its header";
}

void require_form(bool fits, const char* key, const std::string& form) {
    require(fits, where_in_header(key) + " is not of the form " + form);
}

bool has_form(const Json& value, std::initializer_list<Member> members) {
    const auto fits = [&](const Member& member) {
        const Json* found = value.find(member.name);
        return found == nullptr ? member.optional : (found->*member.form)();
    };
    const auto is_known = [&](const auto& each) {
        return std::ranges::find(members, each.first, &Member::name) != members.end();
    };
    return value.is(Kind::object) && std::ranges::all_of(members, fits) && std::ranges::all_of(value.members, is_known);
}

std::vector<std::string> strings_of(const Json& list) {
    std::vector<std::string> found;
    for (const Json& item : list.items) found.push_back(item.text);
    return found;
}

std::vector<double> numbers_of(const Json& list) {
    std::vector<double> found;
    for (const Json& item : list.items) found.push_back(item.number);
    return found;
}

CalibrationRecord calibration_in(const Json& calibration) {
    const Json* abstention = calibration.find("abstention");
    const bool fits =
        has_form(calibration,
                 {{"method", &Json::is_string}, {"curves", &Json::is_curves}, {"abstention", &Json::is_object, true}});
    require_form(
        fits && (abstention == nullptr || is_abstention(*abstention)), "calibration",
        "{method: str, curves: list of list of float, abstention: {target: str, value: float, thresholds: list "
        "of float, coverage: float, precision: float, interval: list of float, noise: float}}");
    CalibrationRecord found{calibration.find("method")->text, {}, {}};
    require(!found.method.empty(), where_in_header("calibration") + " has no method");
    for (const Json& curve : calibration.find("curves")->items) found.curves.push_back(numbers_of(curve));
    if (abstention != nullptr) found.least = numbers_of(*abstention->find("thresholds"));
    return found;
}

std::vector<FrequentShares> familiarity_in(const Json& shares, const std::vector<std::string>& names) {
    bool fits = shares.is(Kind::array);
    for (const Json& each : shares.items)
        fits = fits && has_form(each, {{"share", &Json::is_number},
                                       {"sentences", &Json::is_numbers},
                                       {"windows", &Json::is_numbers},
                                       {"name", &Json::is_string, true},
                                       {"empty", &Json::is_numbers, true}});
    require_form(fits, "familiarity",
                 "list of {share: float, sentences: list of float, windows: list of float, name: str, empty: list of "
                 "float}");
    require(shares.items.size() <= names.size(),
            "'familiarity' in its header has other columns than the training data");
    std::vector<FrequentShares> found;
    for (const Json& each : shares.items) found.push_back(shares_in(each, names));
    return found;
}

}  // namespace sapwood::file

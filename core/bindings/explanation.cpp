#include "model/explanation.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <tuple>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/convert.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

// A feature of the difference: its text, the output that the weight is for, value and weight.
using FeatureRow = std::tuple<std::string, std::string, double, double>;

struct Features {
    std::vector<std::string> texts;
    std::vector<Reason> reasons;
};

Features features_of(const std::vector<FeatureRow>& rows) {
    Features found;
    std::map<std::string_view, uint32_t> numbers;
    for (const auto& [text, label, value, weight] : rows) {
        if (value * weight == 0) continue;
        const auto [at, is_new] = numbers.try_emplace(text, static_cast<uint32_t>(found.texts.size()));
        if (is_new) found.texts.push_back(text);
        found.reasons.push_back({at->second, label, value, weight});
    }
    return found;
}

nb::bytes explanation_line(size_t sentence, std::string decision, std::string chosen,
                           std::optional<std::string> against, double margin, double scale,
                           const std::vector<FeatureRow>& features) {
    Features found = features_of(features);
    const Explanation explanation{.sentence = sentence,
                                  .decision = std::move(decision),
                                  .chosen = std::move(chosen),
                                  .against = std::move(against),
                                  .margin = margin,
                                  .features = std::move(found.texts),
                                  .reasons = std::move(found.reasons)};
    ScaledNumbers numbers(scale, true);
    std::string line;
    append_json(explanation, numbers, line);
    return to_bytes(line);
}

}  // namespace

void bind_explanation(nb::module_& m) {
    m.def("explanation_line", &explanation_line, nb::arg("sentence"), nb::arg("decision"), nb::arg("chosen"),
          nb::arg("against").none(), nb::arg("margin"), nb::arg("scale"), nb::arg("features"),
          "An explanation as a line of JSON. A feature is text, label, value and weight. Sentences are counted from 0; "
          "weights have the scale already.");
    nb::class_<Question>(m, "Question", "Which decisions are explained, and against what.")
        .def(
            "__init__",
            [](Question* self, std::optional<size_t> sentence, std::optional<size_t> token, std::string against) {
                new (self) Question{sentence, token, std::move(against)};
            },
            nb::kw_only(), nb::arg("sentence").none() = nb::none(), nb::arg("token").none() = nb::none(),
            nb::arg("against") = "",
            "Sentences and tokens are counted from 0; None is all of them, and no `against` the second best.")
        .def(
            "check",
            [](const Question& self, size_t count, const std::string& unit) {
                if (const std::string flaw = flaw_of(self, count, unit); !flaw.empty()) throw OptionError(flaw);
            },
            nb::arg("count"), nb::arg("unit") = "sentence",
            "Raise OptionError if the sentence, or another unit, is not among so many.")
        .def_ro("sentence", &Question::sentence)
        .def_ro("token", &Question::token)
        .def_ro("against", &Question::against);
}

}  // namespace sapwood::bindings

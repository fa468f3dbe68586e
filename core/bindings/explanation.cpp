#include "model/explanation.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

void bind_explanation(nb::module_& m) {
    nb::class_<Question>(m, "Question", "Which decisions are explained, and against what.")
        .def(
            "__init__",
            [](Question* self, std::optional<size_t> sentence, std::optional<size_t> token, std::string against,
               bool flip_to_against, bool search_flips) {
                new (self) Question{sentence, token, std::move(against), flip_to_against, search_flips};
            },
            nb::kw_only(), nb::arg("sentence").none() = nb::none(), nb::arg("token").none() = nb::none(),
            nb::arg("against") = "", nb::arg("flip_to_against") = false, nb::arg("search_flips") = true,
            "Sentences and tokens are counted from 0; None is all of them, and no `against` the second best.")
        .def_ro("sentence", &Question::sentence)
        .def_ro("token", &Question::token)
        .def_ro("against", &Question::against)
        .def_ro("flip_to_against", &Question::flip_to_against)
        .def_ro("search_flips", &Question::search_flips);
}

}  // namespace sapwood::bindings

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "text/edit_script.hpp"
#include "text/script_induction.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

void bind_edit_scripts(nb::module_& m) {
    nb::class_<EditScript>(m, "EditScript", "Text with slices of a form in brackets: cities -> city is '[:-3]y'.")
        .def(nb::init<std::string_view>(), nb::arg("text"), "Raises ModelError for text that is not a script.")
        .def("apply", &EditScript::apply, nb::arg("form"),
             "The words that the script makes of a form; None if the form is too short for it.")
        .def_prop_ro("text", &EditScript::text)
        .def_prop_ro("words", &EditScript::words, "The number of words that it makes.")
        .def_prop_ro("shortest", &EditScript::shortest, "Letters of the shortest form that it fits.");

    m.def(
        "scripts_for",
        [](std::string form, std::vector<std::string> words) {
            return scripts_for({std::move(form), std::move(words)});
        },
        nb::arg("form"), nb::arg("words"), nb::call_guard<nb::gil_scoped_release>(),
        "Scripts that rewrite a form into words; the last has no slice of the form. Raises DataError if one is empty.");
    m.def(
        "choose_scripts",
        [](std::vector<std::pair<std::string, std::vector<std::string>>> given) {
            std::vector<Rewriting> examples;
            examples.reserve(given.size());
            for (auto& [form, words] : given) examples.push_back({std::move(form), std::move(words)});
            return choose_scripts(examples);
        },
        nb::arg("examples"), nb::call_guard<nb::gil_scoped_release>(),
        "A script for each (form, words): as few different ones as a greedy search finds. Raises DataError.");
}

}  // namespace sapwood::bindings

// Options of trainers and models from Python, and how trainers freeze.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "model/freeze.hpp"
#include "model/freeze_options.hpp"

namespace sapwood::bindings {

using Values = nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>;  // of options, by name
using OptionChoices = nanobind::typed<nanobind::dict, nanobind::str, nanobind::typed<nanobind::list, nanobind::str>>;

// Reads the values of options from a dict. A structure of options has a function `each`, which calls this reader with the
// name and the field of every option. An option that the dict does not have, or that is None there, keeps its initial value:
// that of a task without the option. The Python class that declares the options has their defaults, and checks their ranges.
// Throws OptionError for a value of the wrong type, and for a word that is not one of the choices.
class OptionReader {
  public:
    explicit OptionReader(const nanobind::dict& values) : values_(values) {}

    template <class T>
    void operator()(const char* name, T& field) const {
        if (has(name)) field = value<T>(name);
    }
    template <class T, class Choices>
    void operator()(const char* name, T& field, const Choices& choices) const {
        if (!has(name)) return;
        const auto word = value<std::string>(name);
        for (size_t k = 0; k < std::size(choices); ++k)
            if (word == choices[k]) {
                field = static_cast<T>(k);
                return;
            }
        throw OptionError("the option " + std::string(name) + " has no choice '" + word + "'");
    }

  private:
    bool has(const char* name) const { return values_.contains(name) && !values_[name].is_none(); }
    template <class T>
    T value(const char* name) const {
        T value;
        if (!nanobind::try_cast(values_[name], value))
            throw OptionError("the option " + std::string(name) + " has a value of the wrong type");
        return value;
    }

    const nanobind::dict& values_;
};

// The choices of each option that these structures take, by its name; none where it is a number or a switch.
template <class... Options>
OptionChoices option_choices() {
    OptionChoices found;
    const auto add = [&](const char* name, const auto&, const auto&... choices) {
        nanobind::list words;
        (std::ranges::for_each(choices, [&](const char* word) { words.append(word); }), ...);
        found[name] = words;
    };
    (Options().each(add), ...);
    return found;
}

// Reads a structure from a dict that may have options of `Others`, too. Throws OptionError for a name that none has.
template <class Options, class... Others>
Options options_in(const nanobind::dict& values) {
    const nanobind::dict known = option_choices<Options, Others...>();
    for (const auto& [name, value] : values)
        if (!known.contains(name))
            throw OptionError("the core has no option '" + nanobind::cast<std::string>(nanobind::str(name)) + "' here");
    Options options;
    options.each(OptionReader(values));
    return options;
}

// Trainers of weights have freeze and prune, which take the same options.
template <class Trainer>
struct Freezing : nanobind::def_visitor<Freezing<Trainer>> {
    template <class Class, class... Extra>
    void execute(Class& c, const Extra&...) {
        namespace nb = nanobind;
        const auto with_options = [&](const char* name, auto&& function, const char* about, const auto&... more) {
            c.def(name, function, nb::arg("bits"), nb::arg("shrink"), nb::arg("group") = 0.0,
                  nb::arg("min_updates") = 0, nb::arg("group_l1") = 0.0, nb::arg("bit_price") = 0.0, more...,
                  nb::call_guard<Interruptible>(), about);
        };
        with_options(
            "freeze",
            [](const Trainer& trainer, unsigned bits, double shrink, double group, uint32_t min_updates,
               double group_l1,
               double bit_price) { return freeze(trainer, {bits, shrink, group, min_updates, group_l1, bit_price}); },
            "The averaged (or last) weights so far.");
        with_options(
            "prune",
            [](Trainer& trainer, unsigned bits, double shrink, double group, uint32_t min_updates, double group_l1,
               double bit_price, const Trainer* whole) {
                prune(trainer, whole == nullptr ? trainer : *whole,
                      {bits, shrink, group, min_updates, group_l1, bit_price});
            },
            "Begin anew with the weights alone that freeze would keep of `whole`, by default of this trainer; training "
            "adds no other.",
            nb::arg("whole") = nb::none());
    }
};

}  // namespace sapwood::bindings

// Options of trainers from the keyword arguments of a Python call.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/bindings.hpp"
#include "model/freeze.hpp"

namespace sapwood::bindings {

// The keyword arguments of one call. Each may be taken once. Throws TypeError for an argument that is missing or has
// the wrong type, and, by finish(), for arguments that nobody took.
class Keywords {
  public:
    explicit Keywords(const nanobind::kwargs& arguments) : left_(arguments) {}

    template <class T>
    T take(const char* name) {
        T value;
        if (!left_.contains(name) || !nanobind::try_cast(left_[name], value))
            throw nanobind::type_error(
                ("argument '" + std::string(name) + "' is missing or has the wrong type").c_str());
        nanobind::del(left_[name]);
        return value;
    }
    template <class T>
    T take(const char* name, T missing) {
        return left_.contains(name) ? take<T>(name) : missing;
    }
    void finish() const {
        for (const auto& [name, value] : left_)
            throw nanobind::type_error(("unknown argument '" + nanobind::cast<std::string>(name) + "'").c_str());
    }

  private:
    nanobind::dict left_;
};

// The options that all trainers share, with the given update rule. Throws OptionError for an unknown rule.
inline TrainingOptions training_options(Keywords& given, const std::string& update) {
    TrainingOptions training;
    training.learner = {update_of(update), static_cast<float>(given.take<double>("gamma")),
                        given.take<uint32_t>("min_updates", 1), given.take<bool>("average")};
    training.learner.key_bits = given.take("key_bits", training.learner.key_bits);
    if (training.learner.key_bits < 1 || training.learner.key_bits > 64)
        throw OptionError("key_bits must be from 1 to 64");
    training.learner.false_matches = given.take("false_matches", training.learner.false_matches);
    if (!(training.learner.false_matches >= 1e-6 && training.learner.false_matches <= 0.125))
        throw OptionError("false_matches must be from 0.000001 to 0.125");
    training.prune_below = given.take("prune_below", training.prune_below);
    training.seed = given.take<uint64_t>("seed");
    training.shuffled = given.take("shuffled", training.shuffled);
    training.names = given.take("names", training.names);
    training.batch = given.take("batch", training.batch);
    training.threads = given.take("batch_threads", training.threads);
    training.mixings = given.take("mixings", training.mixings);
    if (training.mixings < 1 || training.mixings > 1 << 16) throw OptionError("mixings must be from 1 to 65536");
    return training;
}

// Trainers of weights have freeze and prune, which take the same options.
template <class Trainer>
struct Freezing : nanobind::def_visitor<Freezing<Trainer>> {
    template <class Class, class... Extra>
    void execute(Class& c, const Extra&...) {
        namespace nb = nanobind;
        const auto with_options = [&](const char* name, auto&& function, const char* about) {
            c.def(name, function, nb::arg("bits"), nb::arg("shrink"), nb::arg("group") = 0.0,
                  nb::arg("min_updates") = 0, nb::arg("group_l1") = 0.0, nb::arg("bit_price") = 0.0,
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
               double bit_price) { prune(trainer, {bits, shrink, group, min_updates, group_l1, bit_price}); },
            "Let training go on with the weights alone that freeze would keep.");
    }
};

}  // namespace sapwood::bindings

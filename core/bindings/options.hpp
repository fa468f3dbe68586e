// Options of trainers from the keyword arguments of a Python call.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/bindings.hpp"
#include "learner/trainer.hpp"

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
    training.prune_below = given.take("prune_below", training.prune_below);
    training.seed = given.take<uint64_t>("seed");
    training.shuffled = given.take("shuffled", training.shuffled);
    training.names = given.take("names", training.names);
    return training;
}

}  // namespace sapwood::bindings

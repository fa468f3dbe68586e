// The state of a training as Python's dict: name of an array -> (type of its numbers, bytes).
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/errors.hpp"
#include "bindings/convert.hpp"
#include "bindings/interruptible.hpp"
#include "learner/mixing.hpp"
#include "learner/state.hpp"

namespace sapwood::bindings {

// Gives the arrays of a dict, from objects with a buffer of bytes; all of them have to be taken.
class StateArrays {
  public:
    explicit StateArrays(const nanobind::dict& arrays) : left_(arrays) {}
    StateArrays(const StateArrays&) = delete;
    StateArrays& operator=(const StateArrays&) = delete;
    ~StateArrays() {
        for (Py_buffer& buffer : open_) PyBuffer_Release(&buffer);
    }

    StateReader reader() {
        return StateReader([this](const std::string& name, const char* dtype) { return take(name, dtype); });
    }

  private:
    std::string_view take(const std::string& name, const char* dtype) {
        namespace nb = nanobind;
        if (!left_.contains(name.c_str())) throw ModelError("it has no array '" + name + "'");
        const auto array = nb::cast<nb::tuple>(left_[name.c_str()]);
        if (nb::cast<std::string>(array[0]) != dtype)
            throw ModelError("its array '" + name + "' is not one of " + dtype);
        const nb::object data = array[1];
        Py_buffer buffer;
        if (PyObject_GetBuffer(data.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
        open_.push_back(buffer);
        return {static_cast<const char*>(buffer.buf), static_cast<size_t>(buffer.len)};
    }

    nanobind::dict left_;
    std::vector<Py_buffer> open_;
};

// What write(StateWriter) writes, as a dict.
template <class Write>
nanobind::dict written(Write&& write) {
    const SignalCheck check;
    nanobind::dict arrays;
    write(StateWriter([&](const std::string& name, const char* dtype, std::string_view bytes) {
        arrays[name.c_str()] = nanobind::make_tuple(dtype, to_bytes(bytes));
    }));
    return arrays;
}

// Trainers of weights go on from the state of a training with other data.
template <class Trainer>
struct GoingOn : nanobind::def_visitor<GoingOn<Trainer>> {
    template <class Class, class... Extra>
    void execute(Class& c, const Extra&...) {
        namespace nb = nanobind;
        c.def(
            "go_on_from",
            [](Trainer& trainer, const nb::dict& given) {
                const SignalCheck check;
                StateArrays arrays(given);
                trainer.go_on_from(arrays.reader());
            },
            nb::arg("state"), nb::sig("def go_on_from(self, state: Mapping[str, tuple[str, Any]]) -> None"),
            "Before the first step: begin with what a trainer with other data had learned. Raises ModelError if it is "
            "no "
            "such state, OptionError if this trainer cannot.");
    }
};

// Raises OptionError for an unknown rule.
inline Mixing mixing_of(const std::string& name) {
    if (name == "features") return Mixing::features;
    if (name == "errors") return Mixing::errors;
    if (name == "uniform") return Mixing::uniform;
    throw OptionError("there is no mixing called '" + name + "'");
}

// Trainers of weights are trained in shards (learner/mixing.hpp).
template <class Trainer>
struct Sharded : nanobind::def_visitor<Sharded<Trainer>> {
    template <class Class, class... Extra>
    void execute(Class& c, const Extra&...) {
        namespace nb = nanobind;
        c.def(
            "begin_part",
            [](Trainer& trainer, const nb::dict& given) {
                const SignalCheck check;
                StateArrays arrays(given);
                walk_of(trainer).begin_part(arrays.reader());
            },
            nb::arg("mixed"), nb::sig("def begin_part(self, mixed: Mapping[str, tuple[str, Any]]) -> None"),
            "Take mixed weights, all or those that have changed since they were taken last, and begin an epoch, or the "
            "part of it until the next mixing. Raises ModelError and OptionError.");
        c.def(
            "shard", [](Trainer& trainer) { return written([&](StateWriter s) { walk_of(trainer).write_shard(s); }); },
            nb::sig("def shard(self) -> dict[str, tuple[str, Any]]"), "What was learned in the part, which is over.");
        c.def(
            "mixed", [](Trainer& trainer) { return written([&](StateWriter s) { walk_of(trainer).write_mixed(s); }); },
            nb::sig("def mixed(self) -> dict[str, tuple[str, Any]]"),
            "All weights, as the trainers of shards take them.");
        c.def(
            "mix",
            [](Trainer& trainer, const nb::list& shards, const std::string& mixing) {
                std::vector<std::unique_ptr<StateArrays>> arrays;
                std::vector<StateReader> readers;
                for (nb::handle shard : shards) {
                    arrays.push_back(std::make_unique<StateArrays>(nb::cast<nb::dict>(shard)));
                    readers.push_back(arrays.back()->reader());
                }
                return written([&](StateWriter s) { walk_of(trainer).mix(readers, mixing_of(mixing), s); });
            },
            nb::arg("shards"), nb::arg("mixing"),
            nb::sig("def mix(self, shards: list[dict[str, tuple[str, Any]]], mixing: str) -> dict[str, tuple[str, "
                    "Any]]"),
            "Mix the weights of shards after a part; return what their trainers have to take. Raises ModelError.");
        c.def(
            "take_mean",
            [](Trainer& trainer, const nb::list& runs) {
                std::vector<std::remove_reference_t<decltype(walk_of(trainer))>*> trainers;
                for (nb::handle run : runs) trainers.push_back(&walk_of(nb::cast<Trainer&>(run)));
                const Interruptible work;
                walk_of(trainer).take_mean(trainers);
            },
            nb::arg("runs"), nb::sig("def take_mean(self, runs: list[Any]) -> None"),
            "Take the mean of the weights of trainers of the same data that began with the weights of this one. Raises "
            "OptionError if one has other outputs.");
    }

  private:
    static auto& walk_of(Trainer& trainer) {
        if constexpr (requires { trainer.walk(); })
            return trainer.walk();
        else
            return trainer;
    }
};

// Trainers of all tasks have a state.
template <class Trainer>
struct Stateful : nanobind::def_visitor<Stateful<Trainer>> {
    template <class Class, class... Extra>
    void execute(Class& c, const Extra&...) {
        namespace nb = nanobind;
        c.def(
            "state", [](Trainer& trainer) { return written([&](StateWriter s) { trainer.state(s); }); },
            nb::sig("def state(self) -> dict[str, tuple[str, Any]]"),
            "All that training has changed, by name: the type of the numbers, as safetensors has it, and their bytes.");
        c.def(
            "resume",
            [](Trainer& trainer, const nb::dict& given) {
                const SignalCheck check;
                StateArrays arrays(given);
                trainer.state(arrays.reader());
            },
            nb::arg("state"), nb::sig("def resume(self, state: Mapping[str, tuple[str, Any]]) -> None"),
            "Go on as the trainer whose state this is, which has the same data and options. Raises ModelError if it is "
            "no such state.");
    }
};

}  // namespace sapwood::bindings

// What JavaScript asks a model that was read from a file. A model of each task is a class of its own.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "file/model_file.hpp"
#include "model/explanation.hpp"
#include "pipeline/deciding_parts.hpp"
#include "pipeline/pipeline.hpp"

namespace sapwood::wasm {

using namespace file;

class Model {
  public:
    virtual ~Model() = default;

    // The answer to a question in JSON, whose member "ask" is its kind; what else a question has, and what its answer is, each
    // class says. Throws OptionError, DataError and ModelError.
    virtual std::string answer(const Json& asked) const = 0;

    virtual const Pipeline* pipeline() const { return nullptr; }       // of a model that analyses texts
    virtual const DecidingParts* deciding() const { return nullptr; }  // of such a model
};

// Throws ModelError if the file holds a model of a task that JavaScript cannot use.
std::unique_ptr<const Model> make_model(const ModelFile& file);

// The text of a member of a question, or an empty one.
std::string text_in(const Json& asked, std::string_view name);

// The members "sentence" and "token", numbers from 1, and "against", the answer to compare with; they may be left out.
Question question_in(const Json& asked);

}  // namespace sapwood::wasm

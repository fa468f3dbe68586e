#include "wasm/model.hpp"

#include "file/context.hpp"
#include "wasm/classifier_model.hpp"
#include "wasm/pipeline_model.hpp"
#include "wasm/tagger_model.hpp"

namespace sapwood::wasm {

std::unique_ptr<const Model> make_model(const ModelFile& file) {
    if (file.task == "pipeline") return std::make_unique<PipelineModel>(file);
    if (file.task == "tag") return std::make_unique<TaggerModel>(file);
    if (file.task == "classify") return std::make_unique<ClassifierModel>(file);
    throw ModelError("it is a model for the task " + file::quoted(file.task) +
                     ", which JavaScript cannot use; it can pipelines, taggers and classifiers of texts");
}

std::string text_in(const Json& asked, std::string_view name) {
    const Json* value = asked.find(name);
    return value == nullptr ? std::string() : value->text;
}

Question question_in(const Json& asked) {
    Question question;
    question.against = text_in(asked, "against");
    for (const auto& [name, to] : {std::pair{"sentence", &question.sentence}, std::pair{"token", &question.token}}) {
        const Json* number = asked.find(name);
        if (number == nullptr) continue;
        if (!number->is_natural() || number->natural < 1 || number->natural > UINT32_MAX)
            throw OptionError(std::string("a ") + name + " is counted from 1");
        *to = static_cast<size_t>(number->natural - 1);
    }
    return question;
}

}  // namespace sapwood::wasm

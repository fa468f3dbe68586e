// Functions that JavaScript calls: src/sapwood/web/static/sapwood.js. Bytes are handed over in memory that JavaScript has allocated here.
//
// Nothing can be caught in a WebAssembly module: what is thrown hands its message to JavaScript, which throws it there and
// discards the module's instance. So there is no cleaning up either.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <typeinfo>

#include "base/errors.hpp"
#include "file/context.hpp"
#include "text/doc.hpp"
#include "text/json.hpp"
#include "text/numbers.hpp"
#include "text/plain_text.hpp"
#include "text/utf8.hpp"
#include "wasm/model.hpp"

namespace sapwood::wasm {

namespace {

// JavaScript's functions: the one that throws an Error of a kind with a message.
extern "C" [[noreturn]] void fail(const char* kind, size_t kind_size, const char* message, size_t size)
    __attribute__((import_module("sapwood"), import_name("fail")));

[[noreturn]] void fail_as(std::string_view kind, std::string_view message) {
    const Context& around = context();
    const std::string text = around.before + std::string(message) + around.behind;
    fail(kind.data(), kind.size(), text.data(), text.size());
}

// A description of a model for JavaScript, in JSON: its task, parts, labels and card, whether examples have any of the labels,
// whether it is calibrated, the part of a pipeline that gives XPOS, and the shares of frequent words by which a text is judged.
std::string about(const ModelFile& file, const Model& model) {
    std::string out = "{\"task\": ";
    append_json_string(out, file.task);
    out += ", \"parts\": [";
    for (const auto& [name, part] : file.parts) append_json_string(out += out.back() == '[' ? "" : ", ", name);
    out += "], \"labels\": [";
    for (const std::string& label : file.labels) append_json_string(out += out.back() == '[' ? "" : ", ", label);
    const Json* several = file.options.find("multi_label");
    out += several != nullptr && several->truth ? "], \"several\": true" : "], \"several\": false";
    const DecidingParts* parts = model.deciding();
    const bool calibrated = parts != nullptr ? parts->is_calibrated() : !file.calibration.method.empty();
    out += calibrated ? ", \"calibrated\": true" : ", \"calibrated\": false";
    const ModelFile* tagger = file.part("tagger");
    const bool is_alone =
        tagger != nullptr && !tagger->labels.empty() && tagger->labels[0].find(' ') == std::string::npos;
    out += is_alone ? ", \"xpos\": \"morphology\"" : ", \"xpos\": \"tagger\"";
    out += ", \"card\": ";
    append_json_string(out, file.card);
    out += ", \"share\": ";
    if (file.familiarity.empty() || file.familiarity[0].windows.size() < 2) return out += "null}";
    const auto& [share, sentences, windows, name, empty] = file.familiarity[0];
    append_exact(out += "[", share);
    append_exact(out += ", ", windows[1]);
    return out += "]}";
}

struct Loaded {
    std::unique_ptr<const Model> model;
    std::string about, answer;

    explicit Loaded(const ModelFile& file) : model(make_model(file)), about(wasm::about(file, *model)) {}
};

// Where some bytes are.
struct Place {
    uint32_t begin, size;
};

// The findings of an analysis. Places and sizes are in bytes of memory.
struct Found {
    uint32_t read = 0;                     // bytes of the text that were read
    uint32_t within_paragraph = 0;         // whether they end within a paragraph
    uint32_t json = 0, json_size = 0;      // the sentences as JSON lines
    uint32_t conllu = 0, conllu_size = 0;  // and as CoNLL-U
    uint32_t sentences = 0, characters = 0;
    uint32_t words = 0, familiar = 0;  // words of the text, and those that are frequent in the training data
};

uint32_t place(const void* at) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(at));
}

// It stays until the next call.
const Place* where(const std::string& bytes) {
    static Place found;
    found = {place(bytes.data()), static_cast<uint32_t>(bytes.size())};
    return &found;
}

}  // namespace

extern "C" {

__attribute__((export_name("allocate"))) void* sapwood_allocate(size_t size) {
    return operator new(size);
}

__attribute__((export_name("release"))) void sapwood_release(void* memory) {
    std::free(memory);
}

// Reads a model, whose bytes may be released then. There is no way back from a model to its memory but the instance's end.
__attribute__((export_name("load"))) Loaded* sapwood_load(const char* bytes, size_t size, const char* name,
                                                          size_t name_size) {
    auto* const loaded = new Loaded(read_model({bytes, size}, std::string(name, name_size)));
    context() = {};
    return loaded;
}

// The description of a model by `about`.
__attribute__((export_name("describe"))) const Place* sapwood_describe(const Loaded* loaded) {
    return where(loaded->about);
}

// The answer of a model to a question in JSON; it stays until the next one.
__attribute__((export_name("ask"))) const Place* sapwood_ask(Loaded* loaded, const char* question, size_t size) {
    loaded->answer = loaded->model->answer(Json::read({question, size}, "the question"));
    return where(loaded->answer);
}

// Analyses the beginning of a text, which may go on, by a pipeline; `sure`: with confidences. What is found stays until the
// next call.
__attribute__((export_name("read"))) const Found* sapwood_read(const Loaded* loaded, const char* bytes, size_t size,
                                                               bool goes_on, bool continues, size_t first_sentence,
                                                               size_t first_character, bool sure) {
    static Found found;
    static std::string json, conllu;
    found = {};
    found.within_paragraph = continues;  // as before, if nothing can be read yet
    json.clear();
    conllu.clear();
    const std::string_view text(bytes, size);
    const size_t good = std::min(text.find('\0'), find_invalid_utf8(text));
    if (good < size) throw DataError("text: byte " + std::to_string(good) + ": " + flaw_of_text(text, good));
    for (Doc& doc : loaded->model->pipeline()->read(text, 1, {continues, goes_on, false})) {
        loaded->model->deciding()->abstain(doc, 1);
        if (sure) loaded->model->deciding()->add_confidences(doc, 1);
        json += to_json_lines(doc, first_character + found.characters);
        conllu += to_conllu(doc, first_sentence + found.sentences);
        found.sentences += static_cast<uint32_t>(doc.sentence_count());
        found.characters += static_cast<uint32_t>(code_points(doc.text()));
        found.read += static_cast<uint32_t>(doc.text_size);
        for (const auto& [words, known] : doc.familiar) {
            found.words += static_cast<uint32_t>(words);
            found.familiar += static_cast<uint32_t>(known);
        }
        found.within_paragraph = doc.end == Doc::End::within_paragraph;
    }
    found.json = place(json.data());
    found.json_size = static_cast<uint32_t>(json.size());
    found.conllu = place(conllu.data());
    found.conllu_size = static_cast<uint32_t>(conllu.size());
    return &found;
}

// The two functions that `throw` calls: the thrown object's memory, and the throw itself.
void* __cxa_allocate_exception(size_t size) noexcept {
    return std::malloc(size);
}

[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void (*)(void*)) {
    const auto* error = static_cast<const std::exception*>(thrown);  // the core throws nothing else
    std::string_view kind = "Error";
    if (*type == typeid(ModelError)) kind = "ModelError";
    if (*type == typeid(DataError)) kind = "DataError";
    if (*type == typeid(OptionError)) kind = "OptionError";
    if (*type == typeid(TemplateError)) kind = "TemplateError";
    if (*type == typeid(std::bad_alloc)) fail_as("Error", "there is not enough memory");
    fail_as(kind, error->what());
}
}

}  // namespace sapwood::wasm

namespace {

// The most bytes at once: a program that asks WASI's libc for 2 GB is ended by it.
constexpr size_t kMost = (size_t{1} << 31) - (1 << 17);

void* there(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

void* operator new(size_t size) {
    return there(size > kMost ? nullptr : std::malloc(size == 0 ? 1 : size));
}

// There are no large pages here, and so no memory is lost to begin with one.
void* operator new(size_t size, std::align_val_t alignment) {
    constexpr size_t line = 64;
    if (size > kMost) there(nullptr);
    return there(std::aligned_alloc(std::min(static_cast<size_t>(alignment), line), (size + line - 1) / line * line));
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}

#include <nanobind/nanobind.h>

#include <exception>
#include <string_view>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

// Raises the class of the same name from sapwood.errors. Bytes of a message that are not UTF-8 are escaped.
void raise(const char* name, const std::exception& error) {
    const std::string_view what = error.what();
    const auto size = static_cast<Py_ssize_t>(what.size());
    const auto message = nb::steal(PyUnicode_DecodeUTF8(what.data(), size, "backslashreplace"));
    if (message.is_valid()) PyErr_SetObject(nb::module_::import_("sapwood.errors").attr(name).ptr(), message.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const DataError& error) {
        raise("DataError", error);
    } catch (const TemplateError& error) {
        raise("TemplateError", error);
    } catch (const ModelError& error) {
        raise("ModelError", error);
    } catch (const OptionError& error) {
        raise("OptionError", error);
    }
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The C++ core: text, features, learning, search and models. Use the sapwood package instead.";
    // Calls that let go of the GIL would wait without end in another interpreter. From Python 3.12 on the import of most
    // of these is refused before this; those of embedding programs, and all of Python 3.11's, come here.
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
        throw nb::import_error("sapwood works in Python's main interpreter, not in a sub-interpreter");
    nb::register_exception_translator(translate);
#ifdef NDEBUG
    // A daemon thread that works when the interpreter exits never lets go of its objects. That is no leak, and
    // nanobind's report of it would be noise on the standard error of whoever uses the package.
    nb::set_leak_warnings(false);
#endif
    bind_columns(m);
    bind_conllu(m);
    bind_model(m);
    bind_clusters(m);
    bind_explanation(m);
    bind_documents(m);
    bind_tagger(m);
    bind_row_tagger(m);
    bind_segmenter(m);
    bind_rewriter(m);
    bind_parser(m);
    bind_classifier(m);
    bind_ranker(m);
    bind_structured(m);
    bind_grammar(m);
    bind_kernels(m);
    bind_dual(m);
    bind_doc(m);
    bind_familiarity(m);
    bind_pipeline(m);
    bind_model_file(m);
}

}  // namespace sapwood::bindings

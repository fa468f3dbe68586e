// Words that stand before and behind the message of an error that is thrown now. In a WebAssembly module nothing can be caught,
// and so no message completed on its way up: whoever begins a step says here what its errors begin with. Elsewhere, too: an error
// on its way leaves the words as they were where it was thrown, and whoever catches it puts them around its message.
#pragma once
#include <exception>
#include <string>

#include "base/errors.hpp"

namespace sapwood::file {

struct Context {
    std::string before, behind;
};

inline Context& context() {
#ifdef __wasm__  // it has no threads
    static Context current;
#else
    thread_local Context current;
#endif
    return current;
}

inline void require(bool holds, const std::string& otherwise) {
    if (!holds) throw ModelError(otherwise);
}
inline void require(bool holds, const char* otherwise) {  // which makes no text of it if it holds
    if (!holds) throw ModelError(otherwise);
}

// Adds to what messages begin with, until the end of the block.
class Within {
  public:
    explicit Within(const std::string& what) : size_(context().before.size()) { context().before += what; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() {
        if (std::uncaught_exceptions() > errors_) return;
        context().before.resize(size_);
    }

  private:
    size_t size_;
    int errors_ = std::uncaught_exceptions();
};

}  // namespace sapwood::file

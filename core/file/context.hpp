// The texts before and behind the message of an error that is thrown now. A WebAssembly module cannot catch errors, so it cannot
// complete a message on its way up: each step states its beginning here first. Python's binding catches the error and adds the
// texts itself; therefore `Within` leaves them in place while an error passes.
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
// Makes no std::string while the condition holds.
inline void require(bool holds, const char* otherwise) {
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

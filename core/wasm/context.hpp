// Words that stand before and behind the message of an error that is thrown now. In a WebAssembly module nothing can be caught,
// and so no message completed on its way up: whoever begins a step says here what its errors begin with.
#pragma once
#include <string>

#include "base/errors.hpp"

namespace sapwood::wasm {

struct Context {
    std::string before, behind;
};

inline Context& context() {
    static Context current;
    return current;
}

inline void require(bool holds, const std::string& otherwise) {
    if (!holds) throw ModelError(otherwise);
}

// Adds to what messages begin with, until the end of the block.
class Within {
  public:
    explicit Within(const std::string& what) : size_(context().before.size()) { context().before += what; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { context().before.resize(size_); }

  private:
    size_t size_;
};

}  // namespace sapwood::wasm

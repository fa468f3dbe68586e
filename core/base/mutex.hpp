// Guards of data that threads share: a mutex, its lock, and a flag for what is done once. WebAssembly modules have one thread,
// and no such types in their library; there these do nothing.
#pragma once

#ifdef __wasm__

namespace sapwood {

struct Mutex {};
struct Lock {
    explicit Lock(Mutex&) {}
};
struct OnceFlag {
    bool called = false;
};

template <class F>
void call_once(OnceFlag& flag, F&& f) {
    if (flag.called) return;
    f();
    flag.called = true;
}

}  // namespace sapwood

#else

#include <mutex>

namespace sapwood {

using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
using OnceFlag = std::once_flag;
using std::call_once;

}  // namespace sapwood

#endif

// Work on many sentences by several threads that share nothing but what is immutable.
//
// A WebAssembly module has one thread, which does all of the work.
#pragma once
#include <cstddef>

#include "base/stop_check.hpp"

#ifdef __wasm__

namespace sapwood {

template <class Make>
void for_each_sentence(size_t count, size_t, Make&& make, size_t = 32) {
    auto worker = make();
    for (size_t s = 0; s < count; ++s) {
        StopCheck::now();
        worker(s);
    }
}

}  // namespace sapwood

#else

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sapwood {

// Makes a worker in each thread, by make(), and calls worker(s) once for every s in 0..count - 1. A worker's
// scratch is its own; it takes `at_once` of them at a time. The first error of any thread, in their order, is thrown.
// Where this thread has a StopCheck, it is asked between sentences and while the other threads still work.
template <class Make>
void for_each_sentence(size_t count, size_t threads, Make&& make, size_t at_once = 32) {
    threads = std::max<size_t>(1, std::min(threads, count / at_once + 1));
    std::atomic<size_t> next{0};
    std::vector<std::exception_ptr> errors(threads);
    size_t done = 0;  // of the other threads
    std::mutex mutex;
    std::condition_variable one_is_done;
    StopCheck* const check = StopCheck::current();
    const auto work = [&](size_t thread) {
        const StopCheck::Scope scope(check);
        try {
            auto worker = make();
            for (size_t s; (s = next.fetch_add(at_once)) < count;)
                for (const size_t end = std::min(s + at_once, count); s < end; ++s) {
                    StopCheck::now();
                    worker(s);
                }
        } catch (...) {
            errors[thread] = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    try {
        for (size_t t = 1; t < threads; ++t)
            others.emplace_back([&, t] {
                work(t);
                const std::lock_guard lock(mutex);
                ++done;
                one_is_done.notify_one();
            });
    } catch (const std::system_error&) {  // no more threads to be had: those there are do the work
    }
    work(0);
    for (std::unique_lock lock(mutex); check != nullptr && !errors[0] && done < others.size();) {
        one_is_done.wait_for(lock, StopCheck::kPause);
        try {
            StopCheck::now();
        } catch (...) {
            errors[0] = std::current_exception();
        }
    }
    others.clear();  // joins
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace sapwood

#endif

// Work on many sentences by several threads that share nothing but what is immutable.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace sapwood {

// Makes a worker in each thread, by make(), and calls worker(s) once for every s in 0..count - 1. A worker's
// scratch is its own; it takes `at_once` of them at a time. The first error of any thread, in their order, is thrown.
template <class Make>
void for_each_sentence(size_t count, size_t threads, Make&& make, size_t at_once = 32) {
    threads = std::max<size_t>(1, std::min(threads, count / at_once + 1));
    std::atomic<size_t> next{0};
    std::vector<std::exception_ptr> errors(threads);
    const auto work = [&](size_t thread) {
        try {
            auto worker = make();
            for (size_t s; (s = next.fetch_add(at_once)) < count;)
                for (const size_t end = std::min(s + at_once, count); s < end; ++s) worker(s);
        } catch (...) {
            errors[thread] = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    try {
        for (size_t t = 1; t < threads; ++t) others.emplace_back(work, t);
    } catch (const std::system_error&) {  // no more threads to be had: those there are do the work
    }
    work(0);
    others.clear();  // joins
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace sapwood

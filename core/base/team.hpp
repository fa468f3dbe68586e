// A few threads that do small pieces of work together, again and again, and wait in between.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/stop_check.hpp"

namespace sapwood {

class Team {
  public:
    // A team of `threads` threads, this one included; fewer if the system refuses to start more.
    explicit Team(size_t threads) {
        if (threads > 1) others_.reserve(threads - 1);  // so that nothing else can fail once there are threads
        try {
            for (size_t t = 1; t < threads; ++t) others_.emplace_back([this, t] { wait_for_work(t); });
        } catch (const std::system_error&) {
        }
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
        work_ = nullptr;
        begin();
    }

    size_t threads() const { return others_.size() + 1; }

    // Calls work(thread, k) once for every k in 0..count - 1. The first error of any thread is thrown.
    template <class Work>
    void run(size_t count, Work&& work) {
        if (others_.empty() || count < 2) {
            for (size_t k = 0; k < count; ++k) {
                StopCheck::now();
                work(size_t{0}, k);
            }
            return;
        }
        std::vector<std::exception_ptr> errors(threads());
        StopCheck* const check = StopCheck::current();
        next_ = 0;
        work_ = [&](size_t thread) {
            const StopCheck::Scope scope(check);
            try {
                for (size_t k; (k = next_.fetch_add(1)) < count;) {
                    StopCheck::now();
                    work(thread, k);
                }
            } catch (...) {
                errors[thread] = std::current_exception();
                next_ = count;
            }
        };
        busy_ = others_.size();
        begin();
        work_(0);
        await_others(errors[0], count);
        for (const auto& error : errors)
            if (error) std::rethrow_exception(error);
    }

  private:
    static constexpr int kSpins = 4000;  // before a thread sleeps
    static constexpr std::chrono::microseconds kNap{20};

    void begin() {
        rounds_.fetch_add(1, std::memory_order_release);
        rounds_.notify_all();
    }

    // Waits until the other threads are done, whose last pieces may be long.
    void await_others(std::exception_ptr& error, size_t count) {
        for (int spin = 0; busy_.load(std::memory_order_acquire) > 0; ++spin) {
            if (spin < kSpins) continue;
            std::this_thread::sleep_for(kNap);
            try {
                StopCheck::now();
            } catch (...) {
                if (!error) error = std::current_exception();
                next_ = count;
            }
        }
    }

    void wait_for_work(size_t thread) {
        for (uint64_t round = 0;; ++round) {
            for (int spin = 0; rounds_.load(std::memory_order_acquire) == round; ++spin)
                if (spin > kSpins) rounds_.wait(round, std::memory_order_acquire);
            if (!work_) return;
            work_(thread);
            busy_.fetch_sub(1, std::memory_order_release);
        }
    }

    std::function<void(size_t)> work_;
    std::atomic<uint64_t> rounds_{0};
    std::atomic<size_t> busy_{0}, next_{0};
    std::vector<std::jthread> others_;  // declared last, so that the threads end before the other members do
};

}  // namespace sapwood

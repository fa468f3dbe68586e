// Stopping long work. Whoever starts the work says how to ask whether to stop, and the work asks now and then:
//
//     const StopCheck check(ask);     // ask() throws to end the work; called in this thread, about 20 times a second
//     ...
//     StopCheck::now();               // in the work, every few milliseconds; does nothing where there is no check
//
// A check is that of the thread that made it, until it is destroyed. Threads that work for another one share its check
// (base/threads.hpp): they never ask, but end when it has been told to stop.
#pragma once
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace sapwood {

class StopCheck {
  public:
    explicit StopCheck(std::function<void()> ask) : ask_(std::move(ask)), scope_(this) {}

    static void now() {
        if (current_ != nullptr) current_->check();
    }
    static StopCheck* current() { return current_; }

    // What ends the work of the threads that share a check.
    struct Stopped : std::exception {
        const char* what() const noexcept override { return "the work was stopped"; }
    };

    // While it lives, this thread has that check.
    class Scope {
      public:
        explicit Scope(StopCheck* check) : before_(std::exchange(current_, check)) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { current_ = before_; }

      private:
        StopCheck* before_;
    };

    static constexpr std::chrono::milliseconds kPause{50};  // between two questions

  private:
    using Clock = std::chrono::steady_clock;

    void check() {
        if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
        if (std::this_thread::get_id() != owner_) return;
        const Clock::time_point time = Clock::now();
        if (time - asked_ < kPause) return;
        asked_ = time;
        try {
            ask_();
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

    static inline thread_local StopCheck* current_ = nullptr;

    std::function<void()> ask_;
    std::thread::id owner_ = std::this_thread::get_id();
    Clock::time_point asked_ = Clock::now();
    std::atomic<bool> stopped_ = false;
    Scope scope_;
};

}  // namespace sapwood

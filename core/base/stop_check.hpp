// Stopping long work. Whoever starts the work says how to ask whether to stop, and the work asks now and then:
//
//     const StopCheck check(ask);     // ask() throws to end the work; called in this thread, about 20 times a second
//     ...
//     StopCheck::now();               // in the work, every few milliseconds; does nothing where there is no check
//
// Loops of shorter rounds call every() or after(), which look after many rounds. All three may throw, so they stand where
// the work can be given up.
//
// A check is that of the thread that made it, until it is destroyed. Threads that work for another one share its check
// (base/threads.hpp): they never ask, but end when it has been told to stop.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <utility>

namespace sapwood {

class StopCheck {
  public:
    // pause: between two questions
    explicit StopCheck(std::function<void()> ask, std::chrono::milliseconds pause = kPause)
        : ask_(std::move(ask)), pause_(pause), scope_(this) {}

    static void now() {
        if (current_ != nullptr) current_->check();
    }
    // In each round of a loop, counted from 0.
    static void every(size_t round) {
        if (round % kRounds == kRounds - 1) now();
    }
    // The same where a round takes so many steps; short ones cost next to nothing.
    static void every(size_t round, size_t steps) { steps < kShort ? every(round) : after(steps); }
    // Behind a piece of work of so many steps, a step being about a nanosecond.
    static void after(size_t steps) {
        steps_ += steps;
        if (steps_ < kSteps) return;
        steps_ = 0;
        now();
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

    static constexpr std::chrono::milliseconds kPause{50};
    static constexpr size_t kRounds = 1 << 12, kSteps = 1 << 20, kShort = 1 << 12;

  private:
    using Clock = std::chrono::steady_clock;

    void check() {
        if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
        if (&steps_ != owner_) return;
        const Clock::time_point time = Clock::now();
        if (time - asked_ < pause_) return;
        asked_ = time;
        try {
            ask_();
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

    static inline thread_local StopCheck* current_ = nullptr;
    static inline thread_local size_t steps_ = 0;

    std::function<void()> ask_;
    std::chrono::milliseconds pause_;
    const size_t* owner_ = &steps_;  // an address that is the thread's own
    Clock::time_point asked_ = Clock::now();
    std::atomic<bool> stopped_ = false;
    Scope scope_;
};

}  // namespace sapwood

// A pool of scratch objects, which threads borrow and give back, so that their memory and caches serve the next piece of
// work, too. overgrown() of an object says whether it has become too large to be kept.
#pragma once
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.hpp"

namespace sapwood {

template <class T>
class Pool {
  public:
    // Gives what was borrowed back. After an exception it may be half changed, so it is thrown away.
    struct GiveBack {
        Pool* pool;
        int exceptions = std::uncaught_exceptions();

        void operator()(T* borrowed) const {
            std::unique_ptr<T> owned(borrowed);
            if (std::uncaught_exceptions() == exceptions && !owned->overgrown()) pool->give(std::move(owned));
        }
    };
    using Loan = std::unique_ptr<T, GiveBack>;

    // One that nobody uses now, or a new one by make(), which returns a std::unique_ptr.
    template <class Make>
    Loan borrow(Make&& make) {
        std::unique_ptr<T> idle;
        if (const Lock lock(mutex_); !idle_.empty()) {
            idle = std::move(idle_.back());
            idle_.pop_back();
        }
        if (idle == nullptr) idle = make();
        return Loan(idle.release(), GiveBack{this});
    }

  private:
    void give(std::unique_ptr<T> back) noexcept {
        try {
            const Lock lock(mutex_);
            idle_.push_back(std::move(back));
        } catch (...) {  // no memory for the list: this one is thrown away, and a new one made when it is needed
        }
    }

    Mutex mutex_;
    std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace sapwood

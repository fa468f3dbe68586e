// Random numbers that are the same on every machine, unlike those of the standard library's distributions.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

class Random {
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}

    uint64_t bits() { return engine_(); }
    size_t below(size_t n) { return engine_() % n; }                                          // 0 .. n - 1
    int between(int low, int high) { return low + static_cast<int>(below(high - low + 1)); }  // both included
    bool chance(size_t one_in) { return below(one_in) == 0; }

    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }

  private:
    std::mt19937_64 engine_;
};

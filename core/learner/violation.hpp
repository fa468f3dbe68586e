// phi(x, gold) - phi(x, guess): what a search says when gold has lost, and what an update adds to the weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

// The difference as a list of parts in any order, with repetitions.
class Violation {
  public:
    void clear() {
        parts_.clear();
        loss = 0;
    }
    void gold(uint32_t table, uint32_t feature, uint32_t output, float value = 1.0f) {
        add(table, feature, output, value);
    }
    void guess(uint32_t table, uint32_t feature, uint32_t output, float value = 1.0f) {
        add(table, feature, output, -value);
    }
    bool empty() const { return parts_.empty(); }

    double loss = 0;  // score(guess) + cost(guess) - score(gold), for passive-aggressive

    struct Part {
        uint64_t weight;  // table (2 bits), feature (32), output (30): sorts as one number
        float delta;

        uint32_t table() const { return static_cast<uint32_t>(weight >> 62); }
        uint64_t feature() const { return weight >> 30; }  // with the table
        uint32_t output() const { return static_cast<uint32_t>(weight) & ((1u << 30) - 1); }
    };

    const std::vector<Part>& parts() const { return parts_; }

    // Adds the parts of another violation, `step` times.
    void add(const Violation& other, float step) {
        for (Part part : other.parts_) {
            part.delta *= step;
            parts_.push_back(part);
        }
    }

    // Gives features other numbers: number(feature).
    template <class Number>
    void renumber(Number&& number) {
        constexpr uint64_t features = uint64_t{UINT32_MAX} << 30;
        for (Part& part : parts_)
            part.weight = (part.weight & ~features) |
                          uint64_t{number(static_cast<uint32_t>((part.weight & features) >> 30))} << 30;
    }

    // Sums the parts that are equal, drops those that cancel, and sorts the rest by weight.
    void condense();

    // The dot product of two condensed violations.
    friend double dot(const Violation& a, const Violation& b);

  private:
    void add(uint32_t table, uint32_t feature, uint32_t output, float delta) {
        if (feature != 0) parts_.push_back({uint64_t{table} << 62 | uint64_t{feature} << 30 | output, delta});
    }

    std::vector<Part> parts_, scratch_;
};

}  // namespace sapwood

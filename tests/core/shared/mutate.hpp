// Random damage to texts, for fuzzing the readers.
#pragma once
#include <string>
#include <vector>

#include "random.hpp"

// Applies a few random changes: single bytes, cuts, copies, and insertions of strings with a meaning in the format.
inline std::string mutate(Random& random, std::string text, const std::vector<std::string>& pieces) {
    for (size_t k = random.below(4) + 1; k > 0; --k) {
        const size_t at = random.below(text.size() + 1), length = random.below(8);
        switch (random.below(5)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, random.pick(pieces));
                break;
            case 3:
                text.insert(at, text.substr(random.below(text.size() + 1), length));
                break;
            case 4:
                if (at < text.size()) text.replace(at, 1, random.pick(pieces));
                break;
        }
    }
    return text;
}

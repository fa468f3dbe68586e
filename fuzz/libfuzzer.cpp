// A program of libFuzzer for the target that is linked with it. With `--seeds=DIR` it writes the target's seeds there
// and ends.
#include <cstring>
#include <fstream>

#include "mutation.hpp"
#include "target.hpp"

using namespace sapwood::fuzz;

namespace {

const Target& target() {
    return *Target::all().at(0);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    for (int k = 1; k < *count; ++k) {
        const std::string_view argument = (*arguments)[k], flag = "--seeds=";
        if (!argument.starts_with(flag)) continue;
        size_t number = 0;
        for (const std::string& seed : target().seeds())
            std::ofstream(std::string(argument.substr(flag.size())) + "/seed" + std::to_string(number++)) << seed;
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    target().run({reinterpret_cast<const char*>(data), size});
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
    if (target().form == Form::text) return LLVMFuzzerMutate(data, size, most);
    const std::string changed = changed_records({reinterpret_cast<const char*>(data), size}, most, seed);
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}

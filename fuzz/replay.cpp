// Runs all targets on their seeds, on the inputs in a folder of corpora, and on small changes of these: a short form of
// fuzzing that needs neither libFuzzer nor clang. A corpus is a file NAME.records (records.hpp) of inputs without names.
//
//     fuzz_replay CORPORA ROUNDS        ROUNDS changed inputs for each target
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../tests/core/shared/mutate.hpp"
#include "mutation.hpp"
#include "target.hpp"

using namespace sapwood::fuzz;

namespace {

Random g_random(1);

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

std::vector<std::string> inputs_of(const Target& target, const std::filesystem::path& corpora) {
    std::vector<std::string> inputs = target.seeds();
    for (auto& [name, input] : read_records(read_file(corpora / (std::string(target.name) + ".records"))))
        inputs.push_back(std::move(input));
    return inputs;
}

// Parts of inputs, to be put into others.
std::vector<std::string> pieces_of(const std::vector<std::string>& inputs) {
    std::vector<std::string> pieces = {"\n", "\r\n", "\t", " ", std::string(1, '\0'), "\xC3", "99999999999", "-1", ""};
    for (size_t k = 0; k < 200; ++k) {
        const std::string& input = g_random.pick(inputs);
        pieces.push_back(input.substr(g_random.below(input.size() + 1), g_random.below(12)));
    }
    return pieces;
}

const Target* g_target = nullptr;
const std::string* g_input = nullptr;

// An input that ends the program is kept in the working folder.
void keep_input() {
    if (g_input == nullptr) return;
    const std::string path = std::string("crash-") + g_target->name;
    std::ofstream(path, std::ios::binary) << *g_input;
    std::cerr << "the input is in " << path << std::endl;
}

bool run(const Target& target, const std::string& input) {
    g_target = &target;
    g_input = &input;
    return target.run(input);
}

bool replay(const Target& target, const std::filesystem::path& corpora, size_t rounds) {
    g_random = Random(1);
    const std::vector<std::string> inputs = inputs_of(target, corpora);
    const std::vector<std::string> pieces = pieces_of(inputs);
    size_t read = 0, refused = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const std::string& input : inputs) (run(target, input) ? read : refused) += 1;
    for (size_t round = 0; round < rounds; ++round) {
        const std::string& input = g_random.pick(inputs);
        const std::string changed = target.form == Form::records ? changed_records(input, SIZE_MAX, g_random.bits())
                                                                 : mutate(g_random, input, pieces);
        (run(target, changed) ? read : refused) += 1;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%-20s %7zu inputs: %7zu read, %7zu refused; %.1f s\n", target.name, read + refused, read, refused,
                seconds.count());
    return read > rounds / 50 && refused > rounds / 50;  // otherwise nothing much was tested
}

}  // namespace

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

// What libFuzzer has under this name: changes bytes.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most) {
    const std::string changed =
        mutate(g_random, {reinterpret_cast<const char*>(data), size}, {"\n", std::string(8, '\0')});
    const size_t length = std::min(most, changed.size());
    std::memcpy(data, changed.data(), length);
    return length;
}

int main(int count, char** arguments) {
    if (count != 3) {
        std::puts("usage: fuzz_replay CORPORA ROUNDS");
        return 2;
    }
    std::signal(SIGABRT, [](int) { keep_input(); });
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
    bool sound = true;
    for (const Target* target : Target::all()) sound &= replay(*target, arguments[1], std::stoul(arguments[2]));
    return sound ? 0 : 1;
}

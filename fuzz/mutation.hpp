// Changes of inputs that are made of records (records.hpp).
#pragma once
#include <string>

#include "records.hpp"
#include "target.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace sapwood::fuzz {

// Numbers at which arithmetic and limits go wrong.
inline constexpr uint64_t kEdges[] = {0,
                                      1,
                                      2,
                                      7,
                                      8,
                                      63,
                                      64,
                                      65,
                                      255,
                                      256,
                                      1023,
                                      1024,
                                      1025,
                                      65535,
                                      65536,
                                      (1ull << 31) - 1,
                                      1ull << 31,
                                      (1ull << 32) - 1,
                                      1ull << 32,
                                      1ull << 40,
                                      1ull << 48,
                                      (1ull << 62) - 1,
                                      (1ull << 63) - 1,
                                      1ull << 63,
                                      ~0ull};

// Changes one or a few records of the input.
inline std::string changed_records(std::string_view input, size_t most, uint64_t seed) {
    std::vector<Record> records = read_records(input);
    const auto next = [&](size_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return static_cast<size_t>(seed >> 33) % below;
    };
    if (records.empty()) return std::string(input);
    for (size_t times = 1 + (next(4) == 0 ? next(4) : 0); times > 0; --times) {
        std::string& content = records[next(records.size())].second;
        switch (next(8)) {
            case 0:  // a number, if it is one, becomes an edge or a neighbour
                if (content.size() == 1 || content.size() == 4 || content.size() == 8) {
                    uint64_t number = 0;
                    std::memcpy(&number, content.data(), content.size());
                    number = next(2) == 0 ? kEdges[next(std::size(kEdges))] : number + next(9) - 4;
                    std::memcpy(content.data(), &number, content.size());
                    break;
                }
                [[fallthrough]];
            case 1:  // ends early
                content.resize(next(content.size() + 1));
                break;
            case 2:  // goes on
                content += next(2) == 0 ? std::string(next(9), '\0') : content.substr(next(content.size() + 1));
                break;
            case 3: {  // takes another one's place
                content = records[next(records.size())].second;
                break;
            }
            default: {
                const size_t size = content.size(), room = std::max<size_t>(size + 64, 64);
                content.resize(room);
                content.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(content.data()), size, room));
            }
        }
    }
    std::string bytes = write_records(records);
    return bytes.size() <= most ? bytes : std::string(input);
}

}  // namespace sapwood::fuzz

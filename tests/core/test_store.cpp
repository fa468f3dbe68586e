// Arrays in memory and in scratch files, and texts in scratch files.
#include <cstdlib>
#include <string>
#include <vector>

#include "base/coded_bytes.hpp"
#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/spooled_text.hpp"
#include "base/store.hpp"
#include "check.hpp"
#include "mutate.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

const std::string kFolder = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp";

// What is added in portions of any size is there afterwards, can be changed, and more can be added.
void test_file_and_memory_are_alike() {
    Random random(1);
    Store<uint32_t> memory, file(kFolder);
    std::vector<uint32_t> all;
    for (int round = 0; round < 3; ++round) {
        while (all.size() < 400000u * static_cast<unsigned>(round + 1)) {
            const size_t n = random.below(5000);
            uint32_t *a = memory.extend(n), *b = file.extend(n);
            for (size_t k = 0; k < n; ++k) {
                all.push_back(static_cast<uint32_t>(random.bits()));
                a[k] = b[k] = all.back();
            }
        }
        memory.push_back(7), file.push_back(7), all.push_back(7);
        memory.seal(), file.seal();
        for (Store<uint32_t>* store : {&memory, &file}) {
            CHECK_EQ(store->size(), all.size());
            const auto found = store->all();
            CHECK(std::vector<uint32_t>(found.begin(), found.end()) == all);
            for (int k = 0; k < 3000; ++k) {
                const size_t at = random.below(all.size());
                store->visited(1);
                CHECK_EQ((*store)[at], all[at]);
            }
            found[5] = static_cast<uint32_t>(round);
        }
        all[5] = static_cast<uint32_t>(round);
    }
    CHECK(file.bytes() < all.size());
    Store<uint32_t> moved = std::move(file);
    CHECK_EQ(moved[5], 2u);
}

void test_empty() {
    for (const std::string& folder : {std::string(), kFolder}) {
        Store<uint64_t> store(folder);
        store.seal();
        CHECK_EQ(store.size(), 0u);
        CHECK(store.all().empty());
    }
}

void test_no_such_folder() {
    CHECK_THROWS(DataError, "/nowhere/at/all: cannot make a scratch file there", Store<int>("/nowhere/at/all"));
}

void test_text() {
    Random random(2);
    for (size_t size : {0, 1, 7, 8, 9, 16, 17, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 8, (3 << 20) + 5}) {
        std::string whole;
        while (whole.size() < size) whole += static_cast<char>('a' + random.below(26));
        SpooledText text(kFolder);
        for (size_t at = 0; at < size;) {
            const size_t n = 1 + random.below(size);
            text.add(std::string_view(whole).substr(at, n));
            at += n;
        }
        CHECK_EQ(text.size(), size);
        CHECK_EQ(text.hash(), hash_bytes(whole));
        CHECK_EQ(text.read(size / 2, size), whole.substr(size / 2));
        CHECK_EQ(text.read(size + 1, 5), "");
    }
}

}  // namespace

// Bytes that are coded and decoded are the same; whatever else is decoded has the claimed size or is refused.
void test_coded_bytes() {
    Random random(7);
    int refused = 0;
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (size_t k = random.below(60); k > 0; --k) {
            if (random.chance(3) && !bytes.empty())
                bytes += bytes.substr(random.below(bytes.size()), random.below(300));
            else
                bytes += std::string(1 + random.below(5), static_cast<char>(random.below(round % 2 == 0 ? 256 : 4)));
        }
        const std::string code = code_bytes(bytes);
        CHECK(code.size() <= bytes.size());
        if (code.size() == bytes.size()) continue;
        CHECK(decode_bytes(code, bytes.size(), "x") == bytes);
        for (int k = 0; k < 40; ++k) {
            const size_t size = random.chance(4) ? random.below(2 * bytes.size()) : bytes.size();
            try {
                CHECK_EQ(decode_bytes(mutate(random, code, {"", "\xFF"}), size, "x").size(), size);
            } catch (const ModelError& error) {
                CHECK(std::string_view(error.what()).starts_with("x ") ||
                      std::string_view(error.what()) == "a number in a coded stream is too large");
                ++refused;
            }
        }
    }
    CHECK(refused > 1000);
}

int main() {
    test_coded_bytes();
    test_file_and_memory_are_alike();
    test_empty();
    test_no_such_folder();
    test_text();
    return check::failures();
}

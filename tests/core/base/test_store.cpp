// Arrays in memory and in scratch files, and texts in scratch files.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "base/arranged_file.hpp"
#include "base/coded_bytes.hpp"
#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/pool.hpp"
#include "base/shuffle.hpp"
#include "base/spooled_text.hpp"
#include "base/store.hpp"
#include "check.hpp"
#include "mutate.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

const std::string kFolder = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp";

struct Scratch {
    bool large = false;
    bool overgrown() const { return large; }
};

// Scratch is used again, but not after an exception, nor if it has become large.
void test_pool() {
    Pool<Scratch> pool;
    int made = 0;
    const auto make = [&] { return ++made, std::make_unique<Scratch>(); };
    const auto borrow_two = [&] { const auto a = pool.borrow(make), b = pool.borrow(make); };
    borrow_two();
    borrow_two();
    CHECK_EQ(made, 2);
    try {
        const auto borrowed = pool.borrow(make);
        throw 1;
    } catch (int) {
    }
    borrow_two();
    CHECK_EQ(made, 3);
    pool.borrow(make)->large = true;
    borrow_two();
    CHECK_EQ(made, 4);
}

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
            found[5] = static_cast<uint32_t>(round);
        }
        all[5] = static_cast<uint32_t>(round);
    }
    CHECK(file.bytes() < all.size());
    Store<uint32_t> moved = std::move(file);
    CHECK_EQ(moved.all()[5], 2u);
}

// Examples of any size, some of them empty, in any order from any place on, with windows of any size and groups of any number
// of examples: each has its own bytes, also in the next epoch.
void test_arranged() {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
        ScratchFile file(kFolder);
        std::vector<uint64_t> starts = {0};
        std::string bytes;
        for (size_t n = 1 + random.below(300); n > 0; --n) {
            for (size_t k = random.below(random.chance(20) ? 20000 : 60); k > 0; --k)
                bytes += static_cast<char>(random.below(256));
            starts.push_back(bytes.size());
        }
        file.write(bytes.data(), bytes.size());
        std::vector<uint32_t> order(starts.size() - 1);
        std::iota(order.begin(), order.end(), 0);
        const size_t window = 1 + random.below(round % 3 == 0 ? 100000 : 3000);
        ArrangedFile arranged(kFolder, window);
        const auto start = [&](size_t k) { return starts[k]; };
        uint64_t state = random.bits();
        for (int epoch = 0; epoch < 3; ++epoch) {
            shuffle(order, state);
            const size_t group = 1 + random.below(8), from = epoch == 1 ? random.below(order.size()) : 0;
            arranged.arrange(file, order, from, group, start);
            CHECK(!arranged.has(from));
            for (size_t first = from; first < order.size(); first += group) {
                if (!arranged.has(first)) arranged.read(file, order, first, start);
                for (size_t p = first; p < std::min(first + group, order.size()); ++p) {
                    const size_t k = order[p], size = starts[k + 1] - starts[k];
                    CHECK(arranged.has(p));
                    CHECK_EQ(std::string(arranged.at(starts[k]), size), bytes.substr(starts[k], size));
                }
            }
        }
    }
}

void test_shortened() {
    ScratchFile file(kFolder);
    file.write("abcdef", 6);
    ArrangedFile arranged(kFolder, 1);
    const std::vector<uint32_t> order = {1, 0};
    const std::string message = ": the scratch file there has become shorter";
    CHECK_THROWS(DataError, message, arranged.arrange(file, order, 0, 1, [](size_t k) { return 4 * k; }));
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
    test_pool();
    test_file_and_memory_are_alike();
    test_arranged();
    test_shortened();
    test_empty();
    test_no_such_folder();
    test_text();
    return check::failures();
}

// A test program: named arrays in on stdin, named arrays out on stdout, one case by name.
//
//     EMULATOR_TEST(block_sum) {
//         const std::vector<int> values = in.array<int>("values");
//         std::vector<int> sum(1);
//         emulate::launch(1, 256, 1, 0, in.integer("seed"), sum_kernel, values.data(), sum.data());
//         out.array("sum", sum);
//     }
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator.h"

namespace emulate {

template <class T>
std::string type_name() {  // as NumPy has it, without the byte order
    if constexpr (requires(T t) { t.number; }) return type_name<decltype(T::number)>();  // core/weight.cuh
    else return (std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u") + std::to_string(sizeof(T));
}

class Input {
    struct Array {
        std::string type;
        std::vector<char> bytes;
    };
    std::map<std::string, Array> arrays;

public:
    explicit Input(std::FILE* file) {
        char name[64], type[8];
        std::size_t size;
        while (std::fscanf(file, "%63s %7s %zu", name, type, &size) == 3) {
            std::fgetc(file);  // the newline
            Array array{type, std::vector<char>(size)};
            if (std::fread(array.bytes.data(), 1, size, file) != size) fail("%s is cut off", name);
            arrays.emplace(name, std::move(array));
        }
    }
    // A copy of exactly its size, so that AddressSanitizer guards both ends.
    template <class T>
    std::vector<T> array(const std::string& name) const {
        const auto found = arrays.find(name);
        if (found == arrays.end()) fail("the test reads '%s', which it was not given", name.c_str());
        const auto& [type, bytes] = found->second;
        if (type != type_name<T>())
            fail("the test reads '%s' as %s, but it is %s", name.c_str(), type_name<T>().c_str(), type.c_str());
        std::vector<T> values(bytes.size() / sizeof(T));
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
        return values;
    }
    bool has(const std::string& name) const { return arrays.count(name) > 0; }
    // Of any type, guarded likewise.
    std::vector<char> bytes(const std::string& name) const { return arrays.at(name).bytes; }
    std::int64_t integer(const std::string& name) const { return array<std::int64_t>(name).at(0); }
    double number(const std::string& name) const { return array<double>(name).at(0); }
    unsigned count(const std::string& name) const { return static_cast<unsigned>(integer(name)); }
    std::uint64_t seed() const { return static_cast<std::uint64_t>(integer("seed")); }
};

class Output {
    std::FILE* file;

public:
    explicit Output(std::FILE* file) : file(file) {}
    template <class T>
    void array(const std::string& name, const std::vector<T>& values) {
        const std::size_t size = values.size() * sizeof(T);
        std::fprintf(file, "%s %s %zu\n", name.c_str(), type_name<T>().c_str(), size);
        if (size > 0 && std::fwrite(values.data(), 1, size, file) != size)  // data() of none may be null
             fail("cannot write '%s'", name.c_str());
    }
};

using Test = void (*)(const Input&, Output&);
bool add_test(const char* name, Test);

}  // namespace emulate

#define EMULATOR_TEST(name)                                                                     \
    static void test_##name(const emulate::Input& in, emulate::Output& out);                    \
    [[maybe_unused]] static const bool name##_is_a_test = emulate::add_test(#name, test_##name); \
    static void test_##name([[maybe_unused]] const emulate::Input& in, [[maybe_unused]] emulate::Output& out)

// A program of kernels: it launches on demand, what it is asked for on stdin.
//
// Python generates it (`Emulator.build_kernels`): includes, and one line per instance:
//
//     EMULATOR_INSTANCE(warpath::bfs<unsigned, warpath::ThreadMapped, true, true, 64>)
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>

#include "emulator.h"

namespace emulate {

// A launch as Python asks for it (`EmulatedKernel.launch`). Behind it come the expression, the
// kernel's argument, and the live allocations.
struct Request {
    std::uint64_t expression_bytes, argument_bytes, blocks, threads, cluster, seed, allocations, used;
};
struct Allocation {
    std::uint64_t address, bytes;
};

struct Instance {
    std::size_t argument_bytes;
    std::function<void(const Request&, const char* argument)> launch;
};
inline std::map<std::string, Instance> instances;

// Kernels take one struct by value.
template <class Argument>
bool add_instance(const char* expression, void (*kernel)(Argument)) {
    static_assert(std::is_trivially_copyable_v<Argument>);
    const auto launch_it = [kernel](const Request& request, const char* argument) {
        std::array<char, sizeof(Argument)> bytes;
        std::copy(argument, argument + sizeof(Argument), bytes.begin());
        launch(static_cast<unsigned>(request.blocks), static_cast<unsigned>(request.threads),
               static_cast<unsigned>(request.cluster), 0, request.seed, kernel, std::bit_cast<Argument>(bytes));
    };
    return instances.emplace(expression, Instance{sizeof(Argument), launch_it}).second;
}

}  // namespace emulate

#define EMULATOR_JOIN(a, b) a##b
#define EMULATOR_NAME(number) EMULATOR_JOIN(emulator_instance_, number)
#define EMULATOR_INSTANCE(...) \
    [[maybe_unused]] static const bool EMULATOR_NAME(__COUNTER__) = emulate::add_instance(#__VA_ARGS__, __VA_ARGS__);

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
#include <tuple>

#include "emulator.h"

namespace emulate {

// A launch as Python asks for it (`EmulatedKernel.launch`). Behind it come the expression, the
// kernel's argument, and the live allocations.
struct Request {
    std::uint64_t expression_bytes, argument_bytes, blocks[3], threads, cluster, shared_bytes, seed, allocations, used;
};
struct Allocation {
    std::uint64_t address, bytes;
};

struct Instance {
    std::size_t argument_bytes;
    std::function<void(const Request&, const char* argument)> launch;
};
inline std::map<std::string, Instance> instances;

// Kernels take one struct by value, or its fields one by one, which lie at the same places.
template <class... Parameters>
bool add_instance(const char* expression, void (*kernel)(Parameters...)) {
    static_assert((std::is_trivially_copyable_v<Parameters> && ...));
    constexpr std::size_t last = (std::max)({alignof(Parameters)...});
    std::size_t end = 0;
    const auto place = [](std::size_t& end, std::size_t size, std::size_t alignment) {
        const std::size_t begin = (end + alignment - 1) / alignment * alignment;
        end = begin + size;
        return begin;
    };
    (place(end, sizeof(Parameters), alignof(Parameters)), ...);
    const auto launch_it = [kernel, place](const Request& request, const char* argument) {
        std::size_t end = 0;
        const auto read = [&]<class Parameter>(std::type_identity<Parameter>) {
            std::array<char, sizeof(Parameter)> bytes;
            const char* const from = argument + place(end, sizeof(Parameter), alignof(Parameter));
            std::copy(from, from + sizeof(Parameter), bytes.begin());
            return std::bit_cast<Parameter>(bytes);
        };
        // In braces they are read in order.
        const std::tuple<Parameters...> values{read(std::type_identity<Parameters>{})...};
        std::apply([&](const Parameters&... each) {
            const auto& [x, y, z] = request.blocks;
            launch({static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)},
                   static_cast<unsigned>(request.threads), static_cast<unsigned>(request.cluster), request.shared_bytes,
                   request.seed, kernel, each...);
        }, values);
    };
    return instances.emplace(expression, Instance{(end + last - 1) / last * last, launch_it}).second;
}

}  // namespace emulate

#define EMULATOR_JOIN(a, b) a##b
#define EMULATOR_NAME(number) EMULATOR_JOIN(emulator_instance_, number)
#define EMULATOR_INSTANCE(...) \
    [[maybe_unused]] static const bool EMULATOR_NAME(__COUNTER__) = emulate::add_instance(#__VA_ARGS__, __VA_ARGS__);

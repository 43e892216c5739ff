// A program of kernels: it launches on demand, what it is asked for on stdin.
//
// Python generates it (`Emulator.build_kernels`): includes, and one line per instance:
//
//     EMULATOR_INSTANCE(warpath::bfs<unsigned, warpath::ThreadMapped, true, true, 64>)
//
// Building takes longer than running, so an instance is two pointers here; all else is in server.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "emulator.h"

namespace emulate {

// A kernel whose type is forgotten, and what the threads of its grid call.
struct Instance {
    std::size_t argument_bytes;
    void (*kernel)();
    void (*thread)(const void* call);
};
struct Call {
    void (*kernel)();
    const char* argument;  // aligned to 16 bytes
};
bool add_instance(const char* expression, Instance);

// Kernels take one struct by value, or its fields one by one, which lie at the same places: those, and the size.
template <class... Parameters>
constexpr std::array<std::size_t, sizeof...(Parameters) + 1> places() {
    std::array<std::size_t, sizeof...(Parameters) + 1> found{};
    std::size_t end = 0, i = 0;
    const auto aligned = [](std::size_t at, std::size_t alignment) {
        return (at + alignment - 1) / alignment * alignment;
    };
    ((found[i] = aligned(end, alignof(Parameters)), end = found[i++] + sizeof(Parameters)), ...);
    found[i] = aligned(end, (std::max)({alignof(Parameters)...}));
    return found;
}

template <class... Parameters, std::size_t... i>
void call_with(const Call& call, std::index_sequence<i...>) {
    constexpr auto place = places<Parameters...>();
    const auto kernel = reinterpret_cast<void (*)(Parameters...)>(call.kernel);
    kernel(*reinterpret_cast<const Parameters*>(call.argument + place[i])...);
}

template <class... Parameters>
bool add_instance(const char* expression, void (*kernel)(Parameters...)) {
    static_assert(((std::is_trivially_copyable_v<Parameters> && alignof(Parameters) <= 16) && ...));
    constexpr std::size_t bytes = places<Parameters...>().back();
    const auto thread = [](const void* call) {
        call_with<Parameters...>(*static_cast<const Call*>(call), std::index_sequence_for<Parameters...>());
    };
    return add_instance(expression, Instance{bytes, reinterpret_cast<void (*)()>(kernel), thread});
}

}  // namespace emulate

#define EMULATOR_JOIN(a, b) a##b
#define EMULATOR_NAME(number) EMULATOR_JOIN(emulator_instance_, number)
#define EMULATOR_INSTANCE(...) \
    [[maybe_unused]] static const bool EMULATOR_NAME(__COUNTER__) = emulate::add_instance(#__VA_ARGS__, __VA_ARGS__);

// What CUDA C++ has and C++ has not: qualifiers, vector types, bit and cast intrinsics.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
// A block is an OS thread, so that its threads (fibres of it) share what is thread_local.
#define __shared__ static thread_local

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
// Of the fibre that runs; the scheduler sets them when it switches.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
constexpr int warpSize = 32;

#define EMULATOR_VECTORS(T, name)                                                            \
    struct alignas(2 * sizeof(T)) name##2 { T x, y; };                                       \
    struct alignas(16) name##4 { T x, y, z, w; };                                            \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                            \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMULATOR_VECTORS(int, int)
EMULATOR_VECTORS(unsigned, uint)
EMULATOR_VECTORS(float, float)
EMULATOR_VECTORS(long long, longlong)
EMULATOR_VECTORS(unsigned long long, ulonglong)
EMULATOR_VECTORS(double, double)
#undef EMULATOR_VECTORS

template <class A, class B>
    requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    return std::min(static_cast<T>(a), static_cast<T>(b));
}
template <class A, class B>
    requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    return std::max(static_cast<T>(a), static_cast<T>(b));
}

constexpr int __popc(unsigned x) { return std::popcount(x); }
constexpr int __popcll(unsigned long long x) { return std::popcount(x); }
constexpr int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
constexpr int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
constexpr int __ffs(int x) { return __builtin_ffs(x); }
constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }
constexpr unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
    return reversed;
}
constexpr unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32);
}
constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
constexpr int __float_as_int(float x) { return std::bit_cast<int>(x); }
constexpr float __int_as_float(int x) { return std::bit_cast<float>(x); }
constexpr unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
constexpr float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
constexpr long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
constexpr double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

// What operators that are written in Python compute (warpath/language/cpp.py): as on the CPU, to the bit,
// but for the last bits of exp and log, which are CUDA's own.
//
// Integers wrap. Products are rounded before they are added to anything: the compiler makes no fused operation of
// them. Division by zero gives 0 for integers.
#pragma once

#include "core/device.cuh"
#include "core/types.cuh"

#ifdef WARPATH_EMULATOR
#include <cmath>
#endif

namespace warpath {

#ifdef WARPATH_EMULATOR
using std::ceil, std::exp, std::floor, std::log, std::sqrt;
#endif

// An array that an operator takes.
template <class T>
struct Vector {
    T* data;
    Count length;
};

// An element that the operator also writes; `past_l1`: from L2.
template <bool past_l1, class T>
__device__ __forceinline__ T read(const T& element) {
    if constexpr (!past_l1) return element;
    else if constexpr (sizeof(T) < 4) return const_cast<const volatile T&>(element);
    else return load_relaxed(&element);
}
template <bool past_l1, class T>
__device__ __forceinline__ T read_if(const T* element, bool pred) {
    return past_l1 ? load_relaxed_if(element, pred) : load_if(element, pred);
}

// The first index that was out of range, where indices are checked: see warpath/cpu/arithmetic.py.
struct Faults {
    unsigned long long any;
    long long line, index, array;
};

// An index that is in range: itself, or else 0, and the first of these is noted.
__device__ inline long long checked(long long index, Count length, Faults* faults, long long line, long long array) {
    if (0 <= index && static_cast<Count>(index) < length) return index;
    if (atomicCAS(&faults->any, 0ull, 1ull) == 0) {
        faults->line = line;
        faults->index = index;
        faults->array = array;
    }
    return 0;
}

template <class T>
__device__ __forceinline__ T infinity() {
    if constexpr (sizeof(T) == 4) return __int_as_float(0x7f800000);
    else return __longlong_as_double(0x7ff0000000000000ll);
}

// In what a number is computed: integers as unsigned ones, which wrap.
template <class T> struct Wrapping { using type = T; };
template <> struct Wrapping<int> { using type = unsigned; };
template <> struct Wrapping<long long> { using type = unsigned long long; };
template <class T> using UnsignedOf = typename Wrapping<T>::type;

template <class T>
__device__ __forceinline__ T plus(T a, T b) { return static_cast<T>(static_cast<UnsignedOf<T>>(a) + static_cast<UnsignedOf<T>>(b)); }
template <class T>
__device__ __forceinline__ T minus(T a, T b) { return static_cast<T>(static_cast<UnsignedOf<T>>(a) - static_cast<UnsignedOf<T>>(b)); }
template <class T>
__device__ __forceinline__ T times(T a, T b) { return static_cast<T>(static_cast<UnsignedOf<T>>(a) * static_cast<UnsignedOf<T>>(b)); }
#ifndef WARPATH_EMULATOR
template <> __device__ __forceinline__ float times(float a, float b) { return __fmul_rn(a, b); }
template <> __device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
#endif
template <class T>
__device__ __forceinline__ T negative(T a) { return static_cast<T>(-static_cast<UnsignedOf<T>>(a)); }
template <class T>
__device__ __forceinline__ T magnitude(T a) { return a < 0 ? negative(a) : a == 0 ? T{} : a; }
template <class T>
__device__ __forceinline__ T min_of(T a, T b) { return b < a ? b : a; }
template <class T>
__device__ __forceinline__ T max_of(T a, T b) { return b > a ? b : a; }

// As Python divides integers: towards minus infinity.
template <class T>
__device__ T floor_divided(T a, T b) {
    if (b == 0) return 0;
    if (b == -1) return negative(a);
    const T quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
template <class T>
__device__ T floor_remainder(T a, T b) {
    if (b == 0 || b == -1) return 0;
    const T rest = a % b;
    return rest + (rest != 0 && (rest < 0) != (b < 0) ? b : 0);
}
template <class T>
__device__ T shifted_left(T a, T b) {
    return 0 <= b && b < static_cast<T>(8 * sizeof(T)) ? static_cast<T>(static_cast<UnsignedOf<T>>(a) << b) : 0;
}
template <class T>
__device__ T shifted_right(T a, T b) {
    return 0 <= b && b < static_cast<T>(8 * sizeof(T)) ? a >> b : a < 0 ? -1 : 0;
}

// A loop's counter after one more step, which is not beyond the end: there it could wrap.
__device__ __forceinline__ long long stepped(long long at, long long end, long long step) {
    using Unsigned = unsigned long long;
    const Unsigned left = step > 0 ? static_cast<Unsigned>(end) - static_cast<Unsigned>(at) : static_cast<Unsigned>(at) - static_cast<Unsigned>(end);
    const Unsigned size = step > 0 ? static_cast<Unsigned>(step) : -static_cast<Unsigned>(step);
    return left > size ? at + step : end;
}

// A float as an integer: what is beyond its ends is the end, and what is no number 0.
template <class T, class Float>
__device__ T whole(Float a) {
    constexpr T least = static_cast<T>(UnsignedOf<T>{1} << (8 * sizeof(T) - 1));
    constexpr Float end = -static_cast<Float>(least);
    if (a >= end) return ~least;
    if (a < -end) return least;
    return a == a ? static_cast<T>(a) : 0;
}

// Atomic operations. A thread first reads the value, which is cheaper, and makes no atomic operation if the value
// is good enough already. `past_l1`: it is read from L2, as others may have changed it since a barrier that drops nothing of
// L1. Else L1 holds only what was there in this iteration.
__device__ inline int fetch_min(int* address, int value) { return atomicMin(address, value); }
__device__ inline int fetch_max(int* address, int value) { return atomicMax(address, value); }
__device__ inline long long fetch_min(long long* address, long long value) { return atomicMin(address, value); }
__device__ inline long long fetch_max(long long* address, long long value) { return atomicMax(address, value); }
// The order of floats is that of their bits, turned round for those below 0.
__device__ inline float fetch_min(float* address, float value) {
    const int bits = __float_as_int(value);
    return bits >= 0 ? __int_as_float(atomicMin(reinterpret_cast<int*>(address), bits))
                     : __int_as_float(static_cast<int>(atomicMax(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(bits))));
}
__device__ inline float fetch_max(float* address, float value) {
    const int bits = __float_as_int(value);
    return bits >= 0 ? __int_as_float(atomicMax(reinterpret_cast<int*>(address), bits))
                     : __int_as_float(static_cast<int>(atomicMin(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(bits))));
}
__device__ inline double fetch_min(double* address, double value) {
    const long long bits = __double_as_longlong(value);
    return __longlong_as_double(bits >= 0
        ? atomicMin(reinterpret_cast<long long*>(address), bits)
        : static_cast<long long>(atomicMax(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(bits))));
}
__device__ inline double fetch_max(double* address, double value) {
    const long long bits = __double_as_longlong(value);
    return __longlong_as_double(bits >= 0
        ? atomicMax(reinterpret_cast<long long*>(address), bits)
        : static_cast<long long>(atomicMin(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(bits))));
}
template <bool past_l1 = false, class T>
__device__ __forceinline__ bool atomic_min(T* address, T value) { return value < read<past_l1>(*address) && value < fetch_min(address, value); }
template <bool past_l1 = false, class T>
__device__ __forceinline__ bool atomic_max(T* address, T value) { return value > read<past_l1>(*address) && value > fetch_max(address, value); }
template <class T>
__device__ __forceinline__ T atomic_add(T* address, T value) { return atomicAdd(address, value); }
template <>
__device__ __forceinline__ long long atomic_add(long long* address, long long value) {
    return static_cast<long long>(atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
}
template <bool past_l1 = false, class T>
__device__ __forceinline__ bool atomic_or(T* address, T bits) {
    auto* const word = reinterpret_cast<UnsignedOf<T>*>(address);
    const auto mask = static_cast<UnsignedOf<T>>(bits);
    return (mask & ~read<past_l1>(*word)) != 0 && (mask & ~atomicOr(word, mask)) != 0;
}
template <class T>
struct Bits { using type = UnsignedOf<T>; };
template <>
struct Bits<float> { using type = unsigned; };
template <>
struct Bits<double> { using type = unsigned long long; };
template <class T>
__device__ __forceinline__ typename Bits<T>::type bits_of(T value) { return *reinterpret_cast<typename Bits<T>::type*>(&value); }
template <class T>
__device__ __forceinline__ T value_of(typename Bits<T>::type bits) { return *reinterpret_cast<T*>(&bits); }
template <bool past_l1 = false, class T>
__device__ __forceinline__ bool atomic_cas(T* address, T expected, T value) {
    using Word = typename Bits<T>::type;
    for (Word found = bits_of(read<past_l1>(*address)); value_of<T>(found) == expected;) {  // 0 and -0 are equal, their bits are not
        const Word before = atomicCAS(reinterpret_cast<Word*>(address), found, bits_of(value));
        if (before == found) return true;
        found = before;
    }
    return false;
}

}  // namespace warpath

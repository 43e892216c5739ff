// Distances as integers of the same order, so that one integer atomicMin lowers any of them.
//
// Integers are kept as they are. A float's key is its bits: those of non-negative floats, read as
// a signed integer, rise with the float, and those of negative ones fall, so there all bits but
// the sign are flipped. A non-negative float so stands as itself. −0 never comes up: sums that
// begin with +0 do not yield it, nor do the other ways to extend a path (core/weight.cuh).
//
// The largest value, for floats infinity, says "unreachable".
//
// No sum wraps. Every kernel that adds a weight or Δ to a distance of integers does so by `extend`, which
// stops at the dtype's limits, and only from vertices that were reached: "unreachable" is never extended.
// Matrices are the exception (minplus.cuh, floyd_warshall.cuh): there the host bounds all paths first.
#pragma once

namespace warpath {

template <class Distance>
struct Ordered;

template <>
struct Ordered<int> {
    using Key = int;
    static constexpr Key unreachable = 0x7FFFFFFF;
};

template <>
struct Ordered<long long> {
    using Key = long long;
    static constexpr Key unreachable = 0x7FFFFFFFFFFFFFFF;
};

template <>
struct Ordered<float> {
    using Key = int;
    static constexpr Key unreachable = 0x7F800000;  // the bits of infinity
    static __device__ Key reorder(Key bits) { return bits ^ (bits >> 31 & 0x7FFFFFFF); }  // its own inverse
    static __device__ Key key(float d) { return reorder(__float_as_int(d)); }
    static __device__ float value(Key key) { return __int_as_float(reorder(key)); }
};

template <>
struct Ordered<double> {
    using Key = long long;
    static constexpr Key unreachable = 0x7FF0000000000000;
    static __device__ Key reorder(Key bits) { return bits ^ (bits >> 63 & 0x7FFFFFFFFFFFFFFF); }
    static __device__ Key key(double d) { return reorder(__double_as_longlong(d)); }
    static __device__ double value(Key key) { return __longlong_as_double(reorder(key)); }
};

template <class Distance>
using Key = typename Ordered<Distance>::Key;

template <class Distance>
constexpr bool is_float = false;
template <>
inline constexpr bool is_float<float> = true;
template <>
inline constexpr bool is_float<double> = true;

template <class T> struct Unsigned;
template <> struct Unsigned<int> { using type = unsigned; };
template <> struct Unsigned<long long> { using type = unsigned long long; };

// The key of a distance.
template <class Distance>
__device__ __forceinline__ Key<Distance> key_of(Distance d) {
    if constexpr (is_float<Distance>) return Ordered<Distance>::key(d);
    else return d;
}

// Whether it is no weight of core/weight.cuh.
template <class T>
constexpr bool is_number = !requires(T weight) { weight.number; };

// `length` farther than `from`. Integers stop at their limits instead of wrapping: at the upper
// one is "unreachable", so a sum that is too large is no distance; the host finds the lower one.
template <class Distance, class Length>
requires(is_number<Length>)
__device__ __forceinline__ Key<Distance> extend(Key<Distance> from, Length length) {
    if constexpr (is_float<Distance>) {
        return Ordered<Distance>::key(Ordered<Distance>::value(from) + static_cast<Distance>(length));
    } else {
        using Bits = typename Unsigned<Distance>::type;
        const Distance by = length;
        const Distance sum = static_cast<Distance>(static_cast<Bits>(from) + static_cast<Bits>(by));
        constexpr Distance largest = Ordered<Distance>::unreachable;
        // It wrapped if its sign is neither summand's; then its sign is that of the other limit.
        return ((from ^ sum) & (by ^ sum)) < 0 ? (by < 0 ? -largest - 1 : largest) : sum;
    }
}

// Δ above `from`, but at least the next number.
template <class Distance>
__device__ __forceinline__ Key<Distance> raised(Key<Distance> from, Distance delta) {
    constexpr Key<Distance> unreachable = Ordered<Distance>::unreachable;
    return from >= unreachable - 1 ? unreachable : max(extend<Distance>(from, delta), from + 1);
}

}  // namespace warpath

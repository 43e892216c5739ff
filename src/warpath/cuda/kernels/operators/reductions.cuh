// How the values that an operator returns are put together: what no value gives, two of them, and one with an element of
// an array, atomically.
#pragma once

#include "core/warp.cuh"
#include "core/weight.cuh"
#include "operators/arithmetic.cuh"

namespace warpath {

struct Sum {
    template <class T> static __device__ T none() { return T{}; }
    template <class T> static __device__ T combine(T a, T b) { return plus(a, b); }
    template <class T> static __device__ void apply(T* address, T value) { atomic_add(address, value); }
};
// A value that is no number stays, as in NumPy.
template <class T>
__device__ __forceinline__ bool is_nan(T a) { return a != a; }
struct Min {
    template <class T> static __device__ T none() { return unreachable_distance<T>(); }
    template <class T> static __device__ T combine(T a, T b) { return is_nan(b) ? b : min_of(a, b); }
    // By the order of bits (fetch_min) all ones are less than any number.
    template <class T> static __device__ void apply(T* address, T value) {
        if (is_nan(value)) fetch_min(address, value_of<T>(~typename Bits<T>::type{}));
        else atomic_min(address, value);
    }
};
struct Max {
    template <class T> static __device__ T none() { return min_distance<T>(); }
    template <class T> static __device__ T combine(T a, T b) { return is_nan(b) ? b : max_of(a, b); }
    // Likewise, all ones after a sign bit of 0 are more.
    template <class T> static __device__ void apply(T* address, T value) {
        if (is_nan(value)) fetch_max(address, value_of<T>(~typename Bits<T>::type{} >> 1));
        else atomic_max(address, value);
    }
};

// The values of a warp's lanes, reduced; all lanes call, and all get it.
template <class Reduction, class T>
__device__ __forceinline__ T warp_reduced(T value) {
#pragma unroll
    for (unsigned distance = warp_lanes / 2; distance > 0; distance /= 2)
        value = Reduction::combine(value, __shfl_xor_sync(all_lanes, value, static_cast<int>(distance)));
    return value;
}

}  // namespace warpath

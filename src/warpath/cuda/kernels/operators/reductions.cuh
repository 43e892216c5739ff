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
struct Min {
    template <class T> static __device__ T none() { return unreachable_distance<T>(); }
    template <class T> static __device__ T combine(T a, T b) { return min_of(a, b); }
    template <class T> static __device__ void apply(T* address, T value) { atomic_min(address, value); }
};
struct Max {
    template <class T> static __device__ T none() { return min_distance<T>(); }
    template <class T> static __device__ T combine(T a, T b) { return max_of(a, b); }
    template <class T> static __device__ void apply(T* address, T value) { atomic_max(address, value); }
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

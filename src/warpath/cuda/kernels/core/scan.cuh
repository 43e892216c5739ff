// Prefix sums of a warp, and searches in sorted offsets.
#pragma once

#include "core/types.cuh"
#include "core/warp.cuh"

namespace warpath {

// Sum of the values of this lane and those below it.
template <class T>
__device__ __forceinline__ T inclusive_scan(T value) {
    for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
        const T before = __shfl_up_sync(all_lanes, value, distance);
        if (lane_id() >= distance) value += before;
    }
    return value;
}

// The last i with offsets[i] <= item: upper_bound − 1, by a whole warp, 32 probes at a time.
// Needs size > 0 and offsets[0] <= item, `item` the same in all lanes; `offsets` has an operator [].
template <class Offsets, class Offset>
__device__ __forceinline__ unsigned find_owner(const Offsets& offsets, unsigned size, Offset item) {
    unsigned low = 0, high = size;  // the answer is in low … high − 1
    while (high - low > 1) {
        const unsigned step = (high - low + warp_lanes - 1) / warp_lanes;
        const unsigned probe = low + (lane_id() + 1) * step;
        const bool at_or_before = probe < high && offsets[probe] <= item;
        low += count_bits(lanes_where(at_or_before)) * step;
        high = min(high, low + step);
    }
    return low;
}

// The same by one lane, which looks for its own item.
template <class Offsets, class Offset>
__device__ __forceinline__ unsigned find_owner_by_lane(const Offsets& offsets, unsigned size, Offset item) {
    unsigned low = 0;
    for (unsigned jump = 1u << (31 - __clz(static_cast<int>(size))); jump > 0; jump /= 2)
        if (low + jump < size && offsets[low + jump] <= item) low += jump;
    return low;
}

}  // namespace warpath

// A warp and its lanes.
#pragma once

#include "core/types.cuh"

namespace warpath {

__device__ __forceinline__ unsigned lane_id() { return threadIdx.x % warp_lanes; }
__device__ __forceinline__ unsigned warp_in_block() { return threadIdx.x / warp_lanes; }
__device__ __forceinline__ unsigned lanes_below() { return (1u << lane_id()) - 1; }

__device__ __forceinline__ unsigned count_bits(unsigned mask) { return static_cast<unsigned>(__popc(mask)); }

// Where the lowest bit is set; `mask` is not 0.
__device__ __forceinline__ unsigned lowest_bit(unsigned mask) { return static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1; }

// How many of the lanes below this one are in `mask`.
__device__ __forceinline__ unsigned rank_in(unsigned mask) { return count_bits(mask & lanes_below()); }

// Where the n-th bit is set, counted from 0; anywhere if it has no more than n.
__device__ __forceinline__ unsigned nth_bit(unsigned mask, unsigned n) {
    unsigned at = 0;
#pragma unroll
    for (unsigned half = warp_lanes / 2; half > 0; half /= 2) {
        const unsigned below = count_bits(mask >> at & ((1u << half) - 1));
        if (n < below) continue;
        n -= below;
        at += half;
    }
    return at;
}

__device__ __forceinline__ bool any_lane(bool predicate) { return __any_sync(all_lanes, predicate) != 0; }
__device__ __forceinline__ unsigned lanes_where(bool predicate) { return __ballot_sync(all_lanes, predicate); }

// A value of another lane; all lanes call.
template <class T>
__device__ __forceinline__ T from_lane(T value, unsigned lane) {
    return __shfl_sync(all_lanes, value, static_cast<int>(lane));
}

template <class T>
__device__ __forceinline__ T from_lane_below(T value, unsigned distance) {
    return __shfl_up_sync(all_lanes, value, distance);
}

template <class T>
__device__ __forceinline__ T warp_sum(T value) {
    for (unsigned distance = warp_lanes / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(all_lanes, value, static_cast<int>(distance));
    return value;
}

template <class T>
__device__ __forceinline__ T warp_min(T value) {
    for (unsigned distance = warp_lanes / 2; distance > 0; distance /= 2)
        value = min(value, __shfl_xor_sync(all_lanes, value, static_cast<int>(distance)));
    return value;
}

// Warps of the grid. Neighbouring ranks are in different blocks, so that little work spreads over many multiprocessors.
__device__ __forceinline__ Workers grid_warps() {
    return {warp_in_block() * gridDim.x + blockIdx.x, gridDim.x * (blockDim.x / warp_lanes)};
}
// The blocks of workers that are all warps of a grid, or of a block.
__device__ __forceinline__ Workers blocks_of(Workers warps) {
    const unsigned count = warps.count / (blockDim.x / warp_lanes);
    return {warps.rank % count, count};
}
__device__ __forceinline__ Workers block_warps() { return {warp_in_block(), blockDim.x / warp_lanes}; }

}  // namespace warpath

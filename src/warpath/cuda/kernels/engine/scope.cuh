// Which threads run a program together: those of the grid, or those of one block.
//
// A small graph's search keeps few of a device's threads busy. There each block runs a program of its own
// (batch.cuh): its barrier is __syncthreads, its counters are in shared memory, and blocks never wait for each
// other.
#pragma once

#include "core/grid_barrier.cuh"
#include "core/scan.cuh"
#include "engine/trace.cuh"

namespace warpath {

struct GridScope {
    using Barrier = GridBarrier;
    static constexpr Mode mode = mode_grid;

    static __device__ __forceinline__ Workers warps() { return grid_warps(); }
    static __device__ __forceinline__ Count thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
    static __device__ __forceinline__ Count threads() { return gridDim.x * blockDim.x; }
    static __device__ __forceinline__ bool is_first_block() { return blockIdx.x == 0; }
    static __device__ __forceinline__ GridBarrier for_balance(const Barrier& grid, unsigned&) { return grid; }
};

struct BlockScope {
    // `GridBarrier` for one block.
    class Barrier {
    public:
        __device__ Barrier(unsigned*, unsigned&) {}
        template <class Before, class Then>
        __device__ void sync(Before before, Then then) {
            block_sync([&] {
                before();
                then();
            });
        }
        template <class Then>
        __device__ void sync(Then then) { block_sync(then); }
    };
    static constexpr Mode mode = mode_block;

    static __device__ __forceinline__ Workers warps() { return block_warps(); }
    static __device__ __forceinline__ Count thread() { return threadIdx.x; }
    static __device__ __forceinline__ Count threads() { return blockDim.x; }
    static __device__ __forceinline__ bool is_first_block() { return true; }
    // A balance whose warps work each by itself uses none.
    static __device__ __forceinline__ GridBarrier for_balance(const Barrier&, unsigned& unused) { return {nullptr, unused}; }
};

}  // namespace warpath

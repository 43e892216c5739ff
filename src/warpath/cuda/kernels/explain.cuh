// The thread that visits each arc: a balance, recorded as it runs.
#pragma once

#include "balance/all.cuh"

namespace warpath {

// Notes, for each arc, the thread that visits it.
struct WriteDown {
    static constexpr bool needs_owner = false;

    unsigned* thread_of;

    template <int arcs>
    __device__ void visit(const Vertex (&)[arcs], const unsigned (&arc)[arcs], unsigned active) {
        for (int j = 0; j < arcs; ++j)
            if (active >> j & 1u) thread_of[arc[j]] = blockIdx.x * blockDim.x + threadIdx.x;
    }
};

// As in warpath/cuda/explain.py.
struct ExplainArguments {
    const Vertex* vertices;
    const unsigned* row_offsets;
    unsigned size;
    unsigned* thread_of;
    unsigned* arrived;
    BalanceMemory balance;
};

// The frontier is all `size` vertices, none without arcs: their row offsets are its prefix sums.
template <class Balance, int threads>
__global__ void __launch_bounds__(threads, 1)
explain(const __grid_constant__ ExplainArguments a) {
    constexpr unsigned bytes = Balance::template scratch_bytes<unsigned>;
    __shared__ __align__(16) unsigned char scratch[threads / warp_lanes][bytes > 0 ? bytes : 16];
    __shared__ unsigned barrier_target;
    const unsigned* const row_offsets = a.row_offsets;
    const unsigned size = a.size;
    const GridBarrier grid(a.arrived, barrier_target);
    WriteDown body{a.thread_of};
    const Segments<unsigned> frontier{a.vertices, row_offsets, size, row_offsets[size]};
    const Resources resources = a.balance.resources(scratch[warp_in_block()], size, grid);
    Balance::advance(frontier, row_offsets, grid_warps(), resources, body);
}

}  // namespace warpath

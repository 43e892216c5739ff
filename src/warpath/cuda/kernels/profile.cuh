// How evenly a balance shares a frontier: what each warp gets, counted.
#pragma once

#include "balance/all.cuh"

namespace warpath {

// The work of one warp: the rows that it visits, each of up to 32 arcs, one per lane; and their arcs.
struct WarpWork {
    Count rows, arcs;
};

struct CountWork {
    static constexpr bool needs_owner = false;
    WarpWork work{0, 0};  // the same in all lanes

    template <class Offset, int arcs>
    __device__ void visit(const Vertex (&)[arcs], const Offset (&)[arcs], unsigned active) {
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            const unsigned lanes = lanes_where(active >> j & 1u);
            work.rows += lanes != 0;
            work.arcs += count_bits(lanes);
        }
    }
};

// As in warpath/cuda/profile.py.
template <class Offset>
struct ProfileArguments {
    Segments<Offset> frontier;
    const Offset* row_offsets;
    Vertex vertices;  // of the graph
    WarpWork* work;   // an element for each warp of the grid, a block's side by side: its share of this frontier
    unsigned* arrived;
    BalanceMemory balance;
};

template <class Offset, class Balance, int threads>
__global__ void __launch_bounds__(threads)
profile(const __grid_constant__ ProfileArguments<Offset> a) {
    constexpr unsigned bytes = Balance::template scratch_bytes<Offset>;
    __shared__ __align__(16) unsigned char scratch[threads / warp_lanes][bytes > 0 ? bytes : 16];
    __shared__ unsigned barrier_target;
    const GridBarrier grid(a.arrived, barrier_target);
    CountWork body;
    const Resources resources = a.balance.resources(scratch[warp_in_block()], a.vertices, grid);
    Balance::advance(a.frontier, a.row_offsets, grid_warps(), resources, body);
    if (lane_id() == 0) a.work[blockIdx.x * (threads / warp_lanes) + warp_in_block()] = body.work;
}

}  // namespace warpath

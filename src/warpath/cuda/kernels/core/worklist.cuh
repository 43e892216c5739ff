// A list of vertices in global memory that all warps write and then share, within one level.
//
//     push     appends vertices with a number of arcs each; one atomic per warp gives their places and
//              their prefix sums, as in frontier/queue.cuh
//     meet     waits for all threads of the grid; what was pushed is `Segments` then, and the counters are
//              zero again
//
// After `meet` one more barrier of the grid has to come before the next `push`: other blocks may still read the
// tail, or the segments.
#pragma once

#include "core/grid_barrier.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "core/warp.cuh"
#include "frontier/queue.cuh"

namespace warpath {

template <class Offset>
struct Worklist {
    // Zero at the launch, and between two uses.
    struct Counters {
        Count tail;
        unsigned met;  // blocks that have read the tail
        unsigned unused;
    };
    Counters* counters;
    Vertex* vertices;
    Offset* prefix;

    // Append, for each lane, its vertex if `pred`; `arcs` is not 0 then. All lanes of a warp call.
    __device__ void push(Vertex v, Offset arcs, bool pred) const {
        if (!any_lane(pred)) return;
        const Count mine = pred ? Tail<Offset>::pack(1, arcs) : 0;
        const Count sum = inclusive_scan(mine);
        Count place = 0;
        if (lane_id() == warp_lanes - 1) place = atomicAdd(&counters->tail, sum);
        place = from_lane(place, warp_lanes - 1) + sum - mine;
        if (!pred) return;
        vertices[Tail<Offset>::vertices(place)] = v;
        prefix[Tail<Offset>::vertices(place)] = Tail<Offset>::arcs(place);
    }

    // All threads of the grid call, with a word of the block's shared memory.
    __device__ Segments<Offset> meet(const GridBarrier& grid, Count& shared) const {
        const Count tail = meet_count(grid, shared);
        return {vertices, prefix, Tail<Offset>::vertices(tail), Tail<Offset>::arcs(tail)};
    }

    // The same, if the tail counts something else.
    __device__ Count meet_count(GridBarrier grid, Count& shared) const {
        grid.sync([&] {  // the list is complete
            shared = load_relaxed(&counters->tail);
            if (fetch_add_acq_rel(&counters->met, 1) + 1 == gridDim.x) *counters = {0, 0, 0};  // all have read it
        });
        return shared;
    }
};

}  // namespace warpath

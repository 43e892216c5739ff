// Some vertices as a frontier that a balance takes (frontier/queue.cuh): those that have edges, with their prefix sums.
#pragma once

#include "core/warp.cuh"
#include "frontier/queue.cuh"

namespace warpath {

// As in warpath/cuda/operators.py. `queue` has room for all; its tail is 0 at first.
template <class Offset>
struct ListRowsArguments {
    const Vertex* vertices;
    Count count;
    const Offset* row_offsets;
    Queue<Offset> queue;
};

// Warp w of W owns groups of 128 vertices, w, w + W, …: neighbours in the list mostly stay neighbours, so that their edges are
// read together. Warps share the tail alone, so there is no barrier: the end of the launch makes the queue visible.
template <class Offset, int threads>
__global__ void __launch_bounds__(threads)
list_rows(const __grid_constant__ ListRowsArguments<Offset> a) {
    using Writer = QueueWriter<Offset>;
    constexpr unsigned group = Writer::rows * warp_lanes;
    __shared__ Staging<Writer, threads / warp_lanes> staging;
    Writer out(staging.own(), a.row_offsets, a.queue);
    const Workers workers = grid_warps();
    for (Count first = Count{workers.rank} * group; first < a.count; first += Count{workers.count} * group) {
#pragma unroll
        for (unsigned j = 0; j < Writer::rows; ++j) {
            const Count i = first + j * warp_lanes + lane_id();
            out.push(i < a.count ? a.vertices[i] : invalid_vertex, i < a.count);
        }
        out.flush();
    }
    out.finish();
}

}  // namespace warpath

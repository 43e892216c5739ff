// Some vertices as a frontier that a balance takes (frontier/queue.cuh): those that have edges, with their prefix sums.
#pragma once

#include "core/memory.cuh"
#include "core/scan.cuh"
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

// Warp w of W owns groups of 256 vertices, w, w + W, …, of which a lane owns every 32nd: neighbours in the list stay neighbours, so
// that their edges are read together. A lane loads the degrees of all its vertices before it needs the first. The sums over the
// vertices before it, of them and of their edges, are one word as in the tail, to which a warp adds once for its group. Warps
// share the tail alone, so there is no barrier: the end of the launch makes the queue visible.
//
// 100 M neighbours take 0.97 ms with offsets of 64 bits (H200, 2026-12); to move 24 bytes of each at 4.3 TB/s takes 0.56.
template <class Offset, int threads>
__global__ void __launch_bounds__(threads)
list_rows(const __grid_constant__ ListRowsArguments<Offset> a) {
    constexpr unsigned rows = 8;
    const Workers workers = grid_warps();
    for (Count first = Count{workers.rank} * rows * warp_lanes; first < a.count; first += Count{workers.count} * rows * warp_lanes) {
        Vertex v[rows];
        Offset begin[rows], end[rows];
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            const Count i = first + j * warp_lanes + lane_id();
            v[j] = read_only_if(a.vertices + i, i < a.count);
        }
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            const bool is_there = first + j * warp_lanes + lane_id() < a.count;
            begin[j] = load_if(a.row_offsets + v[j], is_there);
            end[j] = load_if(a.row_offsets + v[j] + 1, is_there);
        }
        Count before[rows], total = 0;
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            const Count mine = begin[j] != end[j] ? Tail<Offset>::pack(1, end[j] - begin[j]) : 0, upto = inclusive_scan(mine);
            before[j] = total + upto - mine;
            total += from_lane(upto, warp_lanes - 1);
        }
        Count tail = 0;
        if (lane_id() == 0) tail = atomicAdd(a.queue.tail, total);
        tail = from_lane(tail, 0);
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            if (begin[j] == end[j]) continue;
            const unsigned place = Tail<Offset>::vertices(tail + before[j]);
            a.queue.vertices[place] = v[j];
            a.queue.prefix[place] = Tail<Offset>::arcs(tail + before[j]);
        }
    }
}

}  // namespace warpath

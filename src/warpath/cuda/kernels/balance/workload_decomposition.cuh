// Workload decomposition: each thread takes the same number of neighbouring arcs, of whichever vertices.
//
// The "WD" of the paper on dynamic load-balancing strategies for graph applications (Mishra et al.),
// section III-A.
//
//     edges 0   as in the paper, ⌈arcs / threads⌉ arcs for each thread: the 32 shares of a warp lie together,
//               and its lanes walk them side by side, each a piece of 4 neighbouring arcs or less at a time
//     share     "contiguous": as in the paper, a thread walks its own share. Where it starts is found first, for all
//               threads (the paper's kernel find_offsets), and kept in memory; then they meet
//     edges     else a thread takes pieces of that many neighbouring arcs: arcs thread · edges … + edges − 1
//               of the level; then those of the thread `threads` on
//     owner     upper_bound(prefix, first arc) − 1, a binary search for each piece, of the frontier from the piece
//               before on, as far as items lead; from there the thread continues, to the next vertex where
//               one ends
//
// Perfectly balanced, for the price of a search for each piece. Where a thread walks its share alone, neighbouring lanes
// read columns a share apart, each a sector of its own: 1.3 times slower, 1.8 in shortest paths (measured, H200,
// R-MAT 22, 16 edges per vertex, without offsets in memory).
#pragma once

#include "balance/balance.cuh"

namespace warpath {

// Arcs of a lane: as many as are in flight. 8 take up to 5 % longer, 16 up to 30 % (measured, H200, R-MAT 22
// and G(2²², 2²⁶)).
constexpr unsigned walked_together = 4;

enum class Share { interleaved, contiguous };

// Visit my lane's items `item` … `stop` − 1, the first in segment `place`, which becomes the last one's; `arcs` of a
// lane in flight, and of each vertex the first `skip` arcs left out. All lanes of a warp call.
template <int arcs, class Offset, class Body>
__device__ __forceinline__ void walk_items(const Segments<Offset>& frontier, const Offset* row_offsets, Offset skip,
                                           unsigned& place, Offset item, Offset stop, Body& body) {
    Vertex u;
    Offset first_arc, after = frontier.prefix[place];  // arc − item, and where the next segment starts
    const auto take_up = [&] {
        u = frontier.vertices[place];
        first_arc = read_only(row_offsets + u) + skip - after;
        after = place + 1 < frontier.size ? frontier.prefix[place + 1] : frontier.items;
    };
    take_up();
    while (any_lane(item < stop)) {
        Vertex owner[arcs];
        Offset arc[arcs];
        unsigned active = 0;
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            if (item < stop && item == after) {
                ++place;
                take_up();
            }
            owner[j] = u;
            arc[j] = first_arc + item;
            if (item < stop) {
                active |= 1u << j;
                ++item;
            }
        }
        body.visit(owner, arc, active);
    }
}

// Visit all items of `frontier`, of whose vertices the first `skip` arcs are left out, `arcs` of a
// lane in flight.
template <int arcs, unsigned edges, class Offset, class Body>
__device__ __forceinline__ void visit_decomposed(const Segments<Offset>& frontier, const Offset* row_offsets, Offset skip,
                                                 Workers workers, Body& body) {
    const Count threads = Count{workers.count} * warp_lanes;
    const Count share = edges > 0 ? edges : (frontier.items + threads - 1) / threads;
    const Count pieces = (share + walked_together - 1) / walked_together;
    const unsigned piece = edges > 0 ? edges : static_cast<unsigned>((share + pieces - 1) / pieces);
    const Count end = edges > 0 ? Count{frontier.items} : min(Count{frontier.items}, (workers.rank + 1) * warp_lanes * share);
    const Count step = edges > 0 ? threads * edges : Count{warp_lanes} * piece;  // to the next piece of a lane
    unsigned place = 0;
    Count reach = frontier.size;  // the next piece starts at most this number of segments after `place`
    for (Count first = workers.rank * warp_lanes * share; first < end; first += step) {
        Offset item = static_cast<Offset>(min(end, first + lane_id() * piece));
        const Offset stop = static_cast<Offset>(min(end, Count{item} + piece));
        const unsigned ahead = static_cast<unsigned>(min(reach, Count{frontier.size - place}));
        for (unsigned jump = 1u << (31 - __clz(static_cast<int>(ahead))); jump > 0; jump /= 2)
            if (place + jump < frontier.size && frontier.prefix[place + jump] <= item) place += jump;
        reach = step;  // no segment is empty
        walk_items<arcs>(frontier, row_offsets, skip, place, item, stop, body);
    }
}

// Items that a lane has in flight: with all four, the compiler for Blackwell spills 16 bytes.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
template <class Offset>
constexpr int decomposed_arcs = 2;
#else
template <class Offset>
constexpr int decomposed_arcs = arcs_in_flight<Offset>;
#endif

template <unsigned edges, Share share>
struct WorkloadDecomposition {
    static constexpr unsigned max_threads = 1u << 18;  // that have a share, as in warpath/balance/workload_decomposition.py

    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    // Visit my thread's share of neighbouring items, from the segment that was found for it.
    template <class Offset, class Body>
    static __device__ __forceinline__ void visit_contiguous(const Segments<Offset>& frontier, const Offset* row_offsets,
                                                            Workers workers, const Resources& resources, Body& body) {
        auto* const start = resources.workspace_at<unsigned>();  // of each thread: its first segment
        const unsigned threads = min(workers.count * warp_lanes, max_threads), thread = workers.rank * warp_lanes + lane_id();
        const Count length = (Count{frontier.items} + threads - 1) / threads;
        const Offset item = static_cast<Offset>(min(Count{frontier.items}, thread * length));
        const Offset stop = static_cast<Offset>(min(Count{frontier.items}, Count{item} + length));
        if (item < stop) start[thread] = find_owner_by_lane(frontier.prefix, frontier.size, item);
        GridBarrier(resources.grid).sync([] {});  // all starts are there
        unsigned place = item < stop ? start[thread] : 0;
        walk_items<decomposed_arcs<Offset>>(frontier, row_offsets, Offset{0}, place, item, stop, body);
    }

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        if constexpr (share == Share::contiguous) visit_contiguous(frontier, row_offsets, workers, resources, body);
        else visit_decomposed<decomposed_arcs<Offset>, edges>(frontier, row_offsets, Offset{0}, workers, body);
        return code_of::workload_decomposition;
    }
};

}  // namespace warpath

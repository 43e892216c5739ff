// Workload decomposition: each thread takes equally many neighbouring arcs, whosever they are.
//
// The "WD" of the paper on dynamic load-balancing strategies for graph applications (Mishra et al.),
// section III-A.
//
//     edges 0   as in the paper, ⌈arcs / threads⌉ arcs for each thread: the 32 shares of a warp lie together,
//               and its lanes walk them side by side, each a piece of 4 neighbouring arcs or less at a time
//     edges     else a thread takes pieces of that many neighbouring arcs: arcs thread · edges … + edges − 1
//               of the level; then those of the thread `threads` on
//     owner     upper_bound(prefix, first arc) − 1, a binary search a piece, of the frontier from the piece
//               before on, as far as items lead; from there the thread continues, to the next vertex where
//               one ends
//
// Perfectly balanced, for the price of a search a piece. The paper's thread walks its share alone, so
// that neighbouring lanes read columns a share apart, each a sector of its own: 1.3 times slower, 1.8 in
// shortest paths (measured, H200, R-MAT 22, 16 edges per vertex). The paper finds offsets in a kernel of its own and keeps them in memory;
// here a thread has its own in registers.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

// Arcs of a lane: as many as are in flight. 8 take up to 5 % longer, 16 up to 30 % (measured, H200, R-MAT 22
// and G(2²², 2²⁶)).
constexpr unsigned walked_together = 4;

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
    Count reach = frontier.size;  // segments, no more of which the next piece lies ahead
    for (Count first = workers.rank * warp_lanes * share; first < end; first += step) {
        Offset item = static_cast<Offset>(min(end, first + lane_id() * piece));
        const Offset stop = static_cast<Offset>(min(end, Count{item} + piece));
        const unsigned ahead = static_cast<unsigned>(min(reach, Count{frontier.size - place}));
        for (unsigned jump = 1u << (31 - __clz(static_cast<int>(ahead))); jump > 0; jump /= 2)
            if (place + jump < frontier.size && frontier.prefix[place + jump] <= item) place += jump;
        reach = step;  // no segment is empty
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
}

// Items that a lane has in flight: with all four, the compiler for Blackwell spills 16 bytes.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
template <class Offset>
constexpr int decomposed_arcs = 2;
#else
template <class Offset>
constexpr int decomposed_arcs = arcs_in_flight<Offset>;
#endif

template <unsigned edges>
struct WorkloadDecomposition {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources&, Body& body) {
        visit_decomposed<decomposed_arcs<Offset>, edges>(frontier, row_offsets, Offset{0}, workers, body);
        return code_of::workload_decomposition;
    }
};

}  // namespace warpath

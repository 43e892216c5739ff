// Workload decomposition: each thread takes so many neighbouring arcs, whosever they are.
//
// The "WD" of the paper on dynamic load-balancing strategies for graph applications (Mishra et al.),
// section III-A.
//
//     thread    arcs thread · edges … + edges − 1 of the level; then those of the thread `threads` on
//     edges     ⌈arcs / threads⌉ as in the paper, where the knob is 0: one piece for each thread
//     owner     upper_bound(prefix, first arc) − 1, a binary search of the whole frontier a piece;
//               from there the thread goes on, to the next vertex where one ends
//
// Perfectly balanced, and one search a piece, but neighbouring lanes read columns `edges` apart, so
// these loads do not coalesce. The paper finds offsets in a kernel of its own and keeps them in
// memory; here a thread has its own in registers.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

// Visit all items of `frontier`, of whose vertices the first `skip` arcs are left out, `arcs` of a
// lane in flight.
template <int arcs, class Offset, class Body>
__device__ __forceinline__ void visit_decomposed(const Segments<Offset>& frontier, const Offset* row_offsets, Offset skip,
                                                 Count edges, Workers workers, Body& body) {
    const Count threads = Count{workers.count} * warp_lanes;
    if (edges == 0) edges = (frontier.items + threads - 1) / threads;
    for (Count first = workers.rank * warp_lanes * edges; first < frontier.items; first += threads * edges) {
        const Count begin = min(Count{frontier.items}, first + lane_id() * edges);
        Offset item = static_cast<Offset>(begin);
        const Offset stop = static_cast<Offset>(min(Count{frontier.items}, begin + edges));
        unsigned place = 0;
        for (unsigned jump = 1u << (31 - __clz(static_cast<int>(frontier.size))); jump > 0; jump /= 2)
            if (place + jump < frontier.size && frontier.prefix[place + jump] <= item) place += jump;
        Vertex u;
        Offset first_arc, after;  // arc − item, and where the next segment starts
        const auto take_up = [&] {
            u = frontier.vertices[place];
            first_arc = read_only(row_offsets + u) + skip - frontier.prefix[place];
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

// Of a lane in flight: with all four, the compiler for Blackwell spills 16 bytes.
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
                                  const Room&, Body& body) {
        visit_decomposed<decomposed_arcs<Offset>>(frontier, row_offsets, Offset{0}, edges, workers, body);
        return code_of::workload_decomposition;
    }
};

}  // namespace warpath

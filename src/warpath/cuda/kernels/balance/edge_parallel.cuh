// Edge-parallel: a worklist of arcs, strided over all threads; each has its source (COO).
//
// The "EP" of the paper on dynamic load-balancing strategies for graph applications (Mishra et al.),
// section II-B.
//
//     push      a warp takes 32 vertices, one after the other, and writes the numbers of its arcs
//               to the worklist, side by side. With `chunking`, all arcs of a vertex have one place
//               together (one atomic, which the frontier has made when the vertex entered it: its
//               prefix sum); without, each takes a place by an atomic of its own
//     visit     after a barrier: arc = worklist[thread], worklist[thread + threads], …;
//               owner = source_of[arc]
//
// Arcs are shared evenly whatever the degrees, without a search, for the price of 4 bytes per arc of
// the graph for the sources, of 4 (8 with 64-bit offsets) for the worklist, and of writing and
// reading it. In the paper the thread that improves a vertex pushes its arcs, a level sooner, and there may be
// more than the graph has; here the vertices of the frontier are pushed, so there are not.
#pragma once

#include "balance/balance.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

enum class Chunking { on, off };

template <Chunking chunking>
struct EdgeParallel {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    template <class Offset>
    static __device__ void push(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                Offset* worklist, Offset* tail) {
        for (unsigned first = workers.rank * warp_lanes; first < frontier.size; first += workers.count * warp_lanes) {
            const unsigned i = first + lane_id();
            Offset my_begin = 0, my_end = 0, my_place = 0;
            if (i < frontier.size) {
                const Vertex u = frontier.vertices[i];
                my_begin = read_only(row_offsets + u);
                my_end = read_only(row_offsets + u + 1);
                my_place = frontier.prefix[i];
            }
            for (unsigned k = 0; k < min(warp_lanes, frontier.size - first); ++k) {
                const Offset begin = from_lane(my_begin, k), degree = from_lane(my_end, k) - begin, place = from_lane(my_place, k);
                for (Offset j = lane_id(); j < degree; j += warp_lanes)
                    worklist[chunking == Chunking::on ? place + j : atomicAdd(tail, Offset{1})] = begin + j;
            }
        }
    }

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        constexpr int arcs = arcs_in_flight<Offset>;
        const Vertex* const source_of = *static_cast<const Vertex* const*>(resources.prepared);
        auto* const tail = static_cast<Offset*>(resources.workspace);
        auto* const worklist = resources.workspace_at<Offset>();
        if constexpr (!takes_all_arcs<Body>) {
            push(frontier, row_offsets, workers, worklist, tail);
            GridBarrier(resources.grid).sync([&] {  // the worklist is complete
                if (blockIdx.x == 0) *tail = 0;
            });
        }
        const Count row = Count{workers.count} * warp_lanes;
        for (Count first = Count{workers.rank} * warp_lanes; first < frontier.items; first += arcs * row) {
            Vertex owner[arcs];
            Offset arc[arcs];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < arcs; ++j) {
                const Count item = first + static_cast<unsigned>(j) * row + lane_id();
                const bool is_there = item < frontier.items;
                if constexpr (takes_all_arcs<Body>) arc[j] = static_cast<Offset>(item);
                else arc[j] = load_if(worklist + item, is_there);
                active |= static_cast<unsigned>(is_there) << j;
            }
#pragma unroll
            for (int j = 0; j < arcs; ++j)
                owner[j] = Body::needs_owner ? read_only_if(source_of + arc[j], (active >> j & 1u) != 0) : 0;
            body.visit(owner, arc, active);
        }
        return code_of::edge_parallel;
    }
};

}  // namespace warpath

// A sweep: every arc of the graph once, whatever its vertex, equal shares for all warps.
//
// It is what a two-phase search (balance/two_phase_search.cuh) does with the whole graph for its
// frontier, without a queue: the row offsets are the prefix sums. Only that some rows are empty;
// they are left out when a window of 32 rows is loaded, so that `Window` has what it asks for.
//
//     chunk = warp, warp + warps, …;   owner = upper_bound(row_offsets, arc) − 1
#pragma once

#include "balance/window.cuh"
#include "core/scan.cuh"

namespace warpath {

// Arcs that a warp takes at once. The search for the first one's owner, a handful of dependent
// loads, must not matter; and there must be some chunks per warp, since not all take
// equally long: a guess.
constexpr unsigned sweep_chunk = 8192;

// Those of rows first … first + 31 that are not empty, one per lane.
template <class Offset>
__device__ __forceinline__ Window<Offset> window_of_rows(const Csr<Offset>& graph, Offset arcs, Vertex first) {
    const Vertex v = first + lane_id();
    const Offset start = read_only(graph.row_offsets + min(v, graph.vertices));
    const Offset end = read_only(graph.row_offsets + min(v + 1, graph.vertices));
    const unsigned filled = lanes_where(start < end);
    const unsigned lane = nth_bit(filled, lane_id());
    const Offset starts = from_lane(start, lane);
    const bool is_segment = lane_id() < count_bits(filled);
    return {first + lane, is_segment ? starts : arcs, 0, from_lane(end, warp_lanes - 1)};
}

// Visit all arcs, `rows` of them in flight in each lane; `body` as a balance has it. All lanes of
// `workers` call.
template <int rows, class Offset, class Body>
__device__ __forceinline__ void sweep(const Csr<Offset>& graph, Offset arcs, Workers workers, Body& body) {
    const Count even = (Count{arcs} + workers.count - 1) / workers.count;
    const Count share = min(Count{sweep_chunk}, (even + warp_lanes - 1) / warp_lanes * warp_lanes);  // whole rows
    for (Count begin = workers.rank * share; begin < arcs; begin += workers.count * share) {
        Offset arc = static_cast<Offset>(begin);
        const Offset stop = static_cast<Offset>(min(Count{arcs}, begin + share));
        Vertex first = find_owner(graph.row_offsets, graph.vertices, arc);
        while (arc < stop) {
            const auto window = window_of_rows(graph, arcs, first);
            const Offset pause = min(stop, window.end);
            window.template visit<rows>(arc, pause, body);
            arc = pause;
            first += warp_lanes;
        }
    }
}

}  // namespace warpath

// Which far vertices are settled: Dijkstra's algorithm, many vertices at once.
//
// P. Martín, R. Torres, A. Gavilanes, "CUDA solutions for the SSSP problem", ICCS 2009; H. Ortega-Arranz, Y. Torres,
// D. R. Llanos, A. Gonzalez-Escribano, "A new GPU-based approach to the shortest path problem", HPCS 2013, after A. Crauser,
// K. Mehlhorn, U. Meyer, P. Sanders, "A parallelization of Dijkstra's shortest path algorithm", MFCS 1998.
//
//     bound = min over vertices u that are not settled of distance[u] + u's lightest edge
//
// A path that is found later ends with an edge of such a vertex, so it is no shorter than the bound. A vertex whose
// distance is not above the bound is therefore settled: its distance is final, and its edges are relaxed once. Dijkstra's own
// rule takes the nearest vertices alone. The bound takes the place of Δ of a far pile (near_far_list.cuh).
#pragma once

#include "core/weight.cuh"
#include "engine/scope.cuh"
#include "frontier/near_far_list.cuh"

namespace warpath {

// Write the lightest edge of each vertex that has edges. A warp per vertex.
template <class Offset, class Weight>
__device__ void find_lightest_edges(const Csr<Offset>& graph, const Weight* weights, Weight* lightest, Workers workers) {
    for (Count v = workers.rank; v < graph.vertices; v += workers.count) {
        const Offset begin = read_only(graph.row_offsets + v), end = read_only(graph.row_offsets + v + 1);
        if (begin == end) continue;
        Weight least = read_only(weights + begin);
        for (Offset arc = begin + lane_id(); arc < end; arc += warp_lanes) least = min(least, read_only(weights + arc));
        least = warp_min(least);
        if (lane_id() == 0) lightest[v] = least;
    }
}

// Each lane's part of the bound, over the vertices of a list of `size` that are no nearer than `before`: the others are
// settled. `none` where it has no edge.
template <class Distance, class Offset, class Weight>
__device__ Key<Distance> bound_of_settled(const Vertex* list, unsigned size, const Key<Distance>* distance, Key<Distance> before,
                                          Key<Distance> none, const Csr<Offset>& graph, const Weight* lightest, Workers workers) {
    Key<Distance> bound = none;
    for (Count i = Count{workers.rank} * warp_lanes + lane_id(); i < size; i += Count{workers.count} * warp_lanes) {
        const Vertex v = list[i];
        const Key<Distance> d = distance[v];
        const bool has_edges = read_only(graph.row_offsets + v) < read_only(graph.row_offsets + v + 1);
        if (d >= before && has_edges) bound = min(bound, extend<Distance>(d, lightest[v]));
    }
    return bound;
}

}  // namespace warpath

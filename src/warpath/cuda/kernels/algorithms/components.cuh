// Connected components, as an algorithm of engine/program.cuh.
//
// M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity computation via subgraph sampling"
// (Afforest), IPDPS 2018.
//
// `distance[v]` is v's parent in a forest. Links lead to smaller vertices, and only a root is given one, so a
// tree's root is its smallest vertex. Before the first iteration each vertex is linked with its first two
// neighbours, and the component that most vertices are in then is found. The frontier is all others: a balance
// hands out their edges, which link the rest. One iteration suffices, and no vertex enters another.
// In a directed graph all vertices are in the frontier, since an edge may stand at its other end alone.
// If it is initialized, vertices that are known to be connected have a root already, and are not sampled.
#pragma once

#include "algorithms/frontiers.cuh"
#include "balance/all.cuh"
#include "engine/program.cuh"
#include "operators/link.cuh"

namespace warpath {

constexpr int sampled_edges = 2;  // of each vertex; Afforest's choice (section V)

// The vertices that a sample has not put into the component `giant`.
struct OutsideGiant {
    const int* parent;
    int giant;  // `invalid_vertex`: all are outside

    __device__ bool operator()(Vertex v) const { return parent[v] != giant; }
};

template <bool directed, bool initialized>
struct Components : PlainFrontier {
    using Weight = int;  // there are none
    using Distance = int;
    static constexpr bool with_parents = false, relaxes = false, starts_everywhere = true, has_one_queue = true;

    template <class Problem, class Space>
    static __device__ Link op(const Problem&, const Space& space, const unsigned&) { return {space.distance}; }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        if constexpr (!initialized) space.distance[v] = static_cast<int>(v);
    }

    // A thread has vertices; `sync` is a barrier of the grid.
    template <class Problem, class Space, class Sync>
    static __device__ OutsideGiant first_frontier(const Problem& problem, const Space& space, const Sync& sync) {
        const auto& graph = problem.graph;
        const Count thread = Count{blockIdx.x} * blockDim.x + threadIdx.x, all = Count{gridDim.x} * blockDim.x;
        const Link link{space.distance};
        for (Count v = thread; v < graph.vertices; v += all) {
            // Of one that another thread has just hung below a vertex all edges are looked at later, or need not be.
            if (initialized && load_relaxed(space.distance + v) != static_cast<int>(v)) continue;
            const auto begin = read_only(graph.row_offsets + v), end = read_only(graph.row_offsets + v + 1);
            int from[sampled_edges], to[sampled_edges];
            unsigned active = 0;
#pragma unroll
            for (int k = 0; k < sampled_edges; ++k) {
                const bool is_there = end - begin > static_cast<unsigned>(k);
                from[k] = static_cast<int>(v);
                to[k] = static_cast<int>(read_only_if(graph.column_indices + (begin + k), is_there));
                active |= static_cast<unsigned>(is_there) << k;
            }
            link.join(from, to, active);
        }
        sync();  // the sample is linked
        for (Count v = thread; v < graph.vertices; v += all) link.compress(static_cast<Vertex>(v));
        sync();  // every parent is a root
        if (directed) return {space.distance, static_cast<int>(invalid_vertex)};
        // The parent that most of 32 evenly spread vertices have, the same in all warps.
        const Vertex v = static_cast<Vertex>(Count{lane_id()} * graph.vertices / warp_lanes);
        const int root = load_relaxed(space.distance + v);
        const unsigned votes = count_bits(__match_any_sync(all_lanes, root));
        const unsigned max_votes = __reduce_max_sync(all_lanes, votes);
        const unsigned winner = lowest_bit(lanes_where(votes == max_votes));
        return {space.distance, from_lane(root, winner)};
    }

    template <class Space>
    static __device__ void finish(const Space& space, Vertex v) { Link{space.distance}.compress(v); }
};

}  // namespace warpath

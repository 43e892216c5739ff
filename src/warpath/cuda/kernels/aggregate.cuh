// What an operator that is written in Python returns for the edges that come in to each vertex, reduced:
// `warpath.aggregate`, over any balance.
//
// The graph is the reverse one: an edge's owner is v, its end u. A warp gets some edges of several vertices at once,
// neighbouring lanes mostly those of one vertex. Lanes of one vertex side by side are a *run*: its values are
// reduced in five steps of shuffles, and its first lane adds the result to v's element, atomically.
#pragma once

#include "balance/all.cuh"
#include "operators/follow.cuh"

namespace warpath {

struct Sum {
    template <class T> static __device__ T combine(T a, T b) { return plus(a, b); }
    template <class T> static __device__ void apply(T* address, T value) { atomic_add(address, value); }
};
struct Min {
    template <class T> static __device__ T combine(T a, T b) { return min_of(a, b); }
    template <class T> static __device__ void apply(T* address, T value) { atomic_min(address, value); }
};
struct Max {
    template <class T> static __device__ T combine(T a, T b) { return max_of(a, b); }
    template <class T> static __device__ void apply(T* address, T value) { atomic_max(address, value); }
};

// Reduce the values of each run; all lanes call.
template <class Reduction, class T>
__device__ __forceinline__ void reduce_runs(T* out, Vertex owner, T value, bool active) {
    const Vertex mine = active ? owner : invalid_vertex, below = __shfl_up_sync(all_lanes, mine, 1);
    const bool first = lane_id() == 0 || below != mine;
    const unsigned above = lanes_where(first) & ~lanes_below() & ~(1u << lane_id());  // first lanes of later runs
    const unsigned end = above != 0 ? static_cast<unsigned>(__ffs(static_cast<int>(above))) - 1 : warp_lanes;
#pragma unroll
    for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
        const T other = __shfl_down_sync(all_lanes, value, distance);
        if (lane_id() + distance < end) value = Reduction::combine(value, other);
    }
    if (first && active) Reduction::apply(out + owner, value);
}

template <class Offset, class Body, class Reduction>
struct Aggregate {
    static constexpr bool needs_owner = true, takes_all_arcs = true;
    using Value = typename Body::Result;

    const Csr<Offset>& graph;
    const Body& body;
    const typename Body::Weight* weights;
    Value* out;

    // All lanes of a warp call; see balance.cuh.
    template <int edges>
    __device__ __forceinline__ void visit(const Vertex (&owner)[edges], const Offset (&edge)[edges], unsigned active) {
        Vertex from[edges];
        typename Body::Weight weight[edges];
        Value value[edges];
#pragma unroll
        for (int j = 0; j < edges; ++j) from[j] = read_only_if(graph.column_indices + edge[j], active >> j & 1u);
#pragma unroll
        for (int j = 0; j < edges; ++j) weight[j] = weight_if<Body>(weights, edge[j], active >> j & 1u);
#pragma unroll
        for (int j = 0; j < edges; ++j) {
            const int u = static_cast<int>(from[j]), v = static_cast<int>(owner[j]);
            value[j] = Value{};
            if (active >> j & 1u) {
                if constexpr (Body::takes_weight) value[j] = body(u, v, weight[j]);
                else value[j] = body(u, v);
            }
        }
#pragma unroll
        for (int j = 0; j < edges; ++j) reduce_runs<Reduction>(out, owner[j], value[j], active >> j & 1u);
    }
};

// As in warpath/cuda/operators.py.
template <class Offset, class Body>
struct AggregateArguments {
    Body body;
    Segments<Offset> frontier;  // all vertices that have edges
    Csr<Offset> graph;
    const typename Body::Weight* weights;
    typename Body::Result* out;
    unsigned* arrived;
    BalanceMemory balance;
};

template <class Offset, class Body, class Reduction, class Balance, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
aggregate(const __grid_constant__ AggregateArguments<Offset, Body> a) {
    constexpr unsigned bytes = Balance::template scratch_bytes<Offset>;
    __shared__ __align__(16) unsigned char scratch[threads / warp_lanes][bytes > 0 ? bytes : 16];
    __shared__ unsigned barrier_target;
    const GridBarrier grid(a.arrived, barrier_target);
    Aggregate<Offset, Body, Reduction> aggregation{a.graph, a.body, a.weights, a.out};
    const Resources resources = a.balance.resources(scratch[warp_in_block()], a.graph.vertices, grid);
    Balance::advance(a.frontier, a.graph.row_offsets, grid_warps(), resources, aggregation);
}

}  // namespace warpath

// What an operator that is written in Python returns for the edges that come in to each vertex, reduced:
// `warpath.aggregate`, over any balance.
//
// *Gathering*, the graph is the reverse one: an edge's owner is v, its end u. A warp gets some edges of several vertices at once, some for
// each lane. A lane reduces those of one vertex by itself. Neighbouring lanes mostly have the same vertex: lanes of one vertex
// side by side are a *run*, whose values are reduced in five steps of shuffles. Its first lane adds the result to v's
// element, atomically.
//
// *Scattering*, the graph is the graph itself: an edge's owner is u, its end v. Each value is an atomic addition of its own, for
// few vertices that bring something to many.
//
// A bitmap may say of which ends edges count. It is small, so that it is in the cache where the arrays are not: what is
// looked up of an edge that does not count is its bit.
//
// With k layers a vertex has k elements side by side, and an edge k values: the operator is called with the places of
// the elements, k u + j and k v + j. Neighbouring lanes have them, so that they read a sector of memory together.
#pragma once

#include "balance/all.cuh"
#include "frontier/bitmap.cuh"
#include "operators/follow.cuh"
#include "operators/reductions.cuh"

namespace warpath {

// Reduce the values of each run, of lanes `stride` apart that have one owner; all lanes call. `end` is the first lane after
// the run. Its first lane adds the result to the element at `place`, if a value of the run counts; others are none.
template <class Reduction, int stride, class T>
__device__ __forceinline__ void reduce_runs(T* out, Count place, Vertex owner, T value, bool is_there, bool counts) {
    const Vertex mine = is_there ? owner : invalid_vertex, below = __shfl_up_sync(all_lanes, mine, stride);
    const bool first = lane_id() < stride || below != mine;
    if constexpr (stride == 1) {  // with layers it would not fit into the registers
        if (!any_lane(is_there && !first)) {  // a lane is a run
            if (counts) Reduction::apply(out + place, value);
            return;
        }
    }
    constexpr unsigned one_of_each = static_cast<unsigned>(all_lanes / ((Count{1} << stride) - 1));  // lanes 0, stride, …
    const unsigned layer = (one_of_each << lane_id() % stride) & ~lanes_below();
    const unsigned above = lanes_where(first) & layer & ~(1u << lane_id());  // first lanes of later runs
    const unsigned end = above != 0 ? lowest_bit(above) : warp_lanes;
    const unsigned counting = lanes_where(counts) & layer & (all_lanes >> (warp_lanes - end));
#pragma unroll
    for (unsigned distance = stride; distance < warp_lanes; distance *= 2) {
        const T other = __shfl_down_sync(all_lanes, value, distance);
        if (lane_id() + distance < end) value = Reduction::combine(value, other);
    }
    if (first && counting != 0) Reduction::apply(out + place, value);
}

// `width`: lanes of an edge, a power of 2 that holds its layers, or all; 1: there are no layers.
template <class Offset, class Body, class Reduction, int width, bool scatters>
struct Aggregate {
    static constexpr bool needs_owner = true, takes_all_arcs = true;
    using Value = typename Body::Result;
    using Weight = typename Body::Weight;

    const Csr<Offset>& graph;
    const Body& body;
    const Weight* weights;
    const unsigned* ends;  // bits of those whose edges count; null: all
    Value* out;
    int layers;

    // Of a vertex, or its element, that has an edge, and of the end.
    __device__ __forceinline__ Value value_of(int owner, int end, Weight weight, bool pred) const {
        const int u = scatters ? owner : end, v = scatters ? end : owner;
        if (!pred) return Reduction::template none<Value>();
        if constexpr (Body::takes_weight) return body(u, v, weight);
        else return body(u, v);
    }

    // All lanes of a warp call; see balance.cuh.
    template <int edges>
    __device__ __forceinline__ void visit(const Vertex (&owner)[edges], const Offset (&edge)[edges], unsigned active) {
        Vertex end[edges];
        Weight weight[edges];
        Value value[edges];
#pragma unroll
        for (int j = 0; j < edges; ++j) end[j] = read_only_if(graph.column_indices + edge[j], active >> j & 1u);
#pragma unroll
        for (int j = 0; j < edges; ++j) weight[j] = weight_if<Body>(weights, edge[j], active >> j & 1u);
        const unsigned counting = active & counting_of(end, active);
        if constexpr (width == 1) {
#pragma unroll
            for (int j = 0; j < edges; ++j)
                value[j] = value_of(static_cast<int>(owner[j]), static_cast<int>(end[j]), weight[j], counting >> j & 1u);
            if constexpr (scatters) {
#pragma unroll
                for (int j = 0; j < edges; ++j)
                    if (counting >> j & 1u) Reduction::apply(out + end[j], value[j]);
                return;
            }
            // A lane's edges of one vertex become its last one's, and the last ones of all lanes stand side by side.
            Vertex of[edges];
            unsigned left = active, taken = counting & active;
#pragma unroll
            for (int j = 0; j < edges; ++j) of[j] = owner[j];
#pragma unroll
            for (int j = 0; j + 1 < edges; ++j) {
                const bool next = left >> (j + 1) & 1u;
                if ((left >> j & 1u) && (!next || of[j] == of[j + 1])) {
                    value[j + 1] = next ? Reduction::combine(value[j], value[j + 1]) : value[j];
                    of[j + 1] = of[j];
                    left = (left & ~(1u << j)) | 2u << j;
                    taken = (taken & ~(1u << j)) | (taken >> j & 1u) << (j + 1);
                }
            }
#pragma unroll
            for (int j = 0; j < edges; ++j)
                if (any_lane(left >> j & 1u)) reduce_runs<Reduction, 1>(out, of[j], of[j], value[j], left >> j & 1u, taken >> j & 1u);
        } else {
#pragma unroll
            for (int j = 0; j < edges; ++j) visit_layers(owner[j], end[j], weight[j], counting >> j & 1u);
        }
    }

    // Bit j: whether an edge with end[j] counts.
    template <int edges>
    __device__ __forceinline__ unsigned counting_of(const Vertex (&end)[edges], unsigned active) const {
        if (ends == nullptr) return all_lanes;
        unsigned word[edges], counting = 0;
#pragma unroll
        for (int j = 0; j < edges; ++j) word[j] = read_only_if(ends + end[j] / word_bits, active >> j & 1u);
#pragma unroll
        for (int j = 0; j < edges; ++j) counting |= (word[j] >> end[j] % word_bits & 1u) << j;
        return counting;
    }

    __device__ __forceinline__ void reduce_layer(Vertex v, int layer, Value value, bool is_there) const {
        const Count place = Count{v} * static_cast<unsigned>(layers) + static_cast<unsigned>(layer);
        const bool counts = is_there && layer < layers;
        if constexpr (!scatters) reduce_runs<Reduction, width>(out, place, v, value, is_there, counts);
        else if (counts) Reduction::apply(out + place, value);
    }

    // An edge of each lane that counts. Edges are taken some at a time, each by `width` neighbouring lanes, whose elements are
    // neighbours.
    __device__ __forceinline__ void visit_layers(Vertex owner, Vertex end, Weight weight, bool counts) {
        constexpr int edges = warp_lanes / width;     // at a time
        constexpr int together = width < 4 ? width : 4;  // times whose elements are loaded before the first is reduced
        const unsigned counting = lanes_where(counts), count = count_bits(counting);
        if ((counting & (counting + 1)) != 0) {  // the first lanes take them
            const unsigned mine = nth_bit(counting, lane_id());
            owner = from_lane(owner, mine);
            end = from_lane(end, mine);
            if constexpr (Body::takes_weight) weight = from_lane(weight, mine);
        }
        // Then the values of all times are one run: a hub's element is added to 32 times less often.
        const Vertex first_owner = from_lane(owner, 0);
        const bool has_one_owner = !scatters && lanes_where(lane_id() >= count || owner == first_owner) == all_lanes;
        for (int base = 0; base < layers; base += width) {
            const int layer = base + static_cast<int>(lane_id() % width);
            Value sum = Reduction::template none<Value>();
            for (int first = 0; first < width && static_cast<unsigned>(first * edges) < count; first += together) {
                Vertex v[together];
                Value value[together];
                bool is_there[together];
#pragma unroll
                for (int j = 0; j < together; ++j) {
                    const unsigned lane = static_cast<unsigned>((first + j) * edges) + lane_id() / width;
                    const Vertex mine = from_lane(owner, lane), its = from_lane(end, lane);
                    v[j] = scatters ? its : mine;
                    is_there[j] = lane < count;
                    Weight w{};
                    if constexpr (Body::takes_weight) w = from_lane(weight, lane);
                    value[j] = value_of(static_cast<int>(mine) * layers + layer, static_cast<int>(its) * layers + layer, w, is_there[j] && layer < layers);
                }
                if (has_one_owner) {
#pragma unroll
                    for (int j = 0; j < together; ++j) sum = Reduction::combine(sum, value[j]);
                } else {
#pragma unroll
                    for (int j = 0; j < together; ++j) reduce_layer(v[j], layer, value[j], is_there[j]);
                }
            }
            if (has_one_owner) reduce_layer(first_owner, layer, sum, count > 0);
        }
    }
};

// As in warpath/cuda/operators.py.
template <class Offset, class Body>
struct AggregateArguments {
    Body body;
    Segments<Offset> frontier;  // vertices that have edges
    Csr<Offset> graph;
    const typename Body::Weight* weights;
    const unsigned* ends;
    typename Body::Result* out;
    int layers;
    unsigned* arrived;
    BalanceMemory balance;
};

template <class Offset, class Body, class Reduction, int width, bool scatters, class Balance, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
aggregate(const __grid_constant__ AggregateArguments<Offset, Body> a) {
    constexpr unsigned bytes = Balance::template scratch_bytes<Offset>;
    __shared__ __align__(16) unsigned char scratch[threads / warp_lanes][bytes > 0 ? bytes : 16];
    __shared__ unsigned barrier_target;
    const GridBarrier grid(a.arrived, barrier_target);
    Aggregate<Offset, Body, Reduction, width, scatters> aggregation{a.graph, a.body, a.weights, a.ends, a.out, a.layers};
    const Resources resources = a.balance.resources(scratch[warp_in_block()], a.graph.vertices, grid);
    Balance::advance(a.frontier, a.graph.row_offsets, grid_warps(), resources, aggregation);
}

}  // namespace warpath

// An operator on vertices that is written in Python: `warpath.compute`, `filter` and `reduce`.
#pragma once

#include "core/warp.cuh"
#include "operators/arithmetic.cuh"
#include "operators/reductions.cuh"

namespace warpath {

// As in warpath/cuda/operators.py. Without `vertices` they are 0 … count − 1. With k layers a vertex has k elements side by
// side: `count` and the rest is of elements, which the operator takes for vertices. `out` takes what the operator returns, unless it is null. `kept`, with room for all, takes the vertices for which that is true; `size` counts them. `total` is the
// one element to which a reduction adds.
template <class Body>
struct VertexArguments {
    Body body;
    const int* vertices;
    Count count;
    unsigned layers;
    typename Body::Result* out;
    int* kept;
    unsigned* size;
    long long* total;
};

template <class Body>
__device__ __forceinline__ int vertex_at(const VertexArguments<Body>& a, Count i) {
    if (a.vertices == nullptr) return static_cast<int>(i);
    if (a.layers == 1) return a.vertices[i];
    const unsigned place = static_cast<unsigned>(i), of = place / a.layers;  // elements are fewer than 2³¹
    return a.vertices[of] * static_cast<int>(a.layers) + static_cast<int>(place - of * a.layers);
}

// Thread t of T owns the vertices t, t + T, t + 2T, …
template <class Body, int threads>
__global__ void __launch_bounds__(threads)
for_vertices(const __grid_constant__ VertexArguments<Body> a) {
    for (Count i = Count{blockIdx.x} * threads + threadIdx.x; i < a.count; i += Count{gridDim.x} * threads) {
        const auto value = a.body(vertex_at(a, i));
        if (a.out != nullptr) a.out[i] = value;
    }
}

// What the operator returns, as integers of 64 bits, reduced to one; `truth`: whether each is true, 0 or 1.
//
// Thread t of T owns the vertices t, t + T, t + 2T, … and reduces their values by itself. A warp reduces its lanes' values by
// shuffles and writes one to shared memory. The first warp reduces these, and its first lane adds the block's value to `total`,
// atomically. All blocks run at once, so that they are few, and so are the atomic operations.
template <class Body, class Reduction, bool truth, int threads>
__global__ void __launch_bounds__(threads)
reduce_vertices(const __grid_constant__ VertexArguments<Body> a) {
    constexpr unsigned warps = threads / warp_lanes;
    static_assert(warps <= warp_lanes);
    __shared__ long long of_warp[warps];
    long long value = Reduction::template none<long long>();
    for (Count i = Count{blockIdx.x} * threads + threadIdx.x; i < a.count; i += Count{gridDim.x} * threads) {
        const auto returned = a.body(vertex_at(a, i));
        if constexpr (truth) value = Reduction::combine(value, returned != typename Body::Result{} ? 1ll : 0ll);
        else value = Reduction::combine(value, static_cast<long long>(returned));
    }
    value = warp_reduced<Reduction>(value);
    if (lane_id() == 0) of_warp[warp_in_block()] = value;
    __syncthreads();  // the values of all warps are there
    if (warp_in_block() > 0) return;
    value = warp_reduced<Reduction>(lane_id() < warps ? of_warp[lane_id()] : Reduction::template none<long long>());
    if (lane_id() == 0) Reduction::apply(a.total, value);
}

// Warp w of W owns groups of 256 vertices, w, w + W, …: one atomic operation finds the places for those that it keeps.
template <class Body, int threads>
__global__ void __launch_bounds__(threads)
filter_vertices(const __grid_constant__ VertexArguments<Body> a) {
    constexpr unsigned rows = 8;
    const Count warps = Count{gridDim.x} * (threads / warp_lanes);
    const Count warp = Count{blockIdx.x} * (threads / warp_lanes) + warp_in_block();
    for (Count first = warp * rows * warp_lanes; first < a.count; first += warps * rows * warp_lanes) {
        int v[rows];
        unsigned kept[rows], all = 0;
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            const Count i = first + j * warp_lanes + lane_id();
            bool keeps = false;
            if (i < a.count) {
                v[j] = vertex_at(a, i);
                keeps = a.body(v[j]) != typename Body::Result{};
            }
            kept[j] = lanes_where(keeps);
            all += count_bits(kept[j]);
        }
        if (all == 0) continue;
        unsigned place = 0;
        if (lane_id() == 0) place = atomicAdd(a.size, all);
        place = from_lane(place, 0);
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            if (kept[j] >> lane_id() & 1u) a.kept[place + rank_in(kept[j])] = v[j];
            place += count_bits(kept[j]);
        }
    }
}

}  // namespace warpath

// An operator on vertices that is written in Python: `warpath.compute`, `filter` and `reduce`.
#pragma once

#include "core/warp.cuh"
#include "operators/arithmetic.cuh"

namespace warpath {

// As in warpath/cuda/operators.py. Without `vertices` they are 0 … count − 1. `out` takes what the operator
// returns, unless it is null. `kept`, with room for all, takes the vertices for which that is true; `size` counts them.
template <class Body>
struct VertexArguments {
    Body body;
    const int* vertices;
    Count count;
    typename Body::Result* out;
    int* kept;
    unsigned* size;
};

// Thread t of T owns the vertices t, t + T, t + 2T, …
template <class Body, int threads>
__global__ void __launch_bounds__(threads)
for_vertices(const __grid_constant__ VertexArguments<Body> a) {
    for (Count i = Count{blockIdx.x} * threads + threadIdx.x; i < a.count; i += Count{gridDim.x} * threads) {
        const auto value = a.body(a.vertices != nullptr ? a.vertices[i] : static_cast<int>(i));
        if (a.out != nullptr) a.out[i] = value;
    }
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
                v[j] = a.vertices != nullptr ? a.vertices[i] : static_cast<int>(i);
                keeps = a.body(v[j]) != typename Body::Result{};
            }
            kept[j] = lanes_where(keeps);
            all += static_cast<unsigned>(__popc(kept[j]));
        }
        if (all == 0) continue;
        unsigned place = 0;
        if (lane_id() == 0) place = atomicAdd(a.size, all);
        place = from_lane(place, 0);
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            if (kept[j] >> lane_id() & 1u) a.kept[place + rank_in(kept[j])] = v[j];
            place += static_cast<unsigned>(__popc(kept[j]));
        }
    }
}

}  // namespace warpath

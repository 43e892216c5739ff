// A sweep over each representation of a graph (survey, section 1): for every vertex the sum over its arcs of
// weight · target, which needs all that an arc has.
//
// Sums are of int64, computed without a sign: they wrap around, so their bits are the same. A kernel's sums are visible
// to other work when its launch has ended; there is no other barrier.
#pragma once

#include "core/types.cuh"
#include "core/warp.cuh"

namespace warpath {

constexpr unsigned lanes_per_list = 8;
// Loads of a lane that wait for no other. Guesses: an average list of the suite is 32 arcs.
constexpr unsigned entries_in_flight = 8, arcs_of_list_in_flight = 4;

__device__ __forceinline__ Count contribution(int weight, Vertex target) {
    return static_cast<Count>(static_cast<long long>(weight) * static_cast<long long>(target));
}

// As in warpath/cuda/graph_sweeps.py, likewise the others.
struct SweepMatrixArguments {
    const int* matrix;  // the weight of (u, v) at u * pitch + v
    Vertex vertices;
    int none;  // where there is no arc
    Count pitch;
    Count* sums;
};

// Each warp owns a row: lane k reads columns k, k + 32, …, a warp 128 bytes at once. They are one aligned line if the
// pitch is a multiple of 32; else rows begin anywhere, and they are parts of two lines. Only lane 0 writes the row's sum.
template <int threads>
__global__ void __launch_bounds__(threads)
sweep_matrix(const __grid_constant__ SweepMatrixArguments a) {
    const Count u = Count{blockIdx.x} * (threads / warp_lanes) + warp_in_block();
    if (u >= a.vertices) return;
    const int* row = a.matrix + u * a.pitch;
    Count sum = 0;
    for (Vertex first = lane_id(); first < a.vertices; first += entries_in_flight * warp_lanes) {
#pragma unroll
        for (unsigned j = 0; j < entries_in_flight; ++j) {
            const Vertex v = first + j * warp_lanes;
            const int weight = row[min(v, a.vertices - 1)];  // no branch, so that loads overlap
            sum += v < a.vertices && weight != a.none ? contribution(weight, v) : 0;
        }
    }
    sum = warp_sum(sum);
    if (lane_id() == 0) a.sums[u] = sum;
}

// The arcs of adjacency lists in two arrays: two loads of 4 bytes for each arc.
struct TwoArrays {
    const Vertex* column_indices;
    const int* weights;

    __device__ __forceinline__ Count contribution_of(Count arc) const {
        return contribution(weights[arc], column_indices[arc]);
    }
};

// The arcs as an array of structures, (target, weight): one load of 8 bytes for each arc.
struct Interleaved {
    const int2* arcs;

    __device__ __forceinline__ Count contribution_of(Count arc) const {
        const int2 both = arcs[arc];
        return contribution(both.y, static_cast<Vertex>(both.x));
    }
};

template <class Arcs>
struct SweepListsArguments {
    Arcs arcs;
    const Count* row_offsets;
    Vertex vertices;
    Count* sums;
};

// Each 8 lanes own a vertex: lane k of them reads arcs k, k + 8, … of its list. Only the first writes the vertex's sum.
template <class Arcs, int threads>
__global__ void __launch_bounds__(threads)
sweep_lists(const __grid_constant__ SweepListsArguments<Arcs> a) {
    const Count u = Count{blockIdx.x} * (threads / lanes_per_list) + threadIdx.x / lanes_per_list;
    const unsigned lane = threadIdx.x % lanes_per_list;
    Count arc = 0, end = 0, sum = 0;
    if (u < a.vertices) {
        arc = a.row_offsets[u] + lane;
        end = a.row_offsets[u + 1];
    }
    for (; arc < end; arc += arcs_of_list_in_flight * lanes_per_list) {
#pragma unroll
        for (unsigned j = 0; j < arcs_of_list_in_flight; ++j) {
            const Count mine = arc + j * lanes_per_list;
            const Count one = a.arcs.contribution_of(min(mine, end - 1));  // likewise
            sum += mine < end ? one : 0;
        }
    }
    for (unsigned distance = lanes_per_list / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(all_lanes, sum, static_cast<int>(distance));
    if (lane == 0 && u < a.vertices) a.sums[u] = sum;
}

struct SweepEdgesArguments {
    const Vertex* sources;
    const Vertex* targets;
    const int* weights;
    Count edges;
    Count* sums;  // 0 before
};

// Each thread owns one pair, neighbouring threads neighbouring pairs. Any thread may add to any sum, all of them
// atomically. Where each pair stands once, its thread also reads it in the inverse order; a self-loop is one arc.
template <bool each_once, int threads>
__global__ void __launch_bounds__(threads)
sweep_edges(const __grid_constant__ SweepEdgesArguments a) {
    const Count place = Count{blockIdx.x} * threads + threadIdx.x;
    if (place >= a.edges) return;
    const Vertex u = a.sources[place], v = a.targets[place];
    const int weight = a.weights[place];
    atomicAdd(a.sums + u, contribution(weight, v));
    if (each_once && u != v) atomicAdd(a.sums + v, contribution(weight, u));
}

}  // namespace warpath

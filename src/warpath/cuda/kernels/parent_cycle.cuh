// Whether the predecessors, followed back, go in a circle.
//
// J. JáJá, "An introduction to parallel algorithms", 1992, section 2.2: pointer jumping. Round by
// round, each vertex's pointer is replaced by its target's pointer, so after k rounds it leads at
// least 2ᵏ steps back. A vertex that comes to a root stops. When 2ᵏ ≥ n, a vertex that has not stopped
// has walked n steps: its pointer is on a cycle. Where there is none, ⌈log₂ depth⌉ rounds do.
//
// There is one array of pointers, changed in place. A thread may read a pointer before or after
// its change in the same round; after it, it only leads farther back.
//
// While distances fall, threads that lower one vertex at once may leave it the predecessor of the
// greater offer, and such predecessors go in circles that mean nothing. `drop_stale_parents` drops them:
// what is left offers at most what its vertex has, so a circle of it weighs 0 or less.
#pragma once

#include "core/distance.cuh"
#include "core/grid_barrier.cuh"
#include "core/warp.cuh"
#include "sweep.cuh"

namespace warpath {

// Zeroed before the launch.
struct CycleControl {
    unsigned arrived;    // of the grid barrier
    unsigned on_a_cycle; // a vertex that is, plus 1; 0: none
    unsigned walking[3]; // whether some vertex has not stopped; they alternate
};

// As in warpath/cuda/cycles.py.
struct CycleArguments {
    Vertex vertices;
    const int* predecessor;
    int* pointer;
    CycleControl* control;
};

// Thread t of n owns the vertices t, t + n, … and their pointers.
template <int threads>
__global__ void __launch_bounds__(threads)
parent_cycle(const __grid_constant__ CycleArguments a) {
    const Vertex vertices = a.vertices;
    const int* const predecessor = a.predecessor;
    int* const pointer = a.pointer;
    CycleControl* const control = a.control;
    __shared__ unsigned barrier_target, walking;
    GridBarrier grid(&control->arrived, barrier_target);
    const unsigned first = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
    for (Vertex v = first; v < vertices; v += all) pointer[v] = predecessor[v];
    grid.sync([] {});  // all pointers are there
    unsigned round = 0;
    for (Count steps = 1;; steps *= 2, ++round) {
        // The next round's word: all have read it, two rounds ago.
        if (first == 0) control->walking[(round + 1) % 3] = 0;
        bool walks = false;
        for (Vertex v = first; v < vertices; v += all) {
            const int before = load_relaxed(pointer + v);
            if (before < 0) continue;
            const int after = load_relaxed(pointer + before);
            store_relaxed(pointer + v, after);
            walks |= after >= 0;
        }
        if (__syncthreads_or(walks) && threadIdx.x == 0) store_relaxed(&control->walking[round % 3], 1u);
        grid.sync([&] { walking = load_relaxed(&control->walking[round % 3]); });  // the round is over
        if (walking == 0) return;
        if (2 * steps >= vertices) break;
    }
    for (Vertex v = first; v < vertices; v += all)
        if (pointer[v] >= 0) store_relaxed(&control->on_a_cycle, static_cast<unsigned>(pointer[v]) + 1);
}

// Sums: a predecessor was reached when it made its offer, and `extend` stops at the dtype's limits.
template <class Offset, class Weight, class Distance>
struct CurrentParents {
    using K = Key<Distance>;
    static constexpr bool needs_owner = true;

    const Vertex* column_indices;
    const Weight* weights;
    const K* distance;  // of vertex v: distance[v * stride]
    unsigned stride;
    const int* predecessor;
    int* current;

    template <int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        Vertex target[arcs];
        bool is_predecessor[arcs];
#pragma unroll
        for (int j = 0; j < arcs; ++j) target[j] = read_only_if(column_indices + arc[j], active >> j & 1u);
#pragma unroll
        for (int j = 0; j < arcs; ++j)
            is_predecessor[j] = (active >> j & 1u) && read_only(predecessor + target[j]) == static_cast<int>(owner[j]);
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            if (!is_predecessor[j]) continue;
            const K from = read_only(distance + Count{owner[j]} * stride), to = read_only(distance + Count{target[j]} * stride);
            if (extend<Distance>(from, read_only(weights + arc[j])) <= to) current[target[j]] = static_cast<int>(owner[j]);
        }
    }
};

// As in warpath/cuda/cycles.py.
template <class Offset, class Weight, class Distance>
struct StaleParentsArguments {
    Csr<Offset> graph;
    Offset arcs;
    const Weight* weights;
    const Key<Distance>* distance;
    unsigned stride;
    const int* predecessor;
    int* current;
};

// `current` is -1 everywhere before; every warp owns equal shares of the arcs.
template <class Offset, class Weight, class Distance, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
drop_stale_parents(const __grid_constant__ StaleParentsArguments<Offset, Weight, Distance> a) {
    CurrentParents<Offset, Weight, Distance> body{a.graph.column_indices, a.weights, a.distance, a.stride, a.predecessor, a.current};
    sweep<arcs_in_flight<Offset>>(a.graph, a.arcs, grid_warps(), body);
}

}  // namespace warpath

// Whether the predecessors, followed back, go in a circle.
//
// J. JáJá, "An introduction to parallel algorithms", 1992, section 2.2: pointer jumping. Round by
// round, each vertex's pointer is replaced by its target's pointer, so after k rounds it leads at
// least 2ᵏ steps back. Whoever comes to a root stops. When 2ᵏ ≥ n, a vertex that has not stopped
// has walked n steps: its pointer is on a cycle. Where there is none, ⌈log₂ depth⌉ rounds do.
//
// There is one array of pointers, changed in place. A thread may read a pointer before or after
// its change in the same round; after it, it only leads farther back.
#pragma once

#include "core/grid_barrier.cuh"
#include "core/warp.cuh"

namespace warpath {

// Zeroed before the launch.
struct CycleControl {
    unsigned arrived;    // of the grid barrier
    unsigned on_a_cycle; // a vertex that is, plus 1; 0: none
    unsigned walking[3]; // whether some vertex has not stopped, in turns
};

// Each thread owns every so-many-th vertex and its pointer.
template <int threads>
__global__ void __launch_bounds__(threads)
parent_cycle(Vertex vertices, const int* predecessor, int* pointer, CycleControl* control) {
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

}  // namespace warpath

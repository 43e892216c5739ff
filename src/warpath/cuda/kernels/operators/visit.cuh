// What happens on an arc.
//
// The contract of an operator
// ---------------------------
// An operator says what an arc u → v does, and whether v is thereby active in the next
// iteration. It knows nothing of queues, threads or levels' order. It has three steps, which
// `Expansion` (expansion.cuh) calls for several arcs at once, each step for all of them before
// the next, so that their memory accesses overlap:
//
//     bool open(v)            Is v still of interest? Reads only, and may be out of date in one
//                             direction: true for a v that no longer is, never the reverse.
//                             Most arcs end here, so it must be cheap.
//     bool claim(v)           Take v, atomically: true for exactly one of all arcs of an
//                             iteration that lead to v. That v enters the next frontier.
//     void settle(u, v)       Write what the arc that took v brings.
//
//     static constexpr bool needs_owner     Whether `settle` looks at u. If not, a balance need
//                                           not find out which u an arc leaves, and u is garbage.
//
// In the pull direction (pull.cuh) a vertex v belongs to one thread: `open` is known, `claim` is
// not called, and `settle(u, v)` is called for the first u in the frontier.
//
// What an operator may assume: no two calls of `settle` name the same v, in the whole traversal;
// everything written in earlier iterations is visible.
#pragma once

#include "core/memory.cuh"
#include "frontier/bitmap.cuh"

namespace warpath {

// Breadth-first search: the first arc to reach v decides.
//
// Whether a vertex was reached is a bit, 32 times smaller than a distance, so that most look-ups
// of `open` are served by L1 and L2. A race between two arcs to v is decided by `claim`'s
// atomicOr; both would write the same distance, and either is a right predecessor.
template <bool with_predecessors>
struct Visit {
    static constexpr bool needs_owner = with_predecessors;

    Bitmap reached;
    int* distance;
    int* predecessor;
    int level;  // of the vertices that this iteration finds

    __device__ bool open(Vertex v) const { return !reached.contains(v); }
    __device__ bool claim(Vertex v) const { return reached.insert(v); }
    __device__ void settle(Vertex u, Vertex v) const {
        distance[v] = level;
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
};

}  // namespace warpath

// No queue: in each level all vertices are looked at.
//
// P. Harish, P. J. Narayanan, "Accelerating large graph algorithms on the GPU using CUDA", HiPC 2007;
// S. Hong et al., PPoPP 2011, with virtual warps; "topology-driven" in LonestarGPU.
//
// A balance gets all vertices that have arcs, in an order that is made once. The operator
// (operators/visit_swept.cuh) finds by distance which vertices are in the frontier:
//
//     balances that take a vertex at a time    ask `expands(u)` before they look at the vertex's arcs:
//     (thread-mapped, virtual warps)           |V| look-ups per level, |E| arcs in all
//     all others                               hand out every arc in every level: |E| arcs per level;
//                                              edge-parallel lists them, unless `takes_all_arcs` says that
//                                              they are 0, 1, 2, …
//
// Nothing is queued, so there are no duplicates; a level that finds nothing is the last.
#pragma once

#include "operators/operator.cuh"

namespace warpath {

// The frontier policy: no vertex passes, but it is noted that one was found.
struct NoteAny : PassAll {
    bool& any;  // made true where one was

    __device__ explicit NoteAny(bool& any) : any(any) {}
    template <class Offer>
    __device__ unsigned test(Vertex, const Offer&, bool pred) const {
        if (pred) any = true;
        return 0;
    }
};

// Whether a body says by `expands` which vertices' arcs a balance should leave out,
template <class Body>
constexpr bool asks_each_vertex = requires(const Body& body) { body.expands(Vertex{}); };

// and whether this vertex's.
template <class Body>
__device__ __forceinline__ bool leaves_out(const Body& body, Vertex u) {
    if constexpr (asks_each_vertex<Body>) return !body.expands(u);
    else return false;
}

// Whether a body's frontier is all vertices, so that its arcs are 0, 1, 2, …
template <class Body>
constexpr bool takes_all_arcs = requires { requires Body::takes_all_arcs; };

}  // namespace warpath

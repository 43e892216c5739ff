// How many edges a balance hands to a body: where vertices of the frontier may be left out, it is not the frontier's
// number.
#pragma once

#include "core/types.cuh"
#include "core/warp.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

// Hands edges on and counts them.
template <class Body>
struct Inspecting {
    static constexpr bool needs_owner = Body::needs_owner;
    static constexpr bool takes_all_arcs = warpath::takes_all_arcs<Body>;
    Body& body;
    unsigned edges_seen = 0;

    __device__ explicit Inspecting(Body& body) : body(body) {}
    __device__ bool expands(Vertex u) const requires requires { body.expands(u); } { return body.expands(u); }
    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        edges_seen += count_bits(active);
        body.visit(owner, arc, active);
    }
};

}  // namespace warpath

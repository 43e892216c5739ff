// Breadth-first search: the first arc to reach a vertex decides.
#pragma once

#include "core/memory.cuh"
#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Nothing is added here: `level` is the host's or the loop's count, at most the number of vertices.
//
// Whether a vertex was reached is a bit, 32 times smaller than a distance, so that most look-ups
// of `open` are served by L1 and L2. A race between two arcs to v is decided by `claim`'s
// atomicOr; both would write the same distance, and either is a right predecessor. So `claim` lets
// one arc through in the whole traversal, and no frontier policy is needed.
template <bool with_predecessors>
struct Visit {
    static constexpr bool needs_owner = with_predecessors;
    using From = Nothing;
    using Offer = Nothing;
    using Ticket = unsigned;

    Bitmap reached;
    int* distance;
    int* predecessor;
    int level;  // of the vertices that this iteration finds

    __device__ From from(Vertex, bool) const { return {}; }
    template <class Offset>
    __device__ Offer offer(From, Offset, bool) const { return {}; }
    __device__ bool open(Vertex v, Offer, bool wanted) const { return wanted && !reached.contains(v, wanted); }
    __device__ Ticket claim(Vertex v, Offer, bool wanted) const { return reached.insert(v, wanted); }
    __device__ bool won(Vertex v, Offer, Ticket ticket) const { return reached.added(v, ticket); }
    __device__ void settle(Vertex u, Vertex v, Offer) const {
        distance[v] = level;
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
    __device__ void miss(Vertex v) const {
        distance[v] = -1;
        if constexpr (with_predecessors) predecessor[v] = -1;
    }
};

}  // namespace warpath

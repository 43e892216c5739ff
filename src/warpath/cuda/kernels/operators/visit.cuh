// Breadth-first search: the first arc to reach a vertex decides.
#pragma once

#include "core/memory.cuh"
#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Nothing is added here: `level` is the host's or the loop's count, at most the number of vertices.
//
// Whether a vertex was reached is a bit, 32 times smaller than a distance, so that most look-ups
// of `status` are served by L1 and L2. A race between two arcs to v is decided by `update_atomic`'s
// atomicOr; both would write the same distance, and either is a right predecessor. So `update_atomic` lets
// one arc through in the whole traversal, and no frontier policy is needed.
template <bool with_predecessors>
struct Visit {
    static constexpr bool needs_owner = with_predecessors;
    using From = Nothing;
    using Offer = Nothing;
    using Status = unsigned;
    using Result = unsigned;

    Bitmap reached;
    int* distance;
    int* predecessor;
    int level;  // of the vertices that this iteration finds

    __device__ From from(Vertex, bool) const { return {}; }
    template <class Offset>
    __device__ Offer offer(From, Offset, bool) const { return {}; }
    __device__ Status status(Vertex v, Offer, bool pred) const { return reached.word(v, pred); }
    __device__ bool cond(Vertex v, Offer, Status word, bool pred) const { return pred && !Bitmap::contains(word, v); }
    __device__ Result update_atomic(Vertex v, Offer, bool pred) const { return reached.insert(v, pred); }
    __device__ bool updated(Vertex v, Offer, Result ticket) const { return reached.added(v, ticket); }
    __device__ void commit(Vertex u, Vertex v, Offer) const {
        write_distance(v);
        write_predecessor(u, v);
    }
    __device__ void write_distance(Vertex v) const { distance[v] = level; }
    __device__ void write_predecessor(Vertex u, Vertex v) const {
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
    __device__ void mark_unreached(Vertex v) const {
        distance[v] = -1;
        if constexpr (with_predecessors) predecessor[v] = -1;
    }
};

// The same, but distances may be written afterwards (traverse.cuh).
template <class Visit>
struct VisitInOrder : Visit {
    bool with_distances;

    __device__ void commit(Vertex u, Vertex v, typename Visit::Offer) const {
        if (with_distances) this->write_distance(v);
        this->write_predecessor(u, v);
    }
};

}  // namespace warpath

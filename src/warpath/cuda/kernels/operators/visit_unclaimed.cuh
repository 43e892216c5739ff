// Breadth-first search without atomics: a vertex's distance says whether it was reached.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, section 4.2: the
// race is benign. All arcs that find v unreached in a level write the same distance, and each
// may be the predecessor. So several arcs win v, and v would enter the next frontier as often: what
// drops these duplicates, or does not, is the frontier's matter (frontier/duplicates.cuh).
#pragma once

#include "core/device.cuh"
#include "operators/operator.cuh"

namespace warpath {

template <bool with_predecessors>
struct VisitUnclaimed {
    static constexpr bool needs_owner = with_predecessors;
    using From = Nothing;
    using Offer = Nothing;
    using Status = Nothing;
    using Result = int;

    int* distance;
    int* predecessor;
    int level;  // of the vertices that this level finds

    __device__ From from(Vertex, bool) const { return {}; }
    template <class Offset>
    __device__ Offer offer(From, Offset, bool) const { return {}; }
    // Nothing is looked up before `update_atomic`, which reads the distance.
    template <class AnyOffer>
    __device__ Status status(Vertex, const AnyOffer&, bool) const { return {}; }
    template <class AnyOffer>
    __device__ bool cond(Vertex, const AnyOffer&, Status, bool pred) const { return pred; }
    template <class AnyOffer>
    __device__ Result update_atomic(Vertex v, const AnyOffer&, bool pred) const { return load_if(distance + v, pred); }
    template <class AnyOffer>
    __device__ bool updated(Vertex, const AnyOffer&, Result before) const { return before == -1; }
    template <class AnyOffer>
    __device__ void commit(Vertex u, Vertex v, const AnyOffer&) const {
        distance[v] = level;
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
};

}  // namespace warpath

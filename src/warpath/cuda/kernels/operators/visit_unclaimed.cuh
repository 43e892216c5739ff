// Breadth-first search without atomics: a vertex's distance says whether it was reached.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, section 4.2: the
// race is benign. Of all arcs that find v unreached in a level each writes the same distance, and each
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
    using Ticket = int;

    int* distance;
    int* predecessor;
    int level;  // of the vertices that this level finds

    __device__ From from(Vertex, bool) const { return {}; }
    template <class Offset>
    __device__ Offer offer(From, Offset, bool) const { return {}; }
    // The claim asks.
    template <class AnyOffer>
    __device__ bool open(Vertex, const AnyOffer&, bool wanted) const { return wanted; }
    template <class AnyOffer>
    __device__ Ticket claim(Vertex v, const AnyOffer&, bool wanted) const { return load_if(distance + v, wanted); }
    template <class AnyOffer>
    __device__ bool won(Vertex, const AnyOffer&, Ticket before) const { return before == -1; }
    template <class AnyOffer>
    __device__ void settle(Vertex u, Vertex v, const AnyOffer&) const {
        distance[v] = level;
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
};

}  // namespace warpath

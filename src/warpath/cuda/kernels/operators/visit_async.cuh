// Asynchronous breadth-first search: an arc u → v offers v one level more than u has.
#pragma once

#include "core/memory.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Distances as Visit has them, read as unsigned integers: then "unreached", −1, is the largest. They
// fall as those of Relax do, one atomicMin each, and are read from L2.
struct VisitAsync {
    static constexpr bool needs_owner = true;
    using From = unsigned;
    using Offer = unsigned;
    using Result = unsigned;

    unsigned* distance;

    __device__ From from(Vertex u, bool pred) const { return load_relaxed_if(distance + u, pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset, bool) const { return from + 1; }
    __device__ Result update_atomic(Vertex v, Offer offer, bool pred) const { return fetch_min_if(distance + v, offer, pred); }
    __device__ bool updated(Vertex, Offer offer, Result before) const { return before > offer; }
    __device__ void commit(Vertex, Vertex, Offer) const {}
};

}  // namespace warpath

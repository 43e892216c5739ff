// Peeling: an edge takes its vertex u, which has left the graph, away from v's degree.
#pragma once

#include "core/device.cuh"
#include "operators/operator.cuh"

namespace warpath {

// The edge that lowers v's degree to k takes v with it. More edges may come at the same time: they put back what they
// took, so that k stays, and v's degree is between k and what it was whenever no edge is on its way.
struct Peel {
    static constexpr bool needs_owner = false;
    using From = Nothing;
    using Offer = Nothing;
    using Status = int;
    using Result = int;  // v's degree before

    int* degree;
    const int& threshold;  // k + 1

    __device__ From from(Vertex, bool) const { return {}; }
    template <class Offset>
    __device__ Offer offer(From, Offset, bool) const { return {}; }
    // Degrees only fall, so one that is out of date lets too many through.
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_if(degree + v, pred); }
    __device__ bool cond(Vertex, Offer, Status known, bool pred) const { return pred && known >= threshold; }
    __device__ Result update_atomic(Vertex v, Offer, bool pred) const { return fetch_decrement_if(degree + v, pred); }
    __device__ bool updated(Vertex v, Offer, Result before) const {
        if (before < threshold) atomicAdd(degree + v, 1);
        return before == threshold;
    }
    __device__ void commit(Vertex, Vertex, Offer) const {}
};

}  // namespace warpath

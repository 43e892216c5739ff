// Each vertex at most once in a queue, by stamps.
//
// `stamp[v]` is the last queue that v entered, counted from 1. Of all edges that bring v in an iteration the first
// to exchange the stamp finds an older one, and lets v in (also frontier/near_far.cuh).
#pragma once

#include "core/device.cuh"
#include "operators/operator.cuh"

namespace warpath {

struct PassStamped {
    unsigned* stamp;        // n words, 0 at first
    const unsigned& queue;  // the number of the queue that vertices enter; in shared memory

    template <class Offer>
    __device__ unsigned test(Vertex v, const Offer&, bool pred) const { return fetch_exchange_if(stamp + v, queue, pred); }
    template <class Offer>
    __device__ bool passes(Vertex, const Offer&, unsigned before) const { return before != queue; }
};

}  // namespace warpath

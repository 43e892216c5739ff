// Each vertex at most once in a queue, by stamps.
//
// `stamp[v]` is the last queue that v entered, counted from 1. Several edges may bring v in an iteration; the first
// to exchange the stamp finds an older one, and puts v into the queue (also frontier/near_far.cuh).
#pragma once

#include "core/device.cuh"
#include "operators/operator.cuh"

namespace warpath {

struct PassStamped : PassAll {
    unsigned* stamp;        // n words, 0 at first
    const unsigned& queue;  // the number of the queue that vertices enter; in shared memory

    template <class Offer>
    __device__ unsigned test(Vertex v, const Offer&, bool pred) const { return fetch_exchange_if(stamp + v, queue, pred); }
    template <class Offer>
    __device__ bool passes(Vertex, const Offer&, unsigned before) const { return before != queue; }
};

// In asynchronous blocks (engine/program.cuh). A vertex enters the block's frontier as often as the block lowers it, as
// near vertices do (frontier/near_far_async.cuh); the grid's queue once.
template <class Weight>
struct PassLowered : PassAll {
    PassStamped to_grid;
    const Weight* weights;  // nullptr: there are none to load

    __device__ bool first_time(Vertex v) const { return to_grid.passes(v, v, to_grid.test(v, v, true)); }
    template <class Offset>
    __device__ void prefetch(Offset edge) const {
        if (weights != nullptr) warpath::prefetch(weights + edge);
    }
};

}  // namespace warpath

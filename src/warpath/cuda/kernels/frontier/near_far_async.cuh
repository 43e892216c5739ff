// Near and far vertices of asynchronous blocks (engine/program.cuh).
//
// A near vertex enters the block's frontier as often as the block lowers it: of two entries of one
// vertex both have its distance, and the second finds nothing left to lower, so entries do not
// multiply. A stamp would be one more atomic in the chain of dependent steps that a round is. Far
// ones get their bit, and no thread waits for it.
#pragma once

#include "core/device.cuh"
#include "frontier/near_far.cuh"

namespace warpath {

template <class Weight, class Key>
struct AsyncNearFar {
    NearFar<Key> wide;  // its queue is the grid's, for what a block has no room for
    Key threshold;      // the same, in a register
    const Weight* weights;

    __device__ bool test(Vertex v, Key d, bool pred) const {
        const bool near = d < threshold;
        wide.far.mark(v, pred && !near);
        return pred && near;
    }
    __device__ bool passes(Vertex, Key, bool near) const { return near; }
    __device__ bool first_time(Vertex v) const { return wide.first_time(v); }
    template <class Offset>
    __device__ void prefetch(Offset arc) const { warpath::prefetch(weights + arc); }
};

}  // namespace warpath

// Union-find: an edge puts its two vertices into one tree.
//
// J. Jaiganesh, M. Burtscher, "A high-performance connected components implementation for GPUs" (ECL-CC), HPDC 2018.
//
// Parents change while they are read, so they are read from L2. A parent that is out of date is an ancestor all
// the same: links are never taken back.
#pragma once

#include "core/device.cuh"
#include "operators/operator.cuh"

namespace warpath {

struct Link {
    static constexpr bool needs_owner = true;
    using From = int;
    using Offer = int;  // the parent of the vertex that the edge comes from
    using Status = int;
    using Result = Nothing;

    int* parent;

    __device__ int at(int v) const { return load_relaxed(parent + v); }

    // v's root; on the way each vertex is given its grandparent ("intermediate pointer jumping" of ECL-CC). Others
    // may shorten the same path: each step stays on it.
    __device__ int find(int v) const {
        int before = v, above = at(v);
        for (int next = at(above); next != above; next = at(above)) {
            store_relaxed(parent + before, next);
            before = above;
            above = next;
        }
        return above;
    }

    // Hang the larger of the roots below the smaller. What has become another's child meanwhile is followed upwards.
    __device__ void operator()(int u, int v) const {
        int a = find(u), b = find(v);
        while (a != b) {
            const int high = max(a, b), low = min(a, b), above = atomicCAS(parent + high, high, low);
            if (above == high) return;
            a = above;
            b = low;
        }
    }

    // Make v's root its parent, while other threads do so for theirs. No other parent is written: to shorten a path by
    // a value that was read before the owner wrote the root would undo that.
    __device__ void compress(Vertex v) const {
        int above = at(static_cast<int>(v));
        for (int next = at(above); next != above; next = at(above)) above = next;
        store_relaxed(parent + v, above);
    }

    __device__ From from(Vertex u, bool pred) const { return load_relaxed_if(parent + u, pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset, bool) const { return from; }
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_relaxed_if(parent + v, pred); }
    __device__ bool cond(Vertex, Offer offer, Status known, bool pred) const { return pred && known != offer; }
    __device__ Result update_atomic(Vertex v, Offer offer, bool pred) const {
        if (pred) (*this)(offer, static_cast<int>(v));
        return {};
    }
    // No vertex has to be expanded again.
    __device__ bool updated(Vertex, Offer, Result) const { return false; }
    __device__ void commit(Vertex, Vertex, Offer) const {}
};

}  // namespace warpath

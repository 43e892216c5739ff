// Union-find: an edge puts its two vertices into one tree.
//
// M. Patwary, J. Blair, F. Manne, "Experiments on union-find algorithms for the disjoint-set data structure", SEA 2010 (Rem's
// algorithm); with compare-and-swap as in L. Dhulipala, C. Hong, J. Shun, "ConnectIt", VLDB 2021.
//
// Parents change while edges are joined, so they are read from L2. A parent that is out of date is an ancestor all
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
    static __device__ void swap(int& a, int& b) {
        const int before = a;
        a = b;
        b = before;
    }

    // Join the ends of some edges, those of which `active` has a bit. The edges go in step: in each round each of them does one
    // operation in memory, and waits for it with the others. Of its two ends the one whose parent is larger climbs, and is given
    // its grandparent (others may shorten the same path: each step stays on it); or, if it is a root, it is hung below the
    // other's parent. What has become another's child meanwhile climbs on.
    template <int edges>
    __device__ __forceinline__ void join(int (&a)[edges], int (&b)[edges], unsigned active) const {
        int above_a[edges], above_b[edges];
#pragma unroll
        for (int j = 0; j < edges; ++j) {
            above_a[j] = active >> j & 1u ? at(a[j]) : 0;
            above_b[j] = active >> j & 1u ? at(b[j]) : 0;
        }
        while (active != 0) {
            int found[edges];
#pragma unroll
            for (int j = 0; j < edges; ++j) {
                if (above_a[j] == above_b[j]) active &= ~(1u << j);
                if (!(active >> j & 1u)) continue;
                if (above_a[j] < above_b[j]) {
                    swap(a[j], b[j]);
                    swap(above_a[j], above_b[j]);
                }
                found[j] = above_a[j] == a[j] ? atomicCAS(parent + a[j], a[j], above_b[j]) : at(above_a[j]);
            }
#pragma unroll
            for (int j = 0; j < edges; ++j) {
                if (!(active >> j & 1u)) continue;
                if (above_a[j] != a[j]) {
                    if (found[j] != above_a[j]) store_relaxed(parent + a[j], found[j]);
                    a[j] = above_a[j];
                } else if (found[j] == a[j]) {
                    active &= ~(1u << j);  // it was a root, and is the other's child
                }
                above_a[j] = found[j];
            }
        }
    }

    // Make v's root its parent, while other threads do so for theirs. No other parent is written: to shorten a path by
    // a value that was read before the owner wrote the root would undo that. Nothing is joined between the barrier before and the
    // one after, so a root stays one and may be read from L1, most often the same one: from L2 that takes three times as long.
    __device__ void compress(Vertex v) const {
        const auto above = [&](int child) { return load_if(parent + child, true); };
        const int before = above(static_cast<int>(v));
        int root = before;
        for (int next = above(root); next != root; next = above(root)) root = next;
        if (root != before) store_relaxed(parent + v, root);
    }

    __device__ From from(Vertex u, bool pred) const { return load_relaxed_if(parent + u, pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset, bool) const { return from; }
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_relaxed_if(parent + v, pred); }
    __device__ bool cond(Vertex, Offer offer, Status known, bool pred) const { return pred && known != offer; }
    __device__ Result update_atomic(Vertex v, Offer offer, bool pred) const {
        int from[] = {offer}, to[] = {static_cast<int>(v)};
        join(from, to, pred);
        return {};
    }
    // No vertex has to be expanded again.
    __device__ bool updated(Vertex, Offer, Result) const { return false; }
    __device__ void commit(Vertex, Vertex, Offer) const {}
};

}  // namespace warpath

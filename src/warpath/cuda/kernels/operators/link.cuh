// Union-find: an edge puts its two vertices into one tree.
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
    using Ticket = Nothing;

    int* parent;

    __device__ int at(int v) const { return load_relaxed(parent + v); }

    // Hang the larger of the roots below the smaller.
    __device__ void operator()(int u, int v) const {
        int a = at(u), b = at(v);
        while (a != b) {
            const int high = max(a, b), low = min(a, b), above = at(high);
            if (above == low || (above == high && atomicCAS(parent + high, high, low) == high)) return;
            a = at(at(high));
            b = at(low);
        }
    }

    // Make v's root its parent. Others may shorten the same path: each step stays on it.
    __device__ void compress(Vertex v) const {
        int above = at(static_cast<int>(v)), root = at(above);
        while (above != root) {
            store_relaxed(parent + v, root);
            above = root;
            root = at(above);
        }
    }

    __device__ From from(Vertex u, bool wanted) const { return load_relaxed_if(parent + u, wanted); }
    template <class Offset>
    __device__ Offer offer(From from, Offset, bool) const { return from; }
    __device__ bool open(Vertex v, Offer offer, bool wanted) const { return wanted && load_relaxed_if(parent + v, wanted) != offer; }
    __device__ Ticket claim(Vertex v, Offer offer, bool wanted) const {
        if (wanted) (*this)(offer, static_cast<int>(v));
        return {};
    }
    // No vertex has to be expanded again.
    __device__ bool won(Vertex, Offer, Ticket) const { return false; }
    __device__ void settle(Vertex, Vertex, Offer) const {}
};

}  // namespace warpath

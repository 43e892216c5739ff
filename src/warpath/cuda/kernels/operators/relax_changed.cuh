// Relaxation without a queue: every arc in every iteration, but only those of a vertex that changed
// in the last one bring an offer.
//
// P. Harish, P. J. Narayanan, "Accelerating large graph algorithms on the GPU using CUDA", HiPC
// 2007; the topology-driven Bellman-Ford of LonestarGPU.
//
// Sums: a vertex that was not reached offers `none`, without a sum; else as in relax.cuh.
//
// `stamp[v]` is the last iteration that lowered v. It is written without atomics: all edges that lower v in
// an iteration write the same.
#pragma once

#include "operators/relax.cuh"

namespace warpath {

template <class Weight, class Distance, bool with_parents>
struct RelaxChanged : Relax<Weight, Distance, with_parents> {
    using K = Key<Distance>;
    using Base = Relax<Weight, Distance, with_parents>;
    static constexpr K none = Ordered<Distance>::unreachable;

    const unsigned* stamp;
    const unsigned& iteration;

    __device__ RelaxChanged(const Base& base, const unsigned* stamp, const unsigned& iteration)
        : Base(base), stamp(stamp), iteration(iteration) {}

    // Balances that take a vertex at a time ask (frontier/topology_driven.cuh).
    __device__ bool expands(Vertex u) const { return stamp[u] + 1 >= iteration; }

    // Its distance if it changed, or else nothing. One that was lowered in this iteration already
    // brings what it has; it is asked again in the next.
    __device__ K from(Vertex u, bool pred) const {
        const K distance = Base::from(u, pred);
        return load_if(stamp + u, pred) + 1 >= iteration ? distance : none;
    }
    template <class Offset>
    __device__ K offer(K from, Offset arc, bool pred) const {
        const K offer = Base::offer(from, arc, pred && from != none);
        return from != none ? offer : none;
    }
};

// The frontier policy that goes with it: no vertex passes, but it is noted that one changed.
struct MarkChanged : PassAll {
    unsigned* stamp;
    const unsigned& iteration;
    bool& any;  // made true where one changed

    template <class Offer>
    __device__ unsigned test(Vertex v, const Offer&, bool pred) const {
        if (pred) stamp[v] = iteration;
        if (pred) any = true;
        return 0;
    }
};

}  // namespace warpath

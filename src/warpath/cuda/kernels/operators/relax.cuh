// Shortest paths: an arc u → v offers v the distance of u plus its weight.
#pragma once

#include "core/weight.cuh"
#include "core/memory.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Distances are kept as integers (core/distance.cuh), so one atomicMin lowers any of them, and
// the thread that finds a larger value there than its own has lowered it.
//
// `distance` is read by plain loads while others lower it, so what is read may be out of date: it
// may be too large. Values only fall, and a barrier between iterations drops old lines of L1, so
// it is at most what it was when the iteration began.
//
//   - Of v, in `cond`: the arc is taken for shorter although it is not. `update_atomic` decides.
//   - Of u, in `offer`: the offer is too large, since u has been lowered in this iteration. Then
//     u is in the next frontier, and its arcs are relaxed again.
//
// Sums: u is in the frontier, so it was reached, and `extend` stops at the dtype's limits. A sum that
// stopped at the upper one is "unreachable" and lowers nothing (the host looks for such arcs afterwards);
// one that stopped at the lower one stays there, and the host finds it.
//
// With `parents`, a thread that lowers v writes the owner there. Two threads that do so at once may write in the
// other order, so these are only candidates: good for finding a negative cycle, whose weights
// are then added up, not as an answer.
//
// `past_l1`: where iterations end at a barrier that drops nothing of L1 (engine/small_frontier.cuh), `from` is read
// from L2. There no edge would repeat what a u of a distance out of date offers. `cond` may be late.
template <class Weight, class Distance, bool with_parents, bool past_l1 = false>
struct Relax {
    static constexpr bool needs_owner = true;
    using From = Key<Distance>;
    using Offer = Key<Distance>;
    using Status = Key<Distance>;
    using Result = Key<Distance>;

    const Weight* weights;
    Key<Distance>* distance;
    int* parents;

    __device__ Offer at_source() const { return key_of(source_distance<Weight, Distance>()); }
    __device__ From from(Vertex u, bool pred) const {
        return past_l1 ? load_relaxed_if(distance + u, pred) : load_if(distance + u, pred);
    }
    template <class Offset>
    __device__ Offer offer(From from, Offset arc, bool pred) const {
        return extend<Distance>(from, read_only_if(weights + arc, pred));
    }
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_once_if(distance + v, pred); }
    __device__ bool cond(Vertex, Offer offer, Status known, bool pred) const { return pred && offer < known; }
    __device__ Result update_atomic(Vertex v, Offer offer, bool pred) const { return fetch_min_if(distance + v, offer, pred); }
    __device__ bool updated(Vertex, Offer offer, Result before) const { return before > offer; }
    __device__ void store(Vertex v, Offer offer, bool pred) const { store_if(distance + v, offer, pred); }
    __device__ void commit(Vertex u, Vertex v, Offer) const {
        if constexpr (with_parents) parents[v] = static_cast<int>(u);
    }
};

}  // namespace warpath

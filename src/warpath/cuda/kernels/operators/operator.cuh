// What happens on an arc.
//
// The contract of an operator
// ---------------------------
// An operator says what an arc u → v does. It knows nothing of queues, threads or levels' order.
// `Expansion` (engine/expansion.cuh) calls its steps for several arcs at once, each step for all of them
// before the next, so that their memory accesses overlap. For that, a step that reads or changes
// memory does so by one predicated instruction (…_if of core/device.cuh), and never looks at what
// it gets: that is the next step's. `wanted` says whether the arc is there, or still of interest.
//
//     From from(u, wanted)              What u brings to all its arcs: its distance, or nothing.
//     Offer offer(from, arc, wanted)    What the arc brings to v. Reads only.
//     bool open(v, offer, wanted)       Is v interested? Reads only, and may be out of date in one
//                                       direction: true for a v that no longer is, never the
//                                       reverse. Most arcs end here, so it must be cheap.
//     Ticket claim(v, offer, wanted)    Take v, atomically.
//     bool won(v, offer, ticket)        True if this arc changed v; false if not `wanted`.
//     void settle(u, v, offer)          Write what else the arc that took v brings.
//     void miss(v)                      Write that no arc took v: once, when none can any more. Only
//                                       traverse.cuh asks for it.
//     Offer at_source()                 What a source is offered, without an arc; if not said, nothing.
//
//     static constexpr bool needs_owner     Whether `from` or `settle` looks at u. If not, a balance
//                                           need not find out which u an arc leaves, and u is
//                                           garbage.
//
// What an operator may assume: everything written in earlier iterations is visible.
//
// A v that was taken goes to the frontier policy, which says whether it enters the next frontier,
// in two steps likewise:
//
//     unsigned admit(v, offer, wanted)
//     bool admitted(v, offer, ticket)
//                               True for exactly one of the arcs of an iteration that took v, or
//                               for none if v's turn comes later (frontier/near_far.cuh).
//
// In the pull direction (engine/pull.cuh) a vertex v belongs to one thread: there are no offers, `open` is
// known, `claim` is not called, and `settle(u, v)` is called for the first u in the frontier.
#pragma once

#include "core/types.cuh"

namespace warpath {

// Of an operator whose arcs all bring the same.
struct Nothing {};

template <class Operator>
__device__ __forceinline__ typename Operator::Offer offer_at_source(const Operator& op) {
    if constexpr (requires { op.at_source(); }) return op.at_source();
    else return {};
}

// The frontier policy of an operator that lets one arc a vertex through.
struct AdmitAll {
    template <class Offer>
    __device__ unsigned admit(Vertex, const Offer&, bool wanted) const { return wanted; }
    template <class Offer>
    __device__ bool admitted(Vertex, const Offer&, unsigned ticket) const { return ticket != 0; }
    // What engine/small_frontier.cuh asks.
    __device__ bool enters(Vertex) const { return true; }
    template <class Offset>
    __device__ void prefetch(Offset) const {}
};

}  // namespace warpath

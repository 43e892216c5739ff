// What happens on an arc.
//
// The contract of an operator
// ---------------------------
// An operator says what an edge u → v does. It knows nothing of queues, threads or the order of levels.
// `Expansion` (engine/expansion.cuh) calls its steps for several edges at once, each step for all of them
// before the next, so that their memory accesses overlap. For that, a step that reads or changes
// memory does so by one predicated instruction (…_if of core/device.cuh), and never looks at what
// it gets: that is the next step's. `pred` says whether the edge is there, or still of interest.
//
//     From from(u, pred)                    What u brings to all its edges: its distance, or nothing.
//     Offer offer(from, edge, pred)         What the edge brings to v. Reads only.
//     Status status(v, offer, pred)         What is known of v. Reads only.
//     bool cond(v, offer, status, pred)     Whether v may be updated. It may be out of date in one direction: true
//                                           for a v that can no longer be updated, never the reverse. Most edges
//                                           end here, so both must be cheap. They only save work: small frontiers
//                                           (engine/small_frontier.cuh) call neither.
//     Result update_atomic(v, offer, pred)  Update v.
//     bool updated(v, offer, result)        Whether this edge changed v, by `result` alone; false if not `pred`.
//     void commit(u, v, offer)              Write what else the edge that changed v brings.
//     void mark_unreached(v)                Write that no edge changed v: once, when none can any more. Only
//                                           traverse.cuh asks for it.
//     Offer at_source()                     What a source is offered, without an edge; by default nothing.
//
//     static constexpr bool needs_owner     Whether `from` or `commit` looks at u. If not, a balance need not
//                                           find out which u an edge leaves, and u is garbage.
//
// An operator may have steps before `status`, for edges that need no look at v:
//
//     void classify(v, pred, directly)      What the marks of a column say, and `store` instead of `update_atomic`
//                                           (operators/classified.cuh).
//     bool within(offer)                    Whether the offer is below a limit (operators/limited.cuh).
//     prefilter, may_change                 Whether a bit says that v cannot be changed (operators/prefiltered.cuh).
//     void combine(v, offer, pred)          After `cond`: of several lanes' offers to v, leave one (operators/limited.cuh).
//
// Where all vertices are in every frontier (frontier/topology_driven.cuh), it may have
//
//     bool expands(u)                       Whether u is active. Not all balances ask, so `cond` says it, too.
//     static constexpr bool takes_all_arcs  true: edge-parallel then makes no list.
//
// What an operator may assume: everything written in earlier iterations is visible. What other edges write in this
// one may be visible, too.
//
// A v that was changed goes to a filter, which says whether it enters the next frontier, in two steps likewise:
//
//     unsigned test(v, offer, pred)         Read or mark what decides.
//     bool passes(v, offer, result)         True for one of the edges of an iteration that changed v, for several
//                                           only if the algorithm `may_repeat` (engine/program.cuh). Or for none, if v
//                                           is expanded later (frontier/near_far.cuh) or queued later (`lists_bits`).
//
// In a bottom-up level (engine/pull.cuh) a vertex v belongs to one warp, and nothing is offered: one lane calls
// `commit(u, v, {})` for a neighbour u that was reached, or `mark_unreached(v)` if no neighbour ever can be.
#pragma once

#include "core/types.cuh"

namespace warpath {

// The offer of an operator whose edges all bring the same.
struct Nothing {};

// Whether an offer says which vertex it is from.
template <class Offer>
concept has_owner = requires(Offer offer) { offer.owner; };

template <class Operator>
__device__ __forceinline__ typename Operator::Offer offer_at_source(const Operator& op) {
    if constexpr (requires { op.at_source(); }) return op.at_source();
    else return {};
}

// Update a source, without an edge. True if that changed it.
template <class Operator>
__device__ __forceinline__ bool update_source(const Operator& op, Vertex v, typename Operator::Offer& offer, bool pred) {
    const bool taken = op.updated(v, offer, op.update_atomic(v, offer, pred));
    if (taken) op.commit(invalid_vertex, v, offer);
    return taken;
}

// The filter of an operator of which `updated` is true for one edge per vertex and iteration.
struct PassAll {
    template <class Offer>
    __device__ unsigned test(Vertex, const Offer&, bool pred) const { return pred; }
    template <class Offer>
    __device__ bool passes(Vertex, const Offer&, unsigned ticket) const { return ticket != 0; }
    // What engine/small_frontier.cuh asks.
    __device__ bool first_time(Vertex) const { return true; }
    template <class Offset>
    __device__ void prefetch(Offset) const {}
};

}  // namespace warpath

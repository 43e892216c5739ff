// Where operator and frontier meet: what is done with the arcs that a balance hands out.
#pragma once

#include "core/memory.cuh"
#include "balance/balance.cuh"
#include "core/types.cuh"
#include "frontier/queue.cuh"
#include "operators/classified.cuh"
#include "operators/operator.cuh"
#include "operators/prefiltered.cuh"

namespace warpath {

template <class Offset>
__device__ __forceinline__ Vertex column_if(const Csr<Offset>& graph, Offset arc, bool pred) {
    return read_only_if(graph.column_indices + arc, pred);
}

// Follows arcs of one level and queues the vertices that they find.
//
// `visit` takes up to `arcs` arcs per lane and makes each step for all of them before the next: all
// loads of columns and offers are in flight before the first status look-up, and so on. That is
// 2.4 times faster than one arc after another on a graph whose levels are small (measured, H200,
// 2048² grid).
//
// `Graph` says where an arc leads: it has `column_if`.
template <class Graph, class Operator, class Filter, class Writer>
class Expansion {
    const Graph& graph;
    const Operator& op;
    Writer& next;
    const Filter filter;
    // Whether the look-ups of all arcs are in flight at once. With offers (shortest paths) nothing is gained; with a
    // filter that has members (several GPUs) the registers do not suffice.
    static constexpr bool looks_up_together = __is_empty(typename Operator::Offer) && __is_empty(Filter);

public:
    static constexpr bool needs_owner = Operator::needs_owner;
    static constexpr bool takes_all_arcs = requires { requires Operator::takes_all_arcs; };

    __device__ Expansion(const Graph& graph, const Operator& op, Writer& next, const Filter& filter = {})
        : graph(graph), op(op), next(next), filter(filter) {}

    // Whether u's arcs are of interest at all (frontier/topology_driven.cuh).
    __device__ bool expands(Vertex u) const requires requires { op.expands(u); } { return op.expands(u); }

    // All lanes of a warp call. Bit j of `active`: this lane has an arc[j], which leaves owner[j].
    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        // More offers of 8 or 16 bytes, or arcs with classes, do not fit into the registers.
        constexpr int offer_bytes = sizeof(typename Operator::Offer);
        constexpr int fitting = offer_bytes >= 8 ? 128 / offer_bytes / sizeof(Offset) : arcs;
        constexpr int max_together = has_classes<Operator> ? (fitting + 1) / 2 : fitting;
        constexpr int together = max_together < arcs ? max_together : arcs;
#pragma unroll
        for (int first = 0; first < arcs; first += together) {
            Vertex target[together];
            typename Operator::From from[together];
            typename Operator::Offer offer[together];
            typename Operator::Result ticket[together];
            unsigned entry[together];
            bool taken[together];
            [[maybe_unused]] bool directly[together];
#pragma unroll
            for (int j = 0; j < together; ++j) {
                taken[j] = active >> (first + j) & 1u;
                target[j] = column_if(graph, arc[first + j], taken[j]);
            }
#pragma unroll
            for (int j = 0; j < together; ++j) from[j] = op.from(owner[first + j], taken[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) offer[j] = op.offer(from[j], arc[first + j], taken[j]);
            if constexpr (has_classes<Operator>) {
#pragma unroll
                for (int j = 0; j < together; ++j) op.classify(target[j], taken[j], directly[j]);
            }
            if constexpr (has_prefilter<Operator>) {
                unsigned word[together];
#pragma unroll
                for (int j = 0; j < together; ++j) word[j] = op.prefilter(target[j], offer[j], taken[j]);
#pragma unroll
                for (int j = 0; j < together; ++j) taken[j] = taken[j] && op.may_change(target[j], word[j]);
            }
            if constexpr (looks_up_together) {
                typename Operator::Status status[together];
                // A look-up waits for all columns: ptxas would move loads of columns behind the first look-ups (up to
                // 7 % slower, H200).
                Vertex all = invalid_vertex;
#pragma unroll
                for (int j = 0; j < together; ++j) all &= target[j];
#pragma unroll
                for (int j = 0; j < together; ++j) status[j] = op.status(target[j], offer[j], taken[j] && all != invalid_vertex);
#pragma unroll
                for (int j = 0; j < together; ++j) taken[j] = op.cond(target[j], offer[j], status[j], taken[j]);
            } else {
#pragma unroll
                for (int j = 0; j < together; ++j)
                    taken[j] = taken[j] && op.cond(target[j], offer[j], op.status(target[j], offer[j], taken[j]), taken[j]);
            }
            if constexpr (has_classes<Operator>) {
#pragma unroll
                for (int j = 0; j < together; ++j) ticket[j] = op.update_atomic(target[j], offer[j], taken[j] && !directly[j]);
#pragma unroll
                for (int j = 0; j < together; ++j) {
                    const bool puts = taken[j] && directly[j];
                    taken[j] = op.updated(target[j], offer[j], ticket[j]) || puts;
                    op.store(target[j], offer[j], puts);
                }
            } else {
#pragma unroll
                for (int j = 0; j < together; ++j) ticket[j] = op.update_atomic(target[j], offer[j], taken[j]);
#pragma unroll
                for (int j = 0; j < together; ++j) taken[j] = op.updated(target[j], offer[j], ticket[j]);
            }
#pragma unroll
            for (int j = 0; j < together; ++j)
                if (taken[j]) op.commit(owner[first + j], target[j], offer[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) entry[j] = filter.test(target[j], offer[j], taken[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) taken[j] = filter.passes(target[j], offer[j], entry[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) {
                next.push(target[j], taken[j]);
                if ((j + 1) % Writer::rows == 0 || j + 1 == together) next.flush();
            }
        }
    }
};
template <class Graph, class Operator, class Writer>
Expansion(const Graph&, const Operator&, Writer&) -> Expansion<Graph, Operator, PassAll, Writer>;

}  // namespace warpath

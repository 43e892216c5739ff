// Where operator and frontier meet: what is done with the arcs that a balance hands out.
#pragma once

#include "core/memory.cuh"
#include "core/types.cuh"
#include "frontier/queue.cuh"
#include "operators/classified.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Follows arcs of one level and queues the vertices that they find.
//
// `visit` takes up to `arcs` arcs a lane and makes each step for all of them before the next: all
// loads of columns and offers are in flight before the first status look-up, and so on. That is
// 2.4 times faster than one arc after another on a graph whose levels are small (measured, H200,
// 2048² grid).
template <class Offset, class Operator, class Admission = AdmitAll, class Writer = QueueWriter<Offset>>
class Expansion {
    const Csr<Offset>& graph;
    const Operator& op;
    Writer& next;
    const Admission admission;

public:
    static constexpr bool needs_owner = Operator::needs_owner;

    __device__ Expansion(const Csr<Offset>& graph, const Operator& op, Writer& next,
                         const Admission& admission = {})
        : graph(graph), op(op), next(next), admission(admission) {}

    // All lanes of a warp call. Bit j of `active`: this lane has an arc[j], which leaves owner[j].
    template <int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        // More offers of 8 or 16 bytes, or arcs with classes, do not fit into the registers.
        constexpr int offer_bytes = sizeof(typename Operator::Offer);
        constexpr int fitting = offer_bytes >= 8 ? 128 / offer_bytes / sizeof(Offset) : arcs;
        constexpr int most = has_classes<Operator> ? (fitting + 1) / 2 : fitting;
        constexpr int together = most < arcs ? most : arcs;
#pragma unroll
        for (int first = 0; first < arcs; first += together) {
            Vertex target[together];
            typename Operator::From from[together];
            typename Operator::Offer offer[together];
            typename Operator::Ticket ticket[together];
            unsigned entry[together];
            bool taken[together];
            [[maybe_unused]] bool directly[together];
#pragma unroll
            for (int j = 0; j < together; ++j) {
                taken[j] = active >> (first + j) & 1u;
                target[j] = read_only_if(graph.column_indices + arc[first + j], taken[j]);
            }
#pragma unroll
            for (int j = 0; j < together; ++j) from[j] = op.from(owner[first + j], taken[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) offer[j] = op.offer(from[j], arc[first + j], taken[j]);
            if constexpr (has_classes<Operator>) {
#pragma unroll
                for (int j = 0; j < together; ++j) op.sort_out(target[j], taken[j], directly[j]);
            }
#pragma unroll
            for (int j = 0; j < together; ++j) taken[j] = op.open(target[j], offer[j], taken[j]);
            if constexpr (has_classes<Operator>) {
#pragma unroll
                for (int j = 0; j < together; ++j) ticket[j] = op.claim(target[j], offer[j], taken[j] && !directly[j]);
#pragma unroll
                for (int j = 0; j < together; ++j) {
                    const bool puts = taken[j] && directly[j];
                    taken[j] = op.won(target[j], offer[j], ticket[j]) || puts;
                    op.put(target[j], offer[j], puts);
                }
            } else {
#pragma unroll
                for (int j = 0; j < together; ++j) ticket[j] = op.claim(target[j], offer[j], taken[j]);
#pragma unroll
                for (int j = 0; j < together; ++j) taken[j] = op.won(target[j], offer[j], ticket[j]);
            }
#pragma unroll
            for (int j = 0; j < together; ++j)
                if (taken[j]) op.settle(owner[first + j], target[j], offer[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) entry[j] = admission.admit(target[j], offer[j], taken[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) taken[j] = admission.admitted(target[j], offer[j], entry[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) {
                next.keep(target[j], taken[j]);
                if ((j + 1) % Writer::rows == 0 || j + 1 == together) next.flush();
            }
        }
    }
};

}  // namespace warpath

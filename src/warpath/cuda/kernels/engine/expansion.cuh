// Where operator and frontier meet: what is done with the arcs that a balance hands out.
#pragma once

#include "core/memory.cuh"
#include "balance/balance.cuh"
#include "core/types.cuh"
#include "frontier/queue.cuh"
#include "operators/classified.cuh"
#include "operators/counted.cuh"
#include "operators/limited.cuh"
#include "operators/operator.cuh"
#include "operators/prefiltered.cuh"

namespace warpath {

template <class Offset>
__device__ __forceinline__ Vertex column_if(const Csr<Offset>& graph, Offset arc, bool pred) {
    return read_only_if(graph.column_indices + arc, pred);
}

// A warp's edges that were not left out by what they offer, in shared memory, until they are enough for all lanes.
template <class Offer>
struct Survivors {
    static constexpr int rows = 8 / sizeof(Offer);  // that are followed further at once
    static constexpr unsigned batch = rows * warp_lanes, capacity = batch + 4 * warp_lanes;
    Vertex target[capacity];
    Offer offer[capacity];
};
struct NoSurvivors {};

// Follows arcs of one level and queues the vertices that they find.
//
// `visit` takes up to `arcs` arcs per lane and makes each step for all of them before the next: all
// loads of columns and offers are in flight before the first status look-up, and so on. That is
// 2.4 times faster than one arc after another on a graph whose levels are small (measured, H200,
// 2048² grid).
//
// `Graph` says where an arc leads: it has `column_if`.
template <class Graph, class Operator, class Filter, class Writer, class Kept = NoSurvivors>
class Expansion {
    const Graph& graph;
    const Operator& op;
    Writer& next;
    const Filter filter;
    using Offer = typename Operator::Offer;
    // Where most edges are left out by what they offer, the others wait until a warp has enough: else few lanes would look
    // up a distance each time, and all wait for it.
    static constexpr bool keeps_survivors = !__is_empty(Kept);
    Kept* const survivors;
    unsigned surviving = 0;
    // Whether the look-ups of all arcs are in flight at once. With offers (shortest paths) nothing is gained; with a
    // filter that has members (several GPUs) the registers do not suffice.
    static constexpr bool looks_up_together = (__is_empty(typename Operator::Offer) && __is_empty(Filter)) || keeps_survivors;

public:
    static constexpr bool needs_owner = Operator::needs_owner;
    static constexpr bool takes_all_arcs = requires { requires Operator::takes_all_arcs; };

    __device__ Expansion(const Graph& graph, const Operator& op, Writer& next, const Filter& filter = {}, Kept* survivors = nullptr)
        : graph(graph), op(op), next(next), filter(filter), survivors(survivors) {}

    // Whether u's arcs are of interest at all (frontier/topology_driven.cuh).
    __device__ bool expands(Vertex u) const requires requires { op.expands(u); } { return op.expands(u); }

    // All lanes of a warp call. Bit j of `active`: this lane has an arc[j], which leaves owner[j].
    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        // More offers of 8 or 16 bytes, or arcs with classes, do not fit into the registers; of those with a limit that count,
        // or look back, half as many. With 32-bit offsets an offer's owner needs no other register than the arc's; but not
        // where there is a prefilter.
        constexpr bool is_owned = has_owner<Offer>;
        constexpr int offer_bytes = is_owned && sizeof(Offset) == 4 ? sizeof(typename Operator::Status) : sizeof(Offer);
        constexpr int fitting = offer_bytes >= 8 ? 128 / offer_bytes / sizeof(Offset) : arcs;
        constexpr bool halved = has_classes<Operator> || is_backwards<Operator> ||
            (is_owned ? has_prefilter<Operator> : has_path_limit<Operator> && is_counted<Operator> && offer_bytes >= 8);
        constexpr int max_together = halved ? (fitting + 1) / 2 : fitting;
        constexpr int together = max_together < arcs ? max_together : arcs;
#pragma unroll
        for (int first = 0; first < arcs; first += together) {
            Vertex source[together], target[together];
            typename Operator::From from[together];
            Offer offer[together];
            bool taken[together];
            bool directly[together];
#pragma unroll
            for (int j = 0; j < together; ++j) {
                taken[j] = active >> (first + j) & 1u;
                source[j] = owner[first + j];
                target[j] = column_if(graph, arc[first + j], taken[j]);
                if constexpr (is_backwards<Operator>) {
                    source[j] = target[j];
                    target[j] = owner[first + j];
                }
            }
#pragma unroll
            for (int j = 0; j < together; ++j) from[j] = op.from(source[j], taken[j]);
#pragma unroll
            for (int j = 0; j < together; ++j) offer[j] = op.offer(from[j], arc[first + j], taken[j]);
            if constexpr (has_classes<Operator>) {
#pragma unroll
                for (int j = 0; j < together; ++j) op.classify(target[j], taken[j], directly[j]);
            }
            if constexpr (has_path_limit<Operator>) {
#pragma unroll
                for (int j = 0; j < together; ++j) taken[j] = taken[j] && op.within(offer[j]);
            }
            if constexpr (has_prefilter<Operator>) {
                unsigned word[together];
#pragma unroll
                for (int j = 0; j < together; ++j) word[j] = op.prefilter(target[j], offer[j], taken[j]);
#pragma unroll
                for (int j = 0; j < together; ++j) taken[j] = taken[j] && op.may_change(target[j], word[j]);
            }
            if constexpr (keeps_survivors) keep(target, offer, taken);
            else follow(source, target, offer, taken, directly);
        }
    }

    // All lanes of a warp call, when it has no more edges.
    __device__ void finish() {
        if constexpr (keeps_survivors) {
            while (surviving > 0) follow_survivors();
        }
    }

private:
    template <int together>
    __device__ __forceinline__ void keep(const Vertex (&target)[together], const Offer (&offer)[together], const bool (&taken)[together]) {
        static_assert(together <= 4);
#pragma unroll
        for (int j = 0; j < together; ++j) {
            const unsigned keeping = lanes_where(taken[j]), place = surviving + rank_in(keeping);
            if (taken[j]) {
                survivors->target[place] = target[j];
                survivors->offer[place] = offer[j];
            }
            surviving += count_bits(keeping);
        }
#pragma unroll 1
        while (surviving >= Survivors<Offer>::batch) follow_survivors();
    }

    // The last of them, as many as fill the lanes.
    __device__ __forceinline__ void follow_survivors() {
        constexpr int rows = Survivors<Offer>::rows;
        Vertex target[rows];
        Offer offer[rows];
        bool taken[rows], directly[rows];
        __syncwarp();  // they are there
        const unsigned count = min(surviving, Survivors<Offer>::batch);
        surviving -= count;
#pragma unroll
        for (int j = 0; j < rows; ++j) {
            const unsigned i = static_cast<unsigned>(j) * warp_lanes + lane_id();
            taken[j] = i < count;
            target[j] = survivors->target[surviving + i];
            offer[j] = survivors->offer[surviving + i];
        }
        __syncwarp();  // they were read
        follow(target, target, offer, taken, directly);
    }

    // What remains once it is known what edges offer: look up their ends, lower and queue them.
    template <int together>
    __device__ __forceinline__ void follow(const Vertex (&source)[together], const Vertex (&target)[together], Offer (&offer)[together],
                                           bool (&taken)[together], [[maybe_unused]] const bool (&directly)[together]) {
        typename Operator::Result ticket[together];
        unsigned entry[together];
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
        if constexpr (is_backwards<Operator>) {
#pragma unroll
            for (int j = 0; j < together; ++j) op.combine(target[j], offer[j], taken[j]);
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
            if (taken[j]) op.commit(source[j], target[j], offer[j]);
        // Of other GPUs' vertices, which do not pass (engine/told_edges.cuh).
        if constexpr (requires { filter.tell(source[0], target[0], taken[0]); }) {
#pragma unroll
            for (int j = 0; j < together; ++j) filter.tell(source[j], target[j], taken[j]);
        }
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
};
template <class Graph, class Operator, class Writer>
Expansion(const Graph&, const Operator&, Writer&) -> Expansion<Graph, Operator, PassAll, Writer>;

}  // namespace warpath

// An operator that leaves out edges which offer a limit or more, and the one by which their ends fetch what was left out.
//
// V. T. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal, "Scalable single source shortest path algorithms for
// massively parallel systems", IPDPS 2014: push and pull of long edges. engine/path_limit.cuh says when.
#pragma once

#include "core/distance.cuh"
#include "core/warp.cuh"
#include "operators/operator.cuh"

namespace warpath {

template <class Base>
struct Limited : Base {
    static constexpr bool has_path_limit = true;
    const typename Base::Status& path_limit;  // in shared memory: see frontier/near_far.cuh

    template <class Offer>
    __device__ bool within(const Offer& offer) const { return offer < path_limit; }
};

template <class Operator>
constexpr bool has_path_limit = requires { Operator::has_path_limit; };

// The frontier's vertices are the ends of their edges, and lower their own distances. The graph is undirected, so an edge
// and its reverse have the same weight.
template <class Base>
struct Backwards : Base {
    static constexpr bool is_backwards = true;

    // All lanes call: of the offers that neighbouring lanes have for v, the best is left, at the last of them. Else all would
    // lower the same word.
    template <class Offer>
    __device__ void combine(Vertex v, Offer& offer, bool& pred) const {
        using Key = typename Base::Status;
        constexpr Key none = Ordered<Key>::unreachable;  // a key is an integer
        if (!pred) offer = Offer{none};
#pragma unroll
        for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
            const Offer other = from_lane_below(offer, distance);
            const Vertex its = from_lane_below(v, distance);
            if (lane_id() >= distance && its == v && other < offer) offer = other;
        }
        const Vertex next = __shfl_down_sync(all_lanes, v, 1);
        pred = static_cast<Key>(offer) != none && (lane_id() == warp_lanes - 1 || next != v);
    }
};

template <class Operator>
constexpr bool is_backwards = requires { Operator::is_backwards; };

}  // namespace warpath

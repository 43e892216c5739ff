// Two-phase search: equal shares of the level's items, found by one search each.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014; O. Green, R. McColl, D. Bader, ICS 2012; S. Baxter,
// moderngpu; survey 5.3.4.
//
//     partition:  share = ⌈items / (warps · shares)⌉;  my warp's start at warp · share, (warp + warps) · share, …
//     expansion:  owner = upper_bound(prefix, item) − 1 within 32 segments at a time
//
// `partition` "array" has the two phases apart, as in the papers: a thread for each warp's start finds it and writes it
// to an array in global memory, then all meet.
//
// In the papers a warp has one share. Shares are of equal numbers of arcs, but those of a hub take less time than
// those of many leaves, whose windows come between, and a queue has hubs first; so several interleaved shares end
// sooner than one, though each is searched for (measured, H200, R-MAT 22 with 64 edges per vertex, breadth-first: 3.45 ms
// with one, 2.90 with 4, 2.80 with 8, 2.78 with 16). A share has `min_share` arcs or more.
//
// Perfectly balanced over warps and lanes, whatever the degrees, for the price of a search in
// global memory per warp. Here a warp is what the papers' block is: it needs no block-wide barrier,
// and its 32 lanes probe 32 places at once, so the search takes ⌈log₃₂ |F|⌉ look-ups (four for a
// million vertices). Lanes take items side by side rather than K consecutive ones, so that the
// columns' loads coalesce; `K` of them are in flight in each lane (eight were no faster: measured, H200, R-MAT 20 and 23, G(2²², 2²⁶)).
#pragma once

#include "balance/window.cuh"

namespace warpath {

enum class Partition { searched, array };

template <int K, unsigned shares = 1, Partition partition = Partition::searched>
struct TwoPhaseSearch {
    static_assert(partition == Partition::searched || shares == 1);
    static constexpr unsigned max_warps = 1u << 13;  // of which there are starts, as in warpath/balance/two_phase_search.py
    static constexpr unsigned min_share = 256;  // 1024 were as fast
    static constexpr bool counts_only = shares > 1;  // not in the papers' form

    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    // Find the first segment of each warp's share, a thread for each, for all warps to read.
    template <class Offset>
    static __device__ const unsigned* partitioned(const Segments<Offset>& frontier, Workers workers, Count share,
                                                  const Resources& resources) {
        auto* const start = resources.workspace_at<unsigned>();
        for (unsigned warp = workers.rank * warp_lanes + lane_id(); warp < workers.count; warp += workers.count * warp_lanes)
            if (warp * share < frontier.items)
                start[warp] = find_owner_by_lane(frontier.prefix, frontier.size, static_cast<Offset>(warp * share));
        GridBarrier(resources.grid).sync([] {});  // the partition array is there
        return start;
    }

    // Visit my warp's equal shares of the level's items.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        if constexpr (partition == Partition::array) workers.count = min(workers.count, max_warps);
        constexpr int rows = K < arcs_in_flight<Offset> ? K : arcs_in_flight<Offset>;
        Count even = (Count{frontier.items} + workers.count - 1) / workers.count;
        if constexpr (shares > 1) even = max(min(even, Count{min_share}), (even + shares - 1) / shares);
        const Count share = (even + warp_lanes - 1) / warp_lanes * warp_lanes;  // whole rows
        const unsigned* start = nullptr;
        if constexpr (partition == Partition::array) {
            start = partitioned(frontier, workers, share, resources);
            if (workers.rank >= workers.count) return code_of::two_phase_search;
        }
        for (Count begin = workers.rank * share; begin < frontier.items; begin += workers.count * share) {
            Offset item = static_cast<Offset>(begin);
            const Offset stop = static_cast<Offset>(min(Count{frontier.items}, begin + share));
            unsigned first = partition == Partition::array ? start[workers.rank] : find_owner(frontier.prefix, frontier.size, item);
            while (item < stop) {
                const auto window = Window<Offset>::load(frontier, row_offsets, first);
                const Offset pause = min(stop, window.end);
                window.template visit<rows>(item, pause, body);
                item = pause;
                first += warp_lanes;
            }
            if constexpr (shares == 1) break;
        }
        return code_of::two_phase_search;
    }
};

}  // namespace warpath

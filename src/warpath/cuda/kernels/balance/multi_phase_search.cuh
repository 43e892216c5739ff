// Multi-phase search: two-phase search, with coalesced expansion and iterated searches.
//
// F. Busato, N. Bombieri, "On the load balancing techniques for GPU applications based on
// prefix-scan", IEEE MCSoC 2015; survey 5.4 to 5.6.
//
//     partition     my warp's share of the items starts at warp · ⌈items / warps⌉
//     searches      a tile of `searches` · 32 · K items at a time (balance/tile.cuh); for each K
//                   neighbouring ones a lane finds the first one's owner by a binary search in
//                   shared memory, and continues from there
//     expansion     "coalesced": the owners are written to shared memory, and lanes take items side
//                   by side; "scattered": each lane visits the K neighbouring items that it
//                   searched for, as in the papers' two-phase search
//
// Here a warp is what the papers' block is, so what iterated searches synchronise less often is a
// warp; there are fewer tiles. With 64-bit offsets a tile has half as many items at most.
#pragma once

#include "balance/tile.cuh"

namespace warpath {

enum class Access { coalesced, scattered };

template <int K, int searches, Access access>
struct MultiPhaseSearch {
    template <class Offset>
    static constexpr unsigned scratch_bytes = sizeof(Tile<Offset>);

    // Visit my warp's equal share of the level's items.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        constexpr int fitting = K * searches <= Tile<Offset>::rows ? K : Tile<Offset>::rows / searches;
        constexpr int each = access == Access::coalesced || fitting < arcs_in_flight<Offset> ? fitting : arcs_in_flight<Offset>;
        constexpr unsigned max_items = each * searches * warp_lanes;
        const Count even = (Count{frontier.items} + workers.count - 1) / workers.count;
        const Count share = (even + warp_lanes - 1) / warp_lanes * warp_lanes;  // whole rows
        const Count begin = workers.rank * share;
        if (begin >= frontier.items) return code_of::multi_phase_search;
        Offset item = static_cast<Offset>(begin);
        const Offset stop = static_cast<Offset>(min(Count{frontier.items}, begin + share));
        unsigned segment = find_owner(frontier.prefix, frontier.size, item);
        auto& tile = *static_cast<Tile<Offset>*>(resources.scratch);
        while (item < stop) {
            const unsigned limit = static_cast<unsigned>(min(stop - item, Offset{max_items}));
            const auto extent = tile.load(frontier, row_offsets, segment, item, limit, false);
#pragma unroll 1
            for (unsigned first = 0; first < extent.items; first += each * warp_lanes) {
                unsigned mine[each], owner[each], active = 0;
#pragma unroll
                for (int k = 0; k < each; ++k) {
                    mine[k] = first + lane_id() * each + static_cast<unsigned>(k);
                    owner[k] = k > 0 ? owner[k - 1] : tile.segment_at(mine[k], extent.ends, false);
                    if (k > 0 && owner[k] < extent.ends && tile.start[owner[k] + 1] == mine[k]) ++owner[k];
                    active |= static_cast<unsigned>(mine[k] < extent.items) << k;
                }
                if constexpr (access == Access::scattered) {
                    tile.visit(frontier, segment, mine, owner, active, body);
                } else {
#pragma unroll
                    for (int k = 0; k < each; ++k)
                        if (active >> k & 1u) tile.owner[mine[k]] = static_cast<unsigned char>(owner[k]);
                }
            }
            __syncwarp();  // the owners are there; or the tile was read
            if constexpr (access == Access::coalesced) tile.visit_rows(frontier, segment, extent.items, body);
            segment += extent.ends;
            item += extent.items;
        }
        return code_of::multi_phase_search;
    }
};

}  // namespace warpath

// Local warp search: a warp takes 32 frontier vertices and shares their arcs among its lanes.
//
// F. Busato, N. Bombieri, "BFS-4K: an efficient implementation of BFS for Kepler GPU
// architectures", IEEE TPDS 2015 ("edge-discover"); survey 5.3.2. The chunk of 32 prefix sums
// stays in registers, as there; instead of a binary search by shuffles for each item, the owners
// of 32 neighbouring items are found by one vote and one reduction (balance/window.cuh).
//
//     chunk = warp, warp + warps, …;   item of the chunk = lane, lane + 32, …
//
// Columns are read in order, and lanes are balanced within a warp. Warps are not: a chunk with a
// hub takes its warp as long as all other chunks together.
#pragma once

#include "balance/window.cuh"

namespace warpath {

struct LocalWarpSearch {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    // Visit all items of each of my warp's chunks.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources&, Body& body) {
        for (unsigned first = workers.rank * warp_lanes; first < frontier.size; first += workers.count * warp_lanes) {
            const auto window = Window<Offset>::load(frontier, row_offsets, first);
            window.template visit<arcs_in_flight<Offset>>(from_lane(window.start, 0), window.end, body);
        }
        return code_of::local_warp_search;
    }
};

}  // namespace warpath

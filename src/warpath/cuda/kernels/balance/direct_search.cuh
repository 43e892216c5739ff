// Direct search: each lane searches the whole frontier for the owner of each of its items.
//
// Survey 5.3.1.
//
//     share = ⌈items / warps⌉;   item = warp · share + 32 · row + lane, a few rows at a time;
//     owner = upper_bound(prefix, item) − 1, ⌈log₂ |F|⌉ look-ups in global memory
//
// Perfectly balanced and nothing shared, for the price of a binary search per arc, which the other
// searches save. The searches of a lane's items run side by side, so that their look-ups overlap;
// what counts then are instructions, so a step of a search has six.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

struct DirectSearch {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    // Visit my warp's equal share of the level's items.
    template <class Frontier, class Offset, class Body>  // Segments or SharedSegments
    static __device__ int advance(const Frontier& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources&, Body& body) {
        constexpr int rows = arcs_in_flight<Offset>;
        const Count even = (Count{frontier.items} + workers.count - 1) / workers.count;
        const Count share = (even + warp_lanes - 1) / warp_lanes * warp_lanes;  // whole rows
        if (workers.rank * share >= frontier.items) return code_of::direct_search;
        Offset first = static_cast<Offset>(workers.rank * share);
        Offset left = static_cast<Offset>(min(share, frontier.items - workers.rank * share));
        // As one value: of what it was computed from, the compiler would compute it again for each probe.
        const auto prefix = reinterpret_cast<const Offset*>(from_lane(reinterpret_cast<Count>(frontier.prefix), 0));
        const auto first_item = [&](unsigned i) {
            if constexpr (Frontier::in_shared) return prefix[i];
            else return load_if(prefix + i, true);
        };
#pragma unroll 1
        while (true) {
            unsigned place[rows];
#pragma unroll
            for (int j = 0; j < rows; ++j) place[j] = 0;
            // The answer is in place … place + size − 1: as many for all, so that no probe is beyond the frontier.
#pragma unroll 1
            for (unsigned size = frontier.size; size > 1;) {
                const unsigned half = size / 2;
                Offset found[rows];
#pragma unroll
                for (int j = 0; j < rows; ++j) found[j] = first_item(place[j] + half);
#pragma unroll
                for (int j = 0; j < rows; ++j)
                    if (found[j] <= first + static_cast<unsigned>(j) * warp_lanes + lane_id()) place[j] += half;
                size -= half;
            }
            Vertex owner[rows];
            Offset arc[rows];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                owner[j] = frontier.vertices[place[j]];
                arc[j] = first + static_cast<unsigned>(j) * warp_lanes + lane_id() - first_item(place[j]);
            }
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                arc[j] += read_only(row_offsets + owner[j]);
                active |= static_cast<unsigned>(static_cast<unsigned>(j) * warp_lanes + lane_id() < left) << j;
            }
            body.visit(owner, arc, active);
            if (left <= rows * warp_lanes) return code_of::direct_search;
            first += rows * warp_lanes;
            left -= rows * warp_lanes;
        }
    }
};

}  // namespace warpath

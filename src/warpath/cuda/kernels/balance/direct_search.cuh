// Direct search: each lane searches the whole frontier for the owner of each of its items.
//
// Survey 5.3.1.
//
//     item = 32 · row + lane, a few rows a warp at a time;
//     owner = upper_bound(prefix, item) − 1, ⌈log₂ |F|⌉ look-ups in global memory
//
// Perfectly balanced and nothing shared, for the price of a binary search an arc: what the other
// searches save. The searches of a lane's items go on side by side, so that their look-ups overlap.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

struct DirectSearch {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    // Visit my warp's rows, round after round.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Room&, Body& body) {
        constexpr int rows = 2;  // more would not fit into 64 registers
        constexpr unsigned many = rows * warp_lanes;
        const unsigned highest = 1u << (31 - __clz(static_cast<int>(frontier.size)));
        for (Count first = Count{workers.rank} * many; first < frontier.items; first += Count{workers.count} * many) {
            Offset item[rows];
            unsigned place[rows], active = 0;
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                const Count mine = first + static_cast<unsigned>(j) * warp_lanes + lane_id();
                active |= static_cast<unsigned>(mine < frontier.items) << j;
                item[j] = static_cast<Offset>(min(mine, Count{frontier.items} - 1));
                place[j] = 0;
            }
            for (unsigned jump = highest; jump > 0; jump /= 2) {
#pragma unroll
                for (int j = 0; j < rows; ++j) {
                    const unsigned probe = place[j] + jump;
                    if (probe < frontier.size && frontier.prefix[probe] <= item[j]) place[j] = probe;
                }
            }
            Vertex owner[rows];
            Offset arc[rows];
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                owner[j] = frontier.vertices[place[j]];
                arc[j] = read_only(row_offsets + owner[j]) + item[j] - frontier.prefix[place[j]];
            }
            body.visit(owner, arc, active);
        }
        return code_of::direct_search;
    }
};

}  // namespace warpath

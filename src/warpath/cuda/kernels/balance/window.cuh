// 32 neighbouring segments, one per lane, and the walk over their items.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

template <class Offset>
struct Window {
    Vertex vertex;      // of this lane's segment
    Offset start;       // its first item; beyond all items in lanes without a segment
    Offset first_arc;   // arc − item, the same for all items of the segment (it may wrap)
    Offset end;         // where the window's last segment ends; the same in all lanes

    // Segments first … first + 31, or fewer at the end.
    static __device__ Window load(const Segments<Offset>& frontier, const Offset* row_offsets, unsigned first) {
        const unsigned i = first + lane_id(), after = first + warp_lanes;
        Window window{0, frontier.items, 0, after < frontier.size ? frontier.prefix[after] : frontier.items};
        if (i < frontier.size) {
            window.vertex = frontier.vertices[i];
            window.start = frontier.prefix[i];
            window.first_arc = read_only(row_offsets + window.vertex) - window.start;
        }
        return window;
    }

    // Visit items `item` … `stop` − 1, all of this window, 32 neighbouring ones a row.
    //
    // Since no segment is empty, each item starts at most one. So the owners of a row are found
    // together: one bit for each item that starts a segment, and a lane's owner is the number of
    // starts up to it, less one. `rows` rows are in flight at once.
    template <int rows, class Body>
    __device__ void visit(Offset item, Offset stop, Body& body) const {
        for (; item < stop; item += rows * warp_lanes) {
            const bool one_owner = !any_lane(start > item && start < stop && start - item < rows * warp_lanes);
            const unsigned first = count_bits(lanes_where(start <= item)) - 1;
            Vertex owner[rows];
            Offset arc[rows];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                const Offset row = item + static_cast<unsigned>(j) * warp_lanes, mine = row + lane_id();
                unsigned place = first;
                if (!one_owner) {
                    const bool starts_here = start > row && start - row < warp_lanes;
                    const unsigned starts = __reduce_or_sync(all_lanes, starts_here ? 1u << (start - row) : 0u);
                    place = count_bits(lanes_where(start <= row)) - 1;
                    place += rank_in(starts) + (starts >> lane_id() & 1u);
                }
                owner[j] = Body::needs_owner ? from_lane(vertex, place) : 0;
                arc[j] = from_lane(first_arc, place) + mine;
                active |= static_cast<unsigned>(mine < stop) << j;
            }
            body.visit(owner, arc, active);
        }
    }
};

}  // namespace warpath

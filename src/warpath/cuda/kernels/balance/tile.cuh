// A piece of a level in a warp's shared memory: its segments, and the owner of each item.
//
// A tile goes from one corner of the merge matrix of segment ends × items to another. A corner
// (segment, item) says that `item` comes next and belongs to `segment`, or that `segment` ends
// here. A step from it passes an item or an end; since no segment is empty, each end is reached
// after at least one item. In steps or in items, corners stand in order (balance/merge_path.cuh).
//
//     load         the segments' starts and first arcs, until the tile is full
//     expand       the owners of its items, a share of the steps for each lane
//     visit_rows   the items, 32 neighbouring ones a row
//
// All lanes of a warp call each of them, one after the other.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

template <class Offset>
struct Tile {
    static constexpr int rows = sizeof(Offset) == 4 ? 8 : 4;
    static constexpr unsigned max_items = rows * warp_lanes;
    // A tile fills where degrees are 2 or more. It takes 1 KiB per warp (1.4 with 64-bit
    // offsets); a block has 48, but not at once with what else it needs (traverse.cuh).
    static constexpr unsigned max_segments = 4 * warp_lanes;

    Offset first_arc[max_segments];       // arc − item, for the items of the tile counted from 0
    unsigned short start[max_segments];   // the first of these items; 0 if it is before the tile
    unsigned char owner[max_items];       // of each item: which of these segments

    // How far a tile reaches.
    struct Extent {
        unsigned ends, items;  // of segments, that it passes
    };

    // Load the segments from the corner on: `limit` items or, with `by_steps`, steps of the path, or less if the
    // tile is full.
    __device__ Extent load(const Segments<Offset>& frontier, const Offset* row_offsets, unsigned segment, Offset item,
                           unsigned limit, bool by_steps) {
        unsigned found = 0;
#pragma unroll 1
        for (unsigned first = 0; first < max_segments && found == first; first += warp_lanes) {
            const unsigned j = first + lane_id(), i = segment + j;
            const Offset begin = i < frontier.size ? frontier.prefix[i] : frontier.items;  // the end of the last
            const Offset ahead = j == 0 ? 0 : begin - item;
            const bool inside = i <= frontier.size && ahead <= limit && ahead + (by_steps ? j : 0) <= limit;
            if (inside) start[j] = static_cast<unsigned short>(ahead);
            if (inside && i < frontier.size)
                first_arc[j] = read_only(row_offsets + frontier.vertices[i]) - begin + item;
            found += count_bits(lanes_where(inside));
        }
        __syncwarp();  // the segments are there: a vote orders no memory
        const unsigned ends = found - 1;  // the first segment is under way
        return {ends, found == max_segments ? start[ends] : limit - (by_steps ? ends : 0)};
    }

    // The last segment that starts at or before an item, or, `by_steps`, a step of the path.
    __device__ unsigned segment_at(unsigned place, unsigned ends, bool by_steps) const {
        unsigned j = 0;
#pragma unroll
        for (unsigned jump = max_segments / 2; jump > 0; jump /= 2)
            if (j + jump <= ends && start[j + jump] + (by_steps ? j + jump : 0) <= place) j += jump;
        return j;
    }

    // Find the owner of each item: each lane walks an equal share of the path's steps.
    __device__ void expand(Extent extent) {
        const unsigned steps = extent.items + extent.ends, share = (steps + warp_lanes - 1) / warp_lanes;
        unsigned step = min(steps, lane_id() * share);
        const unsigned stop = min(steps, step + share);
        unsigned j = segment_at(step, extent.ends, true);
        for (unsigned item = step - j; step < stop; ++step) {
            if (j < extent.ends && start[j + 1] == item) ++j;
            else owner[item++] = static_cast<unsigned char>(j);
        }
        __syncwarp();  // the owners are there
    }

    // Visit item[k] of segment j[k] for each bit k of `active`; the tile starts in `segment`.
    template <int count, class Body>
    __device__ void visit(const Segments<Offset>& frontier, unsigned segment, const unsigned (&item)[count],
                          const unsigned (&j)[count], unsigned active, Body& body) const {
        Vertex vertex[count];
        Offset arc[count];
#pragma unroll
        for (int k = 0; k < count; ++k) {
            vertex[k] = Body::needs_owner && (active >> k & 1u) ? frontier.vertices[segment + j[k]] : 0;
            arc[k] = first_arc[j[k]] + item[k];
        }
        body.visit(vertex, arc, active);
    }

    // Visit all items, 32 neighbouring ones a row, whose owners are there.
    template <class Body>
    __device__ void visit_rows(const Segments<Offset>& frontier, unsigned segment, unsigned items, Body& body) const {
        constexpr int count = rows < arcs_in_flight<Offset> ? rows : arcs_in_flight<Offset>;
#pragma unroll 1
        for (unsigned row = 0; row < items; row += count * warp_lanes) {
            unsigned item[count], j[count], active = 0;
#pragma unroll
            for (int k = 0; k < count; ++k) {
                item[k] = row + static_cast<unsigned>(k) * warp_lanes + lane_id();
                j[k] = item[k] < items ? owner[item[k]] : 0;
                active |= static_cast<unsigned>(item[k] < items) << k;
            }
            visit(frontier, segment, item, j, active, body);
        }
        __syncwarp();  // the tile was read, and may be loaded again
    }
};

}  // namespace warpath

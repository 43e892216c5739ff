// Merge path: the level as a merge of segment ends with items, cut into equal shares.
//
// Z. Zhu, J. Li, G. Li, "Load-balanced breadth-first search on GPUs", WAIM 2014 (its "expand");
// S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge path", IPDPSW 2012.
//
// Write the segments' ends down one side of a matrix and the items along the other. The path
// through it advances by an item as long as the segment has one, else down past its end. So
//
//     an item t of segment i is step t + i,   the end of i is step prefix[i + 1] + i
//
// and the diagonal of a step is met where i is the last with prefix[i] + i <= step: one search in
// a sequence that rises strictly. Walking k steps of the path costs the same whatever the degrees.
//
//     within a warp    a tile at a time (balance/tile.cuh); a lane walks steps / 32 of its path and
//                      writes the items' owners to shared memory; then lanes take items side by
//                      side, so that the columns' loads coalesce
//     among warps      by the coupling of this redistribution with the gathering of the columns:
//
//       balanced_gathering       equal numbers of items (the path is cut vertically): a warp of many
//                                small segments walks up to twice as many steps as others
//       balanced_redistribution  equal numbers of steps (cut by diagonals): a warp of many small
//                                segments gathers as few as half as many items as others
//       hybrid                   the latter where the level has more than f0 items per vertex, since
//                                there few steps are ends; else the former
//
//       global                   both equal: the redistribution, by steps, writes each item's arc and
//                                owner to global memory, and after a barrier warps gather equal
//                                numbers of items. It costs two passes over that memory, 8 bytes per
//                                item (16 with 64-bit offsets)
#pragma once

#include "balance/tile.cuh"

namespace warpath {

enum class Coupling { global, balanced_gathering, balanced_redistribution, hybrid };

// Where segment i starts, in items or in steps, for `find_owner`.
template <class Offset>
struct Path {
    const Offset* prefix;
    bool by_steps;

    __device__ Count operator[](unsigned i) const { return Count{prefix[i]} + (by_steps ? i : 0); }
};

// An item of a level, as coupling "global" keeps it.
template <class Offset>
struct __align__(2 * sizeof(Offset)) Located {
    Offset arc;
    Vertex owner;
};

// Writes items, in the order of the level, instead of visiting them.
template <class Offset>
struct Locate {
    static constexpr bool needs_owner = true;
    Located<Offset>* next;  // of lane 0

    template <int count>
    __device__ void visit(const Vertex (&owner)[count], const Offset (&arc)[count], unsigned active) {
#pragma unroll
        for (int j = 0; j < count; ++j)
            if (active >> j & 1u) next[static_cast<unsigned>(j) * warp_lanes + lane_id()] = {arc[j], owner[j]};
        next += count * warp_lanes;
    }
};

template <Coupling coupling, unsigned f0>
struct MergePath {
    template <class Offset>
    static constexpr unsigned scratch_bytes = sizeof(Tile<Offset>);

    // Visit my warp's equal share of the path; before each tile, `begin_tile(item)`.
    template <class Offset, class Begin, class Body>
    static __device__ void walk(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers, bool by_steps,
                                const Resources& resources, Begin begin_tile, Body& body) {
        const Count length = Count{frontier.items} + (by_steps ? frontier.size : 0);
        const Count even = (length + workers.count - 1) / workers.count;
        const Count share = (even + warp_lanes - 1) / warp_lanes * warp_lanes;  // whole rows
        const Count begin = workers.rank * share;
        if (begin >= length) return;
        Count left = min(share, length - begin);
        unsigned segment = find_owner(Path<Offset>{frontier.prefix, by_steps}, frontier.size, begin);
        Offset item = static_cast<Offset>(begin - (by_steps ? segment : 0));
        auto& tile = *static_cast<Tile<Offset>*>(resources.scratch);
        while (left > 0) {
            const unsigned limit = static_cast<unsigned>(min(left, Count{Tile<Offset>::max_items}));
            const auto extent = tile.load(frontier, row_offsets, segment, item, limit, by_steps);
            tile.expand(extent);
            begin_tile(item);
            tile.visit_rows(frontier, segment, extent.items, body);
            segment += extent.ends;
            item += extent.items;
            left -= extent.items + (by_steps ? extent.ends : 0);
        }
    }

    // Visit an equal share of the items that are located.
    template <class Offset, class Body>
    static __device__ void gather(const Located<Offset>* items, Offset size, Workers workers, Body& body) {
        constexpr int rows = arcs_in_flight<Offset>;
        constexpr unsigned many = rows * warp_lanes;
        for (Count first = Count{workers.rank} * many; first < size; first += Count{workers.count} * many) {
            Vertex owner[rows];
            Offset arc[rows];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                const Count item = first + static_cast<unsigned>(j) * warp_lanes + lane_id();
                const Located<Offset> located = items[min(item, Count{size} - 1)];
                owner[j] = located.owner;
                arc[j] = located.arc;
                active |= static_cast<unsigned>(item < size) << j;
            }
            body.visit(owner, arc, active);
        }
    }

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        if constexpr (coupling == Coupling::global) {
            auto* const located = resources.workspace_at<Located<Offset>>();
            Locate<Offset> locate{nullptr};
            walk(frontier, row_offsets, workers, true, resources, [&](Offset item) { locate.next = located + item; }, locate);
            GridBarrier(resources.grid).sync([] {});  // all items are located
            gather(located, frontier.items, workers, body);
        } else {
            const bool by_steps = coupling == Coupling::balanced_redistribution ||
                                  (coupling == Coupling::hybrid && frontier.items > Count{f0} * frontier.size);
            walk(frontier, row_offsets, workers, by_steps, resources, [](Offset) {}, body);
        }
        return code_of::merge_path;
    }
};

}  // namespace warpath

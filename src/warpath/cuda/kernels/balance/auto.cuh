// Auto: the technique that suits the frontier, chosen in each iteration.
//
// The papers agree that no technique wins everywhere. All warps read the same counts and so choose
// the same one, which returns its own code: that is what the trace shows.
//
//     degrees of the graph regular  virtual warps of as many lanes as the frontier's mean degree
//                                   fills with `few_arcs` each; of one lane: thread-mapped
//     any degrees                   two-phase-search, of eight shares per warp; merge-path, balanced-gathering, where vertices
//                                   have `few_arcs` or less on average
//
// Where degrees are regular, no thread waits long for a neighbour, and finding the owner of an arc costs
// more than it gains. Else shares must be equal; where vertices have few arcs, merge-path has up to
// 128 of them in a tile, two-phase-search 32 in a window.
//
// The thresholds are in warpath/balance/auto.py. All is in one kernel, so what is not taken costs
// code, not time.
#pragma once

#include "balance/merge_path.cuh"
#include "balance/two_phase_search.cuh"
#include "balance/virtual_warp.cuh"

namespace warpath {

enum class Degrees { skewed, regular };

template <Degrees degrees, unsigned few_arcs>
struct Auto {
    static constexpr bool counts_only = degrees == Degrees::regular;  // else it would not fit into the registers
    using OfFewArcs = MergePath<Coupling::balanced_gathering, 10>;

    template <class Offset>
    static constexpr unsigned scratch_bytes =
        degrees == Degrees::regular ? 0 : OfFewArcs::template scratch_bytes<Offset>;

    // Visit the frontier as the chosen technique does.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        const Count items = frontier.items, size = frontier.size;
        if constexpr (degrees == Degrees::regular) {
            unsigned width = 1;
            while (width < warp_lanes && items > few_arcs * width * size) width *= 2;
            return visit_by_virtual_warps(width, frontier, row_offsets, workers, body);
        } else {
            if (items <= few_arcs * size) return OfFewArcs::advance(frontier, row_offsets, workers, resources, body);
            return TwoPhaseSearch<4, 8>::advance(frontier, row_offsets, workers, resources, body);
        }
    }
};

}  // namespace warpath

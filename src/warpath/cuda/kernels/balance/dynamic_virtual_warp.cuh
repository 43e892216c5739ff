// Dynamic virtual warps: as wide as the frontier leaves threads for each vertex.
//
// F. Busato, N. Bombieri, "BFS-4K", IEEE TPDS 2015, and "An efficient implementation of the
// Bellman-Ford algorithm for Kepler GPU architectures" (H-BF), IEEE TPDS 2016; survey 5.2.1.
//
//     width = the largest power of two in minimum … 32 with width · |F| <= threads
//
// Few vertices get a warp each, many get `minimum` lanes. It knows nothing of degrees: a hub keeps
// one warp busy. Where the papers launch small blocks and give 32 vertices to a warp so that these
// even out, the warps here stay and take vertices until there are no more. Their remedy for hubs,
// child grids launched from the device, is not here: children run when their parent has ended, but
// who launches a level decides at its end what comes next.
#pragma once

#include "balance/virtual_warp.cuh"

namespace warpath {

template <unsigned minimum>
struct DynamicVirtualWarp {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Room&, Body& body) {
        unsigned width = warp_lanes;
        while (width > minimum && Count{width} * frontier.size > Count{workers.count} * warp_lanes) width /= 2;
        visit_by_virtual_warps(width, frontier, row_offsets, workers, body);
        return code_of::dynamic_virtual_warp;
    }
};

}  // namespace warpath

// One vertex's edges, handed out by warps that all know which.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

// Visit arcs begin … end − 1 of u, neighbouring ones side by side.
template <class Offset, class Body>
__device__ __forceinline__ void visit_row(Vertex u, Offset begin, Offset end, Workers workers, Body& body) {
    constexpr int rows = arcs_in_flight<Offset>;
    for (Count first = Count{begin} + workers.rank * rows * warp_lanes; first < end; first += workers.count * rows * warp_lanes) {
        Vertex owner[rows];
        Offset arc[rows];
        unsigned active = 0;
#pragma unroll
        for (int j = 0; j < rows; ++j) {
            const Count mine = first + static_cast<unsigned>(j) * warp_lanes + lane_id();
            owner[j] = u;
            arc[j] = static_cast<Offset>(mine);
            active |= static_cast<unsigned>(mine < end) << j;
        }
        body.visit(owner, arc, active);
    }
}

}  // namespace warpath

// A sweep of all arcs (sweep.cuh) that notes which thread owns each, and how often it was visited.
#pragma once

#include "sweep.cuh"

namespace warpath {

template <class Offset>
struct VisitsArguments {
    Csr<Offset> graph;
    Offset arcs;
    unsigned* visits;
    Vertex* owner;
};

template <class Offset>
struct CountVisits {
    static constexpr bool needs_owner = true;

    const VisitsArguments<Offset>& a;

    template <int arcs>
    __device__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        __syncwarp();  // all lanes are here
        for (int j = 0; j < arcs; ++j) {
            if (!(active >> j & 1u)) continue;
            atomicAdd(a.visits + arc[j], 1u);
            a.owner[arc[j]] = owner[j];
        }
    }
};

template <class Offset>
__global__ void count_visits(const __grid_constant__ VisitsArguments<Offset> a) {
    CountVisits<Offset> body{a};
    sweep<4>(a.graph, a.arcs, grid_warps(), body);
}

}  // namespace warpath

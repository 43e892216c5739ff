// Rows that a balance leaves to child grids (core/child_grid.cuh): how a body launches one, and what it does.
#pragma once

#include "balance/balance.cuh"
#include "balance/row.cuh"
#include "core/child_grid.cuh"
#include "core/types.cuh"

namespace warpath {

// `Base`, with rows that are left to child grids: `child(u, begin, end)` launches one (balance.cuh).
template <class Base, class Child>
struct WithChildren {
    static constexpr bool needs_owner = Base::needs_owner;
    Base& base;
    const Child& child;

    template <class Offset, int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        base.visit(owner, arc, active);
    }
    template <class Offset>
    __device__ bool launch(Vertex u, Offset begin, Offset end) const { return child(u, begin, end); }
};

// Whether a balance leaves rows to child grids.
template <class Balance>
constexpr bool launches_children = requires { requires Balance::launches_children; };

// Blocks of a child grid, whose warps visit a row together (balance/row.cuh).
constexpr unsigned child_arcs = 8 * child_threads;  // of a block, at least: a guess
template <class Offset>
__device__ unsigned blocks_for_row(Offset begin, Offset end) {
    return static_cast<unsigned>((Count{end} - begin + child_arcs - 1) / child_arcs);
}

}  // namespace warpath

// How arcs reach threads: what all balances have in common.
//
// The contract of a balance
// -------------------------
// A balance maps the work items of a level, which are the arcs of the frontier's vertices, to
// the lanes of some warps. It is a type with one function:
//
//     template <class Offset, class Body>
//     static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets,
//                                   Workers workers, const Resources& resources, Body& body);
//
//     template <class Offset>
//     static constexpr unsigned scratch_bytes;   shared memory per warp, a multiple of 16
//
// It returns its `code_of`, by which warpath.balance knows its name: what the trace shows.
//
// It is called by all threads of the grid together; `workers` is the warp's number and how many
// there are. Most techniques let warps work each by itself. Those that do not may use barriers of
// the block, and the grid's (`Resources::grid`, about 1 µs; all threads or none). Between two calls there is
// a barrier of the grid. One that uses no grid barrier and no `Resources::workspace` is also called by the threads of
// one block, each block with a frontier of its own; `workers` are that block's warps then.
//
// It promises: over all warps, `body.visit` gets each work item of the frontier exactly once, as
//
//     body.visit<k>(owner, arc, active)      k arcs per lane (any small constant k)
//
// called by all 32 lanes together, with arc[j] the item's index into column_indices, owner[j] the
// vertex that it leaves, and bit j of `active` set if the lane has a j-th item at all. In the
// words of the searches:
//
//     owner = upper_bound(prefix, item) − 1,  arc = row_offsets[vertices[owner]] + item − prefix[owner]
//
// A block's own frontier is in its shared memory (`SharedSegments`): what reads `prefix` or `vertices` by an
// instruction for global memory asks `in_shared` first.
//
// It may assume the invariants of frontier/queue.cuh (no empty segment; prefix sums rise strictly
// from 0; size > 0), and that `body.visit` has no barrier wider than a warp and uses no memory of
// its `Resources`. If Body::needs_owner is false, owner[] may hold anything.
//
// A vertex may be in the frontier several times. What lists vertices or arcs in the workspace has no room for that:
// it says so in Python (`lists`). What uses `Resources::workspace` or `Resources::grid` says that there (`needs_grid`,
// `temp_storage`).
//
// Optional:
//
//     leaves_out(body, u)      A balance that looks at each vertex asks this before u's arcs: whether it need not visit
//                              them, as u is not active (frontier/topology_driven.cuh). All others visit them.
//     launches_children        true: it may leave a row to a child grid (core/child_grid.cuh), if the body can, which
//                              `requires { body.launch(u, begin, end); }` asks: that returns true if the row is
//                              visited then. Kernels that have such bodies do one level per launch.
//     fills_registers          if it is there, the program keeps no edges in shared memory (`Survivors` of
//                              engine/expansion.cuh), which would take more registers
//     counts_only              true: traverse.cuh may count what a level finds instead of queueing it, where no
//                              top-down level follows. No paper does so, and it takes registers
//
// To add one: docs/extending.md.
#pragma once

#include "core/grid_barrier.cuh"
#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "core/warp.cuh"
#include "frontier/queue.cuh"

namespace warpath {

// As in warpath/balance/__init__.py.
namespace code_of {
enum Code : int {
    none, thread_mapped, virtual_warp, local_warp_search, two_phase_search, merge_path, direct_search,
    dynamic_virtual_warp, multi_phase_search, cta_warp_scan, block_search, workload_decomposition, edge_parallel,
    node_splitting, hierarchical
};
}

// What a balance has in addition to its warps.
struct Resources {
    void* scratch;         // shared memory of this warp; that of a block's warps lies side by side
    const void* prepared;  // the graph's `TempStorage.prepared`: a 64-bit word for each number, or array's address
    // Of this run. Its first `workspace_counters` bytes are 0 at the first call; a later one finds what the call
    // before has left there, so the last reader of a counter sets it back.
    void* workspace;
    Vertex max_vertices;         // of a frontier, at most
    GridBarrier grid;

    // The block's, beginning with its first warp's.
    template <unsigned scratch_bytes>
    __device__ void* of_block() const {
        return static_cast<unsigned char*>(scratch) - warp_in_block() * scratch_bytes;
    }
    // The part of the workspace after the counters.
    template <class T>
    __device__ T* workspace_at(Count bytes = 0) const;
};
constexpr unsigned workspace_counters = 64;  // as in warpath/balance/technique.py

template <class T>
__device__ T* Resources::workspace_at(Count bytes) const {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(workspace) + workspace_counters + bytes);
}

// What kernels take for it.
struct BalanceMemory {
    const void* prepared;
    void* workspace;

    __device__ Resources resources(void* scratch, Vertex max_vertices, GridBarrier grid) const {
        return {scratch, prepared, workspace, max_vertices, grid};
    }
};

template <class Balance>
constexpr bool counts_only = requires { requires Balance::counts_only; };

// Arcs that each lane has in flight. More hide more latency; with 64 registers per thread, these
// fit without spills (tests/cuda/test_compile.py).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int wide_arcs_in_flight = 2;
#else
constexpr int wide_arcs_in_flight = 4;
#endif
template <class Offset>
constexpr int arcs_in_flight = sizeof(Offset) == 4 ? 4 : wide_arcs_in_flight;

}  // namespace warpath

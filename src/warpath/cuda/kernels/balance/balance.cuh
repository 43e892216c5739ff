// How arcs reach threads: what all balances have in common.
//
// The contract of a balance
// -------------------------
// A balance maps the work items of a level, which are the arcs of the frontier's vertices, to
// the lanes of some warps. It is a type with one function:
//
//     template <class Offset, class Body>
//     static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets,
//                                   Workers workers, const Resources& room, Body& body);
//
//     template <class Offset>
//     static constexpr unsigned scratch_bytes;   shared memory a warp, a multiple of 16
//     static constexpr bool fills_registers;     if it is there: an expansion must not take more of them
//
// It returns its `code`, by which warpath.balance knows its name: what the trace shows.
//
// It is called by all threads of the grid together; `workers` is the warp's number and how many
// there are. Most techniques let warps work each by itself. Those that do not may use barriers of
// the block, and the grid's (`Resources::grid`, about 1 µs; all threads or none). Between two calls there is
// a barrier of the grid.
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
// It may leave a row to a child grid (core/child_grid.cuh), if it says so by `launches_children` and the
// body can, which `requires { body.launch(u, begin, end); }` asks: it returns true if the row is visited then.
// Kernels that have such bodies do one level a launch.
//
// A traversal leaves out a queue that no level is going to follow (traverse.cuh), if it says so by `counts_only`.
//
// One that uses `Resources::workspace` or `Resources::grid` says so in Python (`needs_grid`, `temp_storage`).
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
    const void* prepared;  // what warpath.balance has made of the graph, as 64-bit words
    void* workspace;       // of this run; its first `workspace_counters` bytes are 0 at the launch
    Vertex max_vertices;         // of a frontier, at most
    GridBarrier grid;

    // The block's, beginning with its first warp's.
    template <unsigned scratch_bytes>
    __device__ void* of_block() const {
        return static_cast<unsigned char*>(scratch) - warp_in_block() * scratch_bytes;
    }
    // The part of the workspace behind the counters.
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

// How arcs reach threads: what all balances have in common.
//
// The contract of a balance
// -------------------------
// A balance maps the work items of a level, which are the arcs of the frontier's vertices, to
// the lanes of some warps. It is a type with one function:
//
//     template <class Offset, class Body>
//     static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets,
//                                   Workers workers, void* scratch, Body& body);
//
//     template <class Offset>
//     static constexpr unsigned scratch_bytes;   shared memory a warp, a multiple of 16
//
// It returns its `code`, by which warpath.balance knows its name: what the trace shows.
//
// It is called by all lanes of `workers.count` warps, each with its own `workers.rank` and its
// own `scratch`. They may be the warps of a block, of a cluster or of the whole grid, so a balance
// never waits for another warp: there is no barrier in it wider than a warp.
//
// It promises: over all warps, `body.visit` gets each work item of the frontier exactly once, as
//
//     body.visit<k>(owner, arc, active)      k arcs a lane (any small constant k)
//
// called by all 32 lanes together, with arc[j] the item's index into column_indices, owner[j] the
// vertex that it leaves, and bit j of `active` set if the lane has a j-th item at all. In the
// words of the searches:
//
//     owner = upper_bound(prefix, item) − 1,  arc = row_offsets[vertices[owner]] + item − prefix[owner]
//
// It may assume the invariants of frontier/queue.cuh (no empty segment; prefix sums rise strictly
// from 0; size > 0), and that `body.visit` uses no shared memory of its scratch. If
// Body::needs_owner is false, owner[] may hold anything.
//
// To add one: a header here and in balance/all.cuh, its name and knobs in warpath/balance, a line in
// the list of tests/emulator/test_balance.cpp. Nothing else changes.
#pragma once

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
    dynamic_virtual_warp, multi_phase_search
};
}

// How many arcs a lane has in flight. More hide more latency; with 64 registers a thread, so many
// fit without spills (tests/cuda/test_compile.py).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int wide_arcs_in_flight = 2;
#else
constexpr int wide_arcs_in_flight = 4;
#endif
template <class Offset>
constexpr int arcs_in_flight = sizeof(Offset) == 4 ? 4 : wide_arcs_in_flight;

}  // namespace warpath

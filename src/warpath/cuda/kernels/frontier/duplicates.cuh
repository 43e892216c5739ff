// How duplicates are kept out of a frontier by what a block remembers: what these filters have in common.
//
// Several edges may find the same vertex in an iteration. Which of them brings it to the next frontier is decided
//
//     by the operator     one edge per vertex succeeds: an atomic on a bit (operators/visit.cuh), on a word of 64
//                         bits (operators/visit_packed.cuh, operators/relax_packed.cuh), a stamp
//                         (frontier/near_far.cuh)
//     by a filter         below: most of them are dropped
//     afterwards          frontier/lookup_compaction.cuh, frontier/bitmap_queue.cuh
//
// The contract of a filter
// ------------------------
//     template <int warps> Table     what a block remembers of vertices, in shared memory
//     static void prepare(table)     by all threads of the block, before a barrier
//     static Filter filter(table)    a frontier policy of operators/operator.cuh, which looks at the
//                                    vertices that edges changed: it lets at least one of them pass
#pragma once

#include "operators/operator.cuh"

namespace warpath {

// Shared memory for what a block remembers: what block-search with 64-bit offsets leaves.
constexpr unsigned filter_bytes = 4096;

// A place in a table of `slots`, a power of two: multiplicative hashing (Knuth, TAOCP 3, 6.4).
template <unsigned slots>
__device__ __forceinline__ unsigned hashed(Vertex v) {
    static_assert(slots > 1 && (slots & (slots - 1)) == 0);
    constexpr unsigned golden = 0x9E3779B1;  // 2³² / golden ratio, odd
    return v * golden / (1u << 16) % slots;
}

}  // namespace warpath

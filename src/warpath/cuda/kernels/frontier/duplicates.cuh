// How duplicates are kept out of a frontier: what all ways have in common.
//
// The contract of a way to drop duplicates
// ----------------------------------------
// Several arcs may find the same vertex in a level. A way to drop duplicates decides who of them brings
// it to the next frontier: at least one, and with `exact` ones no other. It is a type that has
//
//     template <bool with_predecessors> using Operator    what an arc does (operators/operator.cuh):
//                                    one arc a vertex wins, or all that look in time
//     Operator op<with_predecessors>(status, distance, predecessor, level)
//     static void reset(status, v)   before the first level, if it has a status
//     static constexpr bool exact    whether a vertex comes once at most: else the queue is written
//                                    with `HeavyOnce` (frontier/queue.cuh)
//     static constexpr bool compacts whether the queue is gone through again once it is complete
//                                    (frontier/lookup_compaction.cuh)
//     template <int warps> Shared    what a block remembers of vertices, in shared memory
//     static void prepare(shared)    by all threads of the block, before a barrier
//     static Filter filter(shared)   a frontier policy of operators/operator.cuh, which looks at the
//                                    vertices that arcs won
//
// `status` is the memory of the operator: a bitmap, a word of 64 bits a vertex, or nothing.
#pragma once

#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"
#include "operators/visit.cuh"
#include "operators/visit_packed.cuh"
#include "operators/visit_unclaimed.cuh"

namespace warpath {

// Of shared memory, for what a block remembers: what block-search with 64-bit offsets leaves.
constexpr unsigned filter_bytes = 4096;

// None is dropped: a vertex comes as often as arcs find it in time.
struct KeepDuplicates {
    static constexpr bool exact = false, compacts = false;
    template <bool with_predecessors>
    using Operator = VisitUnclaimed<with_predecessors>;
    template <int warps>
    using Shared = Nothing;

    template <bool with_predecessors>
    static __device__ Operator<with_predecessors> op(void*, int* distance, int* predecessor, int level) {
        return {distance, predecessor, level};
    }
    static __device__ void reset(void*, Vertex) {}
    static __device__ void prepare(Nothing&) {}
    static __device__ AdmitAll filter(Nothing&) { return {}; }
};

// By a bit a vertex, which an atomic sets: the first arc wins.
struct StatusBitmap : KeepDuplicates {
    static constexpr bool exact = true;
    template <bool with_predecessors>
    using Operator = Visit<with_predecessors>;

    template <bool with_predecessors>
    static __device__ Operator<with_predecessors> op(void* status, int* distance, int* predecessor, int level) {
        return {{static_cast<unsigned*>(status)}, distance, predecessor, level};
    }
    static __device__ void reset(void* status, Vertex v) {
        if (v % word_bits == 0) static_cast<unsigned*>(status)[v / word_bits] = 0;
    }
};

// By an atomic on a word of 64 bits (operators/visit_packed.cuh).
struct AtomicWord : KeepDuplicates {
    static constexpr bool exact = true;
    template <bool with_predecessors>
    using Operator = VisitPacked<with_predecessors>;

    template <bool with_predecessors>
    static __device__ Operator<with_predecessors> op(void* status, int* distance, int* predecessor, int level) {
        return {static_cast<VisitPacked<false>::Word*>(status), distance, predecessor, level};
    }
    static __device__ void reset(void* status, Vertex v) {
        static_cast<VisitPacked<false>::Word*>(status)[v] = VisitPacked<false>::unreached;
    }
};

// A place in a table of `places`, a power of two: multiplicative hashing (Knuth, TAOCP 3, 6.4).
template <unsigned places>
__device__ __forceinline__ unsigned hashed(Vertex v) {
    static_assert(places > 1 && (places & (places - 1)) == 0);
    constexpr unsigned golden = 0x9E3779B1;  // 2³² / golden ratio, odd
    return v * golden / (1u << 16) % places;
}

}  // namespace warpath

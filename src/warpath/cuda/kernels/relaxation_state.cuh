// What the kernel of relaxation.cuh works on: its arguments, what outlives an iteration, and the
// shared memory and registers of a block.
#pragma once

#include "balance/balance.cuh"
#include "core/distance.cuh"
#include "frontier/buckets.cuh"
#include "frontier/near_far_list.cuh"
#include "narrow.cuh"
#include "operators/counted.cuh"
#include "relaxing.cuh"
#include "trace.cuh"

namespace warpath {

template <class Offset, class Distance>
struct RelaxProgress {
    unsigned level;           // iterations so far; a drift is one
    unsigned step;            // grid-wide steps so far: which tail is whose
    unsigned size;            // vertices of the frontier; 0: all is done
    unsigned current;         // which queue it is in
    unsigned queue;           // the number of the one that is filled, counted from 1
    Offset items;             // its arcs
    Key<Distance> threshold;  // nearer vertices are near; "unreachable": all are
    Key<Distance> base;       // no vertex that is far is nearer; "unreachable": none is far
    unsigned splits;          // of the far pile so far
    unsigned calm;            // splits since an iteration that was neither a drift nor narrow
    bool crowded;             // whether the last iteration was a drift, and a block had too much
};

// Zeroed before the first launch; `arrived` before each. Of three, one is this step's.
template <class Offset, class Distance>
struct RelaxControl {
    unsigned arrived;  // of the grid barrier
    unsigned marked;   // splits so far, and 1, when a vertex was found to be far
    RelaxProgress<Offset, Distance> progress;
    Count tail[3];
    Key<Distance> least[3];  // of what a split left in the far pile
    unsigned piled[3];       // vertices of the far pile, if it is a list; they rotate with splits
    unsigned crowded[3];     // whether some block that drifted had too much
    Amount drifted[3];       // what was expanded in a drift, for the trace
    Count lowered, skipped;  // relaxations that lowered, and arcs left out, of all iterations so far; if traced
};

template <class Offset, class Weight, class Distance>
struct RelaxProblem {
    Csr<Offset> graph;
    const Weight* weights;
    Distance delta;
    Distance most_delta;    // where frontiers stay narrow
    Distance cutoff;        // nothing beyond it is of interest
    Vertex target;          // nothing beyond its distance is of interest; `nobody`: there is none
    bool finishes;          // whether distances must be brought to their form
    bool source_edges;      // whether there is one source, without parallel arcs (operators/classified.cuh)
};

template <class Offset, class Distance>
struct RelaxSpace {
    Key<Distance>* distance;
    int* parents;
    Vertex* vertices[2];  // two queues of n places
    Offset* prefix[2];
    unsigned* stamp;      // n
    unsigned* far;        // a bitmap
    Vertex* piles;        // 2n, if the far pile is a list: one before a split, one after it; then, if it
                          // is sorted, `bucket_counters`. n, if queues are compacted: the table
    Vertex n;
    RelaxControl<Offset, Distance>* control;
    BalanceMemory balance;

    // The list after so many splits.
    __device__ FarList pile(unsigned splits) const {
        return {piles + (splits % 2 == 0 ? 0 : n), &control->piled[splits % 3]};
    }
    __device__ BucketCounters buckets() const { return {piles + 2 * Count{n}}; }
};

template <class Offset, bool enabled>
struct DriftShared {
    NarrowQueues<Offset> queues;
};
template <class Offset>
struct DriftShared<Offset, false> {};

// Blocks of a multiprocessor that the registers must suffice for: with 64 registers a thread, those
// of 1,024 threads; or two of 384, 80 each, which it takes to drift. More needs what looks up two words
// of an owner, if there are parents or long words beside; a far pile that is a list, with long offsets,
// or with any long words if it is sorted; and classes of arcs with the longest words.
template <class Offset, class Method>
constexpr unsigned word_bytes = sizeof(Offset) + sizeof(typename Method::Distance);
template <class Offset, class Method>
constexpr bool needs_registers =
    (!Method::has_queue && (Method::with_parents || word_bytes<Offset, Method> > 8)) ||
    (Method::has_list && (sizeof(Offset) > 4 || (Method::has_buckets && word_bytes<Offset, Method> > 8))) ||
    (has_classes<Method> && word_bytes<Offset, Method> > 12);
template <class Offset, class Method, int threads>
constexpr int relaxing_blocks = needs_registers<Offset, Method> ? 1 : 1024 / threads;

template <class Offset, class Method, class Balance, bool with_drift, int threads>
struct RelaxShared {
    using Distance = typename Method::Distance;
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr unsigned scratch = Balance::template scratch_bytes<Offset>;

    RelaxProgress<Offset, Distance> progress;
    unsigned last_level;  // where this launch stops
    bool done;            // whether an empty frontier is the end
    bool any;             // whether this block found in this iteration that a vertex is far, or changed
    unsigned barrier_target;
    Count trace_before;
    Counts counts;  // if traced
    Amount drifted;  // by this block, for the trace
    Vertex kept[warps][Method::template Writer<Offset>::places];
    union {  // iterations, drifts and splits take turns
        __align__(16) unsigned char balance[warps][scratch > 0 ? scratch : 16];
        DriftShared<Offset, with_drift> drift;
        BucketShared<Key<Distance>, Method::has_buckets> buckets;
    };
};

}  // namespace warpath

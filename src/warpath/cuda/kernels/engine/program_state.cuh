// The memory of a program (engine/program.cuh): what lies in device memory, and what each block shares.
#pragma once

#include "balance/balance.cuh"
#include "core/distance.cuh"
#include "core/packed.cuh"
#include "engine/expansion.cuh"
#include "engine/loop.cuh"
#include "frontier/buckets.cuh"
#include "frontier/edge_queue.cuh"
#include "frontier/near_far_list.cuh"
#include "frontier/queue.cuh"
#include "engine/small_frontier.cuh"
#include "operators/counted.cuh"

namespace warpath {

template <class Offset, class Distance>
struct ProgramProgress {
    unsigned level;           // iterations so far; an asynchronous one counts as one
    unsigned step;
    unsigned size;            // vertices of the frontier; 0: no iteration is left
    unsigned current;         // its queue (`queue_at`)
    unsigned queue;           // the number of the queue that is filled, counted from 1
    Offset items;             // edges of the frontier
    Key<Distance> threshold;  // nearer vertices are near; "unreachable": all are
    Key<Distance> base;       // no far vertex is nearer; "unreachable": no vertex is far
    Key<Distance> prefilter_limit;  // bits are set of vertices below it (operators/prefiltered.cuh)
    Key<Distance> path_limit;       // what offers as much or more is left out (engine/path_limit.cuh)
    unsigned splits;          // of the far pile so far
    unsigned growths;         // how often Δ grew after the largest buckets (engine/refill.cuh)
    Count bucket_edges, max_bucket_edges;  // of iterations since the last split, and of the bucket that had the most
    Count met_edges;          // of iterations so far, if there is a limit of paths
    unsigned path_limits;     // that there were (engine/path_limit.cuh)
    unsigned consecutive_small_splits;  // splits since an iteration on the grid that was not small
    bool overflowed;          // whether the last iteration was asynchronous, and a block's queue overflowed
    bool backwards;           // whether the frontier's vertices lower their own distances
};

// The number of the queue that iteration 0 fills: 1 is the sources'.
constexpr unsigned first_queue = 2;

// Counters of a step.
template <class Distance>
struct ProgramCounters {
    Count tail;                 // of the queue that it fills
    Count inspected;            // edges that were visited, where the frontier's number does not say it; if traced. Those
                                // that blocks found, in contract-expand with duplicates
    Amount expanded;            // by an asynchronous iteration, for the trace
    Key<Distance> min_staying = Ordered<Distance>::unreachable;  // of the distances that a split left in the far pile
    unsigned overflowed;        // whether a block's queue overflowed in an asynchronous iteration

    __device__ void add(const ProgramCounters& other) {
        tail += other.tail;
        inspected += other.inspected;
        expanded.vertices += other.expanded.vertices;
        expanded.arcs += other.expanded.arcs;
        min_staying = min(min_staying, other.min_staying);
        overflowed |= other.overflowed;
    }
};

template <class Offset, class Distance>
struct ProgramControl {
    using Counters = ProgramCounters<Distance>;

    unsigned arrived;
    unsigned flag;  // splits so far + 1 when a vertex was found to be far
    ProgramProgress<Offset, Distance> progress;
    Counters counters[3];
    unsigned piled[3];       // vertices of the far pile, if it is a list; they rotate with splits
    // If traced, of all iterations: relaxations that lowered, edges that their class left out, and direct updates.
    Count lowered, skipped, direct;
};

template <class Offset, class Weight, class Distance>
struct ProgramProblem {
    Csr<Offset> graph;
    const Weight* weights;
    Distance delta;
    Distance max_delta;  // where frontiers stay small; `delta`: Δ never grows (engine/refill.cuh)
    Distance prefilter_width;  // how far above the threshold the prefilter's limit is
    Distance path_limit_width;  // likewise the limit of paths
    Distance cutoff;     // distances beyond it need not be right
    Vertex target;       // nor those beyond this vertex's; `invalid_vertex`: there is none
    Count edges;         // of the whole graph, where several GPUs have parts of it
    unsigned max_level;  // iterations at most
    unsigned small_frontier_max_edges;  // larger frontiers are the grid's, if the algorithm has small ones
    bool finishes;       // whether the algorithm's `finish` is called
    bool source_edges;   // whether there is one source, without parallel edges (operators/classified.cuh)
};

// What an algorithm's launch is given.
template <class Offset, class Algorithm>
struct ProblemIs {
    using type = ProgramProblem<Offset, typename Algorithm::Weight, typename Algorithm::Distance>;
};
template <class Offset, class Algorithm>
    requires requires { typename Algorithm::template Problem<Offset>; }
struct ProblemIs<Offset, Algorithm> {
    using type = typename Algorithm::template Problem<Offset>;
};
template <class Offset, class Algorithm>
using ProblemOf = typename ProblemIs<Offset, Algorithm>::type;

template <class Offset, class Distance>
struct ProgramSpace {
    Key<Distance>* distance;
    int* parents;
    Vertex* vertices[2];  // two queues; one, if the frontier is a bitmap or all vertices, or frontiers follow each other in it
    Offset* prefix[2];
    unsigned* stamp;      // n words of the algorithm's
    unsigned *far, *prefilter;  // bitmaps
    Vertex* piles;        // 2n, if the far pile is a list: one before a split, one after it; then, if it
                          // is sorted, `bucket_counters`. n, if queues are compacted: the table
    Vertex n;
    EdgeQueue edges;
    ProgramControl<Offset, Distance>* control;
    BalanceMemory balance;
    PackedWord<4>::Word* words;  // n, if the algorithm grows a tree (operators/relax_tree.cuh)

    // The list after that number of splits.
    __device__ FarList pile(unsigned splits) const {
        return {piles + (splits % 2 == 0 ? 0 : n), &control->piled[splits % 3]};
    }
    __device__ BucketCounters buckets() const { return {piles + 2 * Count{n}}; }
};

// A queue by its number; or, if frontiers follow each other in one, by where it begins there.
template <class Algorithm, class Offset, class Distance>
__device__ Queue<Offset> queue_at(const ProgramSpace<Offset, Distance>& space, unsigned queue, Count* tail) {
    if constexpr (Algorithm::has_one_queue) return {space.vertices[0] + queue, space.prefix[0] + queue, tail};
    else return {space.vertices[queue], space.prefix[queue], tail};
}
// The one that an iteration fills.
template <class Algorithm, class Progress>
__device__ unsigned next_queue(const Progress& p) {
    return Algorithm::has_one_queue ? p.current + p.size : 1 - p.current;
}

// Blocks of a multiprocessor that the registers must suffice for: with 64 registers per thread, those
// of 1,024 threads; or two of 384, 80 each, which asynchronous blocks take. Three kinds of programs need more:
// those that look up two words of an owner, with parents or 64-bit words; a far pile that is a list, with 64-bit
// offsets, or any 64-bit words if it is sorted; and classes of edges with the longest words.
template <class Offset, class Algorithm>
constexpr unsigned word_bytes = sizeof(Offset) + sizeof(typename Algorithm::Distance);
template <class Offset, class Algorithm>
constexpr bool needs_registers = Algorithm::relaxes && (
    (!Algorithm::has_queue && (Algorithm::with_parents || word_bytes<Offset, Algorithm> > 8)) ||
    (Algorithm::has_list && (sizeof(Offset) > 4 || (Algorithm::has_buckets && word_bytes<Offset, Algorithm> > 8))) ||
    (has_classes<Algorithm> && word_bytes<Offset, Algorithm> > 12));
template <class Offset, class Algorithm, int threads>
constexpr int program_blocks = needs_registers<Offset, Algorithm> ? 1 : 1024 / threads;

// Shared memory that only some programs have.
template <class T, bool enabled>
struct Optional {
    T value;
};
template <class T>
struct Optional<T, false> {};

// What the filter of a block's warps remembers in an iteration (the algorithm's `filter`).
template <class Algorithm, unsigned warps>
struct FilterShared {
    typename Algorithm::template FilterTable<static_cast<int>(warps)> table;
    bool any;  // whether this block found in this iteration that a vertex is far, or changed
};

template <class Balance>
constexpr bool fills_registers = requires { Balance::fills_registers; };

// The edges that a block's warps keep (engine/expansion.cuh), where a balance leaves so much of the 48 KiB that a block has.
template <class Algorithm>
struct SurvivorsOf {
    using type = NoSurvivors;
};
template <class Algorithm>
    requires Algorithm::has_path_limit
struct SurvivorsOf<Algorithm> {
    using type = Survivors<typename Algorithm::Offer>;
};
template <class Algorithm, unsigned warps, unsigned scratch = 0, bool never = false>
using SurvivorsShared = Optional<typename SurvivorsOf<Algorithm>::type[warps], Algorithm::has_path_limit && !never &&
    warps * (scratch + sizeof(typename SurvivorsOf<Algorithm>::type) + sizeof(Staging<typename Algorithm::template Writer<unsigned>, 1>)) < 48 * 1024 - 1024>;
template <class Shared>
__device__ auto own_survivors(Shared& shared) {
    if constexpr (requires { shared.value; }) return shared.value + warp_in_block();
    else return static_cast<NoSurvivors*>(nullptr);
}

// Where several GPUs go on alone (engine/gpu_local.cuh): a block's copy, as of the progress.
template <class K>
struct GpuLocal {
    K horizon;
    bool has_worked;  // since the last meeting
    bool ends;        // all GPUs have nothing left
};

template <class Offset, class Algorithm, class Balance, bool with_async, int threads>
struct ProgramShared : LoopShared<ProgramProgress<Offset, typename Algorithm::Distance>> {
    using Distance = typename Algorithm::Distance;
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr unsigned scratch = Balance::template scratch_bytes<Offset>;

    bool done;       // whether an empty frontier is the end
    [[no_unique_address]] Optional<GpuLocal<Key<Distance>>, with_async> local;
    Count gathered;  // edges of the edge queue; in contract-expand, those that all blocks found up to this one's
    Counts counts;   // if traced
    Amount expanded;  // by this block asynchronously, for the trace
    FilterShared<Algorithm, warps> filter;
    Optional<BlockSegments<Offset, threads>, Algorithm::contracts> found;
    Staging<typename Algorithm::template Writer<Offset>, warps> staging;
    union {  // the ways to run an iteration, and splits, alternate
        struct {
            __align__(16) unsigned char balance[warps][scratch > 0 ? scratch : 16];
            SurvivorsShared<Algorithm, warps, scratch, fills_registers<Balance>> survivors;
        } push;
        Optional<SmallFrontierQueues<Offset>, with_async || Algorithm::has_small> small;
        BucketShared<Key<Distance>, Algorithm::has_buckets> buckets;
    };
};

// The algorithm's operator, for an iteration.
template <class Algorithm, class Problem, class Space, class Progress>
__device__ auto operator_of(const Problem& problem, const Space& space, const unsigned& iteration, const Progress& p) {
    if constexpr (requires { Algorithm::op(problem, space, iteration, p); }) return Algorithm::op(problem, space, iteration, p);
    else return Algorithm::op(problem, space, iteration);
}

// One thread of a block: what it counted.
template <class Control>
__device__ void add_counts(Control& control, const Counts& counts) {
    atomicAdd(&control.lowered, Count{counts.lowered});
    atomicAdd(&control.skipped, Count{counts.skipped});
    atomicAdd(&control.direct, Count{counts.direct});
}

// One thread of a block: a vertex is far, or changed.
template <class Algorithm, class Control, class Progress>
__device__ void signal_any(Control* control, const Progress& p, unsigned set) {
    if constexpr (Algorithm::has_far) store_relaxed(&control->flag, p.splits + 1);
    else if constexpr (!Algorithm::has_queue) atomicAdd(&control->counters[set].tail, Count{1});
}

}  // namespace warpath

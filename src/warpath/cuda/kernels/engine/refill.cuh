// Refilling a program's frontier (engine/program.cuh) from its far pile.
//
// When no near vertex is left, all distances below the threshold are final. It rises by Δ, and the far pile is split. If
// no vertex leaves it, the next bucket begins at the minimum of the distances that stayed, so any number of empty buckets
// costs one more split. Blocks set `flag` if they find that a vertex is far: else there is nothing to split.
//
// If Δ may grow (`max_delta`), it does so where little is left to expand in a bucket:
//
//   - After the buckets with most edges (`is_tail`). In a graph with hubs these should be as narrow as can be, as
//     hubs within a bucket relax each other again and again, and the others need not: they have few edges.
//     R-MAT 20 inspects 1.06 times its edges in 24 iterations; with a fixed Δ of 12 1.6 times, in 73.
//   - Where frontiers were small for a while (`many_small_splits`).
#pragma once

#include "core/distance.cuh"
#include "core/weight.cuh"
#include "engine/path_limit.cuh"
#include "frontier/buckets.cuh"
#include "frontier/near_far.cuh"
#include "frontier/near_far_list.cuh"

namespace warpath {

// Splits after which frontiers are taken to stay small: all between asynchronous iterations, or iterations of few
// edges where none is asynchronous. A random graph, whose frontiers grow, has all its vertices in fewer buckets.
// A guess.
constexpr unsigned many_small_splits = 8;

// A bucket with less than this part of the largest one's edges is of the tail, and how much wider the next one is then.
// Guesses: another R-MAT 20 takes 26 iterations, with twice instead of 4 times 31; with a fourth or a sixteenth instead
// of an eighth these are 28 and 31 (counted on the host).
constexpr Count tail_part = 8;
constexpr unsigned tail_growth_bits = 2;  // 4 times

template <class Program>
__device__ bool is_tail(const Program& run) {
    return run.p.bucket_edges < run.p.max_bucket_edges / tail_part;
}

// How often Δ has grown in a row, for the next bucket. Asynchronous iterations do not count their edges.
template <class Program>
__device__ unsigned next_growths(const Program& run) {
    const auto& p = run.p;
    if (Program::has_async || !(run.problem.delta < run.problem.max_delta)) return 0;
    if (p.bucket_edges == 0) return p.growths;  // the last split found no vertex
    return is_tail(run) ? p.growths + 1 : 0;
}

template <class Program, class Distance = typename Program::Distance>
__device__ Distance grown_delta(const Program& run, unsigned growths) {
    const Distance largest = unreachable_distance<Distance>();
    const Distance factor = static_cast<Distance>(1u << min(growths * tail_growth_bits, 30u));
    const Distance delta = run.problem.delta < largest / factor ? run.problem.delta * factor : largest;
    return run.p.consecutive_small_splits >= many_small_splits ? max(delta, run.problem.max_delta) : delta;
}

// Of a threshold. What is out of reach stays so: all vertices may be below it, but no edge offers as much.
template <class Program, class K = typename Program::K>
__device__ K prefilter_limit(const Program& run, K threshold) {
    if constexpr (!Program::Algorithm::has_prefilter) return 0;
    else return raised<typename Program::Distance>(threshold, run.problem.prefilter_width);
}

// The sources may be too far below zero for an infinite Δ to be added.
template <class Program>
__device__ auto first_threshold(const Program& run) {
    using Weight = typename Program::Weight;
    if (!is_number<Weight> && key_of(run.problem.delta) >= Program::unreachable) return Program::unreachable;
    return raised<typename Program::Distance>(key_of(source_distance<Weight, typename Program::Distance>()), run.problem.delta);
}

// Whether nothing is left to do, now that the frontier is empty. Distances do not change in
// the step that follows, so all blocks find the same.
template <class Program>
__device__ bool is_done(const Program& run) {
    const auto& p = run.p;
    const auto base = min(p.base, p.path_limit);  // what was left out leads no nearer
    return p.threshold == Program::unreachable || base == Program::unreachable || base > key_of(run.problem.cutoff) ||
           (run.problem.target != invalid_vertex && run.distance_of(run.problem.target) < p.threshold);
}

// Raise the threshold and queue the far vertices that are near now.
template <class Program>
__device__ void split(Program& run) {
    using Algorithm = typename Program::Algorithm;
    using Scope = typename Program::Scope;
    using K = typename Program::K;
    constexpr K unreachable = Program::unreachable;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    const unsigned growths = next_growths(run);
    const K threshold = min(raised<typename Program::Distance>(p.base, grown_delta(run, growths)), p.path_limit);
    const K limit = prefilter_limit(run, threshold);
    auto out = run.writer(p.current, next);
    K min_staying;
    if constexpr (Algorithm::has_list) {
        if (run.is_first()) *run.space.pile(p.splits + 2).size = 0;  // the last split read it
        const FarList pile = run.space.pile(p.splits);
        min_staying = split_list(pile.vertices, *pile.size, Bitmap{run.space.far}, run.space.distance, p.threshold, threshold,
                           unreachable, Scope::warps(), out, run.space.pile(p.splits + 1));
    } else {
        min_staying = split_far(Bitmap{run.space.far}, run.problem.graph.vertices, Algorithm::distances(run.space), p.threshold, threshold,
                          unreachable, Scope::warps(), out, Algorithm::prefilter(run.space, limit));
    }
    out.finish();
    min_staying = warp_min(min_staying);
    if (lane_id() == 0 && min_staying < unreachable) atomicMin(&run.control->counters[next].min_staying, min_staying);
    run.grid.sync([&] {  // the queue, its tail, the pile and the minimum are complete
        p.threshold = threshold;
        if constexpr (Algorithm::has_prefilter) p.prefilter_limit = limit;
        p.base = run.total(next).min_staying;
        p.growths = growths;
        p.max_bucket_edges = max(p.max_bucket_edges, p.bucket_edges);
        p.bucket_edges = 0;
        ++p.splits;
        ++p.consecutive_small_splits;
        run.end_step(next);
        run.shared.done = p.size == 0 && is_done(run);
    });
}

// Far vertices that are not above the bound leave the pile next.
template <class Program>
__device__ void raise_base(Program& run) {
    using Algorithm = typename Program::Algorithm;
    constexpr typename Program::K unreachable = Program::unreachable;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    const auto bound = warp_min(Algorithm::bound(run.problem, run.space, run.space.pile(p.splits), p.threshold, Program::Scope::warps()));
    if (lane_id() == 0 && bound < unreachable) atomicMin(&run.control->counters[next].min_staying, bound);
    run.grid.sync([&] {  // the bound is complete
        p.base = min(run.control->counters[next].min_staying, unreachable - 1);
        ++p.step;
    });
}

// The same by buckets: the first that has vertices leaves the pile.
template <class Program>
__device__ void split_buckets(Program& run) {
    using Scope = typename Program::Scope;
    using K = typename Program::K;
    constexpr K unreachable = Program::unreachable;
    auto& p = run.p;
    auto& block = run.shared.buckets;
    const unsigned next = run.begin_step();
    const BucketCounters counters = run.space.buckets();
    const FarList pile = run.space.pile(p.splits), sorted = run.space.pile(p.splits + 1);
    const unsigned size = *pile.size;
    if (threadIdx.x == 0) {
        K limit = p.base;
#pragma unroll 1
        for (unsigned k = 0; k < last_bucket; ++k) block.limits[k] = limit = raised<typename Program::Distance>(limit, run.problem.delta);
    }
    if (threadIdx.x < bucket_count) block.sizes[threadIdx.x] = 0;
    if (Scope::is_first_block()) counters.clear(p.splits + 1);  // the last split's
    __syncthreads();  // the limits and zeros are there
    const K min_staying = warp_min(count_buckets(pile.vertices, size, Bitmap{run.space.far}, run.space.distance, p.threshold, unreachable,
                                             Scope::warps(), block));
    if (lane_id() == 0 && min_staying < unreachable) atomicMin(&run.control->counters[next].min_staying, min_staying);
    __syncthreads();  // the block's vertices are counted
    if (threadIdx.x < bucket_count && block.sizes[threadIdx.x] > 0)
        atomicAdd(counters.sizes(p.splits) + threadIdx.x, block.sizes[threadIdx.x]);
    run.grid.sync([] {});  // all are, and the minimum is known
    block.place(counters.sizes(p.splits));
    __syncthreads();  // the places are there
    auto out = run.writer(p.current, next);
    scatter_buckets(pile.vertices, size, Bitmap{run.space.far}, run.space.distance, p.threshold, Scope::warps(), block, out,
                    counters.written(p.splits), sorted.vertices);
    out.finish();
    if (run.is_first()) *sorted.size = block.all_staying;
    run.grid.sync([&] {  // the queue, its tail and the sorted pile are complete
        const bool leaves = block.first < last_bucket;
        if (leaves) p.threshold = block.limits[block.first];
        if (block.all_staying == 0) p.base = unreachable;
        else p.base = leaves ? p.threshold : run.control->counters[next].min_staying;
        ++p.splits;
        run.end_step(next);
        run.shared.done = p.size == 0 && is_done(run);
    });
}

// Refill the frontier from the far pile, until it has a vertex, the search is done, or other GPUs are to be heard first.
template <class Program>
__device__ void refill(Program& run) {
    using Algorithm = typename Program::Algorithm;
    if constexpr (Algorithm::has_far) {
        while (run.p.size == 0 && !run.shared.done) {
            if constexpr (Program::may_go_alone) {  // elsewhere even a condition that is always true takes registers
                if (run.goes_alone() && run.p.base >= run.shared.local.value.horizon) return;
            }
            if constexpr (Algorithm::settles) raise_base(run);
            if constexpr (Algorithm::has_buckets) split_buckets(run);
            else if (reaches_path_limit(run)) lift_path_limit(run);
            else split(run);
        }
    }
}

}  // namespace warpath

// Shortest paths: operator × balance × frontier, in one persistent kernel.
//
// One cooperative launch runs all iterations; its blocks meet at a barrier after each. There, the
// first thread of each block brings the block's `RelaxProgress` up to date from the same counters
// as all others, so that all blocks decide alike.
//
//   iteration   The queue's vertices are expanded; those whose distance fell make the next queue,
//               as far as they are near (frontier/near_far.cuh). There are two queues, in turns.
//   drift       If `with_drift`, the blocks share the queue and go each its own way: what a block
//               finds it expands in its next round (narrow.cuh), without a word to the others, until
//               it has nothing near any more. A round takes 2 µs where an iteration takes 5
//               (measured, H200), but more arcs are relaxed in vain; it pays where frontiers are
//               narrow. Where all are near it ends after some rounds.
//   split       When no near vertex is left, all below the threshold are settled. It rises by Δ,
//               and the far pile is split. If nothing comes out, the least distance that stayed
//               says where to go on, so empty buckets cost one more split, however many they are.
//               Blocks say whether they find that a vertex is far (`marked`): else there is nothing to split.
//               Where frontiers were narrow for a while, Δ grows (`calm_enough`).
//
// With an infinite Δ all vertices are near: Bellman-Ford with a frontier, the workfront sweep of
// Davidson et al. It takes negative weights. `Method` is one of relaxing.cuh; those without a far
// pile want an infinite Δ.
//
// Three tails rotate, and so do three minima: step `step` adds to number (step + 1) mod 3 while one
// thread clears (step + 2) mod 3, which nobody has touched since it was read in step − 1. So one
// barrier a step is enough.
//
// Where a balance launches child grids, what they find is there when the launch has ended. So it
// ends with its first iteration, and the next one begins by reading that iteration's tail.
//
// What there is in memory says relaxation_state.cuh. With `iterations` = 1 a launch runs
// one iteration and leaves it in memory for the next launch: that is loop="host".
#pragma once

#include "balance/balance.cuh"
#include "core/distance.cuh"
#include "core/grid_barrier.cuh"
#include "expansion.cuh"
#include "frontier/buckets.cuh"
#include "frontier/drift.cuh"
#include "frontier/lookup_compaction.cuh"
#include "frontier/near_far.cuh"
#include "frontier/queue.cuh"
#include "narrow.cuh"
#include "operators/counted.cuh"
#include "relaxation_state.cuh"
#include "relaxing.cuh"
#include "trace.cuh"

namespace warpath {

// Splits after which frontiers are taken to stay narrow, all between drifts, or iterations of few arcs
// where nothing drifts. A random graph, whose frontiers grow, has all its vertices in fewer buckets. A guess.
constexpr unsigned calm_enough = 8;
// Arcs of an iteration that takes hardly longer than one of none. Half as many are 5 % slower on meshes.
constexpr unsigned few_arcs = 1u << 20;
// Rounds of a drift where all vertices are near: a block that ran on alone would relax what others
// have shorter ways to. 32, 64 and 256 take as long on a grid of 1024², 8 two and a half times as long
// (measured, H200, weights 1 … 255, negative and not).
constexpr unsigned sweep_rounds = 64;

// Say, for a block, that a vertex is far, or changed.
template <class Method, class Offset, class Distance>
__device__ void tell(RelaxControl<Offset, Distance>* control, const RelaxProgress<Offset, Distance>& p, unsigned tail) {
    if constexpr (Method::has_far) store_relaxed(&control->marked, p.splits + 1);
    else if constexpr (!Method::has_queue) atomicAdd(&control->tail[tail], Tail<Offset>::pack(1, 0));
}

// A child grid: the row of a vertex of the frontier, which the iteration left out. It adds to the
// queue that the iteration fills, and to its tail.
template <class Offset, class Method, bool traced>
__global__ void __launch_bounds__(child_threads)
relax_row(RelaxProblem<Offset, typename Method::Weight, typename Method::Distance> problem,
          RelaxSpace<Offset, typename Method::Distance> space, RelaxProgress<Offset, typename Method::Distance> p, unsigned tail,
          Vertex u, Offset begin, Offset end) {
    using Writer = typename Method::template Writer<Offset>;
    __shared__ Vertex kept[child_threads / warp_lanes][Writer::places];
    __shared__ Counts counts;
    __shared__ bool any;
    if (threadIdx.x == 0) {
        counts = {0, 0};
        any = false;
    }
    __syncthreads();  // nothing is counted
    const unsigned queue = 1 - p.current;
    Count* const tails = space.control->tail;
    Writer out(kept[warp_in_block()], problem.graph.row_offsets, {space.vertices[queue], space.prefix[queue], tails + tail},
               Method::limit(problem, space, p));
    const auto op = counted<traced>(Method::op(problem, space, p), counts);
    Expansion expansion(problem.graph, op, out, Method::admission(space, p, any));
    visit_row(u, begin, end, expansion);
    out.finish();
    __syncthreads();  // all is counted
    if (threadIdx.x == 0) {
        if (any) tell<Method>(space.control, p, tail);
        if constexpr (traced) {
            atomicAdd(&space.control->lowered, Count{counts.lowered});
            atomicAdd(&space.control->skipped, Count{counts.skipped});
        }
    }
}

template <class Offset, class Method, class Balance, bool with_drift, bool traced, int threads>
class Relaxation {
    using Weight = typename Method::Weight;
    using Distance = typename Method::Distance;
    using K = Key<Distance>;
    static constexpr bool with_parents = Method::with_parents;
    static constexpr K unreachable = Ordered<Distance>::unreachable;

    const RelaxProblem<Offset, Weight, Distance>& problem;
    const Sources& sources;
    const Run& launch;
    const RelaxSpace<Offset, Distance>& space;
    RelaxControl<Offset, Distance>* const control;
    RelaxShared<Offset, Method, Balance, with_drift, threads>& shared;
    RelaxProgress<Offset, Distance>& p;  // each block's own, written by its first thread while the others wait
    GridBarrier grid;
    Trace<traced> trace;

    static constexpr bool has_children = launches_children<Balance>;
    // What children find is there too late for these.
    static_assert(!has_children || !(Method::lists_bits || Method::compacts));

    __device__ bool goes_on() const { return p.size > 0 && p.level < shared.last_level; }

    // Into one of the queues.
    __device__ typename Method::template Writer<Offset> writer(unsigned queue, unsigned tail) {
        return {shared.kept[warp_in_block()], problem.graph.row_offsets,
                {space.vertices[queue], space.prefix[queue], &control->tail[tail]},
                Method::limit(problem, space, p)};
    }

    // The number of this step's tail; the one after it is cleared for the step after this.
    __device__ unsigned begin_step() {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            control->tail[(p.step + 2) % 3] = 0;
            control->least[(p.step + 2) % 3] = unreachable;
            control->crowded[(p.step + 2) % 3] = 0;
            control->drifted[(p.step + 2) % 3] = {0, 0};
        }
        return (p.step + 1) % 3;
    }

    // The first thread of each block ends a step.
    __device__ void end_step(unsigned tail) {
        p.size = Tail<Offset>::vertices(control->tail[tail]);
        p.items = Tail<Offset>::arcs(control->tail[tail]);
        ++p.step;
    }

    // Likewise an iteration, or a drift. What children find is not there yet.
    __device__ void end_iteration(unsigned tail) {
        find_marks();
        if constexpr (has_children) {
            ++p.step;
        } else if constexpr (Method::has_queue) {
            end_step(tail);
        } else {
            if (control->tail[tail] == 0) p.size = 0;
            ++p.step;
        }
        if constexpr (Method::has_queue) p.current = 1 - p.current;
        ++p.level;
        ++p.queue;
        shared.any = false;
        shared.done = !has_children && p.size == 0 && is_done();
    }

    // Read it in the launch after that.
    __device__ void end_children() {
        find_marks();
        const Count tail = control->tail[p.step % 3];
        if constexpr (Method::has_queue) {
            p.size = Tail<Offset>::vertices(tail);
            p.items = Tail<Offset>::arcs(tail);
        } else if (tail == 0) {
            p.size = 0;
        }
        shared.done = p.size == 0 && is_done();
    }

    // What `tell` said before the barrier. Who is late may read what others say of the next iteration; but then
    // there is one, and nobody asks for the base before its end.
    __device__ void find_marks() {
        if constexpr (Method::has_far) {  // beside the tail's load, not behind it
            if (control->marked == p.splits + 1) p.base = p.threshold;
        }
    }

    // Δ above `from`, but at least the next number.
    __device__ K raised(K from) const {
        const Distance delta = p.calm >= calm_enough ? problem.most_delta : problem.delta;
        return from >= unreachable - 1 ? unreachable : max(extend<Distance>(from, delta), from + 1);
    }

    // The sources may be too far below zero for an infinite Δ to be added.
    __device__ K first_threshold() const {
        if (!is_number<Weight> && key_of(problem.delta) >= unreachable) return unreachable;
        return raised(key_of(source_distance<Weight, Distance>()));
    }

    // Whether nothing is left to do, now that the frontier is empty. Distances do not change in
    // the step that follows, so all blocks find the same.
    __device__ bool is_done() const {
        return p.threshold == unreachable || p.base == unreachable || p.base > key_of(problem.cutoff) ||
               (problem.target != nobody && load_relaxed(space.distance + problem.target) < p.threshold);
    }

    // Where the next frontier is a bitmap, queue it.
    template <class Writer>
    __device__ void list_bits(Writer& out) {
        if constexpr (Method::lists_bits) {
            grid.sync([] {});  // all bits are set
            queue_bits(Bitmap{space.far}, problem.graph.vertices, grid_warps(), out);
        }
    }

    // The frontier goes to the other queue, each vertex once.
    __device__ void compact() {
        const Vertex* const queue = space.vertices[p.current];
        mark_places(queue, p.size, space.piles, grid_warps());
        grid.sync([] {});  // the table is complete
        const unsigned next = begin_step();
        typename Method::template Writer<Offset, NoCrowding> out(
            shared.kept[warp_in_block()], problem.graph.row_offsets,
            {space.vertices[1 - p.current], space.prefix[1 - p.current], &control->tail[next]});
        compact_queue(queue, p.size, space.piles, grid_warps(), out);
        out.finish();
        grid.sync([&] {  // the queue is complete
            end_step(next);
            p.current = 1 - p.current;
        });
    }

    // Reset what the kernel writes, with all threads of the grid; then queue the sources.
    __device__ void start() {
        const Count thread = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
        const Vertex n = problem.graph.vertices;
        for (Count v = thread; v < n; v += all) Method::reset(space, static_cast<Vertex>(v));
        for (Count word = thread; word < words_of(n); word += all) space.far[word] = 0;
        if constexpr (Method::has_buckets) {
            for (Count i = thread; i < bucket_counters; i += all) space.buckets().counts[i] = 0;
        }
        if (blockIdx.x == 0 && threadIdx.x < 3) control->least[threadIdx.x] = unreachable;
        grid.sync([&] {  // all is unreachable, and nothing is far
            p = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, false};
            p.threshold = first_threshold();
            p.base = unreachable;
            shared.any = false;
            shared.last_level = launch.iterations;
        });
        const unsigned next = begin_step();
        auto out = writer(0, next);
        const auto op = Method::op(problem, space, p);
        bool any = false;
        const auto admission = Method::admission(space, p, any);
        const Workers workers = grid_warps();
        for (unsigned first = workers.rank * warp_lanes; first < sources.count; first += workers.count * warp_lanes) {
            const unsigned i = first + lane_id();
            const bool mine = i < sources.count;
            const Vertex v = mine ? sources[i] : 0;
            auto nothing = offer_at_source(op);
            const bool taken = op.won(v, nothing, op.claim(v, nothing, mine));
            out.keep(v, admission.admitted(v, nothing, admission.admit(v, nothing, taken)));
            out.flush();
        }
        if constexpr (!Method::has_queue) {
            for (Count first = Count{workers.rank} * warp_lanes; first < n; first += Count{workers.count} * warp_lanes) {
                const Count v = first + lane_id();
                out.keep(static_cast<Vertex>(v), v < n);
                out.flush();
            }
        }
        list_bits(out);
        out.finish();
        grid.sync([&] {  // the first queue is complete
            end_step(next);
            ++p.queue;
            shared.done = p.size == 0 && is_done();
        });
    }

    // Go on where another launch stopped.
    __device__ void resume() {
        block_sync([&] {
            p = control->progress;
            shared.any = false;
            if constexpr (has_children) end_children();
            shared.last_level = static_cast<unsigned>(min(Count{~0u}, Count{p.level} + launch.iterations));
        });
        grid.sync([] {});  // all blocks have read it, so block 0 may change it
    }

    // Blocks adrift: each expands what it finds itself, whatever the others do meanwhile, until it has
    // nothing near any more. Distances are the fixed point of relaxations in any order, and who lowers
    // a vertex queues it, so nothing is missed. What has no room in a block goes to the other queue.
    __device__ void run_adrift(unsigned tail) {
        auto spill = writer(1 - p.current, tail);
        using Policy = Drift<Weight, K>;
        NarrowFrontier<Offset, Policy, true, decltype(spill), traced> frontier(
            shared.drift.queues, problem.graph, Policy{{space.stamp, {space.far}, p.queue, p.threshold, shared.any}, p.threshold, problem.weights});
        const auto op = counted<traced>(Relax<Weight, Distance, with_parents, true>{problem.weights, space.distance, space.parents}, shared.counts);
        if (traced && threadIdx.x == 0) shared.drifted = {0, 0};
        frontier.take(space.vertices[p.current], p.size, spill, blockIdx.x, gridDim.x);
        NarrowCount count = frontier.turn();
        unsigned rounds = p.threshold == unreachable ? sweep_rounds : ~0u;
        while (count.chunks > 0 && count.spilled == 0 && rounds-- > 0) {
            if (traced && threadIdx.x == 0) {
                shared.drifted.vertices += count.chunks - count.later;
                shared.drifted.arcs += count.arcs;
            }
            frontier.expand(op, count.chunks, spill);
            count = frontier.turn();
        }
        if (threadIdx.x == 0 && count.spilled != 0) atomicOr(&control->crowded[tail], 1u);
        if (count.chunks > 0) frontier.leave(spill);
        spill.finish();
        if (traced && threadIdx.x == 0) {
            atomicAdd(&control->drifted[tail].vertices, shared.drifted.vertices);
            atomicAdd(&control->drifted[tail].arcs, shared.drifted.arcs);
        }
    }

    __device__ void drift() {
        const unsigned next = begin_step();
        run_adrift(next);
        grid.sync([&] {  // what the blocks leave is there
            const auto& did = control->drifted[next];
            trace.record(p.level, did.vertices, did.arcs, way_top_down, mode_block, code_of::none);
            p.crowded = control->crowded[next] != 0;
            p.base = p.threshold;  // nobody adrift says whether a vertex is far
            end_iteration(next);
        });
    }

    // Whether the blocks have room for the frontier; twice where it may grow fast, as a bucket's first
    // ones do.
    __device__ bool drifts() const {
        const Count most_chunks = p.size + Count{p.items} / chunk_arcs<Offset>;
        return !p.crowded && p.size <= gridDim.x * NarrowFrontier<Offset, AdmitAll, true>::most_taken() &&
               (p.threshold == unreachable ? 1 : 2) * most_chunks <= gridDim.x * chunk_places;
    }

    __device__ void iterate() {
        const unsigned next = begin_step();
        auto out = writer(1 - p.current, next);
        const auto op = counted<traced>(Method::op(problem, space, p), shared.counts);
        Expansion expansion(problem.graph, op, out, Method::admission(space, p, shared.any));
        const Segments<Offset> frontier{space.vertices[p.current], space.prefix[p.current], p.size, p.items};
        const Room room = space.balance.room(shared.balance[warp_in_block()], space.n, grid);
        int code;
        if constexpr (has_children) {
            const auto child = [&](Vertex u, Offset begin, Offset end) {
                return launch_child<relax_row<Offset, Method, traced>>(blocks_for_row(begin, end), problem, space, p, next, u,
                                                                       begin, end);
            };
            WithChildren<decltype(expansion), decltype(child)> body{expansion, child};
            code = Balance::advance(frontier, problem.graph.row_offsets, grid_warps(), room, body);
        } else {
            code = Balance::advance(frontier, problem.graph.row_offsets, grid_warps(), room, expansion);
        }
        list_bits(out);
        out.finish();
        // The next queue, its tail and the distances are complete.
        grid.sync([&] { if (shared.any) tell<Method>(control, p, next); }, [&] {
            trace.record(p.level, p.size, p.items, way_top_down, mode_grid, code);
            if (with_drift || p.items > few_arcs) p.calm = 0;
            p.crowded = false;
            end_iteration(next);
        });
        if constexpr (Method::compacts) {
            if (p.size > 0) compact();
        }
    }

    // Raise the threshold and queue the far vertices that are near now.
    __device__ void split() {
        const unsigned next = begin_step();
        const K threshold = raised(p.base);
        auto out = writer(p.current, next);
        K least;
        if constexpr (Method::has_list) {
            if (blockIdx.x == 0 && threadIdx.x == 0) *space.pile(p.splits + 2).size = 0;  // the last split read it
            const FarList pile = space.pile(p.splits);
            least = split_list(pile.vertices, *pile.size, Bitmap{space.far}, space.distance, p.threshold, threshold,
                               unreachable, grid_warps(), out, space.pile(p.splits + 1));
        } else {
            least = split_far(Bitmap{space.far}, problem.graph.vertices, space.distance, p.threshold, threshold,
                              unreachable, grid_warps(), out);
        }
        out.finish();
        least = warp_least(least);
        if (lane_id() == 0 && least < unreachable) atomicMin(&control->least[next], least);
        grid.sync([&] {  // the queue, its tail, the pile and the minimum are complete
            p.threshold = threshold;
            p.base = control->least[next];
            ++p.splits;
            ++p.calm;
            end_step(next);
            shared.done = p.size == 0 && is_done();
        });
    }

    // The same by buckets: the first that has vertices leaves the pile.
    __device__ void split_buckets() {
        auto& block = shared.buckets;
        const unsigned next = begin_step();
        const BucketCounters counters = space.buckets();
        const FarList pile = space.pile(p.splits), sorted = space.pile(p.splits + 1);
        const unsigned size = *pile.size;
        if (threadIdx.x == 0) {
            K limit = p.base;
#pragma unroll 1
            for (unsigned k = 0; k < last_bucket; ++k) block.limits[k] = limit = raised(limit);
        }
        if (threadIdx.x < bucket_count) block.sizes[threadIdx.x] = 0;
        if (blockIdx.x == 0) counters.clear(p.splits + 1);  // the last split's
        __syncthreads();  // the limits and zeros are there
        const K least = warp_least(count_buckets(pile.vertices, size, Bitmap{space.far}, space.distance, p.threshold, unreachable,
                                                 grid_warps(), block));
        if (lane_id() == 0 && least < unreachable) atomicMin(&control->least[next], least);
        __syncthreads();  // the block's vertices are counted
        if (threadIdx.x < bucket_count && block.sizes[threadIdx.x] > 0)
            atomicAdd(counters.sizes(p.splits) + threadIdx.x, block.sizes[threadIdx.x]);
        grid.sync([] {});  // all are, and the minimum is known
        block.place(counters.sizes(p.splits));
        __syncthreads();  // the places are there
        auto out = writer(p.current, next);
        scatter_buckets(pile.vertices, size, Bitmap{space.far}, space.distance, p.threshold, grid_warps(), block, out,
                        counters.written(p.splits), sorted.vertices);
        out.finish();
        if (blockIdx.x == 0 && threadIdx.x == 0) *sorted.size = block.all_staying;
        grid.sync([&] {  // the queue, its tail and the sorted pile are complete
            const bool leaves = block.first < last_bucket;
            if (leaves) p.threshold = block.limits[block.first];
            if (block.all_staying == 0) p.base = unreachable;
            else p.base = leaves ? p.threshold : control->least[next];
            ++p.splits;
            end_step(next);
            shared.done = p.size == 0 && is_done();
        });
    }

public:
    __device__ Relaxation(const RelaxProblem<Offset, Weight, Distance>& problem, const Sources& sources, const Run& launch,
                          const RelaxSpace<Offset, Distance>& space, const TraceRows& rows, RelaxShared<Offset, Method, Balance, with_drift, threads>& shared)
        : problem(problem), sources(sources), launch(launch), space(space), control(space.control), shared(shared), p(shared.progress),
          grid(&space.control->arrived, shared.barrier_target),
          trace(rows, shared.trace_before) {}

    __device__ void run() {
        trace.start();
        if (traced && threadIdx.x == 0) shared.counts = {0, 0};  // all meet before they count
        if (launch.resumes) resume();
        else start();
        while (true) {
            if constexpr (Method::has_far) {
                while (p.size == 0 && !shared.done) {
                    if constexpr (Method::has_buckets) split_buckets();
                    else split();
                }
            }
            if (!goes_on()) break;
            if (with_drift && drifts()) {
                if constexpr (with_drift) drift();
            } else {
                iterate();
            }
            if constexpr (has_children) break;  // the next launch sees what they found
        }
        if (problem.finishes && p.size == 0)  // never with children under way
            for (Count v = blockIdx.x * threads + threadIdx.x; v < problem.graph.vertices; v += gridDim.x * threads)
                Method::finish(space, static_cast<Vertex>(v));
        if (blockIdx.x == 0 && threadIdx.x == 0) control->progress = p;
        if (traced && threadIdx.x == 0) {  // the last barrier was behind all that is counted
            atomicAdd(&control->lowered, Count{shared.counts.lowered});
            atomicAdd(&control->skipped, Count{shared.counts.skipped});
        }
    }
};

}  // namespace warpath

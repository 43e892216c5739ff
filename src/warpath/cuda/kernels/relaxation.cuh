// Shortest paths: operator × balance × frontier, in one persistent kernel.
//
// One cooperative launch runs all iterations; its blocks meet at a barrier after each. There, the
// first thread of each block brings the block's `RelaxProgress` up to date from the same counters
// as all others, so that all blocks decide alike.
//
//   iteration   The queue's vertices are expanded; those whose distance fell make the next queue,
//               as far as they are near (frontier/near_far.cuh). There are two queues, in turns.
//               If `with_narrow`, a cluster of blocks runs iterations of few arcs alone, and the
//               splits between them (narrow.cuh); where there are no clusters, one block.
//   split       When no near vertex is left, all below the threshold are settled. It rises by Δ,
//               and the far pile is split. If nothing comes out, the least distance that stayed
//               says where to go on, so empty buckets cost one more split, however many they are.
//
// With an infinite Δ all vertices are near: Bellman-Ford with a frontier, the workfront sweep of
// Davidson et al. It takes negative weights. `Method` is one of relaxing.cuh; those without a far
// pile want an infinite Δ.
//
// Three tails rotate, and so do three minima: step `step` adds to number (step + 1) mod 3 while one
// thread clears (step + 2) mod 3, which nobody has touched since it was read in step − 1. So one
// barrier a step is enough.
//
// Everything that outlives an iteration is in `RelaxProgress`. With `iterations` = 1 a launch runs
// one iteration and leaves it in memory for the next launch: that is loop="host".
#pragma once

#include "balance/balance.cuh"
#include "core/distance.cuh"
#include "core/grid_barrier.cuh"
#include "expansion.cuh"
#include "frontier/narrow_pile.cuh"
#include "frontier/near_far.cuh"
#include "frontier/queue.cuh"
#include "narrow.cuh"
#include "relaxing.cuh"
#include "trace.cuh"

namespace warpath {

constexpr unsigned not_listed = ~0u;

template <class Offset, class Distance>
struct RelaxProgress {
    unsigned level;           // iterations so far
    unsigned step;            // grid-wide steps so far: which tail is whose
    unsigned size;            // vertices of the frontier; 0: all is done
    unsigned current;         // which queue it is in
    unsigned queue;           // the number of the one that is filled, counted from 1
    Offset items;             // its arcs
    Key<Distance> threshold;  // nearer vertices are near; "unreachable": all are
    Key<Distance> base;       // no vertex that is far is nearer
    unsigned listed;          // far vertices, if the other queue lists them all
    unsigned splits;          // of the far pile so far, if it is a list: which list is whose
};

// Zeroed before the first launch; `arrived` before each.
template <class Offset, class Distance>
struct RelaxControl {
    unsigned arrived;  // of the grid barrier
    unsigned unused;
    RelaxProgress<Offset, Distance> progress;
    Count tail[3];
    Key<Distance> least[3];  // of what a split left in the far pile
    unsigned listed[3];      // how much that is, and who is in the list
    unsigned piled[3];       // vertices of the far pile, if it is a list; they rotate with splits
};

template <class Offset, class Weight, class Distance>
struct RelaxProblem {
    Csr<Offset> graph;
    const Weight* weights;
    const Vertex* sources;  // null: there is one, `source`
    Vertex source;
    unsigned source_count;
    Distance delta;
    Distance cutoff;        // nothing beyond it is of interest
    Vertex target;          // nothing beyond its distance is of interest; `nobody`: there is none
    bool finishes;          // whether distances must be brought to their form
    unsigned narrow_items;  // frontiers of at most so many arcs stay in one cluster
    unsigned iterations;    // that this launch may run
    bool resumes;           // whether it goes on where another launch stopped
};

template <class Offset, class Distance>
struct RelaxSpace {
    Key<Distance>* distance;
    int* parents;
    Vertex* vertices[2];  // two queues of n places
    Offset* prefix[2];
    unsigned* stamp;      // n
    unsigned* far;        // a bitmap
    Vertex* piles;        // 2n, if the far pile is a list: one before a split, one after it
    Vertex n;
    RelaxControl<Offset, Distance>* control;

    // The list after so many splits.
    __device__ FarList pile(unsigned splits) const {
        return {piles + (splits % 2 == 0 ? 0 : n), &control->piled[splits % 3], n};
    }
};

template <class Offset, class Key, bool enabled>
struct NarrowShared {
    NarrowQueues<Offset> queues;
    NarrowPile<Key> pile;
};
template <class Offset, class Key>
struct NarrowShared<Offset, Key, false> {};

// Blocks of a multiprocessor that the registers must suffice for: with 64 registers a thread, those
// of 1,024 threads. Narrow iterations need more; graphs that live in them do not fill a device. So
// does what looks up two words of an owner, if there are parents or long words beside.
template <class Offset, class Method, bool with_narrow>
constexpr bool needs_registers =
    with_narrow || (!Method::has_queue && (Method::with_parents || sizeof(Offset) + sizeof(typename Method::Distance) > 8));
template <class Offset, class Method, bool with_narrow, int threads>
constexpr int relaxing_blocks = needs_registers<Offset, Method, with_narrow> ? 1 : 1024 / threads;

template <class Offset, class Distance, class Balance, bool with_narrow, int threads>
struct RelaxShared {
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr unsigned scratch = Balance::template scratch_bytes<Offset>;

    RelaxProgress<Offset, Distance> progress;
    unsigned last_level;  // where this launch stops
    bool done;            // whether an empty frontier is the end
    unsigned barrier_target;
    Count trace_before;
    Vertex kept[warps][QueueWriter<Offset>::places];
    union {  // grid-wide and narrow iterations take turns
        __align__(16) unsigned char balance[warps][scratch > 0 ? scratch : 16];
        NarrowShared<Offset, Key<Distance>, with_narrow> narrow;
    };
};

template <class Offset, class Method, class Balance, bool with_narrow, bool traced, int threads>
class Relaxation {
    using Weight = typename Method::Weight;
    using Distance = typename Method::Distance;
    using K = Key<Distance>;
    static constexpr bool with_parents = Method::with_parents;
    static constexpr K unreachable = Ordered<Distance>::unreachable;

    const RelaxProblem<Offset, Weight, Distance>& problem;
    const RelaxSpace<Offset, Distance>& space;
    RelaxControl<Offset, Distance>* const control;
    RelaxShared<Offset, Distance, Balance, with_narrow, threads>& shared;
    RelaxProgress<Offset, Distance>& p;  // each block's own, written by its first thread while the others wait
    GridBarrier grid;
    Trace<traced> trace;

    __device__ bool goes_on() const { return p.size > 0 && p.level < shared.last_level; }

    // Into one of the queues.
    __device__ QueueWriter<Offset> writer(unsigned queue, unsigned tail) {
        return {shared.kept[warp_in_block()], problem.graph.row_offsets,
                {space.vertices[queue], space.prefix[queue], &control->tail[tail]}};
    }

    __device__ auto operation() const { return Method::op(problem.weights, space, p); }

    // The number of this step's tail; the one after it is cleared for the step after this.
    __device__ unsigned begin_step() {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            control->tail[(p.step + 2) % 3] = 0;
            control->least[(p.step + 2) % 3] = unreachable;
            control->listed[(p.step + 2) % 3] = 0;
        }
        return (p.step + 1) % 3;
    }

    // The first thread of each block ends a step.
    __device__ void end_step(unsigned tail) {
        p.size = Tail<Offset>::vertices(control->tail[tail]);
        p.items = Tail<Offset>::arcs(control->tail[tail]);
        ++p.step;
    }

    // Δ above `from`, but at least the next number.
    __device__ K raised(K from) const {
        return from >= unreachable - 1 ? unreachable : max(extend<Distance>(from, problem.delta), from + 1);
    }

    // Whether nothing is left to do, now that the frontier is empty. Distances do not change in
    // the step that follows, so all blocks find the same.
    __device__ bool is_done() const {
        return p.threshold == unreachable || p.base == unreachable || p.base > key_of(problem.cutoff) ||
               (problem.target != nobody && load_relaxed(space.distance + problem.target) < p.threshold);
    }

    // Reset what the kernel writes, with all threads of the grid; then queue the sources.
    __device__ void start() {
        const Count thread = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
        const Vertex n = problem.graph.vertices;
        for (Count v = thread; v < n; v += all) Method::reset(space, static_cast<Vertex>(v));
        for (Count word = thread; word < words_of(n); word += all) space.far[word] = 0;
        if (blockIdx.x == 0 && threadIdx.x < 3) control->least[threadIdx.x] = unreachable;
        grid.sync([&] {  // all is unreachable, and nothing is far
            p = {0, 0, 0, 0, 1, 0, raised(0), 0, 0, 0};
            p.base = p.threshold;
            shared.last_level = problem.iterations;
        });
        const unsigned next = begin_step();
        auto out = writer(0, next);
        const auto op = operation();
        bool any = false;
        const auto admission = Method::admission(space, p, any);
        const Workers workers = grid_warps();
        for (unsigned first = workers.rank * warp_lanes; first < problem.source_count; first += workers.count * warp_lanes) {
            const unsigned i = first + lane_id();
            const bool mine = i < problem.source_count;
            const Vertex v = !mine ? 0 : problem.sources != nullptr ? problem.sources[i] : problem.source;
            typename decltype(operation())::Offer nothing{};
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
            shared.last_level = static_cast<unsigned>(min(Count{~0u}, Count{p.level} + problem.iterations));
        });
        grid.sync([] {});  // all blocks have read it, so block 0 may change it
    }

    // Far vertices that a cluster has room for. The list lies in the queue that is not in use.
    __device__ unsigned list_places() const {
        return with_narrow ? min(cluster_size() * pile_places, problem.graph.vertices) : 0;
    }

    // Iterations of few arcs, by the first cluster. Afterwards the frontier is at the front of the
    // queue that it came from.
    __device__ void run_narrow(unsigned tail) {
        auto spill = writer(p.current, tail);
        auto& pile = shared.narrow.pile;
        load_pile(pile, space.vertices[1 - p.current], p.listed, unreachable);
        using Policy = NarrowNearFar<Weight, K>;
        NarrowFrontier<Offset, Policy> frontier(shared.narrow.queues, problem.graph, Policy{{space.stamp, {space.far}, p.queue, p.threshold}, pile, problem.weights});
        const Relax<Weight, Distance, with_parents, true> op{problem.weights, space.distance, space.parents};
        unsigned level = p.level, turn = 0;
        frontier.take(space.vertices[p.current], p.size, spill);
        NarrowCount count = frontier.turn();
        while ((count.flags & spilled) == 0) {
            if (count.chunks > 0) {
                if (count.arcs > problem.narrow_items || level >= shared.last_level) break;
                frontier.expand(op, count.chunks, spill);
                const NarrowCount next = frontier.turn();
                if (threadIdx.x == 0)
                    trace.record(level, count.chunks - count.later, count.arcs, way_top_down,
                                 cluster_size() > 1 ? mode_cluster : mode_block, code_of::none);
                count = next;
                ++level;
            } else {
                if ((count.flags & pile_is_full) != 0 || is_done()) break;
                count = narrow_split(frontier, spill, turn);
                turn = 1 - turn;
            }
        }
        if (count.chunks > 0) frontier.leave(spill);
        spill.finish();
        cluster_sync();  // no block's queue is read any more, so it may use the memory otherwise, or leave
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            p.level = level;
            control->progress = p;
        }
    }

    // Raise the threshold; the far vertices that are near now are the frontier.
    template <class Frontier>
    __device__ NarrowCount narrow_split(Frontier& frontier, QueueWriter<Offset>& spill, unsigned turn) {
        const K threshold = raised(p.base);
        split_pile(shared.narrow.pile, frontier, Bitmap{space.far}, space.distance, p.threshold, threshold, unreachable, turn, spill);
        const NarrowCount count = frontier.template turn<true>();  // the frontier, the bitmap and the minima are complete
        if (threadIdx.x == 0) {
            K least = unreachable;
            for (unsigned k = 0; k < most_cluster_blocks; ++k) least = min(least, shared.narrow.pile.leasts[turn][k]);
            p.threshold = threshold;
            p.base = count.chunks > 0 || (count.flags & spilled) != 0 ? threshold : least;
        }
        __syncthreads();  // the block knows the new threshold
        return count;
    }

    __device__ void narrow_mode() {
        const unsigned next = begin_step();
        if (blockIdx.x < cluster_size()) run_narrow(next);
        grid.sync([&] {  // what the cluster leaves is there
            const unsigned step = p.step;
            p = control->progress;
            p.step = step;
            p.listed = not_listed;
            ++p.queue;
            end_step(next);
            shared.done = p.size == 0 && is_done();
        });
    }

    __device__ bool is_narrow() const {
        const Count most_chunks = p.size + Count{p.items} / chunk_arcs<Offset>;
        return p.items <= problem.narrow_items && p.size <= NarrowFrontier<Offset>::most_taken() &&
               most_chunks <= cluster_size() * chunk_places;
    }

    __device__ void iterate() {
        const unsigned next = begin_step();
        auto out = writer(1 - p.current, next);
        const auto op = operation();
        bool any = false;
        Expansion expansion(problem.graph, op, out, Method::admission(space, p, any));
        const Segments<Offset> frontier{space.vertices[p.current], space.prefix[p.current], p.size, p.items};
        const int code = Balance::advance(frontier, problem.graph.row_offsets, grid_warps(),
                                          shared.balance[warp_in_block()], expansion);
        out.finish();
        if constexpr (!Method::has_queue) {
            if (any_lane(any) && lane_id() == 0) atomicAdd(&control->tail[next], Tail<Offset>::pack(1, 0));
        }
        grid.sync([&] {  // the next queue, its tail and the distances are complete
            trace.record(p.level, p.size, p.items, way_top_down, mode_grid, code);
            if constexpr (Method::has_queue) {
                end_step(next);
                p.current = 1 - p.current;
            } else {
                if (control->tail[next] == 0) p.size = 0;
                ++p.step;
            }
            p.listed = not_listed;
            ++p.level;
            ++p.queue;
            shared.done = p.size == 0 && is_done();
        });
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
            const FarList list{space.vertices[1 - p.current], &control->listed[next], list_places()};
            least = split_far(Bitmap{space.far}, problem.graph.vertices, space.distance, p.threshold, threshold,
                              unreachable, grid_warps(), out, list);
        }
        out.finish();
        least = warp_least(least);
        if (lane_id() == 0 && least < unreachable) atomicMin(&control->least[next], least);
        grid.sync([&] {  // the queue, its tail, the pile and the minimum are complete
            p.threshold = threshold;
            p.base = control->least[next];
            p.listed = control->listed[next] <= list_places() ? control->listed[next] : not_listed;
            ++p.splits;
            end_step(next);
            shared.done = p.size == 0 && is_done();
            if (p.size > 0) p.base = threshold;  // vertices become far that were not there
        });
    }

public:
    __device__ Relaxation(const RelaxProblem<Offset, Weight, Distance>& problem, const RelaxSpace<Offset, Distance>& space,
                          TraceRow* rows, unsigned row_count, RelaxShared<Offset, Distance, Balance, with_narrow, threads>& shared)
        : problem(problem), space(space), control(space.control), shared(shared), p(shared.progress),
          grid(&space.control->arrived, shared.barrier_target),
          trace(rows, row_count, shared.trace_before) {}

    __device__ void run() {
        trace.start();
        if (problem.resumes) resume();
        else start();
        bool narrow_next = true;
        while (true) {
            while (p.size == 0 && !shared.done) {
                split();
                narrow_next = true;
            }
            if (!goes_on()) break;
            // What the cluster has just left is for the grid.
            if (with_narrow && narrow_next && is_narrow()) {
                if constexpr (with_narrow) narrow_mode();
                narrow_next = false;
            } else {
                iterate();
                narrow_next = true;
            }
        }
        if (problem.finishes && p.size == 0)
            for (Count v = blockIdx.x * threads + threadIdx.x; v < problem.graph.vertices; v += gridDim.x * threads)
                Method::finish(space, static_cast<Vertex>(v));
        if (blockIdx.x == 0 && threadIdx.x == 0) control->progress = p;
    }
};

}  // namespace warpath

// A program: an algorithm × a balance, in one persistent kernel (engine/loop.cuh).
//
// The algorithm is a struct of hooks (below); the program runs its iterations:
//
//   push         A balance hands out the edges of the frontier; the algorithm's operator follows them, and its
//                filter says which vertices enter the next queue. There are two queues, which alternate.
//   edge queue   The same in two phases (frontier/edge_queue.cuh): edges are gathered in a queue, then
//                filtered. If the queue cannot hold them, it is one phase. Or an iteration begins with the
//                edges in the queue: blocks filter them and expand what they find (contract-expand).
//   small        A frontier of few edges is one cluster's (engine/small_frontier.cuh), level by level, until it has grown.
//                Without clusters, and where the algorithm says so, it is one block's.
//   async        The blocks share the queue and each continues alone: what a block finds it expands in its
//                next round (engine/small_frontier.cuh), without barriers of the grid, until it has no near vertex left. A
//                round takes 2 µs where an iteration takes 5 (measured, H200), but more edges are relaxed in
//                vain; it is faster where frontiers are small. Where all vertices are near it ends after some rounds.
//   refill       When no near vertex is left, all distances below the threshold are final. It rises by Δ, and the far
//                pile is split. If no vertex leaves it, the next bucket begins at the minimum of the distances that stayed, so
//                any number of empty buckets costs one more split. Blocks set `flag` if they find that a
//                vertex is far: else there is nothing to split. Where frontiers were small for a
//                while, Δ grows (`many_small_splits`).
//
// With an infinite Δ all vertices are near. That is breadth-first search, if an edge adds 1 and a vertex is taken
// once; and Bellman-Ford with a frontier, the workfront sweep of Davidson et al., which takes negative weights.
//
// The contract of an algorithm
// ----------------------------
//     Weight, Distance, with_parents
//     static constexpr bool has_queue       false: every vertex is in the frontier of every iteration
//     static constexpr bool has_far         whether vertices may be far; if not, Δ is infinite
//     static constexpr bool has_list        whether far vertices are in a list, not in a bitmap alone
//     static constexpr bool has_buckets     whether that list is sorted (frontier/buckets.cuh)
//     static constexpr bool has_small       whether a small frontier is a cluster's; `single_block`: one block's
//     static constexpr bool has_bits        whether `far`, a bitmap, is used
//     static constexpr bool gathers         whether there is an edge queue
//     static constexpr bool contracts       whether one has the frontier's edges before an iteration; `is_hybrid`: large
//                                           ones go through a queue of vertices as well
//     static constexpr bool lists_bits      whether the next frontier is a bitmap, listed once it is complete
//     static constexpr bool compacts        whether a complete queue is rid of its duplicates
//     static constexpr bool pulls           whether an edge's owner is its end
//     static constexpr bool relaxes         whether the operator's successes are counted, if traced
//     static constexpr bool may_repeat      whether a vertex may be several times in a frontier
//     static constexpr bool starts_everywhere  whether the first frontier is not the sources, but all vertices of which
//                                           first_frontier(problem, space, sync) says so, after it has done more;
//                                           `sync` is a barrier of the grid
//     Operator op(problem, space, iteration)  `iteration` is `p.queue`: 1 for the sources
//     Operator source_op(problem, space)    for the sources, if theirs is another
//     Operator local_op(problem, space, iteration)  in small frontiers and asynchronous blocks, if another: it must read
//                                           past L1 what the operator writes
//     Filter async_filter(problem, space, p, shared)  in asynchronous blocks: it may let a vertex in again and again
//     Problem<Offset>                       what a launch is given, if more than `ProgramProblem`, its base
//     FilterTable<warps>                    what the filter remembers in shared memory
//     void prepare(table)                   before the first iteration, by all threads of the block
//     Filter filter(space, p, shared)       which vertices enter the next queue (operators/operator.cuh);
//                                           `shared.any` becomes true where a vertex is far, or changes
//     Writer<Offset, Limit>, Limit          how they are written there (frontier/queue.cuh)
//     Limit limit(problem, space, p)
//     void reset(space, v)                  before the first iteration
//     void finish(space, v)                 after the last one: distance[v] as the caller wants it
#pragma once

#include "core/weight.cuh"
#include "engine/loop.cuh"
#include "engine/program_state.cuh"
#include "engine/expansion.cuh"
#include "frontier/bitmap_queue.cuh"
#include "frontier/edge_queue.cuh"
#include "frontier/lookup_compaction.cuh"
#include "frontier/near_far.cuh"
#include "frontier/queue.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

// Splits after which frontiers are taken to stay small: all between asynchronous iterations, or iterations of few
// edges where none is asynchronous. A random graph, whose frontiers grow, has all its vertices in fewer buckets.
// A guess.
constexpr unsigned many_small_splits = 8;
// Edges of an iteration that takes hardly longer than one of none. Half as many are 5 % slower on meshes.
constexpr unsigned few_edges = 1u << 20;
// Rounds of an asynchronous iteration where all vertices are near: a block that never stopped would relax what
// others have shorter paths to. 32, 64 and 256 take as long on a grid of 1024², 8 two and a half times as long
// (measured, H200, weights 1 … 255, negative and not).
constexpr unsigned sweep_rounds = 64;

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

// A child grid: the row of a vertex of the frontier, which the iteration left out. It adds to the
// queue that the iteration fills, and to its tail.
template <class Offset, class Algorithm, bool traced>
__global__ void __launch_bounds__(child_threads)
expand_row_of_program(ProblemOf<Offset, Algorithm> problem,
                      ProgramSpace<Offset, typename Algorithm::Distance> space,
                      ProgramProgress<Offset, typename Algorithm::Distance> p, unsigned set, Vertex u, Offset begin, Offset end) {
    using Writer = typename Algorithm::template Writer<Offset>;
    __shared__ Vertex staging[child_threads / warp_lanes][Writer::staging_size];
    __shared__ Counts counts;
    __shared__ FilterShared<Algorithm, child_threads / warp_lanes> filter;
    if (threadIdx.x == 0) {
        counts = {0, 0, 0};
        filter.any = false;
    }
    Algorithm::prepare(filter.table);
    __syncthreads();  // nothing is counted
    const unsigned queue = 1 - p.current;
    Writer out(staging[warp_in_block()], problem.graph.row_offsets,
               {space.vertices[queue], space.prefix[queue], &space.control->counters[set].tail}, Algorithm::limit(problem, space, p));
    const auto op = counted<traced && Algorithm::relaxes>(Algorithm::op(problem, space, p.queue), counts);
    Expansion expansion(problem.graph, op, out, Algorithm::filter(space, p, filter));
    visit_row(u, begin, end, expansion);
    out.finish();
    __syncthreads();  // all is counted
    if (threadIdx.x == 0) {
        if (filter.any) signal_any<Algorithm>(space.control, p, set);
        if constexpr (traced) {
            add_counts(*space.control, counts);
        }
    }
}

// Hands edges on and counts them.
template <class Body>
struct Inspecting {
    static constexpr bool needs_owner = Body::needs_owner;
    static constexpr bool takes_all_arcs = warpath::takes_all_arcs<Body>;
    Body& body;
    unsigned edges_seen = 0;

    __device__ explicit Inspecting(Body& body) : body(body) {}
    __device__ bool expands(Vertex u) const requires requires { body.expands(u); } { return body.expands(u); }
    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        edges_seen += static_cast<unsigned>(__popc(active));
        body.visit(owner, arc, active);
    }
};

template <class Offset, class Algorithm, class Balance, bool with_async, bool traced, int threads, class Scope_ = GridScope>
class Program
    : public Loop<Program<Offset, Algorithm, Balance, with_async, traced, threads, Scope_>, ProgramControl<Offset, typename Algorithm::Distance>,
                  ProgramShared<Offset, Algorithm, Balance, with_async, threads>, traced, Scope_> {
    using Weight = typename Algorithm::Weight;
    using Distance = typename Algorithm::Distance;
    using Shared = ProgramShared<Offset, Algorithm, Balance, with_async, threads>;
    using Base = Loop<Program, ProgramControl<Offset, Distance>, Shared, traced, Scope_>;
    using typename Base::Scope;
    friend Base;
    using Base::begin_step, Base::control, Base::grid, Base::has_frontier, Base::p, Base::shared, Base::trace;
    using K = Key<Distance>;
    static constexpr bool with_parents = Algorithm::with_parents;
    static constexpr K unreachable = Ordered<Distance>::unreachable;
    // Whether blocks note that a vertex is far, or changed.
    static constexpr bool signals = Algorithm::has_far || !Algorithm::has_queue;
    static constexpr TraceDirection direction = Algorithm::pulls ? trace_bottom_up : trace_top_down;

    const ProblemOf<Offset, Algorithm>& problem;
    const Sources& sources;
    const ProgramSpace<Offset, Distance>& space;

    static constexpr bool has_children = launches_children<Balance>;
    // What children find is there too late for these.
    static_assert(!has_children || !(Algorithm::lists_bits || Algorithm::compacts || Algorithm::gathers || Algorithm::contracts));

    // Into one of the queues.
    __device__ typename Algorithm::template Writer<Offset> writer(unsigned queue, unsigned set) {
        return {shared.staging[warp_in_block()], problem.graph.row_offsets,
                {space.vertices[queue], space.prefix[queue], &control->counters[set].tail},
                Algorithm::limit(problem, space, p)};
    }

    __device__ auto op() { return counted<traced && Algorithm::relaxes>(Algorithm::op(problem, space, p.queue), shared.counts); }
    __device__ auto filter() { return Algorithm::filter(space, p, shared.filter); }

    // The operator where frontiers stay in blocks: their barriers drop nothing of L1 (engine/small_frontier.cuh).
    __device__ auto local_op(const unsigned& iteration) const {
        if constexpr (requires { Algorithm::local_op(problem, space, iteration); }) return Algorithm::local_op(problem, space, iteration);
        else return Algorithm::op(problem, space, iteration);
    }

    // The queue that was filled is the frontier.
    __device__ void take_queue(Count tail) {
        p.size = Tail<Offset>::vertices(tail);
        p.items = Tail<Offset>::arcs(tail);
    }

    // The first thread of each block ends a step.
    __device__ void end_step(unsigned set) {
        take_queue(control->counters[set].tail);
        ++p.step;
    }

    // Likewise an iteration. What children find is not there yet.
    __device__ void end_iteration(unsigned set) {
        find_marks();
        if constexpr (has_children) {
            ++p.step;
        } else if constexpr (Algorithm::has_queue) {
            end_step(set);
        } else {
            if (control->counters[set].tail == 0) p.size = 0;
            ++p.step;
        }
        if constexpr (Algorithm::has_queue) p.current = 1 - p.current;
        ++p.level;
        ++p.queue;
        if constexpr (signals) shared.filter.any = false;
        if constexpr (Algorithm::has_far) shared.done = !has_children && p.size == 0 && is_done();
    }

    // Read it in the launch after that.
    __device__ void end_children() {
        find_marks();
        const Count tail = control->counters[p.step % 3].tail;
        if constexpr (Algorithm::has_queue) take_queue(tail);
        else if (tail == 0) p.size = 0;
        shared.done = p.size == 0 && is_done();
    }

    // What `signal_any` wrote before the barrier. A late block may read what another wrote in the next iteration; then
    // there is one, and the base is not read before its end.
    __device__ void find_marks() {
        if constexpr (Algorithm::has_far) {  // while the tail is being loaded, not after it
            if (control->flag == p.splits + 1) p.base = p.threshold;
        }
    }

    // Δ above `from`, but at least the next number.
    __device__ K raised(K from) const {
        const Distance delta = p.consecutive_small_splits >= many_small_splits ? problem.max_delta : problem.delta;
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
               (problem.target != invalid_vertex && load_relaxed(space.distance + problem.target) < p.threshold);
    }

    // Where the next frontier is a bitmap, queue it.
    template <class Writer>
    __device__ void list_bits(Writer& out) {
        if constexpr (Algorithm::lists_bits) {
            grid.sync([] {});  // all bits are set
            queue_bits(Bitmap{space.far}, problem.graph.vertices, Scope::warps(), out);
        }
    }

    // If the algorithm wants that, the frontier goes to the other queue, each vertex once.
    __device__ void compact() {
        if (!Algorithm::compacts || p.size == 0) return;
        const Vertex* const queue = space.vertices[p.current];
        mark_places(queue, p.size, space.piles, Scope::warps());
        grid.sync([] {});  // the table is complete
        const unsigned next = begin_step();
        typename Algorithm::template Writer<Offset, NoLimit> out(
            shared.staging[warp_in_block()], problem.graph.row_offsets,
            {space.vertices[1 - p.current], space.prefix[1 - p.current], &control->counters[next].tail});
        compact_queue(queue, p.size, space.piles, Scope::warps(), out);
        out.finish();
        grid.sync([&] {  // the queue is complete
            end_step(next);
            p.current = 1 - p.current;
        });
    }

    __device__ void prepare() {
        Algorithm::prepare(shared.filter.table);
        if (threadIdx.x == 0) {
            shared.filter.any = false;
            if constexpr (traced) shared.counts = {0, 0, 0};
        }
    }

    __device__ auto source_op() const {
        if constexpr (requires { Algorithm::source_op(problem, space); }) return Algorithm::source_op(problem, space);
        else return Algorithm::op(problem, space, p.queue);
    }

    // Reset what the kernel writes, with all threads of the grid; then queue the sources.
    __device__ void start() {
        const Count thread = Scope::thread(), all = Scope::threads();
        const Vertex n = problem.graph.vertices;
        for (Count v = thread; v < n; v += all) Algorithm::reset(space, static_cast<Vertex>(v));
        if constexpr (Algorithm::has_bits) {
            for (Count word = thread; word < words_of(n); word += all) space.far[word] = 0;
        }
        if constexpr (Algorithm::has_buckets) {
            for (Count i = thread; i < bucket_counters; i += all) space.buckets().counts[i] = 0;
        }
        grid.sync([&] {  // all is unreachable, and nothing is far
            p = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, false};
            p.threshold = first_threshold();
            p.base = unreachable;
            this->limit(problem.max_level);
        });
        const unsigned next = begin_step();
        auto out = writer(0, next);
        const auto op = source_op();
        const auto filter = this->filter();
        const Workers workers = Scope::warps();
        for (unsigned first = workers.rank * warp_lanes; first < sources.count; first += workers.count * warp_lanes) {
            const unsigned i = first + lane_id();
            const bool mine = i < sources.count;
            const Vertex v = mine ? sources[i] : 0;
            auto offer = offer_at_source(op);
            const bool taken = op.updated(v, offer, op.update_atomic(v, offer, mine));
            if (taken) op.commit(invalid_vertex, v, offer);
            out.push(v, filter.passes(v, offer, filter.test(v, offer, taken)));
            out.flush();
        }
        if constexpr (Algorithm::starts_everywhere) {
            const auto is_in = Algorithm::first_frontier(problem, space, [&] { grid.sync([] {}); });
            for (Count first = Count{workers.rank} * warp_lanes; first < n; first += Count{workers.count} * warp_lanes) {
                const Count v = first + lane_id();
                out.push(static_cast<Vertex>(v), v < n && is_in(static_cast<Vertex>(v)));
                out.flush();
            }
        }
        list_bits(out);
        out.finish();
        grid.sync([&] {  // the first queue is complete
            end_step(next);
            ++p.queue;
            shared.filter.any = false;
            shared.done = p.size == 0 && is_done();
        });
        if constexpr (Algorithm::contracts) gather_frontier();
    }

    __device__ void resumed() {
        if constexpr (has_children) end_children();
    }

    // Each block expands the near vertices that it finds, without waiting for other blocks, until it has none left.
    // What they lower is the fixed point of relaxations in any order, and the thread that lowers it queues the
    // vertex, so nothing is missed. Vertices that a block cannot hold go to the other queue.
    __device__ void run_async(unsigned set) {
        auto spill = writer(1 - p.current, set);
        auto filter = Algorithm::async_filter(problem, space, p, shared.filter);
        SmallFrontier<Offset, decltype(filter), true, decltype(spill), traced> frontier(shared.small.value, problem.graph, filter);
        const auto op = counted<traced && Algorithm::relaxes>(local_op(p.queue), shared.counts);
        if (traced && threadIdx.x == 0) shared.expanded = {0, 0};
        frontier.take(space.vertices[p.current], p.size, spill, blockIdx.x, gridDim.x);
        SmallFrontierSize count = frontier.swap_buffers();
        unsigned rounds = p.threshold == unreachable ? sweep_rounds : ~0u;
        while (count.chunks > 0 && count.spilled == 0 && rounds-- > 0) {
            if (traced && threadIdx.x == 0) {
                shared.expanded.vertices += count.chunks - count.later;
                shared.expanded.arcs += count.arcs;
            }
            frontier.expand(op, count.chunks, spill);
            count = frontier.swap_buffers();
        }
        if (threadIdx.x == 0 && count.spilled != 0) atomicOr(&control->counters[set].overflowed, 1u);
        if (count.chunks > 0) frontier.leave(spill);
        spill.finish();
        if (traced && threadIdx.x == 0) {
            atomicAdd(&control->counters[set].expanded.vertices, shared.expanded.vertices);
            atomicAdd(&control->counters[set].expanded.arcs, shared.expanded.arcs);
        }
    }

    __device__ void iterate_async() {
        const unsigned next = begin_step();
        run_async(next);
        grid.sync([&] {  // what the blocks leave is there
            const auto& set = control->counters[next];
            trace.record(p.level, set.expanded.vertices, set.expanded.arcs, trace_top_down, mode_block, code_of::none);
            p.overflowed = set.overflowed != 0;
            p.base = p.threshold;  // it was not asked whether a vertex is far
            end_iteration(next);
        });
    }

    // Whether the blocks can hold the frontier; twice it where it may grow fast, as a bucket's first
    // frontiers do.
    __device__ bool is_async() const {
        const Count max_chunks = p.size + Count{p.items} / chunk_arcs<Offset>;
        return !p.overflowed && p.size <= gridDim.x * SmallFrontier<Offset, PassAll, true>::max_taken() &&
               (p.threshold == unreachable ? 1 : 2) * max_chunks <= gridDim.x * chunk_capacity;
    }

    // Hand out the frontier's edges.
    template <class Body>
    __device__ int push(Body& body) {
        const Segments<Offset> frontier{space.vertices[p.current], space.prefix[p.current], p.size, p.items};
        const Resources resources = space.balance.resources(shared.balance[warp_in_block()], space.n, Scope::for_balance(grid, shared.barrier_target));
        return Balance::advance(frontier, problem.graph.row_offsets, Scope::warps(), resources, body);
    }

    // The edges' ends go to the other queue, if the operator and the filter let them.
    __device__ void expand() {
        const unsigned next = begin_step();
        auto out = writer(1 - p.current, next);
        const auto op = this->op();
        Expansion expansion(problem.graph, op, out, filter());
        // Where vertices may be left out, the number of visited edges is not the frontier's.
        constexpr bool inspects = traced && requires { op.expands(0); };
        int code;
        if constexpr (has_children) {
            const auto child = [&](Vertex u, Offset begin, Offset end) {
                return launch_child<expand_row_of_program<Offset, Algorithm, traced>>(blocks_for_row(begin, end), problem, space, p, next,
                                                                                     u, begin, end);
            };
            WithChildren<decltype(expansion), decltype(child)> body{expansion, child};
            code = push(body);
        } else if constexpr (inspects) {
            Inspecting inspecting(expansion);
            code = push(inspecting);
            const Count seen = warp_sum(Count{inspecting.edges_seen});
            if (lane_id() == 0 && seen > 0) atomicAdd(&control->counters[next].inspected, seen);
        } else {
            code = push(expansion);
        }
        list_bits(out);
        out.finish();
        // The next queue, its tail and the distances are complete.
        grid.sync([&] { if (signals && shared.filter.any) signal_any<Algorithm>(control, p, next); }, [&] {
            trace.record(p.level, p.size, inspects ? control->counters[next].inspected : p.items, direction, Scope::mode, code);
            if (Algorithm::has_far && (with_async || p.items > few_edges)) p.consecutive_small_splits = 0;
            if constexpr (with_async) p.overflowed = false;
            end_iteration(next);
        });
    }

    // The same in two phases: the edges and what they offer go to the edge queue,
    __device__ void gather() {
        const unsigned next = begin_step();
        const auto op = Algorithm::op(problem, space, p.queue);
        Gathering<decltype(op), with_parents> gathering(problem.graph.column_indices, op, space.edges, &control->counters[next].tail);
        const int code = push(gathering);
        grid.sync([&] {  // the edge queue is complete
            trace.record(p.level, p.size, p.items, direction, Scope::mode, code);
            shared.gathered = control->counters[next].tail;
            ++p.step;
        });
    }
    // and then their ends to the other queue.
    __device__ void contract() {
        const unsigned next = begin_step();
        auto out = writer(1 - p.current, next);
        const Gathered<decltype(this->op()), with_parents> op{this->op(), space.edges};
        Expansion contraction(space.edges, op, out, filter());
        visit_edges(space.edges, shared.gathered, Scope::warps(), contraction);
        list_bits(out);
        out.finish();
        // The other queue, its tail and the distances are complete.
        grid.sync([&] { if (signals && shared.filter.any) signal_any<Algorithm>(control, p, next); }, [&] { end_iteration(next); });
    }

    // What a filter knows of the progress in a small frontier.
    struct SmallProgress {
        const unsigned& queue;
    };

    // A half of the edge queue.
    __device__ EdgeQueue edges_of(unsigned which) const {
        const Count first = which * space.edges.capacity;
        return {space.edges.targets + first, with_parents ? space.edges.sources + first : nullptr, nullptr, space.edges.capacity};
    }

    // The frontier's edges go to its half of the edge queue.
    __device__ void gather_frontier() {
        if (p.size == 0) return;
        const unsigned next = begin_step();
        const auto op = Algorithm::op(problem, space, p.queue);
        const EdgeQueue edges = edges_of(p.current);
        Gathering<decltype(op), with_parents> gathering(problem.graph.column_indices, op, edges, &control->counters[next].tail);
        push(gathering);
        grid.sync([&] { ++p.step; });  // they are there
    }

    // Blocks filter the edges of their tiles of the queue; what passes is the next frontier, whose edges go to the other
    // half. A block expands what it found, by the balance.
    __device__ void contract_expand() {
        const unsigned next = begin_step();
        Count* const tail = &control->counters[next].tail;
        const EdgeQueue edges = edges_of(p.current), others = edges_of(1 - p.current);
        const auto plain = Algorithm::op(problem, space, p.queue);
        const Gathered<decltype(this->op()), with_parents> op{this->op(), edges};
        Gathering<decltype(plain), with_parents> gathering(problem.graph.column_indices, plain, others, tail);
        KeepOne kept;
        Expansion contraction(edges, op, kept, filter());
        const Workers blocks = blocks_of(Scope::warps());
        const Resources resources = space.balance.resources(shared.balance[warp_in_block()], space.n, Scope::for_balance(grid, shared.barrier_target));
        int code = code_of::none;
        for (Count first = Count{blocks.rank} * blockDim.x; first < p.items; first += Count{blocks.count} * blockDim.x) {
            const Count place[1] = {first + threadIdx.x};
            const bool is_there = place[0] < p.items;
            const Vertex owner[1] = {decltype(op)::needs_owner ? load_if(edges.sources + place[0], is_there) : 0};
            contraction.visit(owner, place, is_there);
            const SharedSegments<Offset> found = shared.found.value.fill(kept.vertex, kept.is_there, problem.graph.row_offsets);
            if (threadIdx.x == 0 && found.size > 0) atomicAdd(tail, Tail<Offset>::pack(found.size, 0));
            if (found.size > 0) code = Balance::advance(found, problem.graph.row_offsets, block_warps(), resources, gathering);
        }
        grid.sync([&] {  // the other half, its tail and the distances are complete
            trace.record(p.level, p.size, p.items, direction, Scope::mode, code);
            end_iteration(next);
        });
    }

    // The same through a queue of vertices, of which all blocks take equal shares.
    __device__ void contract_and_gather() {
        const unsigned next = begin_step();
        auto out = writer(1 - p.current, next);
        const EdgeQueue edges = edges_of(p.current);
        const Gathered<decltype(this->op()), with_parents> op{this->op(), edges};
        Expansion contraction(edges, op, out, filter());
        visit_edges(edges, p.items, Scope::warps(), contraction);
        out.finish();
        grid.sync([&] {  // the other queue, its tail and the distances are complete
            trace.record(p.level, p.size, p.items, direction, Scope::mode, code_of::none);
            end_iteration(next);
        });
        gather_frontier();
    }

    // Levels of few edges, by the first cluster, until the frontier has grown or is empty. Afterwards it is in
    // the other queue.
    __device__ void run_small(unsigned set) {
        auto spill = writer(1 - p.current, set);
        unsigned level = p.level, queue = p.queue;  // the number of the frontier that a level fills
        auto filter = Algorithm::filter(space, SmallProgress{queue}, shared.filter);
        SmallFrontier<Offset, decltype(filter), Algorithm::single_block, decltype(spill)> frontier(shared.small.value, problem.graph, filter);
        frontier.take(space.vertices[p.current], p.size, spill);
        frontier.run(level, shared.last_level, problem.small_frontier_max_edges, spill,
            [&](unsigned, unsigned chunks) { frontier.expand(local_op(queue), chunks, spill); },
            [&](unsigned level, const SmallFrontierSize& count) {
                if (threadIdx.x == 0) trace.record(level, count.chunks - count.later, count.arcs, direction, small_mode(), code_of::none);
                ++queue;
                return true;
            });
        if (this->is_first()) control->progress.level = level;
    }

    static __device__ unsigned small_blocks() { return Algorithm::single_block ? 1 : cluster_size(); }
    static __device__ Mode small_mode() { return small_blocks() > 1 ? mode_cluster : mode_block; }

    __device__ void iterate_small() {
        const unsigned next = begin_step();
        if (blockIdx.x < small_blocks()) run_small(next);
        grid.sync([&] {  // what the cluster leaves is there
            const unsigned levels = control->progress.level - p.level;
            p.level += levels - 1;
            p.queue += levels - 1;
            end_iteration(next);
        });
        compact();
    }

    __device__ bool is_small() const {
        return p.items <= problem.small_frontier_max_edges &&
               p.size <= SmallFrontier<Offset, PassAll, Algorithm::single_block>::max_taken();
    }

    // Raise the threshold and queue the far vertices that are near now.
    __device__ void split() {
        const unsigned next = begin_step();
        const K threshold = raised(p.base);
        auto out = writer(p.current, next);
        K min_staying;
        if constexpr (Algorithm::has_list) {
            if (this->is_first()) *space.pile(p.splits + 2).size = 0;  // the last split read it
            const FarList pile = space.pile(p.splits);
            min_staying = split_list(pile.vertices, *pile.size, Bitmap{space.far}, space.distance, p.threshold, threshold,
                               unreachable, Scope::warps(), out, space.pile(p.splits + 1));
        } else {
            min_staying = split_far(Bitmap{space.far}, problem.graph.vertices, space.distance, p.threshold, threshold,
                              unreachable, Scope::warps(), out);
        }
        out.finish();
        min_staying = warp_min(min_staying);
        if (lane_id() == 0 && min_staying < unreachable) atomicMin(&control->counters[next].min_staying, min_staying);
        grid.sync([&] {  // the queue, its tail, the pile and the minimum are complete
            p.threshold = threshold;
            p.base = control->counters[next].min_staying;
            ++p.splits;
            ++p.consecutive_small_splits;
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
        if (Scope::is_first_block()) counters.clear(p.splits + 1);  // the last split's
        __syncthreads();  // the limits and zeros are there
        const K min_staying = warp_min(count_buckets(pile.vertices, size, Bitmap{space.far}, space.distance, p.threshold, unreachable,
                                                 Scope::warps(), block));
        if (lane_id() == 0 && min_staying < unreachable) atomicMin(&control->counters[next].min_staying, min_staying);
        __syncthreads();  // the block's vertices are counted
        if (threadIdx.x < bucket_count && block.sizes[threadIdx.x] > 0)
            atomicAdd(counters.sizes(p.splits) + threadIdx.x, block.sizes[threadIdx.x]);
        grid.sync([] {});  // all are, and the minimum is known
        block.place(counters.sizes(p.splits));
        __syncthreads();  // the places are there
        auto out = writer(p.current, next);
        scatter_buckets(pile.vertices, size, Bitmap{space.far}, space.distance, p.threshold, Scope::warps(), block, out,
                        counters.written(p.splits), sorted.vertices);
        out.finish();
        if (this->is_first()) *sorted.size = block.all_staying;
        grid.sync([&] {  // the queue, its tail and the sorted pile are complete
            const bool leaves = block.first < last_bucket;
            if (leaves) p.threshold = block.limits[block.first];
            if (block.all_staying == 0) p.base = unreachable;
            else p.base = leaves ? p.threshold : control->counters[next].min_staying;
            ++p.splits;
            end_step(next);
            shared.done = p.size == 0 && is_done();
        });
    }

    // Refill the frontier from the far pile, until it has a vertex or the search is done.
    __device__ void refill() {
        if constexpr (Algorithm::has_far) {
            while (p.size == 0 && !shared.done) {
                if constexpr (Algorithm::has_buckets) split_buckets();
                else split();
            }
        }
    }

    __device__ bool running() {
        refill();
        return has_frontier();
    }

    __device__ bool iterate() {
        if (with_async && is_async()) {
            if constexpr (with_async) iterate_async();
            return true;
        }
        if constexpr (Algorithm::has_small) {
            if (is_small()) iterate_small();
            if (!has_frontier()) return true;  // what is left, a hub's edges among it, is for the grid
        }
        if constexpr (Algorithm::contracts) {
            if (Algorithm::is_hybrid && p.items > Scope::threads()) contract_and_gather();
            else contract_expand();
        } else if constexpr (Algorithm::gathers) {
            if (!Algorithm::may_repeat || p.items <= space.edges.capacity) {
                gather();
                contract();
            } else {
                if constexpr (Algorithm::may_repeat) expand();
            }
        } else {
            expand();
        }
        compact();
        return !has_children;
    }

    __device__ void finish(bool) {
        if (problem.finishes && p.size == 0)  // never with children under way
            for (Count v = Scope::thread(); v < problem.graph.vertices; v += Scope::threads())
                Algorithm::finish(space, static_cast<Vertex>(v));
        if (traced && threadIdx.x == 0) {  // the last barrier was behind all that is counted
            add_counts(*control, shared.counts);
        }
    }

public:
    __device__ Program(const ProblemOf<Offset, Algorithm>& problem, const Sources& sources, const Run& launch,
                       const ProgramSpace<Offset, Distance>& space, const TraceRows& rows, Shared& shared)
        : Base(launch, space.control, rows, shared), problem(problem), sources(sources), space(space) {}
};

// As in warpath/cuda/program.py.
template <class Offset, class Algorithm>
struct ProgramArguments {
    ProblemOf<Offset, Algorithm> problem;
    Sources sources;
    Run run;
    ProgramSpace<Offset, typename Algorithm::Distance> space;
    TraceRows trace;
};

template <class Offset, class Algorithm, class Balance, bool with_async, bool traced, int threads>
__global__ void __launch_bounds__(threads, program_blocks<Offset, Algorithm, threads>)
program(const __grid_constant__ ProgramArguments<Offset, Algorithm> a) {
    __shared__ ProgramShared<Offset, Algorithm, Balance, with_async, threads> shared;
    Program<Offset, Algorithm, Balance, with_async, traced, threads>(a.problem, a.sources, a.run, a.space, a.trace, shared)
        .run(a.problem.max_level);
}

}  // namespace warpath

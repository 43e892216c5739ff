// A program: an algorithm × a balance, in one persistent kernel (engine/loop.cuh).
//
// The algorithm is a struct of hooks (below); the program runs its iterations:
//
//   push         A balance hands out the edges of the frontier; the algorithm's operator follows them, and its
//                filter says which vertices enter the next queue. There are two queues, which alternate; or one, in
//                which frontiers follow each other, if a vertex enters it once.
//   edge queue   The same in phases, through a queue of edges (engine/edge_phases.cuh).
//   small        A frontier of few edges is one cluster's, or one block's (engine/small_levels.cuh).
//   async        Blocks continue alone, without barriers of the grid (engine/async.cuh).
//   GPU-local    Likewise GPUs, without barriers of all GPUs (engine/gpu_local.cuh).
//   refill       When no near vertex is left, the far pile is split (engine/refill.cuh).
//   backwards    Once in a search, vertices look along their own edges for what was left out (engine/path_limit.cuh).
//
// With an infinite Δ all vertices are near. That is breadth-first search, if an edge adds 1 and a vertex is taken
// once; and Bellman-Ford with a frontier, the workfront sweep of Davidson et al., which takes negative weights.
//
// The contract of an algorithm
// ----------------------------
//     Weight, Distance, with_parents
//     static constexpr bool has_queue       false: every vertex is in the frontier of every iteration
//     static constexpr bool has_one_queue   whether a vertex enters a queue once in a search, so that one queue is enough
//     static constexpr bool has_far         whether vertices may be far; if not, Δ is infinite
//     static constexpr bool has_list        whether far vertices are in a list, not in a bitmap alone
//     static constexpr bool has_buckets     whether that list is sorted (frontier/buckets.cuh)
//     static constexpr bool settles         whether bound(problem, space, pile, before, workers), each lane's part of a
//                                           minimum over the list, says which far vertices are near next; Δ is 0
//     static constexpr bool starts_far      whether all vertices are far at first, listed by `reset`, and any edge may
//                                           bring its end nearer, so that far ones may be in the next bucket
//     static constexpr bool has_small       whether a small frontier is a cluster's; `single_block`: one block's
//     static constexpr bool has_bits        whether `far`, a bitmap, is used
//     static constexpr bool has_prefilter   whether `prefilter` is used: the vertices below `p.prefilter_limit`
//                                           (operators/prefiltered.cuh)
//     static constexpr bool has_path_limit  whether edges that offer much are left out for a while (engine/path_limit.cuh)
//     static constexpr bool has_classes     if it is there: columns have marks (operators/classified.cuh)
//     static constexpr bool gathers         whether there is an edge queue
//     static constexpr bool contracts       whether one has the frontier's edges before an iteration; `is_hybrid`: large
//                                           ones go through a queue of vertices as well
//     static constexpr bool lists_bits      whether the next frontier is a bitmap, listed once it is complete
//     static constexpr bool compacts        whether a complete queue is rid of its duplicates
//     static constexpr bool pulls           whether an edge's owner is its end
//     static constexpr bool relaxes         whether the operator's successes are counted, if traced
//     static constexpr bool may_repeat      whether a vertex may be several times in a frontier
//     static constexpr bool starts_everywhere  whether the first frontier has, after the sources, all vertices for which
//                                           the function that first_frontier(problem, space, sync) returns is true. It
//                                           may do more before; `sync` is a barrier of the grid
//     Operator op(problem, space, iteration[, p])  `iteration` is `p.queue`: 1 for the sources, 2 for the first frontier's
//                                           edges. An operator may keep references to it and to `p` instead of registers
//     Operator source_op(problem, space)    for the sources, if theirs is another
//     Operator local_op(problem, space, iteration)  in small frontiers and asynchronous blocks, if another: it must read
//                                           past L1 what the operator writes
//     Operator backwards_op(problem, space, iteration)  if has_path_limit: it is given edges' reverses
//     Filter async_filter(problem, space, p, shared)  in asynchronous blocks: it may let a vertex in again and again
//     Problem<Offset>                       what a launch is given, if more than `ProgramProblem`, its base
//     FilterTable<warps>                    what the filter remembers in shared memory
//     void prepare_graph(problem, workers)  before the first iteration, if it writes more about the graph
//     void prepare(table)                   before the first iteration, by all threads of the block
//     Filter filter(space, p, shared)       which vertices enter the next queue (operators/operator.cuh);
//                                           `shared.any` becomes true where a vertex is far, or changes
//     Bits prefilter(space, limit)          if has_prefilter: the bits that a split of the far pile sets (frontier/near_far.cuh)
//     Writer<Offset, Limit>, Limit          how they are written there (frontier/queue.cuh)
//     Limit limit(problem, space, p)
//     Offer                                 what edges offer, if has_path_limit, or on several GPUs
//     distances(space)                      the vertices' distances, as a pointer or what acts as one; `space.distance` by default
//     Value, values(space)                  what GPUs read of each other's vertices, an element for each, if they are several;
//                                           offer_in(value), distance_in(&value): what it says
//     void reset(space, v)                  before the first iteration
//     void finish(space, v)                 once the frontier is empty: distance[v] as the caller wants it. Not where
//                                           `max_level` ends the search before, or the problem says not `finishes`
#pragma once

#include "engine/async.cuh"
#include "engine/gpu_local.cuh"
#include "engine/edge_phases.cuh"
#include "engine/expansion.cuh"
#include "engine/inspecting.cuh"
#include "engine/loop.cuh"
#include "engine/program_child.cuh"
#include "engine/program_state.cuh"
#include "engine/refill.cuh"
#include "engine/small_levels.cuh"
#include "frontier/bitmap_queue.cuh"
#include "frontier/lookup_compaction.cuh"
#include "frontier/queue.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

// Edges of an iteration that takes hardly longer than one of none. Half as many are 5 % slower on meshes.
constexpr unsigned few_edges = 1u << 20;

// What another GPU has of each vertex.
template <class Algorithm>
__device__ __forceinline__ const typename Algorithm::Value* values_of(const Peer& peer) {
    return static_cast<const typename Algorithm::Value*>(peer.values);
}

// All is public for the headers that run iterations, or parts of them.
template <class Offset_, class Algorithm_, class Balance_, bool with_async, bool traced_, int threads, class Scope_ = GridScope>
struct Program
    : Loop<Program<Offset_, Algorithm_, Balance_, with_async, traced_, threads, Scope_>,
           typename Scope_::template ControlOf<ProgramControl<Offset_, typename Algorithm_::Distance>>,
           ProgramShared<Offset_, Algorithm_, Balance_, with_async, threads>, traced_, Scope_> {
    using Offset = Offset_;
    using Algorithm = Algorithm_;
    using Balance = Balance_;
    using Scope = Scope_;
    using Weight = typename Algorithm::Weight;
    using Distance = typename Algorithm::Distance;
    using K = Key<Distance>;
    using Shared = ProgramShared<Offset, Algorithm, Balance, with_async, threads>;
    using Control = typename Scope::template ControlOf<ProgramControl<Offset, Distance>>;
    using Base = Loop<Program, Control, Shared, traced_, Scope>;
    using Base::begin_step, Base::control, Base::grid, Base::has_frontier, Base::is_first, Base::own_tail, Base::p, Base::shared, Base::total, Base::trace;
    static constexpr bool several_gpus = Scope::several_gpus;
    static constexpr bool may_go_alone = several_gpus && with_async && !Algorithm::has_prefilter && !Algorithm::has_path_limit;
    static constexpr bool traced = traced_, has_async = with_async, with_parents = Algorithm::with_parents;
    static constexpr K unreachable = Ordered<Distance>::unreachable;
    // Whether blocks note that a vertex is far, or changed.
    static constexpr bool signals = Algorithm::has_far || !Algorithm::has_queue;
    static constexpr TraceDirection direction = Algorithm::pulls ? trace_bottom_up : trace_top_down;
    static constexpr bool has_children = launches_children<Balance>;
    // What children find is there too late for these.
    static_assert(!has_children || !(Algorithm::lists_bits || Algorithm::compacts || Algorithm::gathers || Algorithm::contracts));
    // These fill a queue again, or take its number for another's.
    static_assert(!Algorithm::has_one_queue || !(Algorithm::has_far || Algorithm::lists_bits || Algorithm::compacts || Algorithm::contracts));
    // What other GPUs tell enters a queue of vertices, each with its value.
    static_assert(!several_gpus || (Algorithm::has_queue && Algorithm::relaxes && !(has_children || Algorithm::has_one_queue || Algorithm::has_list || Algorithm::may_repeat ||
                                    Algorithm::lists_bits || Algorithm::compacts || Algorithm::gathers || Algorithm::contracts || Algorithm::has_small)));

    const ProblemOf<Offset, Algorithm>& problem;
    const Sources& sources;
    const ProgramSpace<Offset, Distance>& space;
    const typename Scope::Others& others;

    __device__ Program(const ProblemOf<Offset, Algorithm>& problem, const Sources& sources, const Run& launch,
                       const ProgramSpace<Offset, Distance>& space, const TraceRows& rows, Shared& shared, const typename Scope::Others& others = {})
        : Base(launch, static_cast<Control*>(space.control), rows, shared, others), problem(problem), sources(sources), space(space), others(others) {
        if constexpr (may_go_alone) {
            grid.alone = goes_alone();
            grid.shares_flag = !goes_alone();  // each has split its far pile as often as it did
        }
    }

    // Whether this GPU goes on alone (engine/gpu_local.cuh).
    __device__ bool goes_alone() const { return may_go_alone && problem.target == invalid_vertex; }

    // Into a queue (`queue_at`).
    __device__ typename Algorithm::template Writer<Offset> writer(unsigned queue, unsigned set) {
        return {shared.staging.own(), problem.graph.row_offsets,
                queue_at<Algorithm>(space, queue, &control->counters[set].tail), Algorithm::limit(problem, space, p)};
    }
    __device__ Segments<Offset> frontier() const {
        const auto queue = queue_at<Algorithm>(space, p.current, nullptr);
        return {queue.vertices, queue.prefix, own_size(), own_items()};
    }

    // A vertex's distance, as its owner has it.
    __device__ K distance_of(Vertex v) const {
        if constexpr (several_gpus) {
            for (unsigned gpu = 0; gpu < others.count; ++gpu) {
                const Peer& peer = others.all[gpu];
                if (peer.begin <= v && v < peer.end) return load_system(Algorithm::distance_in(values_of<Algorithm>(peer) + v));
            }
        }
        return load_relaxed(Algorithm::distances(space) + v);
    }

    // The vertices that this GPU owns.
    __device__ Vertex own_begin() const {
        if constexpr (several_gpus) return others.begin;
        else return 0;
    }
    __device__ Vertex own_end() const {
        if constexpr (several_gpus) return others.end;
        else return problem.graph.vertices;
    }

    // This GPU's part of the frontier.
    __device__ unsigned own_size() const { return several_gpus ? Tail<Offset>::vertices(own_tail()) : p.size; }
    __device__ Offset own_items() const { return several_gpus ? Tail<Offset>::arcs(own_tail()) : p.items; }

    __device__ auto plain_op(const unsigned& iteration) const { return operator_of<Algorithm>(problem, space, iteration, p); }
    __device__ auto op() { return counted<traced && Algorithm::relaxes>(plain_op(p.queue), shared.counts); }
    __device__ auto filter() { return Scope::filter(Algorithm::filter(space, p, shared.filter), others); }

    // The operator where frontiers stay in blocks: their barriers drop nothing of L1 (engine/small_frontier.cuh).
    __device__ auto local_op(const unsigned& iteration) const {
        if constexpr (requires { Algorithm::local_op(problem, space, iteration); }) return Algorithm::local_op(problem, space, iteration);
        else return plain_op(iteration);
    }

    // The queue that was filled is the frontier.
    __device__ void take_queue(Count tail) {
        p.size = Tail<Offset>::vertices(tail);
        p.items = Tail<Offset>::arcs(tail);
    }

    // The first thread of each block ends a step.
    __device__ void end_step(unsigned set) {
        take_queue(goes_alone() ? control->counters[set].tail : total(set).tail);
        ++p.step;
    }

    // Likewise an iteration. If it is not complete, what its children find is not there yet.
    template <bool complete = !has_children>
    __device__ void end_iteration(unsigned set) {
        find_marks();
        if constexpr (Algorithm::has_one_queue) p.current += p.size;  // the frontier's, until the next tail is read
        if constexpr (!complete) {
            ++p.step;
        } else if constexpr (Algorithm::has_queue) {
            end_step(set);
        } else {
            if (control->counters[set].tail == 0) p.size = 0;
            ++p.step;
        }
        if constexpr (Algorithm::has_queue && !Algorithm::has_one_queue) p.current = 1 - p.current;
        ++p.level;
        ++p.queue;
        if constexpr (signals) shared.filter.any = false;
        if constexpr (may_go_alone) shared.local.value.has_worked = true;
        if constexpr (Algorithm::has_path_limit) p.backwards = false;
        if constexpr (Algorithm::has_far) shared.done = complete && p.size == 0 && is_done(*this);
    }

    // Read it in the launch after that.
    __device__ void end_children() {
        find_marks();
        const Count tail = control->counters[p.step % 3].tail;
        if constexpr (Algorithm::has_queue) take_queue(tail);
        else if (tail == 0) p.size = 0;
        shared.done = p.size == 0 && is_done(*this);
    }

    // What `signal_any` wrote before the barrier. A late block may read what another wrote in the next iteration; then
    // there is one, and the base is not read before its end.
    __device__ void find_marks() {
        if constexpr (Algorithm::has_far) {  // while the tail is being loaded, not after it
            if (Algorithm::starts_far || control->flag == p.splits + 1) p.base = p.threshold;
        }
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
            shared.staging.own(), problem.graph.row_offsets,
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
        else return plain_op(p.queue);
    }

    // Reset what the kernel writes, with all threads of the grid; then queue the sources.
    __device__ void start() {
        const Count thread = Scope::thread(), all = Scope::threads();
        const Vertex n = problem.graph.vertices;
        for (Count v = thread; v < n; v += all) Algorithm::reset(space, static_cast<Vertex>(v));
        if constexpr (Algorithm::has_bits) {
            for (Count word = thread; word < words_of(n); word += all) {
                space.far[word] = 0;
                if constexpr (Algorithm::has_prefilter) space.prefilter[word] = 0;
            }
        }
        if constexpr (Algorithm::has_buckets) {
            for (Count i = thread; i < bucket_counters; i += all) space.buckets().counts[i] = 0;
        }
        if constexpr (requires { Algorithm::prepare_graph(problem, Scope::warps()); }) Algorithm::prepare_graph(problem, Scope::warps());
        grid.sync([&] {  // all is unreachable, and nothing or everything is far
            p = {};
            p.queue = 1;
            p.threshold = first_threshold(*this);
            p.prefilter_limit = prefilter_limit(*this, p.threshold);
            p.base = Algorithm::starts_far ? 0 : unreachable;
            p.path_limit = unreachable;
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
            const bool taken = update_source(op, v, offer, mine);
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
            shared.done = p.size == 0 && is_done(*this);
            if constexpr (may_go_alone) shared.local.value = {horizon_above(*this, p.threshold), true, false};
        });
        if constexpr (Algorithm::contracts) gather_frontier(*this);
    }

    __device__ void resumed() {
        if constexpr (has_children) end_children();
    }

    // Other GPUs' vertices that this iteration has lowered are their owners', and theirs of mine enter the queue.
    template <class Out>
    __device__ void exchange(Out& out) {
        if constexpr (several_gpus) {
            grid.sync([] {});  // all GPUs' bits and distances are there
            const auto op = this->op();
            const auto filter = this->filter();
            for_each_told(others, Scope::warps(), [&](const Peer& peer, const Vertex (&v)[told_together], const bool (&pred)[told_together]) {
                static_assert(told_together <= Out::rows);
                typename Algorithm::Offer offer[told_together];
                bool taken[told_together];
                unsigned entry[told_together];
#pragma unroll
                for (int j = 0; j < told_together; ++j) offer[j] = Algorithm::offer_in(load_system_if(values_of<Algorithm>(peer) + v[j], pred[j]));
#pragma unroll
                for (int j = 0; j < told_together; ++j) taken[j] = update_source(op, v[j], offer[j], pred[j]);
#pragma unroll
                for (int j = 0; j < told_together; ++j) entry[j] = filter.test(v[j], offer[j], taken[j]);
#pragma unroll
                for (int j = 0; j < told_together; ++j) out.push(v[j], filter.passes(v[j], offer[j], entry[j]));
                out.flush();
            });
        }
    }

    // Other GPUs' vertices have what their owners say.
    __device__ void read_others() {
        if constexpr (several_gpus) {
            copy_values_by_call(others, Algorithm::values(space), Scope::thread(), Scope::threads());
            grid.sync([] {});  // all have read, so owners may lower theirs
        }
    }

    // Hand out the frontier's edges.
    template <class Body>
    __device__ int push(Body& body) {
        const Resources resources = space.balance.resources(shared.push.balance[warp_in_block()], space.n, Scope::for_balance(grid, shared.barrier_target));
        if (several_gpus && own_size() == 0) return code_of::none;
        return Balance::advance(frontier(), problem.graph.row_offsets, Scope::warps(), resources, body);
    }

    // Hand out the same edges as those that lead there (engine/path_limit.cuh).
    template <class Out>
    __device__ int push_backwards(Out& out) {
        const auto op = counted<traced>(Algorithm::backwards_op(problem, space, p.queue), shared.counts);
        Expansion expansion(problem.graph, op, out, filter());
        return push(expansion);
    }

    // The edges' ends go to the other queue, if the operator and the filter let them.
    __device__ void expand() {
        const unsigned next = begin_step();
        auto out = writer(next_queue<Algorithm>(p), next);
        const auto op = this->op();
        Expansion expansion(problem.graph, op, out, filter(), own_survivors(shared.push.survivors));
        // Where vertices may be left out, the number of visited edges is not the frontier's.
        constexpr bool inspects = traced && !has_children && requires { op.expands(0); };
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
            if constexpr (Algorithm::has_path_limit) {
                if (p.backwards) code = push_backwards(out);
                else code = push(expansion);
            } else {
                code = push(expansion);
            }
        }
        expansion.finish();
        list_bits(out);
        if (!goes_alone()) exchange(out);
        out.finish();
        // The next queue, its tail and the distances are complete.
        grid.sync([&] { if (signals && shared.filter.any) signal_any<Algorithm>(control, p, next); }, [&] {
            trace.record(p.level, p.size, inspects ? control->counters[next].inspected : p.items, p.backwards ? trace_bottom_up : direction, Scope::mode, code);
            if constexpr (Algorithm::has_far) {
                p.bucket_edges += p.items;
                if (with_async || p.items > few_edges) p.consecutive_small_splits = 0;
            }
            set_path_limit(*this);  // a hub's edges may all be in one bucket
            if constexpr (with_async) p.overflowed = false;
            end_iteration(next);
        });
    }

    __device__ bool running() {
        // The prefilter's bits of other GPUs' vertices are what their owners know. They set more meanwhile, which may be
        // seen or not. Anywhere else this takes registers.
        if constexpr (several_gpus && Algorithm::has_prefilter) copy_words_by_call(others, 1, space.prefilter, Scope::thread(), Scope::threads());
        if constexpr (may_go_alone) {
            if (goes_alone()) return refill_alone(*this);
        }
        refill(*this);
        return has_frontier();
    }

    __device__ bool iterate() {
        if (with_async && is_async(*this)) {
            if constexpr (with_async) iterate_async(*this);
            return true;
        }
        if constexpr (Algorithm::has_small) {
            if (is_small(*this)) iterate_small(*this);
            if (!has_frontier()) return true;  // what is left, a hub's edges among it, is for the grid
        }
        if constexpr (Algorithm::contracts) {
            if (Algorithm::is_hybrid && p.items > Scope::threads()) contract_and_gather(*this);
            else contract_expand(*this);
        } else if constexpr (Algorithm::gathers) {
            if (!Algorithm::may_repeat || p.items <= space.edges.capacity) {
                gather(*this);
                contract(*this);
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
        if (traced && threadIdx.x == 0) {  // the block has counted all before the last barrier
            add_counts(*control, shared.counts);
        }
    }
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

// The same on several GPUs.
template <class Offset, class Algorithm>
struct MultiGpuProgramArguments {
    ProgramArguments<Offset, Algorithm> program;
    Peers peers;
};

template <class Offset, class Algorithm, class Balance, bool with_async, bool traced, int threads>
__global__ void __launch_bounds__(threads, program_blocks<Offset, Algorithm, threads>)
multi_gpu_program(const __grid_constant__ MultiGpuProgramArguments<Offset, Algorithm> all) {
    __shared__ ProgramShared<Offset, Algorithm, Balance, with_async, threads> shared;
    const auto& a = all.program;
    Program<Offset, Algorithm, Balance, with_async, traced, threads, MultiGpuScope>(a.problem, a.sources, a.run, a.space, a.trace, shared, all.peers)
        .run(a.problem.max_level);
}

}  // namespace warpath

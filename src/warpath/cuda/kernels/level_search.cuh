// Breadth-first search level by level, top-down: operator × balance × frontier policy.
//
// traverse.cuh is the engine that is fast; this one runs the frontiers of the papers. A policy says how
// the next frontier comes to be, a way to drop duplicates (frontier/duplicates.cuh) who enters it, a
// balance (balance/balance.cuh) who follows which arc:
//
//     VertexQueue       the vertices that arcs find are queued, with their prefix sums (frontier/queue.cuh)
//     EdgeQueue         arcs are gathered, then filtered into a queue of vertices (frontier/edge_queue.cuh)
//     BitmapFrontier    arcs set bits, which are then queued (frontier/bitmap_queue.cuh)
//     TopologyDriven    nothing is queued: all vertices, in every level (frontier/topology_driven.cuh)
//
// To a balance all of them are `Segments`. One cooperative launch runs all levels, in *phases* that end
// at a barrier of the grid, where the first thread of each block brings the block's `LevelProgress` up
// to date from the same counters as all others. Three tails rotate over the phases that count something,
// as in traverse.cuh. With `iterations` = 1 a launch runs one level: that is loop="host".
//
// A queue that is read and one that is written take turns. Where a vertex may be queued several times,
// it is written with `HeavyOnce`.
#pragma once

#include "balance/balance.cuh"
#include "core/grid_barrier.cuh"
#include "expansion.cuh"
#include "frontier/bitmap_queue.cuh"
#include "frontier/culling.cuh"
#include "frontier/edge_queue.cuh"
#include "frontier/hash_table.cuh"
#include "frontier/lookup_compaction.cuh"
#include "frontier/queue.cuh"
#include "frontier/topology_driven.cuh"
#include "narrow.cuh"
#include "operators/visit_swept.cuh"
#include "trace.cuh"

namespace warpath {

enum class Next { vertex_queue, edge_queue, bitmap, all };

template <class Duplicates_>
struct VertexQueue {
    using Duplicates = Duplicates_;
    static constexpr Next next = Next::vertex_queue;
    static constexpr bool pulls = false, has_narrow = false;
    template <class Offset, class Limit>
    using Writer = QueueWriter<Offset, Limit>;
};

// The same, but written otherwise (frontier/queue.cuh): vertices take their places one by one,
template <class Policy>
struct Scattered : Policy {
    template <class Offset, class Limit>
    using Writer = ScatteredWriter<Offset, Limit>;
};
// or by warps.
template <class Policy>
struct Summed : Policy {
    template <class Offset, class Limit>
    using Writer = SummedWriter<Offset, Limit>;
};

// A vertex queue whose levels of few arcs are one block's: the single-block kernel of BFS-4K, which keeps
// its frontier in shared memory (narrow.cuh).
template <class Policy>
struct WithSingleBlock : Policy {
    static constexpr bool has_narrow = true;
};

template <class Duplicates_>
struct EdgeThenVertexQueue : VertexQueue<Duplicates_> {
    static constexpr Next next = Next::edge_queue;
};

struct BitmapFrontier : VertexQueue<KeepDuplicates> {
    static constexpr Next next = Next::bitmap;
};

// `Operator` is of operators/visit_swept.cuh; with VisitGathered the graph is the reverse one.
template <template <bool> class Operator_>
struct TopologyDriven : VertexQueue<KeepDuplicates> {
    static constexpr Next next = Next::all;
    static constexpr bool pulls = !requires(const Operator_<false>& op) { op.expands(0); };
    template <bool with_predecessors>
    using Operator = Operator_<with_predecessors>;
};

template <class Offset>
struct LevelProgress {
    unsigned level;    // of the frontier's vertices
    unsigned step;     // phases so far that counted something: which tail is whose
    unsigned size;     // vertices of the frontier; 0 ends the search
    unsigned current;  // which queue it is in
    Offset items;      // its arcs
};

// Zeroed before the first launch; `arrived` before each.
template <class Offset>
struct LevelControl {
    unsigned arrived;  // of the grid barrier
    unsigned unused;
    LevelProgress<Offset> progress;
    Count tail[3];
    Count inspected[3];
};

template <class Offset>
struct LevelProblem {
    Csr<Offset> graph;
    unsigned depth_limit;
    unsigned narrow_items;  // frontiers of at most so many arcs are one block's, if the policy has that
};

template <class Offset>
struct LevelSpace {
    int *distance, *predecessor;
    Vertex* vertices[2];  // the queues; the second is null if frontiers come in phases of their own
    Offset* prefix[2];
    void* status;     // of the operator (frontier/duplicates.cuh); a bitmap of BitmapFrontier
    unsigned* stamp;  // n, if a vertex may be queued several times
    unsigned* table;  // n, if queues are compacted
    EdgeQueue edges;
    LevelControl<Offset>* control;
    BalanceMemory balance;
};

template <class Offset, bool enabled>
struct NarrowShared {
    NarrowQueues<Offset> queues;
};
template <class Offset>
struct NarrowShared<Offset, false> {};

template <class Offset, class Policy, class Balance, int threads>
struct LevelShared {
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr unsigned scratch = Balance::template scratch_bytes<Offset>;

    LevelProgress<Offset> progress;
    unsigned last_level;  // where this launch stops
    unsigned filling;     // the number of the queue that is filled: of the phase, counted from 1
    Count gathered;       // edges of the edge queue
    unsigned barrier_target;
    Count trace_before;
    Vertex kept[warps][QueueWriter<Offset>::places];
    typename Policy::Duplicates::template Shared<static_cast<int>(warps)> filter;
    union {  // the grid's levels and one block's take turns
        __align__(16) unsigned char balance[warps][scratch > 0 ? scratch : 16];
        NarrowShared<Offset, Policy::has_narrow> narrow;
    };
};

// Hands arcs on and counts them.
template <class Body>
struct Inspecting {
    static constexpr bool needs_owner = Body::needs_owner;
    static constexpr bool takes_all_arcs = warpath::takes_all_arcs<Body>;
    Body& body;
    unsigned arcs_seen = 0;

    __device__ explicit Inspecting(Body& body) : body(body) {}
    __device__ bool expands(Vertex u) const requires requires { body.expands(u); } { return body.expands(u); }
    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        arcs_seen += static_cast<unsigned>(__popc(active));
        body.visit(owner, arc, active);
    }
};

template <class Offset, class Policy, class Balance, bool with_predecessors, bool traced, int threads>
class LevelSearch {
    using Duplicates = typename Policy::Duplicates;
    static constexpr bool sweeps = Policy::next == Next::all;
    static constexpr bool drops_all = Duplicates::exact || Duplicates::compacts;
    // A queue is compacted into the one that was read.
    static constexpr bool takes_turns = !sweeps && Policy::next != Next::bitmap && !Duplicates::compacts;

    const LevelProblem<Offset>& problem;
    const Sources& sources;
    const Run& launch;
    const LevelSpace<Offset>& space;
    LevelControl<Offset>* const control;
    LevelShared<Offset, Policy, Balance, threads>& shared;
    LevelProgress<Offset>& p;  // each block's own, written by its first thread while the others wait
    GridBarrier grid;
    Trace<traced> trace;

    __device__ bool goes_on() const { return p.size > 0 && p.level < shared.last_level; }

    // Into one of the queues.
    template <class Limit>
    __device__ auto writer(unsigned queue, unsigned tail, const Limit& limit) {
        return typename Policy::template Writer<Offset, Limit>(
            shared.kept[warp_in_block()], problem.graph.row_offsets,
            Queue<Offset>{space.vertices[queue], space.prefix[queue], &control->tail[tail]}, limit);
    }

    // The same where vertices come as often as the duplicates' filter lets them.
    __device__ auto filtering_writer(unsigned queue, unsigned tail) {
        const Csr<Offset>& graph = problem.graph;
        if constexpr (Duplicates::exact) return writer(queue, tail, NoCrowding{});
        else return writer(queue, tail, HeavyOnce{{space.stamp, shared.filling, graph.vertices, read_only(graph.row_offsets + graph.vertices)}});
    }

    // What an arc into this level does.
    __device__ auto op(unsigned level) const {
        return Duplicates::template op<with_predecessors>(space.status, space.distance, space.predecessor, static_cast<int>(level));
    }
    // The same in sweeps.
    __device__ auto sweeping_op() const {
        return typename Policy::template Operator<with_predecessors>{space.distance, space.predecessor, static_cast<int>(p.level + 1)};
    }

    // The number of this phase's tail; the one after it is cleared for the phase after this.
    __device__ unsigned begin_step() {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            control->tail[(p.step + 2) % 3] = 0;
            control->inspected[(p.step + 2) % 3] = 0;
        }
        return (p.step + 1) % 3;
    }

    // The first thread of each block ends a phase that counted.
    __device__ void end_step() {
        ++p.step;
        shared.filling = p.step + 1;
    }
    // Likewise: the queue that was filled is the frontier.
    __device__ void take_queue(unsigned tail) {
        p.size = Tail<Offset>::vertices(control->tail[tail]);
        p.items = Tail<Offset>::arcs(control->tail[tail]);
        end_step();
    }
    // Likewise: the frontier was expanded.
    __device__ void end_level(Count arcs, int code) {
        trace.record(p.level, p.size, arcs, Policy::pulls ? way_bottom_up : way_top_down, mode_grid, code);
        ++p.level;
    }

    // Hand out the frontier's arcs.
    template <class Body>
    __device__ int hand_out(Body& body) {
        const Segments<Offset> frontier{space.vertices[p.current], space.prefix[p.current], p.size, p.items};
        const Room room = space.balance.room(shared.balance[warp_in_block()], problem.graph.vertices, grid);
        return Balance::advance(frontier, problem.graph.row_offsets, grid_warps(), room, body);
    }

    // ---- phases ----------------------------------------------------------------------------------

    // The arcs' targets go to the other queue.
    __device__ void expand() {
        const unsigned next = begin_step();
        auto out = filtering_writer(1 - p.current, next);
        const auto visit = op(p.level + 1);
        Expansion expansion(problem.graph, visit, out, Duplicates::filter(shared.filter));
        const int code = hand_out(expansion);
        out.finish();
        grid.sync([&] {  // the other queue, its tail and the distances are complete
            end_level(p.items, code);
            finish_queue(next);
        });
    }

    __device__ void finish_queue(unsigned next) {
        take_queue(next);
        if constexpr (takes_turns) p.current = 1 - p.current;
    }

    // The arcs go to the edge queue.
    __device__ void gather() {
        const unsigned next = begin_step();
        Gathering<Offset, with_predecessors> gathering{problem.graph.column_indices, space.edges, &control->tail[next]};
        const int code = hand_out(gathering);
        grid.sync([&] {  // the edge queue is complete
            end_level(p.items, code);
            shared.gathered = control->tail[next];
            end_step();
        });
    }

    // Those that lead to a vertex that was not reached before go to the other queue.
    __device__ void contract() {
        const unsigned next = begin_step();
        auto out = filtering_writer(1 - p.current, next);
        const auto visit = op(p.level);
        Expansion contraction(space.edges, visit, out, Duplicates::filter(shared.filter));
        visit_edges(space.edges, shared.gathered, grid_warps(), contraction);
        out.finish();
        grid.sync([&] { finish_queue(next); });  // the other queue, its tail and the distances are complete
    }

    // The other queue goes to this one, each vertex once.
    __device__ void compact() {
        const Vertex* const queue = space.vertices[1 - p.current];
        mark_places(queue, p.size, space.table, grid_warps());
        grid.sync([] {});  // the table is complete
        const unsigned next = begin_step();
        auto out = writer(p.current, next, NoCrowding{});
        compact_queue(queue, p.size, space.table, grid_warps(), out);
        out.finish();
        grid.sync([&] { take_queue(next); });  // the queue is complete
    }

    // The arcs' targets get their bits.
    __device__ void expand_into_bits() {
        begin_step();
        BitmapWriter bits{{static_cast<unsigned*>(space.status)}};
        const auto visit = op(p.level + 1);
        Expansion expansion(problem.graph, visit, bits);
        const int code = hand_out(expansion);
        grid.sync([&] {  // the bitmap and the distances are complete
            end_level(p.items, code);
            end_step();
        });
    }

    __device__ void list_bits() {
        const unsigned next = begin_step();
        auto out = writer(p.current, next, NoCrowding{});
        queue_bits(Bitmap{static_cast<unsigned*>(space.status)}, problem.graph.vertices, grid_warps(), out);
        out.finish();
        grid.sync([&] { take_queue(next); });  // the queue and its tail are complete
    }

    // Every vertex is looked at, and it is noted whether somebody was found.
    __device__ void sweep_all() {
        const unsigned next = begin_step();
        bool any = false;
        NoQueue nowhere;
        const auto visit = sweeping_op();
        Expansion expansion(problem.graph, visit, nowhere, NoteAny(any));
        int code;
        if constexpr (traced && !Policy::pulls) {
            Inspecting inspecting(expansion);
            code = hand_out(inspecting);
            const Count seen = warp_sum(Count{inspecting.arcs_seen});
            if (lane_id() == 0 && seen > 0) atomicAdd(&control->inspected[next], seen);
        } else {
            code = hand_out(expansion);
        }
        if (any_lane(any) && lane_id() == 0) atomicAdd(&control->tail[next], Count{1});
        grid.sync([&] {  // the distances and the counts are complete
            end_level(traced && !Policy::pulls ? control->inspected[next] : p.items, code);
            if (control->tail[next] == 0) p.size = 0;
            end_step();
        });
    }

    // Levels of few arcs, by the first block, until the frontier has grown or is empty. Afterwards it is in
    // the other queue.
    __device__ void run_alone(unsigned next) {
        auto spill = filtering_writer(1 - p.current, next);
        const auto filter = Duplicates::filter(shared.filter);
        using Narrow = NarrowFrontier<Offset, decltype(Duplicates::filter(shared.filter)), true, decltype(filtering_writer(0, 0))>;
        Narrow frontier(shared.narrow.queues, problem.graph, filter);
        unsigned level = p.level;
        frontier.take(space.vertices[p.current], p.size, spill);
        NarrowCount count = frontier.turn();
        while (count.chunks > 0 && count.spilled == 0 && count.arcs <= problem.narrow_items && level < shared.last_level) {
            frontier.expand(op(level + 1), count.chunks, spill);
            const NarrowCount after = frontier.turn();
            if (threadIdx.x == 0) trace.record(level, count.chunks - count.later, count.arcs, way_top_down, mode_block, code_of::none);
            count = after;
            ++level;
        }
        if (count.chunks > 0) frontier.leave(spill);
        spill.finish();
        if (threadIdx.x == 0) control->progress.level = level;
    }

    __device__ void narrow_levels() {
        const unsigned next = begin_step();
        if (blockIdx.x == 0) run_alone(next);
        grid.sync([&] {  // what the block leaves is there
            p.level = control->progress.level;
            finish_queue(next);
        });
        if constexpr (Duplicates::compacts) compact();
    }

    __device__ bool is_narrow() const {
        return p.items <= problem.narrow_items && p.size <= NarrowFrontier<Offset, AdmitAll, true>::most_taken();
    }

    __device__ void run_level() {
        if constexpr (Policy::has_narrow) {
            if (is_narrow()) narrow_levels();
            if (!goes_on()) return;  // what is left, a hub's arcs among it, is for the grid
        }
        if constexpr (sweeps) {
            sweep_all();
        } else if constexpr (Policy::next == Next::bitmap) {
            expand_into_bits();
            list_bits();
        } else {
            if constexpr (Policy::next != Next::edge_queue) {
                expand();
            } else if (drops_all || p.items <= space.edges.places) {
                gather();
                contract();
            } else {
                if constexpr (!drops_all) expand();
            }
            if constexpr (Duplicates::compacts) compact();
        }
    }

    // ---- beginning and end -----------------------------------------------------------------------

    // Nothing is reached but the sources, which are the frontier.
    __device__ void start() {
        const Count thread = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
        const Vertex n = problem.graph.vertices;
        for (Count v = thread; v < n; v += all) {
            space.distance[v] = -1;
            if constexpr (with_predecessors) space.predecessor[v] = -1;
            if constexpr (!Duplicates::exact && !sweeps && Policy::next != Next::bitmap) space.stamp[v] = 0;
            if constexpr (Policy::next == Next::bitmap) StatusBitmap::reset(space.status, static_cast<Vertex>(v));
            else Duplicates::reset(space.status, static_cast<Vertex>(v));
        }
        grid.sync([&] {  // everything is unreached
            p = {0, 0, 0, 0, 0};
            shared.filling = 1;
            shared.last_level = min(problem.depth_limit, launch.iterations);
        });
        const unsigned next = begin_step();
        auto out = writer(0, next, NoCrowding{});
        const Workers workers = grid_warps();
        const auto visit = op(0);
        for (unsigned first = workers.rank * warp_lanes; first < sources.count; first += workers.count * warp_lanes) {
            const unsigned i = first + lane_id();
            const bool mine = i < sources.count;
            const Vertex v = mine ? sources[i] : 0;
            const Nothing nothing;
            const bool taken = visit.won(v, nothing, visit.claim(v, nothing, mine));
            if (taken) visit.settle(nobody, v, nothing);
            if constexpr (!sweeps) {
                out.keep(v, taken);
                out.flush();
            }
        }
        if constexpr (sweeps) {
            for (Count first = Count{workers.rank} * warp_lanes; first < n; first += Count{workers.count} * warp_lanes) {
                const Count v = first + lane_id();
                out.keep(static_cast<Vertex>(v), v < n);
                out.flush();
            }
        }
        out.finish();
        grid.sync([&] { take_queue(next); });  // the first queue is complete
    }

    // Go on where another launch stopped.
    __device__ void resume() {
        block_sync([&] {
            p = control->progress;
            shared.filling = p.step + 1;
            shared.last_level = static_cast<unsigned>(min(Count{problem.depth_limit}, Count{p.level} + launch.iterations));
        });
        grid.sync([] {});  // all blocks have read it, so block 0 may change it
    }

public:
    __device__ LevelSearch(const LevelProblem<Offset>& problem, const Sources& sources, const Run& launch,
                           const LevelSpace<Offset>& space, const TraceRows& rows, LevelShared<Offset, Policy, Balance, threads>& shared)
        : problem(problem), sources(sources), launch(launch), space(space), control(space.control), shared(shared), p(shared.progress),
          grid(&space.control->arrived, shared.barrier_target), trace(rows, shared.trace_before) {}

    __device__ void run() {
        trace.start();
        Duplicates::prepare(shared.filter);  // the barrier that follows makes it visible
        if (launch.resumes) resume();
        else start();
        while (goes_on()) run_level();
        if (blockIdx.x == 0 && threadIdx.x == 0) control->progress = p;
    }
};

}  // namespace warpath

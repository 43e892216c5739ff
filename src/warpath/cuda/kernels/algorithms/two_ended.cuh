// Breadth-first searches from two ends, until an arc joins them: operator × balance × frontier, in
// one persistent kernel (engine/loop.cuh). After each level all blocks take the same decisions:
//
//   which side    The search whose frontier has fewer arcs does a whole level; the other
//                 waits. The one from the target follows arcs backwards, in the reverse graph.
//   small         The frontier has few arcs: the first cluster of blocks runs levels of it alone
//                 (engine/small_frontier.cuh). It stays with one search until that has `lead` times as many arcs
//                 as the other, since a frontier's way into shared memory and out of it takes as
//                 long as some levels. The other blocks wait at one grid barrier.
//   large         All warps of the grid share a level; one grid barrier ends it.
//   the end       An arc joins the searches, or a frontier is empty: then there is no path. After f
//                 and b levels without a meeting, no path has f + b arcs or fewer; so any arc that
//                 joins them in the next level closes a shortest one, of f + 1 + b arcs. A warp that sees
//                 that they met stops (`StopWhenMet`).
//
// It is no algorithm of engine/program.cuh: each search has a graph, a queue and a balance's memory of its own, and a level
// takes one of the two. A program whose graph is chosen for each level takes 64 registers without spills as well (ptxas,
// CUDA 13.5, sm_90), but then all programs load the graph's addresses from shared memory.
//
// Each search has its own queue, in which levels follow each other. A meeting is written to the step's
// counters, so that blocks which are faster and have met in the next step do not hide it.
#pragma once

#include "balance/balance.cuh"
#include "engine/loop.cuh"
#include "engine/expansion.cuh"
#include "frontier/queue.cuh"
#include "engine/small_frontier.cuh"
#include "operators/visit_two_ended.cuh"

namespace warpath {

// A grid's frontiers grow by the same each level, so 2 costs 1/9 more vertices than alternating would:
// with radii 2 and 1, 5 parts of a square of side 3, against 2 · 1.5² = 4.5. A guess beyond grids.
constexpr unsigned lead = 2;

template <class Offset>
struct SideProgress {
    unsigned begin;  // where the frontier stands in its queue
    unsigned size;   // its vertices
    Offset items;    // its arcs
    unsigned depth;  // of its vertices
    bool is_large;    // whether it was found to be large
};

template <class Offset>
struct TwoEndedProgress {
    unsigned level;      // iterations so far
    unsigned step;       // grid-wide steps so far: which tail is whose
    unsigned size;       // vertices of the frontier that is expanded; 0 ends the search
    unsigned side;       // whose it is
    Vertex tail, head;   // of the arc at which they met; `invalid_vertex`: they did not
    unsigned tail_depth;  // how many arcs lead to it
    SideProgress<Offset> sides[2];
};

// What a step has come to.
struct TwoEndedCounters {
    Count tail;      // of the queue that it fills
    Count meeting;   // the arc at which the searches met, else 0
    unsigned level;  // where levels of small frontiers stopped,
    bool is_large;    // and why
};

template <class Offset>
struct TwoEndedControl {
    unsigned arrived, flag;
    TwoEndedProgress<Offset> progress;
    TwoEndedCounters counters[3];
    Count small_meetings[2];  // of levels of small frontiers, which alternate
};

template <class Offset>
struct TwoEndedProblem {
    Vertex source, target;  // two vertices
    bool wants_path;
    unsigned small_frontier_max_edges;  // larger frontiers are the grid's
};

// What a search has for itself.
template <class Offset>
struct SideSpace {
    Csr<Offset> graph;  // the target's is reversed
    Vertex* vertices;   // the queue: n places
    Offset* prefix;
    BalanceMemory balance;
};

template <class Offset>
struct TwoEndedSpace {
    SideSpace<Offset> source, target;
    unsigned* side_bits;  // two bits per vertex
    int* parent;        // of vertices with a bit, except the ends
    TwoEndedControl<Offset>* control;
};

template <class Offset, class Balance, int threads>
struct TwoEndedShared : LoopShared<TwoEndedProgress<Offset>> {
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr unsigned scratch = Balance::template scratch_bytes<Offset>;

    SideSpace<Offset> side;  // of the search that does this level
    Staging<QueueWriter<Offset>, warps> staging;
    union {  // large and small levels alternate
        __align__(16) unsigned char balance[warps][scratch > 0 ? scratch : 16];
        SmallFrontierQueues<Offset> small;
    };
};

template <class Offset, class Balance, int threads>
class TwoEnded : public Loop<TwoEnded<Offset, Balance, threads>, TwoEndedControl<Offset>, TwoEndedShared<Offset, Balance, threads>, true> {
    using Base = Loop<TwoEnded, TwoEndedControl<Offset>, TwoEndedShared<Offset, Balance, threads>, true>;
    friend Base;
    using Base::begin_step, Base::control, Base::grid, Base::p, Base::shared, Base::trace;

    const TwoEndedProblem<Offset>& problem;
    const TwoEndedSpace<Offset>& space;

    // The side that does this level.
    __device__ SideProgress<Offset>& here() { return p.sides[p.side]; }
    __device__ const Csr<Offset>& graph() const { return shared.side.graph; }
    __device__ TraceDirection direction() const { return p.side == source_side ? trace_forward : trace_backward; }
    __device__ VisitTwoEnded operation(Count* meeting) { return {space.side_bits, p.side, space.parent, meeting}; }
    __device__ TwoEndedCounters& counters() { return control->counters[this->set_of_step()]; }

    // Into the queue, from place `begin` on.
    __device__ QueueWriter<Offset> writer(unsigned begin, unsigned tail) {
        return {shared.staging.own(), graph().row_offsets,
                {shared.side.vertices + begin, shared.side.prefix + begin, &control->counters[tail].tail}};
    }

    // The first thread of each block ends a step that has come to `level`, its frontier at `begin`.
    __device__ void end_step(unsigned level, unsigned begin, bool is_large, unsigned set) {
        const Count tail = control->counters[set].tail, meeting = control->counters[set].meeting;
        here() = {begin, Tail<Offset>::vertices(tail), Tail<Offset>::arcs(tail),
                  here().depth + (level - p.level) - (meeting != 0), is_large};
        p.level = level;
        ++p.step;
        choose_side(meeting);
    }

    // The side of fewer arcs does the next level, unless the search is over.
    __device__ void choose_side(Count meeting) {
        p.tail = MeetingEdge::tail(meeting);
        p.head = MeetingEdge::head(meeting);
        p.tail_depth = p.sides[source_side].depth;
        p.side = p.sides[source_side].items <= p.sides[target_side].items ? source_side : target_side;
        shared.side = p.side == source_side ? space.source : space.target;
        const bool is_over = p.tail != invalid_vertex || p.sides[source_side].size == 0 || p.sides[target_side].size == 0;
        p.size = is_over ? 0 : here().size;
    }

    // A frontier of one vertex; a vertex without arcs makes none.
    __device__ static SideProgress<Offset> frontier_of(Vertex v, const Csr<Offset>& graph) {
        const Offset degree = read_only(graph.row_offsets + v + 1) - read_only(graph.row_offsets + v);
        return {0, degree > 0, degree, 0, false};
    }

    // Only the ends have a bit.
    __device__ void start() {
        const unsigned thread = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
        const unsigned words = side_words(space.source.graph.vertices);
        const Vertex ends[2] = {problem.source, problem.target};
        for (unsigned word = thread; word < words; word += all) {
            unsigned side_bits = 0;
            for (unsigned side = 0; side < 2; ++side)
                if (ends[side] / vertices_per_side_word == word) side_bits |= side_bit(ends[side], side);
            space.side_bits[word] = side_bits;
        }
        if (thread == 0) {
            space.source.vertices[0] = problem.source;
            space.target.vertices[0] = problem.target;
            space.source.prefix[0] = space.target.prefix[0] = 0;
        }
        grid.sync([&] {  // bits and queues are there
            p = {0, 0, 0, 0, invalid_vertex, invalid_vertex, 0,
                 {frontier_of(problem.source, space.source.graph), frontier_of(problem.target, space.target.graph)}};
            this->limit();
            choose_side(0);
        });
    }

    __device__ void resumed() { shared.side = p.side == source_side ? space.source : space.target; }

    __device__ bool is_small() {
        return !here().is_large && here().items <= problem.small_frontier_max_edges &&
               here().size <= SmallFrontier<Offset>::max_taken();
    }

    // Levels of few arcs, by the first cluster. Afterwards the frontier is at the front of its queue.
    //
    // To look for a meeting is one more dependent load. So it is issued after a level's barrier and its result is
    // used after the next one's; that level was in vain if the searches had met.
    __device__ void run_small(unsigned tail) {
        auto spill = writer(0, tail);
        SmallFrontier<Offset> frontier(shared.small, graph());
        const Count enough = lead * Count{p.sides[1 - p.side].items};
        unsigned level = p.level, met = 0;
        frontier.take(shared.side.vertices + here().begin, here().size, spill);
        const SmallFrontierSize count = frontier.run(
            level, shared.last_level, static_cast<unsigned>(min(Count{problem.small_frontier_max_edges}, enough)), spill,
            [&](unsigned level, unsigned chunks) {
                // The variant for many chunks alone: no more fits into the registers.
                frontier.template expand<static_cast<int>(chunk_arcs<Offset>)>(
                    operation(&control->small_meetings[level % 2]), chunks, spill);
            },
            [&](unsigned level, const SmallFrontierSize& count) {
                if (met != 0) return false;
                met = load_relaxed(MeetingEdge::half(&control->small_meetings[level % 2]));
                if (threadIdx.x == 0) trace.record(level, count.vertices(), count.arcs, direction(), frontier.mode(), code_of::none);
                return true;
            });
        if (this->is_first()) {
            TwoEndedCounters& end = counters();
            end.meeting = load_relaxed(&control->small_meetings[(level - 1) % 2]);
            end.level = level;
            end.is_large = count.spilled != 0 || count.arcs > problem.small_frontier_max_edges;
        }
    }

    __device__ void iterate_small() {
        const unsigned next = begin_step();
        if (blockIdx.x < cluster_size()) run_small(next);
        grid.sync([&] {  // what the cluster leaves is there
            end_step(control->counters[next].level, 0, control->counters[next].is_large, next);
        });
    }

    __device__ void iterate_large() {
        const unsigned next = begin_step(), begin = here().begin, end = begin + here().size;
        const auto op = operation(&counters().meeting);
        auto out = writer(end, next);
        Expansion expansion(graph(), op, out);
        StopWhenMet body(expansion, op.meeting);
        const Segments<Offset> frontier{shared.side.vertices + begin, shared.side.prefix + begin, here().size, here().items};
        const Resources resources = shared.side.balance.resources(shared.balance[warp_in_block()], graph().vertices, grid);
        const int code = Balance::advance(frontier, graph().row_offsets, grid_warps(), resources, body);
        out.finish();
        grid.sync([&] {  // the next frontier, its tail and the meeting are there
            trace.record(p.level, here().size, here().items, direction(), mode_grid, code);
            end_step(p.level + 1, end, false, next);
        });
    }

    // The path through the arc at which they met, in the first queue's memory: one thread goes from
    // the arc's tail to the source, one from its head to the target.
    __device__ void write_path() {
        if (blockIdx.x != 0) return;
        const unsigned arcs = p.level;
        if (threadIdx.x == 0) {
            Vertex v = p.tail;
            for (unsigned place = p.tail_depth; place > 0; --place) {
                space.source.vertices[place] = v;
                v = static_cast<Vertex>(space.parent[v]);
            }
            space.source.vertices[0] = v;
        } else if (threadIdx.x == warp_lanes) {
            Vertex v = p.head;
            for (unsigned place = p.tail_depth + 1; place < arcs; ++place) {
                space.source.vertices[place] = v;
                v = static_cast<Vertex>(space.parent[v]);
            }
            space.source.vertices[arcs] = v;
        }
    }

    __device__ bool iterate() {
        if (is_small()) iterate_small();
        else iterate_large();
        return true;
    }

    __device__ void finish(bool) {
        if (problem.wants_path && p.tail != invalid_vertex) write_path();
    }

public:
    __device__ TwoEnded(const TwoEndedProblem<Offset>& problem, const Run& launch, const TwoEndedSpace<Offset>& space,
                        const TraceRows& rows, TwoEndedShared<Offset, Balance, threads>& shared)
        : Base(launch, space.control, rows, shared), problem(problem), space(space) {}
};

}  // namespace warpath

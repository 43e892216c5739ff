// A traversal: operator × balance × frontier, in one persistent kernel (engine/loop.cuh).
//
// After each level all blocks take the same decision how the next one runs:
//
//   cluster mode  The frontier has few arcs (at first it is the sources): the first cluster of
//                blocks runs levels alone (engine/small_frontier.cuh), until the frontier has grown or is empty.
//                The other blocks wait at one grid barrier. Where there are no clusters, it is one
//                block: block mode.
//   grid mode     All warps of the grid share a level; one grid barrier ends it.
//   direction     Top-down, the balance hands out the arcs of the queue (`advance`). Bottom-up,
//                vertices that were not reached look back (engine/pull.cuh). "Optimizing" turns bottom-up
//                when the frontier has more than 1/α of the arcs that are left, and at least n/β,
//                and grows fast; top-down again once it shrinks and has at most n/β vertices.
//   in order     Where distances are many more bytes than L2 has, a write of one is one of the memory, as its predecessor's is.
//                So a large top-down level leaves distances out. Afterwards they are written in the vertices' order: a bit
//                says of a vertex that it was found, if it was not set in a copy of the bitmap.
//   count only   A top-down level that makes no queue, as the frontier grows so fast that the next level is
//                going to be bottom-up. It then is, whatever its frontier has become. (Only balances that
//                have `counts_only`: a technique that is named does what its paper says.)
//
// It is no algorithm of engine/program.cuh. Registers would suffice: with bottom-up levels a program takes 64 per thread
// without spills (ptxas, CUDA 13.5, sm_90). So would memory: `has_one_queue`. But a program resets all vertices and queues
// the sources behind a barrier, where the cluster does it here; its queue may not overflow; and it takes a struct, with
// which this kernel is 4 % slower on R-MAT 20 (measured, H200, 2026-11; bfs.cuh).
//
// Where a balance launches child grids, a launch ends with its first top-down level, and the next one
// begins by reading that level's tail.
#pragma once

#include "balance/balance.cuh"
#include "engine/child_rows.cuh"
#include "engine/expansion.cuh"
#include "engine/loop.cuh"
#include "engine/pull.cuh"
#include "engine/small_frontier.cuh"
#include "frontier/bitmap.cuh"
#include "frontier/queue.cuh"
#include "operators/visit.cuh"

namespace warpath {

enum Direction : unsigned { top_down, bottom_up, optimizing };

template <class Offset>
struct TraversalProgress {
    unsigned level;    // of the frontier's vertices
    unsigned step;     // grid-wide steps so far: which tail is whose
    unsigned size;     // vertices of the frontier; 0 ends the traversal
    unsigned begin;    // where it stands in the queue,
    unsigned end;      // and where the next one will: behind it, or at the front again, if all vertices that are left fit there
    unsigned queued;   // if it is there: not after bottom-up iterations
    unsigned current;  // which bitmap holds what was reached
    unsigned done;     // vertices of earlier frontiers, or fewer
    Offset items;       // arcs of the frontier, if queued
    Offset unexplored;  // arcs that no top-down iteration has followed yet
};

// Counters of a step: the tail of the queue that it fills, or how many vertices it found; and arcs that it looked at, if
// traced.
struct LevelCounters {
    Count tail, inspected;

    __device__ void add(const LevelCounters& other) {
        tail += other.tail;
        inspected += other.inspected;
    }
};

template <class Offset>
struct TraversalControl {
    using Counters = LevelCounters;

    unsigned arrived, flag;
    TraversalProgress<Offset> progress;
    Counters counters[3];
};

template <class Offset>
struct TraversalProblem {
    Csr<Offset> graph, reverse;
    bool symmetric;  // whether `reverse` is `graph`
    Offset arcs;
    Direction direction;
    float alpha;
    float top_down_max_vertices;  // n / β
    unsigned depth_limit;
    unsigned small_frontier_max_edges;  // larger frontiers are the grid's
    unsigned max_small_levels;      // consecutive levels of small frontiers, after which another kernel continues (algorithms/bfs_async.cuh)
    unsigned ordered_min_edges;  // top-down levels of as many arcs write distances afterwards
};

template <class Offset>
struct TraversalSpace {
    Vertex* vertices;  // the queue
    Offset* prefix;    // as many places
    unsigned capacity;   // n if the direction is top-down; else fewer, as a level that overflows it is followed bottom-up
    unsigned *reached, *reached_next;  // bitmaps
    BitmapSummary summary;  // of what was reached
    TraversalControl<Offset>* control;
    BalanceMemory balance;
};

template <class Offset, class Balance, int threads, class Scope = GridScope>
struct TraversalShared : LoopShared<TraversalProgress<Offset>> {
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr unsigned scratch = Balance::template scratch_bytes<Offset>;

    bool continues_async;  // whether max_small_levels has ended
    bool shrinks;     // whether the frontier has fewer vertices than the one before
    bool owes_distances;  // whether the last level has left them out
    bool leaves_out_queue;  // whether the next one does so with the queue, if it is top-down
    unsigned told_level;  // 0 or 1: which sizes of `ToldEdges` the next top-down level fills
    Staging<QueueWriter<Offset>, warps> staging;
    union {  // the ways to run a level alternate
        struct {
            __align__(16) unsigned char balance[warps][scratch > 0 ? scratch : 16];
            typename Scope::Telling::Staged telling[warps];
            typename Scope::Telling::Sizes told;
        } expansion;
        SmallFrontierQueues<Offset> small;
        PullScratch pull[warps];
    };
};

// A child grid: the row of a vertex of the frontier, which its level left out.
template <class Offset, class Operator>
__global__ void __launch_bounds__(child_threads)
expand_row(Csr<Offset> graph, Operator op, Queue<Offset> queue, unsigned capacity, Vertex u, Offset begin, Offset end) {
    using Writer = QueueWriter<Offset, Bounded>;
    __shared__ Staging<Writer, child_threads / warp_lanes> staging;
    Writer out(staging.own(), graph.row_offsets, queue, {capacity});
    Expansion expansion(graph, op, out);
    visit_row(u, begin, end, grid_warps(), expansion);
    out.finish();
}

template <class Offset, class Algorithm, class Balance, bool traced, int threads, class Scope_ = GridScope>
class Traversal : public Loop<Traversal<Offset, Algorithm, Balance, traced, threads, Scope_>, typename Scope_::template ControlOf<TraversalControl<Offset>>,
                              TraversalShared<Offset, Balance, threads, Scope_>, traced, Scope_> {
    using Scope = Scope_;
    using Control = typename Scope::template ControlOf<TraversalControl<Offset>>;
    using Base = Loop<Traversal, Control, TraversalShared<Offset, Balance, threads, Scope>, traced, Scope>;
    friend Base;
    using Base::begin_step, Base::control, Base::grid, Base::own_tail, Base::p, Base::set_of_step, Base::shared, Base::total, Base::trace;

    const TraversalProblem<Offset>& problem;
    const Sources& sources;
    const TraversalSpace<Offset>& space;
    const Algorithm& algorithm;
    const typename Scope::Others& others;

    static constexpr bool several_gpus = Scope::several_gpus;
    static constexpr bool has_children = launches_children<Balance>;
    // Several GPUs have one balance, and registers for it.
    static constexpr bool can_count_only = counts_only<Balance> || several_gpus;
    // With offsets of 8 bytes this would not fit into the registers.
    static constexpr bool can_wrap_queue = sizeof(Offset) == 4 && !several_gpus;

    // The bitmap of what was reached, and the other one.
    __device__ Bitmap reached() const { return {p.current == 0 ? space.reached : space.reached_next}; }
    __device__ Bitmap spare() const { return {p.current == 0 ? space.reached_next : space.reached}; }

    using Writer = QueueWriter<Offset, Bounded>;

    // Into the queue from place `begin` on.
    __device__ Writer writer(unsigned begin, unsigned tail) {
        return {shared.staging.own(), problem.graph.row_offsets, queue(begin, tail), {space.capacity - begin}};
    }
    __device__ Queue<Offset> queue(unsigned begin, unsigned tail) const {
        return {space.vertices + begin, space.prefix + begin, &control->counters[tail].tail};
    }
    // The same for a top-down level of the grid.
    __device__ auto level_writer(unsigned begin, unsigned tail) {
        if constexpr (can_count_only)
            return QueueWriter<Offset, LeftOut>(shared.staging.own(), problem.graph.row_offsets, queue(begin, tail), {{space.capacity - begin}, shared.leaves_out_queue});
        else
            return writer(begin, tail);
    }

    __device__ Resources resources() const { return space.balance.resources(shared.expansion.balance[warp_in_block()], problem.graph.vertices, Scope::for_balance(grid, shared.barrier_target)); }

    // What edges of such a level do.
    __device__ auto level_op() const {
        const auto op = algorithm.at(p.level + 1, reached());
        if constexpr (has_children) return op;
        else return VisitInOrder<typename Algorithm::Operator>{op, !is_ordered()};
    }

    // Expand the frontier once, with these warps, into the queue from place `begin` on.
    __device__ int advance(const Segments<Offset>& frontier, unsigned begin, unsigned tail, Workers workers) {
        auto out = level_writer(begin, tail);
        const auto op = level_op();
        const typename Scope::Telling telling(others, shared.expansion.telling[warp_in_block()], shared.told_level);
        Expansion expansion(problem.graph, op, out, telling);
        int code;
        if constexpr (has_children) {
            const Queue<Offset> queue = this->queue(begin, tail);
            const auto child = [&](Vertex u, Offset first, Offset last) {
                return launch_child<expand_row<Offset, typename Algorithm::Operator>>(
                    blocks_for_row(first, last), problem.graph, op, queue, space.capacity - begin, u, first, last);
            };
            WithChildren<decltype(expansion), decltype(child)> body{expansion, child};
            code = Balance::advance(frontier, problem.graph.row_offsets, workers, resources(), body);
        } else {
            code = Balance::advance(frontier, problem.graph.row_offsets, workers, resources(), expansion);
        }
        telling.finish();
        out.finish();
        return code;
    }

    __device__ void read_queue(Count tail) {
        p.size = Tail<Offset>::vertices(tail);
        p.items = Tail<Offset>::arcs(tail);
        p.queued = several_gpus || p.begin + p.size <= space.capacity;  // else it overflowed; of several GPUs no queue does
        // Kept for top_down_level, where computing it would take registers.
        if constexpr (can_wrap_queue) p.end = problem.graph.vertices - p.done - p.size <= p.begin ? 0 : p.begin + p.size;
        if constexpr (can_count_only) shared.leaves_out_queue = leaves_out_queue();
    }

    // Nothing is reached yet.
    __device__ void start() {
        const unsigned thread = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
        const Vertex n = problem.graph.vertices;
        const unsigned words = words_of(n);
        fill(space.reached, words - 1, 0, thread, all);
        if (space.summary.max_vertices > 0) fill(space.summary.words, space.summary.size(n), 0, thread, all);
        if constexpr (several_gpus) {
            for (unsigned level = 0; level < 2; ++level) told_by(others.all[others.rank]).clear(level, thread);
        }
        // Bits beyond the last vertex count as reached, so that no thread looks at them.
        if (thread == 0) space.reached[words - 1] = n % word_bits == 0 ? 0 : ~0u << n % word_bits;
        if constexpr (several_gpus) grid.alone = true;  // GPUs meet when their sources are queued
        grid.sync([&] {  // everything is unreached
            p = {0, 0, 0, 0, 0, 0, 0, 0, 0, problem.arcs};
            shared.continues_async = false;
            shared.told_level = 0;
            this->limit(problem.depth_limit);
        });
        if constexpr (several_gpus) grid.alone = false;
    }

    __device__ void resumed() {
        if constexpr (can_count_only) shared.leaves_out_queue = leaves_out_queue();
        if constexpr (has_children) {
            if (p.queued) read_queue(control->counters[p.step % 3].tail);  // the last level's children have ended
        }
        shared.continues_async = false;
    }

    // Levels of few arcs, by the first cluster; the first step begins with the sources. Afterwards the
    // frontier is at the front of the queue.
    __device__ void run_small(unsigned tail) {
        auto spill = writer(0, tail);
        SmallFrontier<Offset, PassAll, false, Writer> frontier(shared.small, problem.graph);
        unsigned level = p.level;
        const unsigned last = min(shared.last_level, level + min(problem.max_small_levels, ~0u - level));
        if (begins) {
            frontier.seed(algorithm.at(0, reached()), sources, spill);
        } else {
            frontier.take(space.vertices + p.begin, p.size, spill);
        }
        // With child grids, and on devices without clusters, only the variant for many chunks fits into the registers.
        constexpr int min_edges = has_children || !has_clusters ? static_cast<int>(chunk_arcs<Offset>) : 1;
        const unsigned max_level = problem.direction == bottom_up ? level : last;
        frontier.run(level, max_level, problem.small_frontier_max_edges, spill,
            [&](unsigned level, unsigned chunks) {
                frontier.template expand<min_edges>(algorithm.at(level + 1, reached()), chunks, spill);
            },
            [&](unsigned level, const SmallFrontierSize& count) {
                if (threadIdx.x == 0) {
                    trace.record(level, count.vertices(), count.arcs, trace_top_down, frontier.mode(), code_of::none);
                    p.unexplored -= count.arcs;
                    p.done += count.vertices();
                }
                return true;
            });
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            control->progress.level = level;
            control->progress.unexplored = p.unexplored;
            control->progress.done = p.done;
        }
    }

    __device__ void iterate_small() {
        const unsigned next = begin_step();
        if (blockIdx.x < cluster_size()) run_small(next);
        grid.sync([&] {  // what the cluster leaves is there
            const unsigned levels = control->progress.level - p.level;
            p.level += levels;
            p.unexplored = control->progress.unexplored;
            p.done = control->progress.done;
            p.begin = 0;
            read_queue(total(next).tail);
            shared.continues_async = levels >= problem.max_small_levels && p.queued;
            ++p.step;
        });
    }

    __device__ bool is_small() const {
        return !several_gpus && p.queued && problem.direction != bottom_up && p.items <= problem.small_frontier_max_edges &&
               p.size <= SmallFrontier<Offset>::max_taken();
    }

    // A frontier of more arcs is followed bottom-up, if `unexplored` arcs have not been followed yet.
    __device__ float bottom_up_min_edges(Offset unexplored) const {
        return max(unexplored / problem.alpha, problem.top_down_max_vertices);
    }

    // Whether a top-down level that follows this frontier makes no queue: if the next frontier has twice as many arcs as
    // `bottom_up_min_edges`, if it grows as this one has. A guess. Without divisions, as a block waits for the thread that asks.
    __device__ bool leaves_out_queue() const {
        const float alpha = problem.alpha, left = p.unexplored - p.items;
        return problem.direction == optimizing && p.done > 0 &&
               alpha * p.items * p.size > 2.0f * p.done * max(left, alpha * problem.top_down_max_vertices);
    }

    __device__ void top_down_level() {
        const unsigned next = begin_step(), size = own_size(), end = can_wrap_queue ? p.end : p.begin + size;
        const Segments<Offset> frontier{space.vertices + p.begin, space.prefix + p.begin, size, own_items()};
        if (is_ordered()) copy_reached();
        const int code = several_gpus && size == 0 ? code_of::none : advance(frontier, end, next, grid_warps());
        exchange(end, next);
        grid.sync([&] {  // the next queue and its tail are complete
            trace.record(p.level, p.size, p.items, trace_top_down, mode_grid, code);
            shared.owes_distances = is_ordered();
            shared.told_level = 1 - shared.told_level;
            p.unexplored -= p.items;
            p.begin = end;
            p.done += p.size;
            const bool left_out = can_count_only && shared.leaves_out_queue;
            if constexpr (!has_children) read_queue(total(next).tail);
            if (left_out) p.queued = 0;
            ++p.level;
            ++p.step;
        });
        if (shared.owes_distances) write_distances();
        if (several_gpus && !p.queued) share_reached();  // the queue was left out
    }

    // Whether this top-down level writes distances afterwards.
    __device__ bool is_ordered() const { return !has_children && p.items >= problem.ordered_min_edges; }

    __device__ void copy_reached() {
        const unsigned* const from = reached().words;
        unsigned* const to = spare().words;
        for (unsigned i = own_words().begin + blockIdx.x * threads + threadIdx.x; i < own_words().end; i += gridDim.x * threads) to[i] = from[i];
        grid.sync([] {});  // the copy is there, so that bits may be set
    }

    // Those of the vertices that the last level has found.
    __device__ void write_distances() {
        const auto op = algorithm.at(p.level, reached());
        this->template for_each_vertex<false>([&](unsigned word) { return reached().words[word] & ~spare().words[word]; }, [&](Vertex v) { op.write_distance(v); });
        grid.sync([] {});  // both bitmaps were read
    }

    // The vertices of this GPU that `bits` of their words says. A warp's words are next to those of other blocks, or
    // `by_blocks`, to those of its own: of two walks that begin at the same place ptxas would keep it in a register.
    template <bool by_blocks, class Bits, class Do>
    __device__ void for_each_vertex(const Bits& bits, const Do& visit) const {
        const unsigned own = by_blocks ? warp_in_block() * warp_lanes + blockIdx.x * threads : grid_warps().rank * warp_lanes;
        const unsigned words = own_words().end;
        for (unsigned first = own_words().begin + own; first < words; first += gridDim.x * threads) {
            const unsigned mine = first + lane_id() < words ? bits(first + lane_id()) : 0;
            for (unsigned left = lanes_where(mine != 0); left != 0; left &= left - 1) {
                const unsigned i = lowest_bit(left);
                if (from_lane(mine, i) >> lane_id() & 1u) visit((first + i) * word_bits + lane_id());
            }
        }
    }

    // What of the others' vertices this level has found is their owners', and theirs of mine enters the queue.
    __device__ void exchange(unsigned begin, unsigned tail) {
        if constexpr (several_gpus) {
            grid.sync([&] { shared.expansion.told.read(others, shared.told_level); });  // all GPUs' edges are there
            auto out = level_writer(begin, tail);
            const auto op = level_op();
            const EdgeEnds ends;
            Expansion expansion(ends, op, out);
            visit_told_edges<Offset>(others, shared.expansion.told, grid_warps(), expansion);
            out.finish();
            told_by(others.all[others.rank]).clear(1 - shared.told_level, Scope::thread());  // all have read that
        }
    }
    // What writes a word of the spare bitmap, which is this GPU's: of several, in the memory of each.
    __device__ auto write_spare() const {
        if constexpr (several_gpus)
            return [this](unsigned i, unsigned word) {
#pragma unroll 1
                for (unsigned gpu = 0; gpu < others.count; ++gpu) store_system(others.all[gpu].bits[1 - p.current] + i, word);
            };
        else return [words = spare().words](unsigned i, unsigned word) { words[i] = word; };
    }
    // All GPUs' vertices that were reached, after a top-down level.
    __device__ void share_reached() {
        if constexpr (several_gpus) {
            copy_words(others, p.current, reached().words, Scope::thread(), Scope::threads());
            grid.sync([] {});  // they are there, and no GPU reads mine
        }
    }

    // The words of the vertices whose rows this GPU has.
    __device__ WordRange own_words() const {
        if constexpr (several_gpus) return {others.first_word(), others.end_word()};
        else return {0, words_of(problem.graph.vertices)};
    }
    // This GPU's part of the frontier.
    __device__ unsigned own_size() const { return several_gpus ? Tail<Offset>::vertices(own_tail()) : p.size; }
    __device__ Offset own_items() const { return several_gpus ? Tail<Offset>::arcs(own_tail()) : p.items; }

    // Sum up what is reached. A thread has some words. What an earlier level has marked is still right.
    __device__ void mark_reached() {
        for (unsigned i = blockIdx.x * threads + threadIdx.x; i < words_of(problem.graph.vertices); i += gridDim.x * threads) {
            for (unsigned bits = reached().words[i]; bits != 0; bits &= bits - 1)
                space.summary.mark(i * word_bits + lowest_bit(bits));
        }
        grid.sync([] {});  // all are marked
    }

    // Find the next level's vertices, bottom-up.
    template <class Summary>
    __device__ PullCount<Count> look_back(const Summary& summary) {
        return pull(problem.reverse, algorithm.at(p.level + 1, reached()), reached(), write_spare(),
                    problem.symmetric, grid_warps(), shared.pull[warp_in_block()], own_words(), summary);
    }

    __device__ void bottom_up_level() {
        if (p.queued) share_reached();
        begin_step();
        PullCount<Count> count{0, 0};
        const bool summed_up = p.done + p.size <= space.summary.max_vertices;
        if (summed_up) mark_reached();
        if (!several_gpus || own_words().begin < own_words().end) count = summed_up ? look_back(space.summary) : look_back(NoSummary{});
        const unsigned next = set_of_step();  // not kept meanwhile: registers are scarce
        if (lane_id() == 0 && count.found > 0) atomicAdd(&control->counters[next].tail, Tail<Offset>::pack(count.found, 0));
        if constexpr (traced) {
            if (lane_id() == 0 && count.inspected > 0) atomicAdd(&control->counters[next].inspected, count.inspected);
        }
        grid.sync([&] {  // the new bitmap and the counts are complete
            trace.record(p.level, p.size, traced ? total(next).inspected : 0, trace_bottom_up, mode_grid, code_of::none);
            const unsigned found = Tail<Offset>::vertices(total(next).tail);
            shared.shrinks = found < p.size;
            p.done += p.size;
            p.size = found;
            p.queued = 0;
            p.current = 1 - p.current;
            ++p.level;
            ++p.step;
            if (found > 0 && p.done + found == problem.graph.vertices && p.level < shared.last_level) {  // all are reached: no row has edges left
                trace.record(p.level, found, 0, trace_bottom_up, mode_grid, code_of::none);
                ++p.level;
                p.size = 0;
            }
        });
        if (problem.direction == optimizing && p.size > 0 && shared.shrinks && p.size <= problem.top_down_max_vertices)
            make_queue();
    }

    // The vertices that the last, bottom-up iteration found: those in one bitmap, not the other.
    // They never went through the queue, so it starts again.
    __device__ void make_queue() {
        const unsigned next = begin_step(), words = own_words().end;
        const unsigned *const now = reached().words, *const before = spare().words;
        const Workers workers = grid_warps();
        auto out = writer(0, next);
        for (unsigned first = own_words().begin + workers.rank * warp_lanes; first < words; first += workers.count * warp_lanes) {
            const unsigned word = first + lane_id();
            unsigned found = word < words ? now[word] & ~before[word] : 0;
            while (any_lane(found != 0)) {
                const unsigned bit = lowest_bit(found);
                out.push(word * word_bits + bit, found != 0);
                out.flush();
                found &= found - 1;
            }
        }
        out.finish();
        grid.sync([&] {  // the queue is complete
            p.begin = 0;
            read_queue(total(next).tail);
            ++p.step;
        });
    }

    // At the end: mark the vertices that were not reached. To do so at the start would write the others twice.
    __device__ void finish(bool complete) {
        if (!complete || (p.size > 0 && p.level < problem.depth_limit && !shared.continues_async)) return;
        const auto op = algorithm.at(p.level, reached());
        this->template for_each_vertex<!has_children>([&](unsigned word) { return ~reached().words[word]; }, [&](Vertex v) { op.mark_unreached(v); });
    }

    // Where frontiers grow slowly, as in meshes, most vertices that were not reached have no neighbour in
    // it, and would look at all of their arcs: so it must have a quarter of the vertices before it, too.
    // As many as before it would do as well (eleven graphs, measured, H200).
    __device__ bool switches_to_bottom_up() const {
        if (problem.direction != optimizing) return problem.direction == bottom_up;
        return p.items > bottom_up_min_edges(p.unexplored) && p.size > p.done / 4;
    }

    // Whether the sources are still to be queued. `p.step` says the same, but 8 bytes of registers spill then.
    bool begins = !this->launch.resumes;

    __device__ bool running() const { return begins || (this->has_frontier() && !shared.continues_async); }

    __device__ bool iterate() {
        if (begins || is_small()) {
            iterate_small();
            begins = false;
            if (!running()) return true;  // what the cluster has left is for the grid
        }
        if (!p.queued || switches_to_bottom_up()) {
            bottom_up_level();
            return true;
        }
        top_down_level();
        return !has_children;
    }

public:
    __device__ Traversal(const TraversalProblem<Offset>& problem, const Sources& sources, const Run& launch, const TraversalSpace<Offset>& space,
                         const Algorithm& algorithm, const TraceRows& rows, TraversalShared<Offset, Balance, threads, Scope>& shared,
                        const typename Scope::Others& others = {})
        : Base(launch, static_cast<Control*>(space.control), rows, shared, others), problem(problem), sources(sources), space(space), algorithm(algorithm), others(others) {}
};

}  // namespace warpath

// Breadth-first search where frontiers stay small: asynchronous blocks.
//
// A level that has a few thousand arcs takes as long as a barrier and a chain of dependent loads.
// Here there are no levels: a block expands what it finds in its next round, without waiting for other
// blocks, and distances fall until they are right, as in Δ-stepping with weights of 1. That takes
// a barrier every `bucket` levels instead of every one, and rounds of 1.7 µs instead of levels of
// 2.9 (measured, H200, 2048² grid); hardly any distance falls twice, as blocks take equally long for a round.
//
//   expand    The blocks share the queue. What a block finds below the threshold it expands, until
//             it finds no more. Vertices beyond get a bit in `far`; so do those that the block cannot hold.
//   split     The threshold rises, and the far vertices that are below it make the queue
//             (frontier/near_far.cuh). If there are none, all distances are right.
//   tree      Predecessors from distances: any neighbour one level nearer (tree.cuh says why not before).
//
// It is no algorithm of engine/program.cuh. Registers would suffice, 64 per thread without spills (ptxas, CUDA 13.5, sm_90).
// But a program's two queues and stamps are 12 bytes per vertex more than what a traversal has, whose memory this uses.
//
// It continues where a traversal (traverse.cuh) stopped, all of whose distances are right. `queue` has n
// places, where its queue and prefix sums were.
#pragma once

#include "engine/loop.cuh"
#include "frontier/near_far_list.cuh"
#include "engine/small_frontier.cuh"
#include "operators/visit_async.cuh"
#include "traverse.cuh"

namespace warpath {

struct AsyncBfsProgress {
    unsigned level;      // row of the trace
    unsigned step;
    unsigned size;       // vertices of the queue
    unsigned threshold;  // nearer vertices are near
    unsigned before;     // far vertices nearer than that were expanded
};

// Counters of an expansion and the split after it.
struct AsyncBfsCounters {
    Amount expanded;      // for the trace
    unsigned size;        // of the next queue
    unsigned overflowed;  // whether a block could not hold a vertex
};

struct AsyncBfsControl {
    unsigned arrived, flag;
    AsyncBfsProgress progress;
    AsyncBfsCounters counters[3];
};

// Frontier policy of asynchronous blocks: below the threshold a vertex is expanded next, in this block.
struct AsyncBfsFrontier : PassAll {
    Bitmap far;
    const unsigned& threshold;

    __device__ bool test(Vertex v, unsigned d, bool pred) const {
        far.mark(v, pred && d >= threshold);
        return pred && d < threshold;
    }
    __device__ bool passes(Vertex, unsigned, bool near) const { return near; }
};

// Where vertices go that a block cannot hold: among the far ones.
struct BitmapSpill {
    Bitmap far;

    __device__ void push(Vertex v, bool pred) const { far.mark(v, pred); }
    __device__ void flush() const {}
};

template <class Offset, int threads>
struct AsyncBfsShared : LoopShared<AsyncBfsProgress> {
    SmallFrontierQueues<Offset> small;
    Vertex hubs[threads];
    unsigned hub_count;
    Amount expanded;  // by this block in an expansion, if traced; its first thread's
};

// As in warpath/cuda/bfs.py.
template <class Offset>
struct BfsAsyncArguments {
    Csr<Offset> graph, reverse;
    unsigned bucket;  // levels between two barriers
    unsigned* distance;
    int* predecessor;
    Vertex* queue;
    unsigned* far;
    TraversalControl<Offset>* control;  // of the traversal
    AsyncBfsControl* own;
    TraceRows trace;
};

template <class Offset, bool traced, int threads>
class AsyncBfs : public Loop<AsyncBfs<Offset, traced, threads>, AsyncBfsControl, AsyncBfsShared<Offset, threads>, traced> {
    using Base = Loop<AsyncBfs, AsyncBfsControl, AsyncBfsShared<Offset, threads>, traced>;
    friend Base;
    using Base::control, Base::grid, Base::p, Base::shared, Base::trace;
    using Frontier = SmallFrontier<Offset, AsyncBfsFrontier, true, BitmapSpill, traced>;

    const BfsAsyncArguments<Offset>& given;
    const TraversalProgress<Offset>& first;  // where the traversal stopped
    const Csr<Offset>&graph, &reverse;
    const VisitAsync op;
    const Bitmap far;
    Vertex* const queue;

    // All arcs of a vertex, by the whole block.
    __device__ void expand_hub(Frontier& frontier, Vertex v, BitmapSpill& spill) {
        constexpr unsigned arcs = chunk_arcs<Offset>;
        const Offset begin = read_only(graph.row_offsets + v), end = read_only(graph.row_offsets + v + 1);
        for (Offset first = begin + (threadIdx.x - lane_id()) * arcs; first < end; first += threads * arcs) {
            const Offset mine = first + lane_id() * arcs;
            frontier.expand(op, Chunk<Offset>{mine, v, mine < end ? static_cast<unsigned>(min(Offset{arcs}, end - mine)) : 0}, spill);
        }
    }

    // This block's share of the queue, and all that comes of it below the threshold.
    __device__ void expand_async(unsigned begin, unsigned step) {
        BitmapSpill spill{far};
        Frontier frontier(shared.small, graph, AsyncBfsFrontier{{}, far, p.threshold});
        unsigned overflowed = 0;
        if (traced && threadIdx.x == 0) shared.expanded = {0, 0};
        for (Count first = 0; first < p.size; first += Count{gridDim.x} * threads) {
            const Count i = first + Count{threadIdx.x} * gridDim.x + blockIdx.x;  // a thread's vertex
            const bool mine = i < p.size;
            const Vertex v = mine ? queue[begin + i] : 0;
            const Offset degree = mine ? read_only(graph.row_offsets + v + 1) - read_only(graph.row_offsets + v) : 0;
            if (threadIdx.x == 0) shared.hub_count = 0;
            __syncthreads();  // the count is zero
            if (degree > max_split) shared.hubs[atomicAdd(&shared.hub_count, 1u)] = v;
            __syncthreads();  // the hubs are there
            for (unsigned k = 0; k < shared.hub_count; ++k) expand_hub(frontier, shared.hubs[k], spill);
            frontier.template add<1>({v}, {degree <= max_split && degree > 0}, spill);
            while (true) {
                const SmallFrontierSize count = frontier.swap_buffers();
                overflowed |= count.spilled;
                if (count.chunks == 0) break;
                frontier.expand(op, count.chunks, spill);
                if (traced && threadIdx.x == 0) {
                    shared.expanded.vertices += count.vertices();
                    shared.expanded.arcs += count.arcs;
                }
            }
        }
        if (threadIdx.x == 0 && overflowed != 0) atomicOr(&control->counters[step].overflowed, 1u);
        if (traced && threadIdx.x == 0) {
            atomicAdd(&control->counters[step].expanded.vertices, shared.expanded.vertices);
            atomicAdd(&control->counters[step].expanded.arcs, shared.expanded.arcs);
        }
    }

    // A thread's vertices; those of many arcs one after the other by the warp.
    __device__ void tree(int* predecessor, unsigned first_level) {
        const Vertex n = graph.vertices;
        for (Count row = Count{blockIdx.x * threads + threadIdx.x - lane_id()}; row < n; row += Count{gridDim.x} * threads) {
            const Vertex v = static_cast<Vertex>(row) + lane_id();
            const unsigned d = load_relaxed_if(op.distance + v, v < n);
            const bool mine = v < n && d != ~0u && d > first_level;  // others have theirs
            const Offset begin = read_only_if(reverse.row_offsets + v, mine), end = read_only_if(reverse.row_offsets + v + 1, mine);
            if (mine && end - begin <= warp_lanes) {
                for (Offset arc = begin; arc < end; ++arc) {
                    const Vertex u = read_only(reverse.column_indices + arc);
                    if (op.distance[u] != d - 1) continue;
                    predecessor[v] = static_cast<int>(u);
                    break;
                }
            }
            for (unsigned left = lanes_where(end - begin > warp_lanes); left != 0; left &= left - 1) {
                const unsigned whose = lowest_bit(left);
                const Offset last = from_lane(end, whose);
                const unsigned level_before = from_lane(d, whose) - 1;
                for (Offset arc = from_lane(begin, whose); arc < last; arc += warp_lanes) {
                    const bool inside = arc + lane_id() < last;
                    const Vertex u = read_only_if(reverse.column_indices + arc + lane_id(), inside);
                    const bool tight = inside && op.distance[u] == level_before;
                    if (!any_lane(tight)) continue;
                    if (lanes_where(tight) >> lane_id() == 1u) predecessor[row + whose] = static_cast<int>(u);
                    break;
                }
            }
        }
    }

    __device__ void start() {
        const unsigned words = words_of(graph.vertices);
        for (unsigned w = blockIdx.x * threads + threadIdx.x; w < words; w += gridDim.x * threads) far.words[w] = 0;
        grid.sync([&] {  // the bitmap is empty
            p = {first.level, 0, first.size, first.level + given.bucket, first.level};
            this->limit();
        });
    }

    __device__ bool iterate() {
        const unsigned step = this->begin_step();
        expand_async(p.step == 0 ? first.begin : 0, step);
        grid.sync([&] {  // the queue is no longer read; distances and the bitmap are as they are
            const Amount& expanded = control->counters[step].expanded;
            trace.record(p.level, expanded.vertices, expanded.arcs, trace_top_down, mode_block, code_of::none);
            ++p.level;
            // Far vertices nearer than that were expanded when they fell so low, but those that a block could not hold.
            p.before = control->counters[step].overflowed != 0 ? 0 : p.threshold;
            p.threshold = min(p.threshold, ~0u - given.bucket) + given.bucket;
        });
        FarList out{queue, &control->counters[step].size};
        split_far(far, graph.vertices, op.distance, p.before, p.threshold, ~0u, grid_warps(), out);
        grid.sync([&] {  // the queue is complete
            p.size = control->counters[step].size;
            ++p.step;
        });
        return true;
    }

    __device__ void finish(bool) {
        if (given.predecessor != nullptr) tree(given.predecessor, first.level);
        if (this->is_first()) {
            given.control->progress.level = p.level;
            given.control->progress.size = 0;
        }
    }

public:
    // From where a traversal stopped.
    __device__ AsyncBfs(const BfsAsyncArguments<Offset>& given, const TraversalProgress<Offset>& first, const Run& launch,
                        AsyncBfsShared<Offset, threads>& shared)
        : Base(launch, given.own, given.trace, shared), given(given), first(first), graph(given.graph), reverse(given.reverse),
          op{given.distance}, far{given.far}, queue(given.queue) {}
};

// Does nothing if the traversal that `control` is of has come to its end.
template <class Offset, bool traced, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
bfs_async(const __grid_constant__ BfsAsyncArguments<Offset> a) {
    __shared__ AsyncBfsShared<Offset, threads> shared;
    const TraversalProgress<Offset> first = a.control->progress;
    if (first.size == 0) return;
    AsyncBfs<Offset, traced, threads>(a, first, Run{~0u, false}, shared).run();
}

}  // namespace warpath

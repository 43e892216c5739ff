// A search by one block: operator × balance × frontier, as in traverse.cuh and engine/program.cuh, but
// the block is all there is. Its barrier is __syncthreads, and its counters are in shared memory.
//
// The balance is two-phase search, whose warps work each by itself: others may want the grid.
//
// There are two queues, in turns: the frontier's and the one that is filled. Three tails rotate:
// while some threads read one, others that are faster add to the next, and the one after it is
// cleared.
#pragma once

#include "balance/two_phase_search.cuh"
#include "engine/expansion.cuh"
#include "frontier/queue.cuh"

namespace warpath {

using SingleBlockBalance = TwoPhaseSearch<4>;

template <class Offset, int threads>
struct SingleBlockShared {
    static_assert(SingleBlockBalance::scratch_bytes<Offset> == 0);

    Count tail[3];
    unsigned no_barrier;  // there is no grid
    Vertex kept[threads / warp_lanes][QueueWriter<Offset>::places];
};

// A block's part of memory: twice as many places as there are vertices in each.
template <class Offset>
struct SingleBlockQueues {
    Vertex* vertices;
    Offset* prefix;
};

// All threads of the block call each function together.
template <class Offset, int threads>
class SingleBlockSearch {
    const Csr<Offset>& graph;
    const SingleBlockQueues<Offset> queues;
    SingleBlockShared<Offset, threads>& shared;
    unsigned filled = 0;  // which queue and which tail are filled
    unsigned tail = 0;

    __device__ Count place(unsigned queue) const { return Count{queue} * graph.vertices; }

public:
    unsigned size = 0;     // the frontier's vertices
    Offset items = 0;      // its arcs
    unsigned levels = 0;   // that were expanded,
    Count expanded = 0;    // their vertices
    Count inspected = 0;   // and arcs

    __device__ SingleBlockSearch(const Csr<Offset>& graph, const SingleBlockQueues<Offset>& queues,
                           SingleBlockShared<Offset, threads>& shared)
        : graph(graph), queues(queues), shared(shared) {
        __syncthreads();  // a search before this one has read its tails
        if (threadIdx.x < 3) shared.tail[threadIdx.x] = 0;
        __syncthreads();  // they are zero
    }

    // A warp's way into the queue that is filled; `finish` it before `turn`.
    __device__ QueueWriter<Offset> writer() {
        return {shared.kept[warp_in_block()], graph.row_offsets,
                {queues.vertices + place(filled), queues.prefix + place(filled), &shared.tail[tail]}};
    }

    // The queue that was filled is the frontier.
    __device__ void turn() {
        __syncthreads();  // the queue, its tail and what the operator wrote are there
        const Count count = shared.tail[tail];
        size = Tail<Offset>::vertices(count);
        items = Tail<Offset>::arcs(count);
        filled = 1 - filled;
        tail = tail == 2 ? 0 : tail + 1;
        if (threadIdx.x == 0) shared.tail[tail == 2 ? 0 : tail + 1] = 0;
    }

    // Begin with one vertex.
    template <class Operator, class Filter>
    __device__ void seed(Vertex source, const Operator& op, const Filter& filter) {
        auto out = writer();
        if (warp_in_block() == 0) {
            const auto offer = offer_at_source(op);
            const bool taken = op.updated(source, offer, op.update_atomic(source, offer, lane_id() == 0));
            if (taken) op.commit(invalid_vertex, source, offer);
            out.keep(source, filter.passes(source, offer, filter.test(source, offer, taken)));
        }
        out.finish();
        turn();
    }

    // Expand the frontier.
    template <class Operator, class Filter>
    __device__ void expand(const Operator& op, const Filter& filter) {
        auto out = writer();
        Expansion expansion(graph, op, out, filter);
        const Segments<Offset> frontier{queues.vertices + place(1 - filled), queues.prefix + place(1 - filled), size, items};
        const Room none{nullptr, nullptr, nullptr, 0, GridBarrier(nullptr, shared.no_barrier)};
        SingleBlockBalance::advance(frontier, graph.row_offsets, block_warps(), none, expansion);
        out.finish();
        ++levels;
        expanded += size;
        inspected += items;
        turn();
    }
};

}  // namespace warpath

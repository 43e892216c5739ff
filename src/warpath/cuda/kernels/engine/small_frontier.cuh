// Levels of small frontiers: frontiers of few arcs, by one cluster of blocks.
//
// A large-diameter graph lives in such frontiers, and a level then takes as long as its chain of
// dependent steps. Here that chain is
//
//     barrier → counts → chunk (both in another block's shared memory) → columns → update and row → queue
//
// and nothing else is in it:
//
//   - The frontier is a queue of *chunks*: up to four arcs of one vertex, (first arc, vertex,
//     number). A vertex of more arcs is several chunks, so all threads have equal work and no
//     balance is needed. Neighbouring threads share a chunk while there are enough of them, an arc
//     each, then two: a warp's critical path is short then. Else a thread has a chunk, the loads of its arcs in
//     flight together.
//   - A target's row is loaded while it is being updated, whether or not the update succeeds: the next
//     chunk is made of it. `cond` is not called: the update says the same.
//   - Each block queues what it finds in its own shared memory. After the cluster's barrier all
//     warps read how much the blocks have; then all take equal shares of all chunks, wherever they
//     lie.
//   - The barrier orders shared memory alone. That suffices: what else the blocks write in a level
//     and read in the next they write by atomics whose answer they wait for.
//   - As soon as a chunk is known, its columns are prefetched to L2.
//
// What does not fit (a block's queue is full; a vertex has more than `max_split` arcs) *spills*
// into the grid's queue, a `Spill` that has QueueWriter's `push` and `flush`. Then the cluster stops,
// and the grid continues.
//
// `single_block`: each block is a cluster by itself, whatever the launch says. Its barriers are the block's.
// `counts`: whether arcs and later chunks of a frontier are counted; else they are 0.
//
// A filter (operators/operator.cuh) may let a vertex into the frontier more than once, if
// that costs less than keeping it out. It has, in addition to `test`,
//
//     bool first_time(v)     before v goes to the grid's queue: whether it does for the first time
//     void prefetch(arc)     called when an arc enters the frontier
#pragma once

#include "core/device.cuh"
#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "engine/trace.cuh"
#include "frontier/queue.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Two with 64-bit offsets: more would not fit into 64 registers.
template <class Offset>
constexpr unsigned chunk_arcs = 16 / sizeof(Offset);
constexpr unsigned max_split = 1024;        // arcs of a vertex that one lane cuts into chunks: a guess
constexpr unsigned max_cluster_blocks = 8;  // the largest cluster that every device of sm_90 and up has
constexpr unsigned taken_at_once = 2;        // vertices that a thread takes over from the grid's queue

template <class Offset>
struct __align__(16) Chunk {
    Offset first;
    Vertex vertex;
    unsigned arcs;  // 0: none, a place that stayed empty
};
static_assert(sizeof(Chunk<unsigned>) == 16 && sizeof(Chunk<Count>) == 16);

// Places of a block's queue: two of them take 22 KiB. 500 and 1008 were as fast on a 2048² grid.
constexpr unsigned chunk_capacity = 704;

// What a frontier, or a block's part of it, amounts to.
struct __align__(16) SmallFrontierSize {
    unsigned chunks;
    unsigned later;  // those that are not a vertex's first, or stayed empty
    unsigned arcs;
    unsigned spilled;  // whether there is more of it in the grid's queue

    __device__ unsigned vertices() const { return chunks - later; }
};

// A block's part of the frontier and of the next one, in its shared memory.
template <class Offset>
struct SmallFrontierQueues {
    Chunk<Offset> chunks[2][chunk_capacity];
    // The end of this block's part. Three rotate: other blocks may still read the frontier's while the next
    // one's is counted up and the one after it is cleared.
    SmallFrontierSize tail[3];
    SmallFrontierSize parts[max_cluster_blocks];  // all blocks' tails of the frontier
};

template <class Offset, class Policy = PassAll, bool single_block = false, class Spill = QueueWriter<Offset>, bool counts = true>
class SmallFrontier {
    const SharedReference<SmallFrontierQueues<Offset>, single_block> mine;
    const Csr<Offset>& graph;
    const Policy policy;
    unsigned now = 0, half = 0;  // which tail and which chunks are the frontier's
    unsigned upto = 0;           // lane k: the chunks of blocks 0 … k

    __device__ unsigned next_tail() const { return now == 2 ? 0 : now + 1; }

    // Chunk i of the cluster's, if i < size; all lanes call.
    __device__ Chunk<Offset> fetch(unsigned i, unsigned size) {
        if constexpr (single_block) return i < size ? mine->chunks[half][i] : Chunk<Offset>{0, 0, 0};
        unsigned block = 0, before = 0;
#pragma unroll
        for (unsigned k = 0; k + 1 < max_cluster_blocks; ++k) {
            const unsigned end = from_lane(upto, k);
            if (i >= end) {
                block = k + 1;
                before = end;
            }
        }
        if (i >= size) return {0, 0, 0};
        return *map_shared_rank(&mine->chunks[half][i - before], block);
    }

    // The targets of arcs from `first` on, where `pred`; garbage for others.
    template <int arcs>
    __device__ void columns(Offset first, unsigned, const bool (&pred)[arcs], Vertex (&target)[arcs]) const {
#pragma unroll
        for (int j = 0; j < arcs; ++j)
            target[j] = read_only_if(graph.column_indices + (first + static_cast<unsigned>(j)), pred[j]);
    }

    // The columns of four arcs, by one or two aligned loads.
    __device__ void columns(Offset first, unsigned many, const bool (&)[4], Vertex (&target)[4]) const {
        const unsigned shift = static_cast<unsigned>(first & 3);
        const Offset aligned = first & ~Offset{3};
        const uint4 low = read_only_four_if(graph.column_indices + aligned, many > 0);
        const uint4 high = read_only_four_if(graph.column_indices + aligned + 4, shift + many > 4);
        const Vertex eight[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        Vertex odd[6];
#pragma unroll
        for (unsigned j = 0; j < 6; ++j) odd[j] = shift & 1u ? eight[j + 1] : eight[j];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) target[j] = shift & 2u ? odd[j + 2] : odd[j];
    }

    // Begins and ends of vertices' rows, where `pred`; not looked at, so that more can be loaded.
    template <int count>
    __device__ void load_rows(const Vertex (&vertex)[count], const bool (&pred)[count], Offset (&first)[count],
                              Offset (&end)[count]) const {
#pragma unroll
        for (int j = 0; j < count; ++j) {
            first[j] = read_only_if(graph.row_offsets + vertex[j], pred[j]);
            end[j] = read_only_if(graph.row_offsets + vertex[j] + 1, pred[j]);
        }
    }

    __device__ void put(unsigned place, Offset start, Vertex vertex, unsigned arcs) {
        mine->chunks[1 - half][place] = {start, vertex, arcs};
        prefetch(graph.column_indices + start);
        policy.prefetch(start);
    }

    // Arcs of a row; more than `max_split` may be any such number.
    static __device__ unsigned arcs_of(Offset first, Offset end) {
        if constexpr (sizeof(Offset) == 4) return end - first;
        else return static_cast<unsigned>(min(end - first, Offset{max_split + 1}));
    }

    // Queue, for each lane, those of its vertices that have arcs. All lanes of a warp call.
    template <int count>
    __device__ void add(const Vertex (&vertex)[count], const Offset (&first)[count], const unsigned (&size)[count], Spill& spill) {
        bool large = false;
#pragma unroll
        for (int j = 0; j < count; ++j) large = large || size[j] > chunk_arcs<Offset>;
        const unsigned left_over = any_lane(large) ? add_large(vertex, first, size) : add_small(vertex, first, size);
        if (any_lane(left_over != 0)) {
            if (lane_id() == 0) mine->tail[next_tail()].spilled = 1;
#pragma unroll
            for (int j = 0; j < count; ++j) spill.push(vertex[j], (left_over >> j & 1u) && policy.first_time(vertex[j]));
            spill.flush();
        }
    }

    // `add` where each vertex is one chunk at most: votes give the places. Returns bit j for the
    // lane's j-th vertex if it found none.
    template <int count>
    __device__ unsigned add_small(const Vertex (&vertex)[count], const Offset (&first)[count], const unsigned (&size)[count]) {
        SmallFrontierSize& tail = mine->tail[next_tail()];
        unsigned queued[count], chunks = 0;
#pragma unroll
        for (int j = 0; j < count; ++j) {
            queued[j] = lanes_where(size[j] > 0);
            chunks += count_bits(queued[j]);
        }
        if (chunks == 0) return 0;
        unsigned place = from_lane(fetch_add_first_lane(&tail.chunks, chunks, lane_id()), 0);
        unsigned arcs = 0, left_over = 0;
#pragma unroll
        for (int j = 0; j < count; ++j) {
            const unsigned mine_at = place + rank_in(queued[j]);
            place += count_bits(queued[j]);
            if (size[j] == 0) continue;
            if (mine_at < chunk_capacity) {
                put(mine_at, first[j], vertex[j], size[j]);
                arcs += size[j];
            } else {
                left_over |= 1u << j;
            }
        }
        if constexpr (counts) {
            arcs = __reduce_add_sync(all_lanes, arcs);
            fetch_add_first_lane(&tail.arcs, arcs, lane_id());
        }
        return left_over;
    }

    // `add` of vertices of any size; those of more than `max_split` arcs find no place.
    template <int count>
    __device__ unsigned add_large(const Vertex (&vertex)[count], const Offset (&first)[count], const unsigned (&size)[count]) {
        SmallFrontierSize& tail = mine->tail[next_tail()];
        unsigned chunks[count], all_chunks = 0;
#pragma unroll
        for (int j = 0; j < count; ++j) {
            chunks[j] = size[j] <= max_split ? (size[j] + chunk_arcs<Offset> - 1) / chunk_arcs<Offset> : 0;
            all_chunks += chunks[j];
        }
        const unsigned sum = inclusive_scan(all_chunks);
        const unsigned before = fetch_add_first_lane(&tail.chunks, from_lane(sum, warp_lanes - 1), lane_id());
        unsigned place = from_lane(before, 0) + sum - all_chunks;
        unsigned later = 0, arcs = 0, left_over = 0;
#pragma unroll
        for (int j = 0; j < count; ++j) {
            const bool fits = chunks[j] > 0 && place + chunks[j] <= chunk_capacity;
            for (unsigned k = 0; k < chunks[j] && place + k < chunk_capacity; ++k) {
                put(place + k, first[j] + k * chunk_arcs<Offset>, vertex[j], fits ? min(chunk_arcs<Offset>, size[j] - k * chunk_arcs<Offset>) : 0);
                ++later;
            }
            place += chunks[j];
            later -= fits;
            arcs += fits ? size[j] : 0;
            left_over |= static_cast<unsigned>(size[j] > 0 && !fits) << j;
        }
        if constexpr (counts) {
            later = __reduce_add_sync(all_lanes, later);
            arcs = __reduce_add_sync(all_lanes, arcs);
            fetch_add_first_lane(&tail.later, later, lane_id());
            fetch_add_first_lane(&tail.arcs, arcs, lane_id());
        }
        return left_over;
    }

    // This thread's place in the cluster, and how many there are. Neighbouring warps are in
    // different blocks.
    static __device__ unsigned rank() { return single_block ? 0 : cluster_rank(); }
    static __device__ unsigned first_row() { return (warp_in_block() * blocks() + rank()) * warp_lanes; }
    static __device__ unsigned threads() { return blocks() * blockDim.x; }

    static __device__ void meet() {
        if constexpr (single_block) __syncthreads();
        else cluster_sync();
    }

public:
    static __device__ unsigned blocks() { return single_block ? 1 : cluster_size(); }

    // All threads of the cluster call this and all that follow, together.
    __device__ SmallFrontier(SmallFrontierQueues<Offset>& queues, const Csr<Offset>& graph, const Policy& policy = {})
        : mine(queues), graph(graph), policy(policy) {
        if (threadIdx.x < 3) mine->tail[threadIdx.x] = {0, 0, 0, 0};
        meet();  // all blocks of the cluster run, and their counts are zero
    }

    // Queue, for each lane, those of its vertices with `pred`. All lanes of a warp call.
    template <int count>
    __device__ void add(const Vertex (&vertex)[count], const bool (&pred)[count], Spill& spill) {
        Offset first[count], end[count];
        unsigned size[count];
        load_rows(vertex, pred, first, end);
#pragma unroll
        for (int j = 0; j < count; ++j) size[j] = pred[j] ? arcs_of(first[j], end[j]) : 0;
        add(vertex, first, size, spill);
    }

    // The first frontier: the sources, if they are not more than the cluster's threads; more spill.
    template <class Operator>
    __device__ void seed(const Operator& op, const Sources& sources, Spill& spill) {
        const unsigned count = sources.count;
        for (unsigned row = first_row(); row < count; row += threads()) {
            const unsigned i = row + lane_id();
            const Vertex v = sources[min(i, count - 1)];
            auto offer = offer_at_source(op);
            const bool taken = update_source(op, v, offer, i < count);
            if (count <= threads()) {
                add<1>({v}, {taken}, spill);
            } else {
                spill.push(v, taken && policy.first_time(v));
                spill.flush();
            }
        }
    }

    // The first frontier: from the grid's queue of at most `max_taken` vertices. Where several
    // clusters share one, of at most that many for each, each calls with its number.
    __device__ void take(const Vertex* vertices, unsigned all, Spill& spill, unsigned part = 0, unsigned parts = 1) {
        const unsigned size = (all + parts - 1 - part) / parts;  // vertices part, part + parts, …
        Vertex v[taken_at_once];
#pragma unroll
        for (unsigned j = 0; j < taken_at_once; ++j) {
            const unsigned i = first_row() + j * threads() + lane_id();
            v[j] = i < size ? vertices[i * parts + part] : 0;
        }
        meet();  // all have read the queue, so what spills may overwrite it
#pragma unroll
        for (unsigned j = 0; j < taken_at_once; ++j) {
            const unsigned row = first_row() + j * threads();
            if (row < size) add<1>({v[j]}, {row + lane_id() < size}, spill);
        }
    }
    static __device__ unsigned max_taken() { return taken_at_once * threads(); }

    // Of the trace.
    static __device__ Mode mode() { return blocks() > 1 ? mode_cluster : mode_block; }

    // Expand the frontier. A thread has `arcs` arcs at a time, as few as there are threads for: with one, a warp
    // executes a third of the instructions that it does with four, and a level takes as long as its slowest warp.
    template <int arcs = 1, class Operator>
    __device__ void expand(const Operator& op, unsigned size, Spill& spill) {
        constexpr unsigned sharing = chunk_arcs<Offset> / arcs;  // neighbours that have a chunk
        if constexpr (sharing > 1) {
            if (size * sharing > threads()) return expand<2 * arcs>(op, size, spill);
        }
        for (unsigned row = first_row(); row < size * sharing; row += threads())
            expand<arcs>(op, fetch((row + lane_id()) / sharing, size), spill);
    }

    // The same for a chunk that neighbouring lanes share, wherever it comes from. All lanes of a warp call.
    template <int arcs = static_cast<int>(chunk_arcs<Offset>), class Operator>
    __device__ void expand(const Operator& op, const Chunk<Offset>& chunk, Spill& spill) {
        const unsigned before = lane_id() % (chunk_arcs<Offset> / arcs) * arcs;  // arcs of other lanes
        const Offset first_arc = chunk.first + before;
        Vertex target[arcs];
        typename Operator::Offer offer[arcs];
        typename Operator::Result ticket[arcs];
        Offset first[arcs], end[arcs];
        unsigned entry[arcs], size[arcs];
        bool taken[arcs];
#pragma unroll
        for (int j = 0; j < arcs; ++j) taken[j] = before + static_cast<unsigned>(j) < chunk.arcs;
        columns(first_arc, chunk.arcs - before, taken, target);
        const auto from = op.from(chunk.vertex, taken[0]);
#pragma unroll
        for (int j = 0; j < arcs; ++j) offer[j] = op.offer(from, first_arc + static_cast<unsigned>(j), taken[j]);
        load_rows(target, taken, first, end);
#pragma unroll
        for (int j = 0; j < arcs; ++j) ticket[j] = op.update_atomic(target[j], offer[j], taken[j]);
#pragma unroll
        for (int j = 0; j < arcs; ++j) taken[j] = op.updated(target[j], offer[j], ticket[j]);
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            if (taken[j]) op.commit(chunk.vertex, target[j], offer[j]);
            entry[j] = policy.test(target[j], offer[j], taken[j]);
        }
#pragma unroll
        for (int j = 0; j < arcs; ++j) size[j] = policy.passes(target[j], offer[j], entry[j]) ? arcs_of(first[j], end[j]) : 0;
        add(target, first, size, spill);
    }

    // End a level: the next frontier becomes the frontier. Returns what it amounts to, the same in
    // all threads.
    __device__ SmallFrontierSize swap_buffers() {
        now = next_tail();
        half = 1 - half;
        // All parts and their counts are there, and the old frontier is no longer read.
        if constexpr (single_block) __syncthreads();
        else cluster_sync_shared();
        // The tail of the level before, which was read last before the barrier.
        if (threadIdx.x == 0) mine->tail[next_tail() == 2 ? 0 : next_tail() + 1] = {0, 0, 0, 0};
        if constexpr (single_block) {
            SmallFrontierSize part = mine->tail[now];
            part.chunks = min(part.chunks, chunk_capacity);
            return part;
        }
        // One warp asks the other blocks, so that they are not asked by all at once.
        if (threadIdx.x < cluster_size()) {
            mine->parts[threadIdx.x] = *map_shared_rank(&mine->tail[now], threadIdx.x);
        }
        __syncthreads();  // the answers are there
        SmallFrontierSize part{0, 0, 0, 0};
        if (lane_id() < cluster_size()) part = mine->parts[lane_id()];
        part.chunks = min(part.chunks, chunk_capacity);
        upto = inclusive_scan(part.chunks);
        return {from_lane(upto, warp_lanes - 1), __reduce_add_sync(all_lanes, part.later),
                __reduce_add_sync(all_lanes, part.arcs), __reduce_or_sync(all_lanes, part.spilled)};
    }

    // Run levels of at most `max_edges` edges, up to level `last`; then the frontier is left to the grid's queue.
    // `expand(level, chunks)` calls the function above; `ended(level, size)` is called after each level, with the size
    // of its frontier, and false if it was the last. Returns the frontier that is left.
    template <class Expand, class Ended>
    __device__ SmallFrontierSize run(unsigned& level, unsigned last, unsigned max_edges, Spill& spill, Expand expand, Ended ended) {
        SmallFrontierSize count = swap_buffers();
        while (count.chunks > 0 && count.spilled == 0 && count.arcs <= max_edges && level < last) {
            expand(level, count.chunks);
            const SmallFrontierSize next = swap_buffers();
            if (!ended(level, count)) break;
            count = next;
            ++level;
        }
        if (count.chunks > 0) leave(spill);
        spill.finish();
        // No block's queue is read any more: its memory may be used otherwise, and the block may leave.
        if constexpr (!single_block) cluster_sync();
        return count;
    }

    // Hand the frontier over to the grid's queue: each vertex once, by its first chunk.
    __device__ void leave(Spill& queue) {
        const unsigned size = min(mine->tail[now].chunks, chunk_capacity);
        for (unsigned row = warp_in_block() * warp_lanes; row < size; row += blockDim.x) {
            const unsigned i = row + lane_id();
            Chunk<Offset> chunk{0, 0, 0};
            if (i < size) chunk = mine->chunks[half][i];
            const bool is_first = chunk.arcs > 0 && chunk.first == read_only(graph.row_offsets + chunk.vertex);
            queue.push(chunk.vertex, is_first && policy.first_time(chunk.vertex));
            queue.flush();
        }
    }
};

}  // namespace warpath

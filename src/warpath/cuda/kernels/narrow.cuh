// Narrow levels: frontiers of few arcs, by one cluster of blocks.
//
// A large-diameter graph lives in such frontiers, and a level then takes as long as its chain of
// dependent steps. Here that chain is
//
//     barrier → chunk (another block's shared memory) → columns → claim and row offsets → queue
//
// and everything is done to have no other link in it:
//
//   - The frontier is a queue of *chunks*: up to four arcs of one vertex, (first arc, vertex,
//     number). A thread takes a chunk and has the loads of its arcs in flight together. A vertex
//     of more arcs is several chunks, so all threads have alike to do and no balance is needed.
//   - A target's row offsets are loaded while its claim is under way, whether or not it is won:
//     the next chunk comes out of them. `open` is not asked: a claim says the same.
//   - Each block queues what it finds in its own shared memory. At the cluster's barrier the
//     blocks tell each other how much; then all take equal shares of all chunks, wherever they lie.
//   - As soon as a chunk is known, its columns are prefetched to L2.
//
// What does not fit (a block's queue is full; a vertex has more than `most_split` arcs) *spills*
// into the grid's queue. Then the cluster stops, and the grid goes on.
#pragma once

#include "core/device.cuh"
#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "frontier/queue.cuh"

namespace warpath {

// Two with 64-bit offsets: more would not fit into 64 registers.
template <class Offset>
constexpr unsigned chunk_arcs = 16 / sizeof(Offset);
constexpr unsigned most_split = 1024;        // arcs of a vertex that one lane cuts into chunks: a guess
constexpr unsigned most_cluster_blocks = 8;  // the largest cluster that every device of sm_90 and up has

template <class Offset>
struct Chunk {
    Offset first;
    Vertex vertex;
    unsigned arcs;  // 0: none, a place that stayed empty
};

// Places of a block's queue: two of them take 18 KiB.
template <class Offset>
constexpr unsigned chunk_places = 9216 / sizeof(Chunk<Offset>);

// What a frontier amounts to.
struct __align__(16) NarrowCount {
    unsigned chunks, vertices, arcs;
    unsigned spilled;  // whether there is more of it in the grid's queue
};

// A block's part of the frontier and of the next one, in its shared memory.
template <class Offset>
struct NarrowQueues {
    Chunk<Offset> chunks[2][chunk_places<Offset>];
    NarrowCount tail[2];                         // of this block's part
    NarrowCount parts[2][most_cluster_blocks];  // of all blocks' parts, as of the last barrier
};

template <class Offset>
class NarrowFrontier {
    NarrowQueues<Offset>& mine;
    const Csr<Offset>& graph;
    unsigned now = 0;  // which of the two is the frontier

    // Chunk i of the cluster's.
    __device__ Chunk<Offset> fetch(unsigned i) {
        unsigned block = 0;
#pragma unroll
        for (unsigned k = 0; k + 1 < most_cluster_blocks; ++k) {
            const unsigned here = mine.parts[now][k].chunks;
            if (block == k && i >= here) {
                i -= here;
                ++block;
            }
        }
        return *map_shared_rank(&mine.chunks[now][i], block);
    }

    // Queue, for each lane, those of its vertices that are taken. All lanes of a warp call.
    template <int count>
    __device__ void add(const Vertex (&vertex)[count], const Offset (&first)[count], const Offset (&degree)[count],
                        const bool (&taken)[count], QueueWriter<Offset>& spill) {
        unsigned chunks[count], all_chunks = 0;
#pragma unroll
        for (int j = 0; j < count; ++j) {
            const bool small = taken[j] && degree[j] <= most_split;
            chunks[j] = small ? (static_cast<unsigned>(degree[j]) + chunk_arcs<Offset> - 1) / chunk_arcs<Offset> : 0;
            all_chunks += chunks[j];
        }
        NarrowCount& tail = mine.tail[1 - now];
        const unsigned upto = inclusive_scan(all_chunks);
        unsigned place = 0;
        if (lane_id() == warp_lanes - 1 && upto > 0) place = atomicAdd(&tail.chunks, upto);
        place = from_lane(place, warp_lanes - 1) + upto - all_chunks;
        unsigned vertices = 0, arcs = 0, spilled = 0;  // `spilled`: bit j for the j-th
#pragma unroll
        for (int j = 0; j < count; ++j) {
            const unsigned size = static_cast<unsigned>(degree[j]);
            const bool fits = chunks[j] > 0 && place + chunks[j] <= chunk_places<Offset>;
            for (unsigned k = 0; k < chunks[j] && place + k < chunk_places<Offset>; ++k) {
                const Offset start = first[j] + k * chunk_arcs<Offset>;
                mine.chunks[1 - now][place + k] = {start, vertex[j], fits ? min(chunk_arcs<Offset>, size - k * chunk_arcs<Offset>) : 0};
                prefetch(graph.column_indices + start);
            }
            place += chunks[j];
            vertices += fits;
            arcs += fits ? size : 0;
            spilled |= static_cast<unsigned>(taken[j] && degree[j] > 0 && !fits) << j;
        }
        vertices = __reduce_add_sync(all_lanes, vertices);
        arcs = __reduce_add_sync(all_lanes, arcs);
        if (lane_id() == 0 && vertices > 0) {
            atomicAdd(&tail.vertices, vertices);
            atomicAdd(&tail.arcs, arcs);
        }
        if (any_lane(spilled != 0)) {
            if (lane_id() == 0) atomicOr(&tail.spilled, 1u);
#pragma unroll
            for (int j = 0; j < count; ++j) spill.keep(vertex[j], spilled >> j & 1u);
            spill.flush();
        }
    }

    // Queue a vertex a lane, if `wanted`.
    __device__ void add(Vertex v, bool wanted, QueueWriter<Offset>& spill) {
        const Offset first = wanted ? read_only(graph.row_offsets + v) : 0;
        const Offset end = wanted ? read_only(graph.row_offsets + v + 1) : 0;
        add<1>({v}, {first}, {end - first}, {wanted}, spill);
    }

    // This thread's place in the cluster, and how many there are. Neighbouring warps are in
    // different blocks.
    __device__ unsigned first_row() const { return (warp_in_block() * cluster_size() + cluster_rank()) * warp_lanes; }
    __device__ unsigned threads() const { return cluster_size() * blockDim.x; }

public:
    // All threads of the cluster call this and all that follow, together.
    __device__ NarrowFrontier(NarrowQueues<Offset>& queues, const Csr<Offset>& graph) : mine(queues), graph(graph) {
        if (threadIdx.x < 2 * most_cluster_blocks) {
            mine.parts[threadIdx.x / most_cluster_blocks][threadIdx.x % most_cluster_blocks] = {0, 0, 0, 0};
            if (threadIdx.x < 2) mine.tail[threadIdx.x] = {0, 0, 0, 0};
        }
        cluster_sync();  // all blocks of the cluster run, and their counts are zero
    }

    // The first frontier: the sources, if they are not more than the cluster's threads; more spill.
    template <class Operator, class Sources>
    __device__ void seed(const Operator& op, unsigned count, Sources source_at, QueueWriter<Offset>& spill) {
        for (unsigned row = first_row(); row < count; row += threads()) {
            const unsigned i = row + lane_id();
            const Vertex v = source_at(min(i, count - 1));
            const bool taken = i < count && op.claim(v);
            if (taken) op.settle(nobody, v);
            if (count <= threads()) {
                add(v, taken, spill);
            } else {
                spill.keep(v, taken);
                spill.flush();
            }
        }
    }

    // The first frontier: from the grid's queue, which has at most as many vertices as the cluster
    // threads.
    __device__ void take(const Vertex* vertices, unsigned size, QueueWriter<Offset>& spill) {
        const unsigned i = first_row() + lane_id();
        const Vertex v = i < size ? vertices[i] : 0;
        cluster_sync();  // all have read the queue, so what spills may overwrite it
        if (first_row() < size) add(v, i < size, spill);
    }

    // Expand the frontier: each thread a chunk, its arcs together.
    template <class Operator>
    __device__ void expand(const Operator& op, unsigned size, QueueWriter<Offset>& spill) {
        if (threadIdx.x == 0) mine.tail[now] = {0, 0, 0, 0};  // all blocks know it
        for (unsigned row = first_row(); row < size; row += threads()) {
            const unsigned i = row + lane_id();
            Chunk<Offset> chunk{0, 0, 0};
            if (i < size) chunk = fetch(i);
            Vertex target[chunk_arcs<Offset>];
            Offset first[chunk_arcs<Offset>], degree[chunk_arcs<Offset>];
            bool taken[chunk_arcs<Offset>];
#pragma unroll
            for (unsigned j = 0; j < chunk_arcs<Offset>; ++j)
                target[j] = j < chunk.arcs ? read_only(graph.column_indices + chunk.first + j) : 0;
#pragma unroll
            for (unsigned j = 0; j < chunk_arcs<Offset>; ++j) {
                first[j] = read_only(graph.row_offsets + target[j]);
                degree[j] = read_only(graph.row_offsets + target[j] + 1);
            }
#pragma unroll
            for (unsigned j = 0; j < chunk_arcs<Offset>; ++j) taken[j] = j < chunk.arcs && op.claim(target[j]);
#pragma unroll
            for (unsigned j = 0; j < chunk_arcs<Offset>; ++j) {
                degree[j] -= first[j];
                if (taken[j]) op.settle(chunk.vertex, target[j]);
            }
            add(target, first, degree, taken, spill);
        }
    }

    // End a level: the next frontier becomes the frontier. Returns what it amounts to, the same in
    // all threads.
    __device__ NarrowCount turn() {
        __syncthreads();  // this block's part of the next frontier is complete
        if (threadIdx.x < cluster_size()) {
            NarrowCount part = mine.tail[1 - now];
            part.chunks = min(part.chunks, chunk_places<Offset>);
            *map_shared_rank(&mine.parts[1 - now][cluster_rank()], threadIdx.x) = part;
        }
        cluster_sync();  // all parts and their counts are there, and the old frontier is no longer read
        now = 1 - now;
        NarrowCount sum{0, 0, 0, 0};
#pragma unroll
        for (unsigned k = 0; k < most_cluster_blocks; ++k) {
            const NarrowCount part = mine.parts[now][k];
            sum = {sum.chunks + part.chunks, sum.vertices + part.vertices, sum.arcs + part.arcs, sum.spilled | part.spilled};
        }
        return sum;
    }

    // Hand the frontier over to the grid's queue: each vertex once, by its first chunk.
    __device__ void leave(QueueWriter<Offset>& queue) {
        const unsigned size = mine.parts[now][cluster_rank()].chunks;
        for (unsigned row = warp_in_block() * warp_lanes; row < size; row += blockDim.x) {
            const unsigned i = row + lane_id();
            Chunk<Offset> chunk{0, 0, 0};
            if (i < size) chunk = mine.chunks[now][i];
            queue.keep(chunk.vertex, chunk.arcs > 0 && chunk.first == read_only(graph.row_offsets + chunk.vertex));
            queue.flush();
        }
    }
};

}  // namespace warpath

// The frontier as a queue of vertices that comes with its prefix sums.
//
// The contract of a frontier policy
// ---------------------------------
// A frontier holds the vertices that are active in this iteration; its policy says how vertices
// enter the next one and how duplicates are dropped. For a balance (balance/balance.cuh) it is
// `Segments`: vertices[i] has the arcs that are items prefix[i] … prefix[i + 1] − 1 of the level.
//
// Here vertices enter one by one: `Visit::claim` lets only one arc through, so there are no
// duplicates to drop. Invariants that the others may rely on:
//
//   - No segment is empty: a vertex without arcs is dropped. So the prefix sums rise strictly.
//   - prefix[0] = 0, and the sum of all is Segments::items.
//   - Each vertex is in the queue at most once in a traversal. Levels follow each other in one
//     array of as many places as there are vertices; nothing is copied.
//
// How the prefix sums come for free: one 64-bit atomic adds (vertices, their arcs) to the tail,
// and what it returns is a place in the queue and the number of arcs before it. Places and sums
// grow together, so whatever the order in which warps arrive, the sums are those of that order.
#pragma once

#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "core/warp.cuh"

namespace warpath {

template <class Offset>
struct Segments {
    const Vertex* vertices;
    const Offset* prefix;
    unsigned size;
    Offset items;
};

// (vertices, arcs) in one word. 32 bits of arcs if offsets have 32; else 36, which leaves 28 for
// the vertices: more arcs than any device holds.
template <class Offset>
struct Tail {
    static constexpr unsigned arc_bits = sizeof(Offset) == 4 ? 32 : 36;

    static __device__ Count pack(Count vertices, Count arcs) { return vertices << arc_bits | arcs; }
    static __device__ unsigned vertices(Count tail) { return static_cast<unsigned>(tail >> arc_bits); }
    static __device__ Offset arcs(Count tail) { return static_cast<Offset>(tail & ((Count{1} << arc_bits) - 1)); }
};

// Where vertices go.
template <class Offset>
struct Queue {
    Vertex* vertices;
    Offset* prefix;
    Count* tail;
};

// A warp's way into a queue: vertices are kept in shared memory and appended `batch` at a time, so
// that one atomic serves them (all warps' go to one word), and their degrees are loaded side by side.
template <class Offset>
class QueueWriter {
    static constexpr int each = sizeof(Offset) == 4 ? 2 : 1;  // vertices of a batch that a lane appends
    static constexpr unsigned batch = each * warp_lanes;

    Vertex* kept;  // `places` of them, this warp's
    unsigned size = 0;
    const Offset* row_offsets;
    Queue<Offset> queue;

    // Append kept[first … first + count); `count` is at most `batch`.
    __device__ void append(unsigned first, unsigned count) {
        Vertex v[each];
        Offset degree[each];
#pragma unroll
        for (int j = 0; j < each; ++j) {
            const unsigned i = static_cast<unsigned>(j) * warp_lanes + lane_id();
            degree[j] = 0;
            if (i < count) {
                v[j] = kept[first + i];
                degree[j] = read_only(row_offsets + v[j] + 1) - read_only(row_offsets + v[j]);
            }
        }
        Count mine = 0;
#pragma unroll
        for (int j = 0; j < each; ++j) mine += degree[j] > 0 ? Tail<Offset>::pack(1, degree[j]) : 0;
        const Count sum = inclusive_scan(mine);
        Count place = 0;
        if (lane_id() == warp_lanes - 1 && sum > 0) place = atomicAdd(queue.tail, sum);
        place = from_lane(place, warp_lanes - 1) + sum - mine;
#pragma unroll
        for (int j = 0; j < each; ++j) {
            if (degree[j] == 0) continue;
            queue.vertices[Tail<Offset>::vertices(place)] = v[j];
            queue.prefix[Tail<Offset>::vertices(place)] = Tail<Offset>::arcs(place);
            place += Tail<Offset>::pack(1, degree[j]);
        }
        __syncwarp();  // `kept` was read
    }

public:
    static constexpr int rows = 4;  // that may be kept between two calls of `flush`
    static constexpr unsigned places = batch + rows * warp_lanes;

    __device__ QueueWriter(Vertex* kept, const Offset* row_offsets, const Queue<Offset>& queue)
        : kept(kept), row_offsets(row_offsets), queue(queue) {}

    // All lanes call; those with `wanted` bring a vertex. At most `rows` times before a `flush`.
    __device__ void keep(Vertex v, bool wanted) {
        const unsigned bringing = lanes_where(wanted);
        if (wanted) kept[size + rank_in(bringing)] = v;
        size += static_cast<unsigned>(__popc(bringing));
    }

    // Append what fills a batch. All lanes call.
    __device__ void flush() {
        if (size < batch) return;
        __syncwarp();  // the vertices are there
#pragma unroll 1
        while (size >= batch) {
            size -= batch;
            append(size, batch);
        }
    }

    // Append all. All lanes call, once, when the warp has no more.
    __device__ void finish() {
        __syncwarp();  // the vertices are there
        if (size > 0) append(0, size);
        size = 0;
    }
};

}  // namespace warpath

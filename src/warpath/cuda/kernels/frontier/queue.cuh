// The frontier as a queue of vertices that comes with its prefix sums.
//
// The contract of a frontier policy
// ---------------------------------
// A frontier holds the vertices that are active in this iteration; its policy says how vertices
// enter the next one and how duplicates are dropped. For a balance (balance/balance.cuh) it is
// `Segments`: vertices[i] has the arcs that are items prefix[i] … prefix[i + 1] − 1 of the level.
// Invariants that the others may rely on:
//
//   - No segment is empty: a vertex without arcs is dropped. So the prefix sums rise strictly.
//   - prefix[0] = 0, and the sum of all is Segments::items.
//
// How often a vertex may enter, the policy says (`Limit` below, and `has_one_queue` of engine/program.cuh).
//
// How the prefix sums come for free: one 64-bit atomic adds (vertices, their arcs) to the tail,
// and what it returns is a place in the queue and the number of arcs before it. Places and sums
// grow together, so whatever the order in which warps arrive, the sums are those of that order.
#pragma once

#include "core/memory.cuh"
#include "core/device.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "core/warp.cuh"

namespace warpath {

#ifdef WARPATH_CACHE_MODIFIERS  // see sssp_cache_modifiers.cuh
struct FrontierVertices {
    const Vertex* vertices;
    __device__ Vertex operator[](Count i) const { return __ldcs(vertices + i); }
};
#else
using FrontierVertices = const Vertex*;
#endif

template <class Offset>
struct Segments {
    FrontierVertices vertices;
    const Offset* prefix;
    unsigned size;
    Offset items;
    static constexpr bool in_shared = false;
};

// The same in a block's shared memory, where an instruction for global memory faults.
template <class Offset>
struct SharedSegments : Segments<Offset> {
    static constexpr bool in_shared = true;
};

// (vertices, arcs) in one word. 32 bits of arcs if offsets have 32; else 35, which leaves 29 for the vertices: as
// warpath/cuda/device_graph.py has it, which refuses larger graphs.
template <class Offset>
struct Tail {
    static constexpr unsigned arc_bits = sizeof(Offset) == 4 ? 32 : 35;

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

// Vertices may enter a queue several times each, until it overflows: it holds as many vertices, or arcs, as the
// graph has. From then on a vertex enters at most once more, so a capacity of twice as many is enough, and one
// batch per warp more, or what one stages, which had looked before the overflow.
struct OverflowLimit {
    static constexpr bool limits = true, is_bounded = false, checks_degree = false;
    unsigned* stamp;        // the last queue that each vertex entered after it overflowed
    const unsigned& queue;  // the number of the one that is filled, counted from 1
    Vertex vertices;
    Count arcs;

    template <class Offset>
    __device__ bool overflows(Count tail) const {
        return Tail<Offset>::vertices(tail) >= vertices || Tail<Offset>::arcs(tail) >= arcs;
    }
    __device__ bool first_time(Vertex v) const { return atomicExch(stamp + v, queue) != queue; }
    // Whether a vertex of that degree enters once at most also before the overflow.
    static __device__ bool is_high_degree(Count) { return false; }
};
// The same, but a vertex of high degree enters at most once also before the overflow. So the arcs that come after
// the overflow are few and bounded, also those from a hub's neighbours.
constexpr unsigned high_degree_edges = 1024;  // more than that, as in warpath/cuda/queue_capacity.py; a guess
struct DedupHighDegree : OverflowLimit {
    static constexpr bool checks_degree = true;
    static __device__ bool is_high_degree(Count degree) { return degree > high_degree_edges; }
};
// Vertices come at most once each.
struct NoLimit {
    static constexpr bool limits = false, is_bounded = false;
};
// Likewise, but the queue may be too small. Vertices beyond its capacity are counted and not written.
struct Bounded {
    static constexpr bool limits = false, is_bounded = true;
    unsigned capacity;
};
// The same, unless the queue is left out: then all vertices are counted, also those without arcs, and no arcs.
struct LeftOut : Bounded {
    const bool& left_out;  // in shared memory, as registers are scarce
};

// What the warps of a block stage. Aligned for a header of 8-byte words (`BlockWriter`).
template <class Writer, unsigned warps>
struct alignas(8) Staging {
    Vertex of_warp[warps][Writer::staging_size];

    __device__ Vertex* own() { return of_warp[warp_in_block()]; }
};

// How a warp writes a queue: vertices are staged in shared memory and appended `batch` at a time, so
// that one atomic serves them (all warps' go to one word), and their degrees are loaded side by side.
template <class Offset, class Limit = NoLimit>
class QueueWriter {
    static constexpr int each = sizeof(Offset) == 4 ? 2 : 1;  // vertices of a batch that a lane appends

public:
    static constexpr unsigned batch = each * warp_lanes;  // as in warpath/cuda/queue_capacity.py

private:
    Vertex* staging;  // this warp's `staging_size` vertices
    unsigned size = 0;
    const Offset* row_offsets;
    Queue<Offset> queue;
    [[no_unique_address]] Limit limit;

    __device__ bool has_place(unsigned place) const {
        if constexpr (Limit::is_bounded) return place < limit.capacity;
        else return true;
    }

    // Whether nothing is written. Then `size` is a lane's.
    __device__ bool only_counts() const {
        if constexpr (requires { limit.left_out; }) return limit.left_out;
        else return false;
    }

    // Append staging[first … first + count); `count` is at most `batch`.
    __device__ void append(unsigned first, unsigned count) {
        Vertex v[each];
        Offset degree[each];
#pragma unroll
        for (int j = 0; j < each; ++j) {
            const unsigned i = static_cast<unsigned>(j) * warp_lanes + lane_id();
            degree[j] = 0;
            if (i < count) {
                v[j] = staging[first + i];
                degree[j] = read_only(row_offsets + v[j] + 1) - read_only(row_offsets + v[j]);
            }
        }
        if constexpr (Limit::limits) {
            Count tail = 0;
            if (lane_id() == 0) tail = load_relaxed(queue.tail);
            const bool overflows = limit.template overflows<Offset>(from_lane(tail, 0));
            if (overflows || Limit::checks_degree)
                for (int j = 0; j < each; ++j)
                    if (degree[j] > 0 && (overflows || limit.is_high_degree(degree[j])) && !limit.first_time(v[j])) degree[j] = 0;
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
            if (has_place(Tail<Offset>::vertices(place))) {
                queue.vertices[Tail<Offset>::vertices(place)] = v[j];
                queue.prefix[Tail<Offset>::vertices(place)] = Tail<Offset>::arcs(place);
            }
            place += Tail<Offset>::pack(1, degree[j]);
        }
        __syncwarp();  // `staging` was read
    }

public:
    static constexpr int rows = 4;  // that may be pushed between two calls of `flush`
    static constexpr unsigned staging_size = batch + rows * warp_lanes;

    __device__ QueueWriter(Vertex* staging, const Offset* row_offsets, const Queue<Offset>& queue, const Limit& limit = {})
        : staging(staging), row_offsets(row_offsets), queue(queue), limit(limit) {}

    // All lanes call; those with `pred` bring a vertex. At most `rows` times before a `flush`.
    __device__ void push(Vertex v, bool pred) {
        if (only_counts()) {
            size += pred;
            return;
        }
        const unsigned bringing = lanes_where(pred);
        if (pred) staging[size + rank_in(bringing)] = v;
        size += count_bits(bringing);
    }

    // Append what fills a batch. All lanes call.
    __device__ void flush() {
        if (only_counts() || size < batch) return;
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
        if (only_counts()) {
            const unsigned all = warp_sum(size);
            if (lane_id() == 0 && all > 0) atomicAdd(queue.tail, Tail<Offset>::pack(all, 0));
        } else if (size > 0) {
            append(0, size);
        }
        size = 0;
    }
};

// The same without shared memory: each vertex takes its place by an atomic of its own and is written
// by itself, scattered among those of other warps.
template <class Offset, class Limit = NoLimit>
class ScatteredWriter {
protected:
    const Offset* row_offsets;
    Queue<Offset> queue;
    [[no_unique_address]] Limit limit;

public:
    static constexpr int rows = 4;
    static constexpr unsigned staging_size = 1;  // not used

    __device__ ScatteredWriter(Vertex*, const Offset* row_offsets, const Queue<Offset>& queue, const Limit& limit = {})
        : row_offsets(row_offsets), queue(queue), limit(limit) {}

    __device__ void push(Vertex v, bool pred) {
        if (!pred) return;
        const Offset degree = read_only(row_offsets + v + 1) - read_only(row_offsets + v);
        if (degree == 0) return;
        if constexpr (Limit::limits) {
            const bool overflows = limit.template overflows<Offset>(load_relaxed(queue.tail));
            if ((overflows || limit.is_high_degree(degree)) && !limit.first_time(v)) return;
        }
        const Count place = atomicAdd(queue.tail, Tail<Offset>::pack(1, degree));
        queue.vertices[Tail<Offset>::vertices(place)] = v;
        queue.prefix[Tail<Offset>::vertices(place)] = Tail<Offset>::arcs(place);
    }
    __device__ void flush() {}
    __device__ void finish() {}
};

// The same with a warp's places together: one atomic and a prefix sum by shuffles for its 32 lanes, but
// nothing waits in shared memory until a row is full.
template <class Offset, class Limit = NoLimit>
class SummedWriter : public ScatteredWriter<Offset, Limit> {
public:
    using ScatteredWriter<Offset, Limit>::ScatteredWriter;

    // All lanes call.
    __device__ void push(Vertex v, bool pred) {
        if (!any_lane(pred)) return;
        Offset degree = read_only_if(this->row_offsets + v + 1, pred) - read_only_if(this->row_offsets + v, pred);
        if constexpr (Limit::limits) {
            const bool overflows = this->limit.template overflows<Offset>(load_relaxed(this->queue.tail));
            if ((overflows || this->limit.is_high_degree(degree)) && degree > 0 && !this->limit.first_time(v)) degree = 0;
        }
        const Count mine = degree > 0 ? Tail<Offset>::pack(1, degree) : 0;
        const Count sum = inclusive_scan(mine);
        Count place = 0;
        if (lane_id() == warp_lanes - 1 && sum > 0) place = atomicAdd(this->queue.tail, sum);
        place = from_lane(place, warp_lanes - 1) + sum - mine;
        if (degree == 0) return;
        this->queue.vertices[Tail<Offset>::vertices(place)] = v;
        this->queue.prefix[Tail<Offset>::vertices(place)] = Tail<Offset>::arcs(place);
    }
};

// A queue in the shared memory of a block, which its warps fill and which is written once per iteration: the hierarchical
// queue of L. Luo, M. Wong, W. Hwu, "An effective GPU implementation of breadth-first search", DAC 2010. A warp takes
// places for its lanes' vertices by one atomic in shared memory, the block for all of its by one on the global tail.
// Vertices that find the block's queue full are written at once. Where a vertex may come several times, one that the limit
// keeps out leaves its place in the block's queue empty.
//
// `warp_queues`: each warp has a queue of its own, in equal parts of the block's memory, to which it adds without an atomic.
// They are joined to the block's when that is written.
template <class Offset, class Limit = NoLimit, bool warp_queues = false>
class BlockWriter : SummedWriter<Offset, Limit> {
    static_assert(!Limit::is_bounded);
    using Base = SummedWriter<Offset, Limit>;

    // At the beginning of the block's part: how many vertices there are, and where each warp's go in the global queue.
    struct Header {
        Count place[warp_lanes];
        unsigned size;
    };
    static constexpr unsigned header_words = (sizeof(Header) + sizeof(Vertex) - 1) / sizeof(Vertex);

    Vertex* staging;  // of the block
    unsigned own_size = 0;  // of this warp's queue

    __device__ unsigned warps() const { return blockDim.x / warp_lanes; }
    __device__ Header& header() const { return *reinterpret_cast<Header*>(staging); }
    __device__ Vertex* vertices() const { return staging + header_words; }
    __device__ unsigned capacity() const { return warps() * staging_size - header_words; }

    __device__ unsigned own_capacity() const { return capacity() / warps(); }

    __device__ Offset degree_of(Vertex v) const { return read_only(this->row_offsets + v + 1) - read_only(this->row_offsets + v); }

    // A vertex of mine as an addend of the tail.
    __device__ Count packed(unsigned i, unsigned end) const {
        if (i >= end || (Limit::limits && vertices()[i] == invalid_vertex)) return 0;
        const Offset degree = degree_of(vertices()[i]);
        return degree > 0 ? Tail<Offset>::pack(1, degree) : 0;
    }

    // Drop those of this warp's that the limit keeps out. The lane that drops one reads its place again.
    __device__ void apply_limit(unsigned begin, unsigned end) {
        Count tail = 0;
        if (lane_id() == 0) tail = load_relaxed(this->queue.tail);
        const bool overflows = this->limit.template overflows<Offset>(from_lane(tail, 0));
        if (!overflows && !Limit::checks_degree) return;
        for (unsigned i = begin + lane_id(); i < end; i += warp_lanes) {
            const Vertex v = vertices()[i];
            const Offset degree = degree_of(v);
            if (degree > 0 && (overflows || this->limit.is_high_degree(degree)) && !this->limit.first_time(v)) vertices()[i] = invalid_vertex;
        }
    }

public:
    using Base::rows;
    static constexpr unsigned staging_size = 192;  // of a warp, as there: those of a block are its queue

    // All threads of the block call.
    __device__ BlockWriter(Vertex* warp_staging, const Offset* row_offsets, const Queue<Offset>& queue, const Limit& limit = {})
        : Base(nullptr, row_offsets, queue, limit), staging(warp_staging - warp_in_block() * staging_size) {
        if (threadIdx.x == 0) header().size = 0;
        __syncthreads();  // the queue is empty, and was read
    }

    // All lanes call.
    __device__ void push(Vertex v, bool pred) {
        const unsigned bringing = lanes_where(pred), count = count_bits(bringing);
        if constexpr (warp_queues) {
            const unsigned place = own_size + rank_in(bringing);
            const bool fits = place < own_capacity();
            if (pred && fits) vertices()[warp_in_block() * own_capacity() + place] = v;
            own_size = min(own_size + count, own_capacity());
            Base::push(v, pred && !fits);
        } else {
            unsigned place = 0;
            if (lane_id() == 0 && bringing != 0) place = atomicAdd(&header().size, count);
            place = from_lane(place, 0) + rank_in(bringing);
            const bool fits = place < capacity();
            if (pred && fits) vertices()[place] = v;
            Base::push(v, pred && !fits);
        }
    }
    __device__ void flush() {}

    // All threads of the block call, once, when the block has no more.
    __device__ void finish() {
        __syncthreads();  // the vertices are there
        unsigned begin, end;  // this warp's part: its own queue, or an equal share
        if constexpr (warp_queues) {
            begin = warp_in_block() * own_capacity();
            end = begin + own_size;
        } else {
            const unsigned size = min(header().size, capacity()), share = (size + warps() - 1) / warps();
            begin = min(size, warp_in_block() * share);
            end = min(size, begin + share);
        }
        if constexpr (Limit::limits) apply_limit(begin, end);
        Count sum = 0;
        for (unsigned i = begin + lane_id(); i < end; i += warp_lanes) sum += packed(i, end);
        sum = warp_sum(sum);
        if (lane_id() == 0) header().place[warp_in_block()] = sum;
        __syncthreads();  // the warps' sums are there
        if (threadIdx.x == 0) {
            Count all = 0;
            for (unsigned k = 0; k < warps(); ++k) all += header().place[k];
            Count place = all > 0 ? atomicAdd(this->queue.tail, all) : 0;
            for (unsigned k = 0; k < warps(); ++k) {
                const Count before = place;
                place += header().place[k];
                header().place[k] = before;
            }
        }
        __syncthreads();  // the warps' places are there
        Count place = header().place[warp_in_block()];
        for (unsigned first = begin; first < end; first += warp_lanes) {
            const Count mine = packed(first + lane_id(), end), row = inclusive_scan(mine), before = place + row - mine;
            if (mine > 0) {
                this->queue.vertices[Tail<Offset>::vertices(before)] = vertices()[first + lane_id()];
                this->queue.prefix[Tail<Offset>::vertices(before)] = Tail<Offset>::arcs(before);
            }
            place += from_lane(row, warp_lanes - 1);
        }
    }
};

}  // namespace warpath

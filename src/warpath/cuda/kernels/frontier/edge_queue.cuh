// The frontier as a queue of edges: neighbours are gathered first and filtered afterwards.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, section 5: their
// two-phase strategy.
//
//     expansion      the arcs of the vertex queue are gathered: their targets, and if predecessors are
//                    kept their sources, go to the edge queue as they are
//     contraction    after a barrier: all threads take equal shares of the edge queue; what was not
//                    reached before, and is no duplicate, goes to the next vertex queue
//
// Looking up and filtering are balanced by themselves, whatever the balance that gathers, for the price
// of writing and reading each arc. It holds as many edges as the graph has arcs; a level that
// has more, through duplicates, is expanded and contracted at once.
//
// Their other strategies begin an iteration with the edges in the queue, which is double-buffered. In contract-expand
// a block filters a tile of them, and expands the vertices that pass itself: these are no queue in global memory but
// segments in the block's shared memory (`BlockSegments`), which any balance takes whose warps need no others but those
// of their block. The hybrid does so while the frontier is small, and else contracts and expands in two phases.
#pragma once

#include "balance/balance.cuh"
#include "core/device.cuh"
#include "core/warp.cuh"
#include "frontier/queue.cuh"
#include "operators/operator.cuh"

namespace warpath {

// Places of it are the "edges" that `Expansion` follows; an iteration wrote them.
struct EdgeQueue {
    Vertex* targets;
    Vertex* sources;  // if there are predecessors
    void* offers;     // what each edge brings, if they do not all bring the same
    Count capacity;   // of each half, if it is double-buffered
};

__device__ __forceinline__ Vertex column_if(const EdgeQueue& edges, Count place, bool pred) {
    return load_if(edges.targets + place, pred);
}

// Whether an operator's edges bring something of their own.
template <class Operator>
constexpr bool has_offers = !__is_empty(typename Operator::Offer);

// What a balance hands edges to: each goes to the queue.
template <class Operator, bool with_sources>
class Gathering {
    const Vertex* column_indices;
    const Operator& op;
    const EdgeQueue& edges;
    Count* tail;

public:
    static constexpr bool needs_owner = with_sources || has_offers<Operator>;

    __device__ Gathering(const Vertex* column_indices, const Operator& op, const EdgeQueue& edges, Count* tail)
        : column_indices(column_indices), op(op), edges(edges), tail(tail) {}

    // As `Expansion`: neighbouring lanes' edges get neighbouring places, by one atomic per call.
    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        Vertex target[arcs];
        typename Operator::Offer offer[arcs];
        unsigned all = 0;
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            const bool is_there = active >> j & 1u;
            target[j] = read_only_if(column_indices + arc[j], is_there);
            if constexpr (has_offers<Operator>) offer[j] = op.offer(op.from(owner[j], is_there), arc[j], is_there);
            all += count_bits(lanes_where(is_there));
        }
        if (all == 0) return;
        Count place = 0;
        if (lane_id() == 0) place = atomicAdd(tail, Count{all});
        place = Tail<Offset>::arcs(from_lane(place, 0));  // above which vertices may be counted
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            const bool is_there = active >> j & 1u;
            const unsigned there = lanes_where(is_there);
            const Count mine = place + rank_in(there);
            store_if(edges.targets + mine, target[j], is_there);
            if constexpr (with_sources) store_if(edges.sources + mine, owner[j], is_there);
            if constexpr (has_offers<Operator>) {
                if (is_there) static_cast<typename Operator::Offer*>(edges.offers)[mine] = offer[j];
            }
            place += count_bits(there);
        }
    }
};

// An operator whose edges were gathered: what they bring is in the queue.
template <class Base, bool with_sources>
struct Gathered : Base {
    static constexpr bool needs_owner = with_sources;
    using From = Nothing;
    using Offer = typename Base::Offer;
    const EdgeQueue& edges;

    __device__ From from(Vertex, bool) const { return {}; }
    __device__ Offer offer(From, Count place, bool pred) const {
        if constexpr (has_offers<Base>) return pred ? static_cast<const Offer*>(edges.offers)[place] : Offer{};
        else return {};
    }
};

// Visit all of a queue's edges, lanes side by side; `body` as a balance has it.
template <class Body>
__device__ __forceinline__ void visit_edges(const EdgeQueue& edges, Count size, Workers workers, Body& body) {
    constexpr int rows = arcs_in_flight<Count>;
    const Count row = Count{workers.count} * warp_lanes;
    for (Count first = Count{workers.rank} * warp_lanes; first < size; first += rows * row) {
        Vertex owner[rows];
        Count place[rows];
        unsigned active = 0;
#pragma unroll
        for (int j = 0; j < rows; ++j) {
            place[j] = first + static_cast<unsigned>(j) * row + lane_id();
            active |= static_cast<unsigned>(place[j] < size) << j;
        }
#pragma unroll
        for (int j = 0; j < rows; ++j)
            owner[j] = Body::needs_owner ? load_if(edges.sources + place[j], (active >> j & 1u) != 0) : 0;
        body.visit(owner, place, active);
    }
}

// Where a block that visits one edge per lane keeps the vertex that it found.
struct KeepOne {
    static constexpr int rows = 1;
    Vertex vertex = 0;
    bool is_there = false;

    __device__ void push(Vertex v, bool pred) {
        vertex = v;
        is_there = pred;
    }
    __device__ void flush() {}
};

// The vertices that the threads of a block found, as segments in its shared memory.
template <class Offset, unsigned threads>
struct BlockSegments {
    Count sums[threads / warp_lanes];
    Offset prefix[threads];
    Vertex vertices[threads];

    // All threads of the block call; those without a vertex bring none. A vertex without edges is dropped.
    __device__ SharedSegments<Offset> fill(Vertex v, bool pred, const Offset* row_offsets) {
        const Offset degree = read_only_if(row_offsets + v + 1, pred) - read_only_if(row_offsets + v, pred);
        const Count mine = degree > 0 ? Tail<Offset>::pack(1, degree) : 0, sum = inclusive_scan(mine);
        if (lane_id() == warp_lanes - 1) sums[warp_in_block()] = sum;
        __syncthreads();  // the warps' sums are there, and the segments before were read
        Count before = sum - mine, all = 0;
        for (unsigned k = 0; k < blockDim.x / warp_lanes; ++k) {
            if (k < warp_in_block()) before += sums[k];
            all += sums[k];
        }
        if (mine > 0) {
            vertices[Tail<Offset>::vertices(before)] = v;
            prefix[Tail<Offset>::vertices(before)] = Tail<Offset>::arcs(before);
        }
        __syncthreads();  // the segments are there
        return {{{vertices}, prefix, Tail<Offset>::vertices(all), Tail<Offset>::arcs(all)}};
    }
};

}  // namespace warpath

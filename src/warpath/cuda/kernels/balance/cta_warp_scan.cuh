// CTA, warp, scan: a vertex's arcs go to its block, its warp, or are packed together, by their number.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012; survey 5.2.2.
//
//     share     block = equal share of the frontier's vertices, one a thread at a time
//     block     while a thread has a vertex of `cta` arcs or more: one such thread wins, and all
//               threads of the block take that vertex's arcs side by side
//     warp      the same among a warp's lanes, for vertices of `warp` arcs or more
//     scan      the arcs that are left are packed: a prefix sum over the block gives each thread the
//               places of its own in shared memory, from where all threads take them side by side;
//               so many at a time as there is room for
//
// Balanced within a block, not among blocks. The first two steps cost barriers and votes also where
// no vertex is large, and the block's threads meet three times for each vertex that is.
#pragma once

#include "balance/balance.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

template <unsigned cta, unsigned warp>
struct CtaWarpScan {
    static constexpr unsigned rows = 4;         // arcs of a lane in flight
    static constexpr unsigned packed_rows = 4;  // of a lane, that are packed at a time

    // For each warp of the block: its part of the packed arcs, and its number of arcs to pack.
    template <class Offset>
    static constexpr unsigned scratch_bytes = packed_rows * warp_lanes * (sizeof(Offset) + sizeof(Vertex)) + 32;

    // The block's shared memory. Places are computed each time: registers are scarce.
    template <class Offset>
    struct Shared {
        Offset* base;

        __device__ explicit Shared(const Room& room)
            : base(static_cast<Offset*>(room.of_block<scratch_bytes<Offset>>())) {}
        // Of packed arcs.
        __device__ unsigned places() const { return packed_rows * blockDim.x; }
        __device__ Offset& arc(unsigned place) const { return base[place]; }
        __device__ Vertex& owner(unsigned place) const { return reinterpret_cast<Vertex*>(base + places() + 2)[place]; }
        // Of the vertex that the block visits.
        __device__ Offset& begin() const { return base[places()]; }
        __device__ Offset& end() const { return base[places() + 1]; }
        __device__ Vertex& vertex() const { return owner(places()); }
        __device__ unsigned& winner() const { return owner(places() + 1); }
        // Arcs that a warp has to pack: 24 bytes of the above and 4 a warp are at most 32 a warp.
        __device__ unsigned& sum(unsigned which) const { return owner(places() + 2 + which); }
    };

    // Visit the large vertices of my block, then those of my warp; their threads have none left then.
    // One loop for both, so that `body.visit` is there once.
    template <class Offset, class Body>
    static __device__ void visit_large(const Shared<Offset>& shared, Vertex u, Offset& next, Offset end, Body& body) {
        bool by_block = true;
        while (true) {
            Vertex whose;
            Offset from, to;  // of its arcs, my first and all's end
            if (by_block) {
                const bool is_large = end - next >= cta;
                by_block = __syncthreads_or(is_large) != 0;  // also: the last winner's arcs were read
                if (!by_block) continue;
                if (is_large) shared.winner() = threadIdx.x;  // whoever writes last
                __syncthreads();  // there is a winner
                if (shared.winner() == threadIdx.x) {
                    shared.vertex() = u;
                    shared.begin() = next;
                    shared.end() = end;
                    next = end;
                }
                __syncthreads();  // its arcs are there
                whose = shared.vertex();
                from = shared.begin() + threadIdx.x;
                to = shared.end();
            } else {
                const unsigned large = lanes_where(end - next >= warp);
                if (large == 0) return;
                const unsigned winner = static_cast<unsigned>(__ffs(static_cast<int>(large))) - 1;
                whose = from_lane(u, winner);
                from = from_lane(next, winner) + lane_id();
                to = from_lane(end, winner);
                if (lane_id() == winner) next = end;
            }
            while (any_lane(from < to)) {
                Vertex owner[rows];
                Offset arc[rows];
                unsigned active = 0;
#pragma unroll
                for (unsigned j = 0; j < rows; ++j) {
                    owner[j] = whose;
                    arc[j] = from;
                    if (from < to) {
                        active |= 1u << j;
                        from += by_block ? blockDim.x : warp_lanes;
                    }
                }
                body.visit(owner, arc, active);
            }
        }
    }

    // Visit what is left.
    template <class Offset, class Body>
    static __device__ void visit_packed(const Shared<Offset>& shared, Vertex u, Offset next, Offset end, Body& body) {
        const unsigned places = shared.places();
        const unsigned mine = static_cast<unsigned>(end - next), sum = inclusive_scan(mine);
        if (lane_id() == warp_lanes - 1) shared.sum(warp_in_block()) = sum;
        __syncthreads();  // the warps' sums are there
        unsigned place = sum - mine, all = 0;
        for (unsigned k = 0; k < blockDim.x / warp_lanes; ++k) {
            if (k < warp_in_block()) place += shared.sum(k);
            all += shared.sum(k);
        }
        for (unsigned first = 0; first < all; first += places) {
            for (; next < end && place < first + places; ++place, ++next) {
                shared.arc(place - first) = next;
                shared.owner(place - first) = u;
            }
            __syncthreads();  // the arcs are there
            // Without a loop, though of one round, the compiler moves more between the barriers than
            // fits into 64 registers (seen).
#pragma unroll 1
            for (unsigned row = 0; row < min(places, all - first); row += rows * blockDim.x) {
                Vertex owner[rows];
                Offset arc[rows];
                unsigned active = 0;
#pragma unroll
                for (unsigned j = 0; j < rows; ++j) {
                    const unsigned item = row + j * blockDim.x + threadIdx.x;
                    const bool is_there = first + item < all;
                    owner[j] = is_there ? shared.owner(item) : 0;
                    arc[j] = is_there ? shared.arc(item) : 0;
                    active |= static_cast<unsigned>(is_there) << j;
                }
                body.visit(owner, arc, active);
            }
            __syncthreads();  // they were read
        }
    }

    // Visit my block's share of the frontier.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers,
                                  const Room& room, Body& body) {
        const Shared<Offset> shared(room);
        const Workers blocks = grid_blocks();
        const unsigned share = (frontier.size + blocks.count - 1) / blocks.count;
        const unsigned stop = min(frontier.size, min(frontier.size, blocks.rank * share) + share);
        for (unsigned first = blocks.rank * share; first < stop; first += blockDim.x) {
            const unsigned i = first + threadIdx.x;
            Vertex u = 0;
            Offset next = 0, end = 0;
            if (i < stop) {
                u = frontier.vertices[i];
                next = read_only(row_offsets + u);
                end = leaves_out(body, u) ? next : read_only(row_offsets + u + 1);
            }
            visit_large(shared, u, next, end, body);
            visit_packed(shared, u, next, end, body);
        }
        return code_of::cta_warp_scan;
    }
};

}  // namespace warpath

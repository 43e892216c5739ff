// CTA, warp, scan as in the paper: threads compete for the block's and the warp's vertices.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, section 4.2; survey
// algorithm 9. See balance/cta_warp_scan.cuh, which is faster.
//
//     tile      a block takes a vertex for each thread at a time, and then those of its next tile
//     block     threads whose vertex has `cta` arcs or more write their number to one word; the one whose stays there
//               hands its arcs to all threads of the block, 32 side by side. Until there are no more; three barriers each
//     warp      the lanes of a warp likewise, for `warp` arcs or more
//     scan      the arcs that are left are packed: a prefix sum over the block gives each thread the places of its own
//               in shared memory, from where threads take them side by side; as many at a time as fit there
#pragma once

#include "balance/balance.cuh"
#include "balance/row.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

template <unsigned cta, unsigned warp>
class ContestedGathering {
    static_assert(cta > warp);
    static constexpr unsigned packed_rows = 2;  // of a warp, at a time: a guess
    static constexpr unsigned packed_together = packed_rows * warp_lanes;
    static constexpr unsigned none = ~0u;
    static constexpr Workers one_warp{0, 1};

    // A warp's part of the block's shared memory.
    template <class Offset>
    struct alignas(16) Part {
        Offset packed_arc[packed_together];
        Vertex packed_vertex[packed_together];
        unsigned winner;          // lane
        unsigned sum;             // of arcs to pack
        // Of the block, in the first part: the thread that has won, and its arcs.
        unsigned block_winner;
        Vertex vertex;
        Offset begin, end;
    };

public:
    template <class Offset>
    static constexpr unsigned scratch_bytes = sizeof(Part<Offset>);

private:
    // The block visits its large vertices, one after the other.
    template <class Offset, class Body>
    static __device__ void gather_by_block(Part<Offset>* parts, Vertex u, Offset& begin, Offset end, Body& body) {
        Part<Offset>& block = *parts;
        while (true) {
            if (threadIdx.x == 0) block.block_winner = none;
            __syncthreads();  // no thread has won; the last winner's arcs were read
            if (end - begin >= cta) block.block_winner = threadIdx.x;  // of several one stays
            __syncthreads();  // it is known which
            if (block.block_winner == none) return;
            if (block.block_winner == threadIdx.x) {
                block.vertex = u;
                block.begin = begin;
                block.end = end;
                begin = end;
            }
            __syncthreads();  // its arcs are there
            visit_row(block.vertex, block.begin, block.end, block_warps(), body);
        }
    }

    // My warp visits its vertices, one after the other.
    template <class Offset, class Body>
    static __device__ void gather_by_warp(Part<Offset>& mine, Vertex u, Offset& begin, Offset end, Body& body) {
        while (any_lane(end - begin >= warp)) {
            if (end - begin >= warp) mine.winner = lane_id();  // of several one stays
            __syncwarp();  // it is known which
            const unsigned winner = mine.winner;
            visit_row(from_lane(u, winner), from_lane(begin, winner), from_lane(end, winner), one_warp, body);
            if (lane_id() == winner) begin = end;
            __syncwarp();  // `winner` was read
        }
    }

    // The block packs the arcs that are left, and visits them.
    template <class Offset, class Body>
    static __device__ void gather_by_scan(Part<Offset>* parts, Vertex u, Offset begin, Offset end, Body& body) {
        const unsigned degree = static_cast<unsigned>(end - begin), sum = inclusive_scan(degree), warps = blockDim.x / warp_lanes;
        if (lane_id() == warp_lanes - 1) parts[warp_in_block()].sum = sum;
        __syncthreads();  // the warps' sums are there
        unsigned place = sum - degree, all = 0;
        for (unsigned k = 0; k < warps; ++k) {
            if (k < warp_in_block()) place += parts[k].sum;
            all += parts[k].sum;
        }
        for (unsigned first = 0; first < all; first += packed_together * warps) {
            const unsigned last = min(place + degree, first + packed_together * warps);
            for (unsigned i = max(place, first); i < last; ++i) {
                Part<Offset>& part = parts[(i - first) / packed_together];
                part.packed_arc[(i - first) % packed_together] = begin + (i - place);
                part.packed_vertex[(i - first) % packed_together] = u;
            }
            __syncthreads();  // the packed arcs are there
            Vertex owner[packed_rows];
            Offset arc[packed_rows];
            unsigned active = 0;
            Part<Offset>& mine = parts[warp_in_block()];
#pragma unroll
            for (unsigned j = 0; j < packed_rows; ++j) {
                const unsigned i = j * warp_lanes + lane_id();
                const bool is_there = first + warp_in_block() * packed_together + i < all;
                owner[j] = is_there ? mine.packed_vertex[i] : 0;
                arc[j] = is_there ? mine.packed_arc[i] : 0;
                active |= static_cast<unsigned>(is_there) << j;
            }
            body.visit(owner, arc, active);
            __syncthreads();  // they were read
        }
    }

public:
    // Visit my block's tiles of the frontier.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        auto* const parts = static_cast<Part<Offset>*>(resources.of_block<scratch_bytes<Offset>>());
        const Workers blocks = blocks_of(workers);
        for (Count first = Count{blocks.rank} * blockDim.x; first < frontier.size; first += Count{blocks.count} * blockDim.x) {
            Vertex u = 0;
            Offset begin = 0, end = 0;
            if (first + threadIdx.x < frontier.size) {
                u = frontier.vertices[first + threadIdx.x];
                begin = read_only(row_offsets + u);
                end = leaves_out(body, u) ? begin : read_only(row_offsets + u + 1);
            }
            gather_by_block(parts, u, begin, end, body);
            gather_by_warp(parts[warp_in_block()], u, begin, end, body);
            gather_by_scan(parts, u, begin, end, body);
        }
        return code_of::cta_warp_scan;
    }
};

}  // namespace warpath

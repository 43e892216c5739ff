// CTA, warp, scan: a vertex's arcs go to its block, its warp, or are packed together, by their number.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012; survey 5.2.2.
//
//     chunk     a block takes a vertex for each thread at a time (balance/chunks.cuh)
//     block     vertices of `cta` arcs or more: all warps of the block share their arcs, 32 side by side
//     warp      others of `warp` arcs or more: one warp takes all arcs of one
//     scan      the arcs that are left are packed: a prefix sum over the block gives each thread the
//               places of its own in shared memory, from where warps take them side by side; as many at a time
//               as fit there
//
// Balanced within a block, not among blocks. `gather` "contest" is the paper's (balance/cta_contest.cuh): threads
// compete for large vertices. "listed": prefix sums of how many there are of each list them all at once, and no thread
// waits between them: a warp fills its rows from the block's vertices, then from those of the list that no warp has
// taken, then from what is packed.
#pragma once

#include "balance/chunks.cuh"
#include "balance/cta_contest.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

template <unsigned cta, unsigned warp>
class ListedGathering {
    // 16 take 3 % longer, 32 12 %; 4 5 %, 1 25 % (measured, H200, R-MAT 22, 16 edges per vertex).
    static constexpr unsigned draws = 8;
    static constexpr unsigned packed_rows = 8;  // of a warp, that are packed at a time
    static constexpr unsigned packed_together = packed_rows * warp_lanes;
    static constexpr unsigned rank_bits = 6;  // of a packed arc: its rank among its vertex's; above it the thread whose that is
    static constexpr unsigned by_block = 1024, no_owner = 2048;  // greater than all threads' numbers
    static_assert(warp <= 1u << rank_bits && cta > warp);

    // A warp's part of the block's shared memory.
    template <class Offset>
    struct alignas(16) Part {
        Offset begin[warp_lanes], end[warp_lanes];   // of the arcs of each thread's vertex
        Vertex vertex[warp_lanes];
        unsigned place[warp_lanes];                  // where its arcs are packed
        unsigned short listed[warp_lanes];           // threads that have a block's vertex, then those of a warp's
        unsigned short packed[packed_together];
        Count sum;                                   // what the warp has to hand out: see `pack`
        unsigned next_large, row;                   // the block's next vertex, and its next row
        unsigned unit;                               // then: a warp's vertex, or beyond them, a few rows of packed arcs
        unsigned whose;                              // arcs it is at: a thread's, or packed ones
        // The block's, used in the first part.
        BlockChunk<Offset> chunk;
        unsigned threads;                            // its number of them: here, since registers are scarce
        unsigned larges, middles, few;               // its vertices, those of a warp each, and arcs that are packed
        unsigned first;                              // places of these were visited
        unsigned drawn;                              // units, by warps
    };

    // Numbers of block's and warp's vertices, and of arcs to be packed.
    static __device__ Count pack(unsigned large, unsigned middle, unsigned few) {
        return Count{large} << 48 | Count{middle} << 32 | few;
    }
    static __device__ unsigned large(Count sum) { return static_cast<unsigned>(sum >> 48); }
    static __device__ unsigned middle(Count sum) { return static_cast<unsigned>(sum >> 32) & 0xffffu; }
    static __device__ unsigned few(Count sum) { return static_cast<unsigned>(sum); }

public:
    template <class Offset>
    static constexpr unsigned scratch_bytes = sizeof(Part<Offset>);

private:
    // The shared memory of all warps as one.
    template <class Offset>
    struct Shared {
        Part<Offset>* parts;

        __device__ Offset& begin(unsigned thread) const { return parts[thread / warp_lanes].begin[thread % warp_lanes]; }
        __device__ Offset& end(unsigned thread) const { return parts[thread / warp_lanes].end[thread % warp_lanes]; }
        __device__ Vertex& vertex(unsigned thread) const { return parts[thread / warp_lanes].vertex[thread % warp_lanes]; }
        __device__ unsigned& place(unsigned thread) const { return parts[thread / warp_lanes].place[thread % warp_lanes]; }
        __device__ unsigned short& listed(unsigned i) const { return parts[i / warp_lanes].listed[i % warp_lanes]; }
        __device__ unsigned short& packed(unsigned i) const { return parts[i / packed_together].packed[i % packed_together]; }
    };

    // List my vertex among the block's or the warps', or give its arcs their places.
    template <class Offset>
    static __device__ void classify(const Shared<Offset>& shared, Vertex u, Offset begin, Offset end) {
        const Offset degree = end - begin;
        const bool is_large = degree >= cta, is_middle = !is_large && degree >= warp;
        const unsigned large_lanes = lanes_where(is_large), middle_lanes = lanes_where(is_middle);
        const unsigned mine = is_large || is_middle ? 0 : static_cast<unsigned>(degree), packed = inclusive_scan(mine);
        shared.begin(threadIdx.x) = begin;
        shared.end(threadIdx.x) = end;
        shared.vertex(threadIdx.x) = u;
        if (lane_id() == warp_lanes - 1)
            shared.parts[warp_in_block()].sum =
                pack(count_bits(large_lanes), count_bits(middle_lanes), packed);
        if (threadIdx.x == 0) shared.parts->first = shared.parts->drawn = 0;
        __syncthreads();  // the warps' sums are there
        Count before = 0, all = 0;
#pragma unroll 1
        for (unsigned k = 0; k < shared.parts->threads / warp_lanes; ++k) {
            const Count sum = shared.parts[k].sum;
            if (k < warp_in_block()) before += sum;
            all += sum;
        }
        if (is_large) shared.listed(large(before) + rank_in(large_lanes)) = static_cast<unsigned short>(threadIdx.x);
        if (is_middle)
            shared.listed(large(all) + middle(before) + rank_in(middle_lanes)) = static_cast<unsigned short>(threadIdx.x);
        shared.place(threadIdx.x) = few(before) + packed - mine;
        if (threadIdx.x == 0) {
            shared.parts->larges = large(all);
            shared.parts->middles = middle(all);
            shared.parts->few = few(all);
        }
    }

    // Pack those of my arcs that have places from `first` on, as many as fit.
    template <class Offset>
    static __device__ void pack_arcs(const Shared<Offset>& shared, unsigned first) {
        const Offset degree = shared.end(threadIdx.x) - shared.begin(threadIdx.x);
        if (degree >= warp) return;
        const unsigned place = shared.place(threadIdx.x),
                       last = min(place + static_cast<unsigned>(degree), first + packed_rows * shared.parts->threads);
#pragma unroll 1
        for (unsigned i = max(place, first); i < last; ++i)
            shared.packed(i - first) = static_cast<unsigned short>(threadIdx.x << rank_bits | (i - place));
    }

    // With my warp, take from what the block has.
    template <class Offset, class Body>
    static __device__ __forceinline__ void visit(const Shared<Offset>& shared, Body& body) {
        constexpr int rows = arcs_in_flight<Offset>;
        auto& block = *shared.parts;
        auto& part = shared.parts[warp_in_block()];
        Offset first = 0, left = 0;  // of my row, the first arc or place; and how many there are from there
        while (true) {
            // Each of the first lanes notes a row: filled one after the other, they would not fit into the registers.
            Offset my_first = 0;
            unsigned my_size = 0, my_whose = 0;
#pragma unroll 1
            for (unsigned j = 0; j < rows; ++j) {
                while (left == 0 && take_up<rows>(shared, part, first, left)) {}
                const unsigned whose = part.whose, stride = (whose & by_block) != 0 ? block.threads : warp_lanes;
                if (lane_id() == j) {
                    my_first = first;
                    my_size = static_cast<unsigned>(min(left, Offset{warp_lanes}));
                    my_whose = whose;
                }
                first += stride;
                left = left > stride ? left - stride : 0;
            }
            if (!any_lane(my_size > 0)) return;
            Vertex owner[rows];
            Offset arc[rows];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                const bool is_there = lane_id() < from_lane(my_size, static_cast<unsigned>(j));
                const unsigned whose = from_lane(my_whose, static_cast<unsigned>(j));
                unsigned thread = whose % by_block;
                arc[j] = from_lane(my_first, static_cast<unsigned>(j)) + lane_id();
                if (whose == no_owner && is_there) {
                    const unsigned both = shared.packed(static_cast<unsigned>(arc[j]));
                    thread = both >> rank_bits;
                    arc[j] = shared.begin(thread) + (both & ((1u << rank_bits) - 1));
                }
                owner[j] = Body::needs_owner ? shared.vertex(thread) : 0;
                active |= static_cast<unsigned>(is_there) << j;
            }
            body.visit(owner, arc, active);
        }
    }

    // Continue with my warp's next piece; false if there is none.
    template <int rows, class Offset>
    static __device__ __forceinline__ bool take_up(const Shared<Offset>& shared, Part<Offset>& part, Offset& first,
                                                   Offset& left) {
        auto& block = *shared.parts;
        const unsigned warps = block.threads / warp_lanes;
        __syncwarp();  // what the first lane wrote is there, and `whose` was read
        const unsigned next_large = part.next_large;
        if (next_large < block.larges) {
            const unsigned thread = shared.listed(next_large), row = part.row, skipped = row * warp_lanes;
            const Offset degree = shared.end(thread) - shared.begin(thread);
            first = shared.begin(thread) + skipped;
            left = degree > skipped ? degree - skipped : 0;
            __syncwarp();  // the part was read
            if (lane_id() == 0) {
                part.whose = thread | by_block;
                part.next_large = next_large + 1;
                part.row = (row > 0 ? row : warps) - 1;
            }
        } else {
            const unsigned mine = part.unit, middles = block.middles, ahead = (mine - middles) * (rows * warp_lanes);
            const unsigned packed = min(block.few - block.first, packed_rows * block.threads);
            if (mine >= middles && ahead >= packed) return false;
            unsigned whose = no_owner;
            if (mine < middles) {
                whose = shared.listed(block.larges + mine);
                first = shared.begin(whose);
                left = shared.end(whose) - first;
            } else {
                first = ahead;
                left = min(packed - ahead, rows * warp_lanes);
            }
            __syncwarp();  // the part was read
            if (lane_id() == 0) {
                part.whose = whose;
                part.unit = warps + atomicAdd(&block.drawn, 1u);
            }
        }
        __syncwarp();  // `whose` is there
        return true;
    }

public:
    // Visit my block's chunks of the frontier.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& all, const Offset* row_offsets, Workers,
                                  const Resources& resources, Body& body) {
        const Shared<Offset> shared{static_cast<Part<Offset>*>(resources.of_block<scratch_bytes<Offset>>())};
        auto& block = *shared.parts;
        if (threadIdx.x == 0) {
            block.threads = blockDim.x;
            block.chunk.start(all, blockDim.x, draws, resources);
        }
        while (true) {
            __syncthreads();  // it is known which chunk is next
            if (block.chunk.size == 0) return code_of::cta_warp_scan;
            unsigned next = 0;
            if (threadIdx.x == 0) next = block.chunk.draw();
            Vertex u = 0;
            Offset begin = 0, end = 0;
            if (threadIdx.x < block.chunk.size) {
                u = block.chunk.frontier.vertices[block.chunk.first + threadIdx.x];
                begin = read_only(row_offsets + u);
                end = leaves_out(body, u) ? begin : read_only(row_offsets + u + 1);
            }
            classify(shared, u, begin, end);
#pragma unroll 1
            while (true) {
                pack_arcs(shared, block.first);
                if (lane_id() == 0) {
                    auto& part = shared.parts[warp_in_block()];
                    part.next_large = part.whose = 0;
                    part.row = part.unit = warp_in_block();
                }
                __syncthreads();  // the list and the packed arcs are there
                if (threadIdx.x == 0 && block.first == 0) block.chunk.advance_to(next);
                visit(shared, body);
                if (block.few <= block.first + packed_rows * block.threads) break;
                __syncthreads();  // they were read
                if (threadIdx.x == 0) {
                    block.larges = block.middles = block.drawn = 0;
                    block.first += packed_rows * block.threads;
                }
                __syncthreads();  // it is known which arcs to pack next
            }
        }
    }
};

enum class Gather { listed, contest };

template <unsigned cta, unsigned warp, Gather gather>
struct CtaWarpScan : ListedGathering<cta, warp> {};
template <unsigned cta, unsigned warp>
struct CtaWarpScan<cta, warp, Gather::contest> : ContestedGathering<cta, warp> {};

}  // namespace warpath

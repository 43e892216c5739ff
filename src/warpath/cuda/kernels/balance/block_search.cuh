// Block search: a block takes a chunk of the frontier and shares its arcs evenly among its threads.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014; survey 5.3.3.
//
//     chunk     at most `chunk` vertices for each thread of the block, which shared memory has room for;
//               fewer where the frontier has not as many for all blocks (balance/chunks.cuh)
//     slot      ⌈arcs of the chunk / threads⌉ arcs for each thread
//     owner     upper_bound(prefix, first arc of the warp's slots) − 1, one search in shared memory per warp and
//               chunk, 32 probes at once; from there the warp continues, 32 segments at a time
//
// Balanced within a block, not among blocks: chunks are of equal numbers of vertices. In the paper a slot is
// neighbouring arcs of one thread, which it searches for alone: `slots` "contiguous". Else the 32 slots of a warp lie
// together, and its lanes take their arcs side by side, so that the loads of columns coalesce.
#pragma once

#include "balance/chunks.cuh"
#include "balance/window.cuh"

namespace warpath {

enum class Slots { interleaved, contiguous };

template <unsigned chunk, Slots slots>
struct BlockSearch {
    static constexpr unsigned a_warp = chunk * warp_lanes;
    // 8 take 12 % longer, 4 45 %, 1 80 %; 32 3 % (measured, H200, R-MAT 22, 16 edges per vertex).
    static constexpr unsigned draws = 16;

    // A warp's part of the block's shared memory.
    template <class Offset>
    struct alignas(16) Part {
        Offset start[a_warp];      // of each segment: its first item
        Offset first_arc[a_warp];  // arc − item
        // The block's, used in the first part.
        BlockChunk<Offset> mine;
        Offset end;                // of its items
    };
    template <class Offset>
    static constexpr unsigned scratch_bytes = sizeof(Part<Offset>);

    // The segments of all parts.
    template <class Offset>
    struct Starts {
        Part<Offset>* parts;

        __device__ Offset& operator[](unsigned i) const { return parts[i / a_warp].start[i % a_warp]; }
        __device__ Offset& first_arc(unsigned i) const { return parts[i / a_warp].first_arc[i % a_warp]; }
    };

    // Visit my block's chunks, one after the other.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& all, const Offset* row_offsets, Workers,
                                  const Resources& resources, Body& body) {
        auto* const parts = static_cast<Part<Offset>*>(resources.of_block<scratch_bytes<Offset>>());
        const Starts<Offset> start{parts};
        if (threadIdx.x == 0) parts->mine.start(all, chunk * blockDim.x, draws, resources);
        while (true) {
            __syncthreads();  // it is known which chunk is next, and the one before was read
            const auto& mine = parts->mine;
            const auto& frontier = mine.frontier;
            const unsigned first = mine.first, size = mine.size;
            if (size == 0) return code_of::block_search;
            unsigned next = 0;
            if (threadIdx.x == 0) next = mine.draw();
            for (unsigned j = threadIdx.x; j < size; j += blockDim.x) {
                const Offset begin = frontier.prefix[first + j];
                start[j] = begin;
                start.first_arc(j) = read_only(row_offsets + frontier.vertices[first + j]) - begin;
            }
            if (threadIdx.x == 0) parts->end = first + size < frontier.size ? frontier.prefix[first + size] : frontier.items;
            __syncthreads();  // the chunk is there
            if (threadIdx.x == 0) parts->mine.advance_to(next);
            if constexpr (slots == Slots::contiguous) visit_own(start, first, size, body);
            else visit(start, first, size, body);
        }
    }

    // Visit my thread's slot of the chunk's items.
    template <class Offset, class Body>
    static __device__ __forceinline__ void visit_own(const Starts<Offset>& start, unsigned first, unsigned size, Body& body) {
        constexpr int arcs = arcs_in_flight<Offset>;
        const Offset end = start.parts->end, items = end - start[0], slot = (items - 1) / blockDim.x + 1;
        const Count before = min(Count{items}, Count{threadIdx.x} * slot);
        Offset item = start[0] + static_cast<Offset>(before);
        const Offset stop = item + static_cast<Offset>(min(items - before, Count{slot}));
        unsigned j = find_owner_by_lane(start, size, item);
        while (any_lane(item < stop)) {
            Vertex owner[arcs];
            Offset arc[arcs];
            unsigned active = 0;
#pragma unroll
            for (int k = 0; k < arcs; ++k) {
                if (item < stop && j + 1 < size && item == start[j + 1]) ++j;
                owner[k] = Body::needs_owner ? start.parts->mine.frontier.vertices[first + j] : 0;
                arc[k] = start.first_arc(j) + item;
                if (item < stop) {
                    active |= 1u << k;
                    ++item;
                }
            }
            body.visit(owner, arc, active);
        }
    }

    // Visit my warp's equal share of the chunk's items.
    template <class Offset, class Body>
    static __device__ __forceinline__ void visit(const Starts<Offset>& start, unsigned first, unsigned size, Body& body) {
        const Offset end = start.parts->end, items = end - start[0], slot = (items - 1) / blockDim.x + 1;
        const Count before = min(Count{items}, Count{warp_in_block()} * warp_lanes * slot);
        Offset item = start[0] + static_cast<Offset>(before);
        const Offset stop = item + static_cast<Offset>(min(items - before, Count{warp_lanes} * slot));
        unsigned j = find_owner(start, size, item);
        while (item < stop) {
            const unsigned i = j + lane_id();
            Window<Offset> window{0, end, 0, j + warp_lanes < size ? start[j + warp_lanes] : end};
            if (i < size) {
                if constexpr (Body::needs_owner) window.vertex = start.parts->mine.frontier.vertices[first + i];
                window.start = start[i];
                window.first_arc = start.first_arc(i);
            }
            const Offset pause = min(stop, window.end);
            window.template visit<arcs_in_flight<Offset>>(item, pause, body);
            item = pause;
            j += warp_lanes;
        }
    }
};

}  // namespace warpath

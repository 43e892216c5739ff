// Block search: a block takes a chunk of the frontier and shares its arcs evenly among its threads.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014; survey 5.3.3.
//
//     chunk     `chunk` vertices for each thread of the block, as many as shared memory has room for;
//               fewer where the frontier has not as many for all blocks
//     slot      ⌈arcs of the chunk / threads⌉ neighbouring arcs, one slot a thread
//     owner     upper_bound(prefix, first arc of the slot) − 1, one binary search in shared memory a
//               thread and chunk; from there the thread goes on
//
// Balanced within a block, not among blocks: chunks are of equal numbers of vertices. Neighbouring
// lanes read columns a slot apart, so these loads do not coalesce.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

template <unsigned chunk>
struct BlockSearch {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 2 * chunk * warp_lanes * sizeof(Offset);

    // Visit my block's chunks, one after the other.
    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers,
                                  const Room& room, Body& body) {
        constexpr int arcs = arcs_in_flight<Offset>;
        const Workers blocks = grid_blocks();
        const unsigned even = (frontier.size + blocks.count - 1) / blocks.count, most = min(even, chunk * blockDim.x);
        Offset* const start = static_cast<Offset*>(room.of_block<scratch_bytes<Offset>>());
        Offset* const first_arc = start + chunk * blockDim.x;  // arc − item
        for (Count first_of_all = Count{blocks.rank} * most; first_of_all < frontier.size; first_of_all += Count{blocks.count} * most) {
            const unsigned first = static_cast<unsigned>(first_of_all), size = min(most, frontier.size - first);
            for (unsigned j = threadIdx.x; j < size; j += blockDim.x) {
                const Offset begin = frontier.prefix[first + j];
                start[j] = begin;
                first_arc[j] = read_only(row_offsets + frontier.vertices[first + j]) - begin;
            }
            const Offset end = first + size < frontier.size ? frontier.prefix[first + size] : frontier.items;
            __syncthreads();  // the chunk is there
            const Count slot = (end - start[0] + blockDim.x - 1) / blockDim.x;
            Offset item = static_cast<Offset>(min(Count{end}, start[0] + threadIdx.x * slot));
            const Offset stop = static_cast<Offset>(min(Count{end}, item + slot));
            unsigned j = 0;
            for (unsigned jump = 1u << (31 - __clz(static_cast<int>(size))); jump > 0; jump /= 2)
                if (j + jump < size && start[j + jump] <= item) j += jump;
            while (any_lane(item < stop)) {
                Vertex owner[arcs];
                Offset arc[arcs];
                unsigned active = 0;
#pragma unroll
                for (int k = 0; k < arcs; ++k) {
                    if (j + 1 < size && start[j + 1] == item) ++j;  // no segment is empty
                    owner[k] = Body::needs_owner && item < stop ? frontier.vertices[first + j] : 0;
                    arc[k] = first_arc[j] + item;
                    if (item < stop) {
                        active |= 1u << k;
                        ++item;
                    }
                }
                body.visit(owner, arc, active);
            }
            __syncthreads();  // the chunk was read
        }
        return code_of::block_search;
    }
};

}  // namespace warpath

// Chunks of a frontier, which blocks take one after the other.
//
// The papers' kernels have a block for each chunk, and the hardware starts the next one where one has
// ended. A persistent kernel does so itself: a block's first chunk is that of its number, the others it
// draws. So a block that has met a hub takes fewer.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

// The block's, in shared memory: registers are scarce.
template <class Offset>
struct BlockChunk {
    // Arcs of a chunk on average, if there are as many: a few for each thread, or else barriers and the
    // loads before the first column take longer than the arcs. A guess.
    static constexpr unsigned worthwhile = 4096;

    Segments<Offset> frontier;
    unsigned* drawn;       // 0 before, and 0 again when all chunks are done
    unsigned blocks;       // of the grid
    unsigned max_vertices, count;  // vertices of a chunk; chunks
    unsigned first, size;  // its vertices; none when there are no more

    // Cut chunks of at most `max_size` vertices, and `draws` of a block where they are worthwhile, so that all are
    // done at the same time; and take the first one. One thread of the block calls, as for all; its registers
    // are no others' (inlined it makes traced searches spill).
    __attribute__((noinline)) __device__ void start(const Segments<Offset>& all, unsigned max_size, unsigned draws, const Resources& resources) {
        blocks = gridDim.x;
        const unsigned share = (all.size + blocks - 1) / blocks;  // of a block
        const unsigned mean = static_cast<unsigned>(min(all.items / all.size, Offset{worthwhile}));  // degree
        const unsigned size_limit = min(max_size, max(share / draws, worthwhile / mean) + 1);
        const unsigned pieces = (share + size_limit - 1) / size_limit;
        frontier = all;
        drawn = static_cast<unsigned*>(resources.workspace);
        max_vertices = (share + pieces - 1) / pieces;
        count = (all.size + max_vertices - 1) / max_vertices;
        take(blockIdx.x);
    }

    // The number of the next one. Ask some time before `advance_to` needs it: it comes from memory.
    __device__ unsigned draw() const { return count > blocks ? blocks + atomicAdd(drawn, 1u) : count; }
    __device__ void advance_to(unsigned number) {
        if (number == blocks + count - 1) *drawn = 0;  // there are as many draws as chunks
        take(number);
    }

private:
    __device__ void take(unsigned number) {
        first = number * max_vertices;
        size = number < count ? min(max_vertices, frontier.size - first) : 0;
    }
};

}  // namespace warpath

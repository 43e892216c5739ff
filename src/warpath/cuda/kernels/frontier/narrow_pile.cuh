// Near and far vertices of narrow iterations (narrow.cuh).
//
// To look for a few thousand far vertices in a bitmap of millions of bits would take a cluster
// longer than the iterations between two splits. So it keeps a list of them too, in shared memory:
// each block of those that its threads found. The bitmap says who is in some list. As long as the
// lists have room, they name all far vertices; when one is full, the cluster goes on without, and
// leaves the next split to the grid.
//
// Near vertices enter the frontier as often as they are lowered: of two entries of one vertex both
// have its distance, and the second finds nothing left to lower, so entries do not multiply. A
// stamp would be one more atomic in the chain of dependent steps that a narrow iteration is.
#pragma once

#include "core/device.cuh"
#include "frontier/near_far.cuh"
#include "narrow.cuh"

namespace warpath {

constexpr unsigned pile_places = 3072;  // 12 KiB of what shared memory the queues leave
constexpr unsigned pile_is_full = 2;    // of NarrowCount::flags

// A block's part, in its shared memory.
template <class Key>
struct NarrowPile {
    Vertex vertices[pile_places];
    unsigned size;                        // more than `pile_places`: some are not here
    Key least;                            // of what a split left here
    Key leasts[2][most_cluster_blocks];  // of all blocks' parts, for splits in turns
};

template <class Weight, class Key>
struct NarrowNearFar {
    NearFar<Key> wide;
    NarrowPile<Key>& pile;
    const Weight* weights;

    // What `admitted` gets: of a far vertex the word that had its bit; else all bits, or none.
    __device__ unsigned admit(Vertex v, Key d, bool wanted) const {
        const bool near = d < wide.threshold;
        const unsigned word = wide.far.insert(v, wanted && !near);
        return near && wanted ? 0 : word;
    }
    __device__ bool admitted(Vertex v, Key d, unsigned word) const {
        if (!Bitmap::added(v, word)) return false;  // it is far already, or not wanted
        if (d < wide.threshold) return true;
        const unsigned place = atomicAdd(&pile.size, 1u);
        if (place < pile_places) pile.vertices[place] = v;
        return false;
    }
    static constexpr bool has_flags = true;
    __device__ bool enters(Vertex v) const { return wide.enters(v); }
    __device__ unsigned flags() const { return pile.size > pile_places ? pile_is_full : 0; }
    template <class Offset>
    __device__ void prefetch(Offset arc) const { warpath::prefetch(weights + arc); }
};

// Begin with the vertices of a list that has room; `size` beyond it: there are others. All threads
// of the cluster call; it is done when they have met.
template <class Key>
__device__ void load_pile(NarrowPile<Key>& pile, const Vertex* list, unsigned size, Key unreachable) {
    const unsigned blocks = cluster_size(), rank = cluster_rank();
    const bool fits = size <= blocks * pile_places;
    const unsigned mine = !fits ? pile_places + 1 : (size + blocks - 1 - rank) / blocks;
    if (threadIdx.x == 0) pile.size = mine;
    if (threadIdx.x < most_cluster_blocks) pile.leasts[0][threadIdx.x] = pile.leasts[1][threadIdx.x] = unreachable;
    if (fits)
        for (unsigned i = threadIdx.x; i < mine; i += blockDim.x) pile.vertices[i] = list[i * blocks + rank];
}

// `split_far` for the piles: vertices nearer than `threshold` leave them, those of them that are
// not nearer than `before` for the frontier. All threads of the cluster call, then end the level;
// then `leasts[turn]` has the least distance that stayed in each block.
//
// A thread takes some vertices at a time; survivors move to the front.
template <class Offset, class Frontier, class Key>
__device__ void split_pile(NarrowPile<Key>& pile, Frontier& frontier, Bitmap far, const Key* distance, Key before,
                           Key threshold, Key unreachable, unsigned turn, QueueWriter<Offset>& spill) {
    constexpr int rows = 2;  // vertices of a thread at a time
    const unsigned size = pile.size;
    __syncthreads();  // all have read it
    if (threadIdx.x == 0) {
        pile.size = 0;
        pile.least = unreachable;
    }
    __syncthreads();  // they count anew
    Key least = unreachable;
    for (unsigned first = 0; first < size; first += rows * blockDim.x) {
        Vertex v[rows];
        Key d[rows];
        bool is_far[rows], near[rows];
#pragma unroll
        for (int j = 0; j < rows; ++j) {
            const unsigned i = first + static_cast<unsigned>(j) * blockDim.x + threadIdx.x;
            is_far[j] = i < size;
            v[j] = is_far[j] ? pile.vertices[i] : 0;
        }
#pragma unroll
        for (int j = 0; j < rows; ++j) d[j] = load_relaxed_if(distance + v[j], is_far[j]);  // L1 may be out of date
        __syncthreads();  // all have read theirs, so survivors may take these places
#pragma unroll
        for (int j = 0; j < rows; ++j) {
            near[j] = is_far[j] && d[j] >= before && d[j] < threshold;
            if (!is_far[j]) continue;
            if (d[j] < threshold) {
                far.remove(v[j]);
            } else {
                pile.vertices[atomicAdd(&pile.size, 1u)] = v[j];
                least = min(least, d[j]);
            }
        }
        frontier.add(v, near, spill);
    }
    least = warp_least(least);
    if (lane_id() == 0 && least < unreachable) atomicMin(&pile.least, least);
    __syncthreads();  // the minimum is there
    if (threadIdx.x < cluster_size()) *map_shared_rank(&pile.leasts[turn][cluster_rank()], threadIdx.x) = pile.least;
}

}  // namespace warpath

// Which vertices whose distance fell are expanded next, and which later; each at most once.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014 (near-far pile); U. Meyer, P. Sanders, "Δ-stepping",
// J. Algorithms 2003. Here the far pile is a bitmap.
//
// Near are vertices below a threshold; the queue takes them. Far are the others: a bit each, set
// when one is found, so the pile has no duplicates and never overflows. A far vertex that falls
// below the threshold enters the queue as any other, and its bit stays until the pile is split:
// then its distance says that it was expanded.
//
// Duplicates in the queue. `stamp[v]` is the last queue that v entered, counted from 1. Several arcs
// may lower v in an iteration; the first to exchange the stamp finds an older one, and puts v into the queue.
// An edge that lowers v afterwards finds v in the queue already, where its distance is read when it is
// expanded. Stamps need no clearing, and only arcs that lower a distance pay for them.
#pragma once

#include "core/distance.cuh"
#include "core/warp.cuh"
#include "frontier/bitmap.cuh"
#include "frontier/queue.cuh"

namespace warpath {

// `Key` is a distance (core/distance.cuh).
template <class Key>
struct NearFar {
    unsigned* stamp;
    Bitmap far;
    // In shared memory, as few arcs come so far and registers are scarce.
    const unsigned& queue;  // the number of the queue that vertices enter
    const Key& threshold;   // "unreachable": all are near
    bool& any_far;          // made true where a vertex is far

    // True for the first time that v comes to the queue.
    __device__ bool first_time(Vertex v) const { return atomicExch(stamp + v, queue) != queue; }

    __device__ unsigned test(Vertex v, Key d, bool pred) const {
        const bool near = d < threshold;
        far.mark(v, pred && !near);
        if (pred && !near) any_far = true;
        return fetch_exchange_if(stamp + v, queue, pred && near);
    }
    __device__ bool passes(Vertex, Key, unsigned before) const { return before != queue; }
};

// Where there is no prefilter (operators/prefiltered.cuh).
struct NoPrefilter {
    template <class Key>
    __device__ bool contains(Key) const { return false; }
    __device__ void add(unsigned, unsigned) const {}
};

// The bits of vertices below a limit.
template <class Key>
struct Prefilter {
    Bitmap below;
    Key limit;

    __device__ bool contains(Key d) const { return d < limit; }
    __device__ void add(unsigned word, unsigned bits) const { add_bits_if(below.words + word, bits, bits != 0); }
};

// Split the far pile: vertices nearer than `threshold` leave it, those of them that are not nearer
// than `before`, where all were expanded, for the queue. All threads of all `workers`
// call. Returns to each lane the least distance that it saw stay, `none` if it saw none.
//
// A warp owns 32 words of the bitmap at a time, a lane each, and looks at some that are not empty
// together, a bit per lane, so that distances are read in order.
template <class Key, class Distances, class Writer, class Bits = NoPrefilter>
__device__ Key split_far(Bitmap far, Vertex vertices, const Distances& distance, Key before, Key threshold, Key none,
                         Workers workers, Writer& out, const Bits& prefilter = {}) {
    constexpr int rows = 32 / sizeof(Key);  // distances in flight in each lane
    const unsigned words = words_of(vertices), lane = lane_id();
    Key min_staying = none;
    for (unsigned first = workers.rank * warp_lanes; first < words; first += workers.count * warp_lanes) {
        const unsigned word = first + lane < words ? far.words[first + lane] : 0;
        unsigned staying = word, below = 0;
        unsigned filled = lanes_where(word != 0);
        while (filled != 0) {
            unsigned whose[rows];
            bool is_far[rows];
            Key d[rows];
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                whose[j] = filled != 0 ? lowest_bit(filled) : warp_lanes;
                is_far[j] = filled != 0 && (from_lane(word, whose[j] % warp_lanes) >> lane & 1u);
                filled &= filled - 1;
            }
#pragma unroll
            for (int j = 0; j < rows; ++j) d[j] = is_far[j] ? distance[(first + whose[j]) * word_bits + lane] : none;
#pragma unroll
            for (int j = 0; j < rows; ++j) {
                const Vertex v = (first + whose[j]) * word_bits + lane;
                const bool stays = is_far[j] && d[j] >= threshold;
                const unsigned stay = lanes_where(stays);
                if (lane == whose[j]) staying = stay;
                if (stays) min_staying = min(min_staying, d[j]);
                const unsigned below_here = lanes_where(is_far[j] && prefilter.contains(d[j]));
                if (lane == whose[j]) below = below_here;
                out.push(v, is_far[j] && d[j] >= before && d[j] < threshold);
                if ((j + 1) % Writer::rows == 0) out.flush();
            }
        }
        if (staying != word) far.words[first + lane] = staying;
        prefilter.add(first + lane, below);
    }
    return min_staying;
}

}  // namespace warpath

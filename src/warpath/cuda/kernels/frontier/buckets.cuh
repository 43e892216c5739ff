// The far pile as a list that is sorted by buckets.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014: "bucketing", Δ-stepping where sorting stands for the
// buckets, which would have to grow on a device. Before each bucket the vertices of the pile are sorted
// by the number of their bucket, and the first that is not empty becomes the frontier. The distances of
// some have fallen since the last time, so all are sorted again; that is what it costs against a near
// and a far pile (near_far_list.cuh). What it gains is that few empty buckets are looked at.
//
// The sort key is the part of a bucket's number that distinguishes the next 31 buckets and all beyond: 5 bits. That is one pass of a radix sort, which counts and then scatters:
//
//     bucket_of(d) = how many of the limits base + Δ, base + 2Δ, … base + 31Δ are not beyond d
#pragma once

#include "core/distance.cuh"
#include "core/warp.cuh"
#include "frontier/near_far_list.cuh"

namespace warpath {

constexpr unsigned bucket_count = warp_lanes;  // a lane each, where they are added up
constexpr unsigned last_bucket = bucket_count - 1;  // all that is beyond
constexpr unsigned bucket_counters = 4 * bucket_count;

// How many vertices each bucket has, and how many of them were written, in device memory. There
// are two: one is cleared while the other is used.
struct BucketCounters {
    unsigned* counts;  // `bucket_counters` of them

    __device__ unsigned* sizes(unsigned split) const { return counts + split % 2 * 2 * bucket_count; }
    __device__ unsigned* written(unsigned split) const { return sizes(split) + bucket_count; }
    // Threads of one block call.
    __device__ void clear(unsigned split) const {
        for (unsigned i = threadIdx.x; i < 2 * bucket_count; i += blockDim.x) sizes(split)[i] = 0;
    }
};

// A block's, in its shared memory.
template <class Key, bool enabled>
struct BucketShared {
    Key limits[last_bucket];
    unsigned sizes[bucket_count];   // what this block counted
    unsigned starts[bucket_count];  // in the sorted pile, without the first bucket that is not empty
    unsigned first;                 // which that is; the last one stays, since it has no limit
    unsigned all_staying;           // the size of the sorted pile

    __device__ unsigned bucket_of(Key d) const {
        unsigned bucket = 0;
#pragma unroll
        for (unsigned step = bucket_count / 2; step > 0; step /= 2)
            if (limits[bucket + step - 1] <= d) bucket += step;
        return bucket;
    }

    // Give all buckets their places; all threads of a block call, then meet.
    __device__ void place(const unsigned* all_sizes) {
        if (warp_in_block() > 0) return;
        const unsigned size = all_sizes[lane_id()];
        const unsigned filled = lanes_where(size > 0);
        const unsigned leaving = lowest_bit(filled | 1u << last_bucket);
        const unsigned staying = lane_id() == leaving && leaving < last_bucket ? 0 : size;
        const unsigned sum = inclusive_scan(staying);
        starts[lane_id()] = sum - staying;
        if (lane_id() == last_bucket) {
            all_staying = sum;
            first = leaving;
        }
    }
};
template <class Key>
struct BucketShared<Key, false> {};

// Count the vertices of a list, of `size`, by buckets. Those nearer than `before` were expanded: they
// leave the pile. All threads of all `workers` call. Returns to each lane the least distance it saw.
template <class Key, class Shared>
__device__ Key count_buckets(const Vertex* list, unsigned size, Bitmap far, const Key* distance, Key before, Key none,
                             Workers workers, Shared& shared) {
    Key min_staying = none;
    for (Count first = Count{workers.rank} * warp_lanes; first < size; first += Count{workers.count} * warp_lanes) {
        const Count i = first + lane_id();
        const Vertex v = i < size ? list[i] : 0;
        const Key d = load_if(distance + v, i < size);
        if (i >= size) continue;
        if (d < before) {
            far.remove(v);
        } else {
            min_staying = min(min_staying, d);
            atomicAdd(&shared.sizes[shared.bucket_of(d)], 1u);
        }
    }
    return min_staying;
}

// Scatter them: the first bucket's to the queue, the others to their places in the next list.
template <class Key, class Shared, class Writer>
__device__ void scatter_buckets(const Vertex* list, unsigned size, Bitmap far, const Key* distance, Key before,
                                Workers workers, const Shared& shared, Writer& out, unsigned* written,
                                Vertex* next) {
    for (Count first = Count{workers.rank} * warp_lanes; first < size; first += Count{workers.count} * warp_lanes) {
        const Count i = first + lane_id();
        const Vertex v = i < size ? list[i] : 0;
        const Key d = load_if(distance + v, i < size);
        const bool is_far = i < size && d >= before;
        const unsigned bucket = is_far ? shared.bucket_of(d) : bucket_count;
        const bool leaves = is_far && bucket == shared.first && bucket < last_bucket;
        if (leaves) far.remove(v);
        // Lanes of one bucket take their places together.
        const unsigned peers = __match_any_sync(all_lanes, is_far && !leaves ? bucket : bucket_count);
        const unsigned leader = lowest_bit(peers);
        unsigned place = 0;
        if (is_far && !leaves && lane_id() == leader)
            place = shared.starts[bucket] + atomicAdd(written + bucket, count_bits(peers));
        place = from_lane(place, leader) + rank_in(peers);
        if (is_far && !leaves) next[place] = v;
        out.push(v, leaves);
        out.flush();
    }
}

}  // namespace warpath

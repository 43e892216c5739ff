// Near and far vertices, with the far pile as a list.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014: the near-far pile. There duplicates are dropped when
// the pile is split; here a bit says which vertices are in it, so that it needs at most as many places as there
// are vertices. To split it costs what it holds, where a bitmap (near_far.cuh) costs a look at every
// word, and each far vertex costs a place: an atomic whose answer is waited for.
#pragma once

#include "frontier/near_far.cuh"

namespace warpath {

// Each vertex is there at most once, so there are as many places as vertices.
struct FarList {
    Vertex* vertices;
    unsigned* size;

    static constexpr int rows = 4;  // as of QueueWriter

    // All lanes of a warp call; those with `pred` bring a vertex.
    __device__ void push(Vertex v, bool pred) const {
        const unsigned bringing = lanes_where(pred);
        if (bringing == 0) return;
        unsigned place = 0;
        if (lane_id() == 0) place = atomicAdd(size, count_bits(bringing));
        place = from_lane(place, 0) + rank_in(bringing);
        if (pred) vertices[place] = v;
    }
    __device__ void flush() const {}
};

template <class Key>
struct NearFarList {
    NearFar<Key> near_far;
    FarList pile;

    __device__ unsigned test(Vertex v, Key d, bool pred) const {
        const bool near = d < near_far.threshold;
        const unsigned word = near_far.far.insert(v, pred && !near);
        if (pred && !near) near_far.any_far = true;
        const unsigned before = fetch_exchange_if(near_far.stamp + v, near_far.queue, pred && near);
        return near ? before : word;
    }
    // All lanes of a warp call.
    __device__ bool passes(Vertex v, Key d, unsigned ticket) const {
        const bool near = d < near_far.threshold;
        pile.push(v, !near && Bitmap::added(v, ticket));
        return near && near_far.passes(v, d, ticket);
    }
};

// `split_far` for a list of `size` vertices: those that stay go to the next one. A lane has a vertex.
template <class Key, class Writer>
__device__ Key split_list(const Vertex* list, unsigned size, Bitmap far, const Key* distance, Key before, Key threshold,
                          Key none, Workers workers, Writer& out, const FarList& next) {
    Key min_staying = none;
    for (Count first = Count{workers.rank} * warp_lanes; first < size; first += Count{workers.count} * warp_lanes) {
        const Count i = first + lane_id();
        const bool is_far = i < size;
        const Vertex v = is_far ? list[i] : 0;
        const Key d = load_if(distance + v, is_far);
        const bool stays = is_far && d >= threshold;
        if (stays) min_staying = min(min_staying, d);
        if (is_far && !stays) far.remove(v);
        next.push(v, stays);
        out.push(v, is_far && d >= before && d < threshold);
        out.flush();
    }
    return min_staying;
}

}  // namespace warpath

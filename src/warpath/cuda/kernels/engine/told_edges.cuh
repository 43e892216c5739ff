// What GPUs that search together tell each other of a top-down level (engine/multi_gpu.cuh): the edges by which each has found
// vertices of others, in a list for each of these. After a barrier the owners read them and visit them as edges.
//
// A GPU finds a vertex once in a search, as it keeps a bit of each. So the list for a GPU needs as many places as that one has
// vertices, and its begin is theirs, less this GPU's own vertices where they lie before.
//
// A vertex of another GPU costs no write at random. R-MAT 27, two GPUs: both find nearly all vertices of a level, and to
// write predecessors of all took some half of its time (H200, 2026-11).
#pragma once

#include "core/device.cuh"
#include "engine/multi_gpu.cuh"
#include "operators/operator.cuh"

namespace warpath {

// The front of the lists, in the memory of the GPU that tells; as in warpath/cuda/multi_gpu.py.
struct ToldEdges {
    unsigned sizes[2][max_gpus];  // of two levels, which alternate

    // (v, u) in a word, for the edge u → v. All lists, one after the other.
    __device__ Count* edges() { return reinterpret_cast<Count*>(this + 1); }
    __device__ const Count* edges() const { return reinterpret_cast<const Count*>(this + 1); }
    // Where the list begins that `from` has for `to`.
    static __device__ Count begin(const Peer& from, const Peer& to) { return to.begin - (from.begin < to.begin ? from.end - from.begin : 0); }

    __device__ void clear(unsigned level, Count thread) {
        if (thread < max_gpus) sizes[level][thread] = 0;
    }
};

inline __device__ ToldEdges& told_by(const Peer& gpu) { return *static_cast<ToldEdges*>(gpu.values); }

// How many edges each GPU has told this one of, in the memory of a block: all warps would ask for the same word over NVLink.
struct ToldSizes {
    unsigned of[max_gpus];

    // One thread calls, after the barrier.
    __device__ void read(const Peers& peers, unsigned level) {
#pragma unroll 1
        for (unsigned i = 1; i < peers.count; i += gpus_together) {
            unsigned size[gpus_together];
#pragma unroll
            for (unsigned k = 0; k < gpus_together; ++k) size[k] = load_system_if(&told_by(peers.other(i + k)).sizes[level][peers.rank], i + k < peers.count);
#pragma unroll
            for (unsigned k = 0; k < gpus_together; ++k)
                if (i + k < peers.count) of[peers.after(i + k)] = size[k];
        }
    }
};

// Takes what edges find: owned vertices enter the queue, and of the others the edge is listed. As a filter of an expansion.
// A warp stages edges in shared memory, so that an atomic serves many.
class TellEdges : public PassAll {
    static constexpr unsigned batch = 2 * warp_lanes;

public:
    struct Staged {
        Count edges[batch + warp_lanes];
        unsigned size;
    };
    using Sizes = ToldSizes;

private:
    const Peers& peers;
    Staged& staged;
    unsigned* const sizes;

    // Write the last `count` staged edges, at most `batch`. A call, as it would take registers of each expansion.
    __attribute__((noinline)) __device__ void write(unsigned count) const {
        __syncwarp();  // they are there
        const Peer& mine = peers.all[peers.rank];
        const unsigned first = staged.size - count;
#pragma unroll 1
        for (unsigned j = lane_id(); any_lane(j < count); j += warp_lanes) {
            const Count edge = j < count ? staged.edges[first + j] : 0;
            const auto v = static_cast<Vertex>(edge >> 32);
#pragma unroll 1
            for (unsigned i = 1; i < peers.count; ++i) {
                const unsigned whose = peers.after(i);
                const Peer& peer = peers.all[whose];
                const bool is_its = j < count && v - peer.begin < peer.end - peer.begin;
                const unsigned telling = lanes_where(is_its);
                if (telling == 0) continue;
                unsigned place = 0;
                if (lane_id() == 0) place = atomicAdd(sizes + whose, count_bits(telling));
                place = from_lane(place, 0) + rank_in(telling);
                if (is_its) told_by(mine).edges()[ToldEdges::begin(mine, peer) + place] = edge;
            }
        }
        __syncwarp();  // they were read
        if (lane_id() == 0) staged.size = first;
        __syncwarp();  // the size is there
    }

public:
    __device__ TellEdges(const Peers& peers, Staged& staged, unsigned level)
        : peers(peers), staged(staged), sizes(told_by(peers.all[peers.rank]).sizes[level]) {
        if (lane_id() == 0) staged.size = 0;
        __syncwarp();  // the size is there
    }

    // All lanes call; those with `pred` have found v by an edge from u.
    __device__ void tell(Vertex u, Vertex v, bool pred) const {
        const bool is_told = pred && !peers.owns(v);
        const unsigned telling = lanes_where(is_told);
        if (telling == 0) return;
        const unsigned size = staged.size;
        if (is_told) staged.edges[size + rank_in(telling)] = Count{v} << 32 | u;
        __syncwarp();  // all have read the size
        if (lane_id() == 0) staged.size = size + count_bits(telling);
        __syncwarp();  // the new one is there
        if (staged.size >= batch) write(batch);
    }
    template <class Offer>
    __device__ bool test(Vertex v, const Offer&, bool pred) const { return pred && peers.owns(v); }

    // All lanes call, once, when the warp has no more.
    __device__ void finish() const {
        if (staged.size > 0) write(staged.size);
    }
};

// Visit the edges that other GPUs have told of, as a balance does, with v for the arc. Between two barriers.
template <class Offset, class Body>
__device__ void visit_told_edges(const Peers& peers, const ToldSizes& sizes, Workers workers, Body& body) {
    constexpr int together = 4;  // loads over NVLink in flight in each lane
    const Peer& mine = peers.all[peers.rank];
#pragma unroll 1
    for (unsigned i = 1; i < peers.count; ++i) {
        const Peer& peer = peers.other(i);
        const unsigned size = sizes.of[peers.after(i)];
        const Count* const edges = told_by(peer).edges() + ToldEdges::begin(peer, mine);
        for (unsigned first = workers.rank * together * warp_lanes; first < size; first += workers.count * together * warp_lanes) {
            Count edge[together];
            Vertex u[together];
            Offset v[together];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < together; ++j) {
                const unsigned at = first + static_cast<unsigned>(j) * warp_lanes + lane_id();
                edge[j] = load_system_if(edges + at, at < size);
                active |= static_cast<unsigned>(at < size) << j;
            }
#pragma unroll
            for (int j = 0; j < together; ++j) {
                u[j] = static_cast<Vertex>(edge[j]);
                v[j] = static_cast<Offset>(edge[j] >> 32);
            }
            body.visit(u, v, active);
        }
    }
}

// A graph for an expansion, whose edges are their own ends.
struct EdgeEnds {};
template <class Offset>
__device__ __forceinline__ Vertex column_if(EdgeEnds, Offset edge, bool pred) { return pred ? static_cast<Vertex>(edge) : 0; }

}  // namespace warpath

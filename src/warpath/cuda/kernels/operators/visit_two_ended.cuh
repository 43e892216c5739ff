// Breadth-first search from two ends: each vertex has a bit for each search that has found it.
//
// The s-t connectivity (STCON) of S. Hong et al., "Accelerating CUDA graph algorithms at maximum
// warp", PPoPP 2011, section 4.3.
//
// A vertex has two bits, side by side, one of each search. So the one atomic that marks
// v for a search also says whether the other one has been there: then they meet at this arc. That
// v stays as it is, and enters no frontier.
#pragma once

#include "core/device.cuh"
#include "operators/operator.cuh"

namespace warpath {

enum Side : unsigned { source_side, target_side };

constexpr unsigned vertices_per_side_word = 16;

__host__ __device__ constexpr unsigned side_words(Vertex vertices) {
    return (vertices + vertices_per_side_word - 1) / vertices_per_side_word;
}

// The bit of v in its word, which is number v / vertices_per_side_word.
__device__ __forceinline__ unsigned side_bit(Vertex v, unsigned side) {
    return 1u << (2 * (v % vertices_per_side_word) + side);
}

// An arc at which the searches met, as one word; 0 is none.
struct MeetingEdge {
    static __device__ Count pack(Vertex tail, Vertex head) { return (Count{tail} + 1) << 32 | head; }
    static __device__ Vertex tail(Count arc) { return static_cast<Vertex>(arc >> 32) - 1; }  // of none: invalid_vertex
    static __device__ Vertex head(Count arc) { return static_cast<Vertex>(arc); }
    // The half of it that is 0 for none.
    static __device__ const unsigned* half(const Count* arc) { return reinterpret_cast<const unsigned*>(arc) + 1; }
};

struct VisitTwoEnded {
    static constexpr bool needs_owner = true;
    using From = Vertex;
    using Offer = Vertex;
    using Status = unsigned;
    using Result = unsigned;

    unsigned* side_bits;
    // The search that these arcs are of; the target's are reversed. In shared memory, as registers are scarce.
    const unsigned& side;
    int* parent;
    Count* meeting;

    __device__ From from(Vertex u, bool) const { return u; }
    template <class Offset>
    __device__ Offer offer(From u, Offset, bool) const { return u; }
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_if(side_bits + v / vertices_per_side_word, pred); }
    __device__ bool cond(Vertex v, Offer, Status word, bool pred) const { return pred && (word & side_bit(v, side)) == 0; }
    __device__ Result update_atomic(Vertex v, Offer, bool pred) const {
        return fetch_or_if(side_bits + v / vertices_per_side_word, side_bit(v, side), pred);
    }
    // The searches may meet at several arcs in a level: the one that is written last will do. The fence
    // is for levels of small frontiers, whose barrier orders shared memory alone.
    __device__ bool updated(Vertex v, Offer u, Result before) const {
        if ((before & side_bit(v, side)) != 0) return false;
        if ((before & side_bit(v, 1 - side)) == 0) return true;
        store_relaxed(meeting, side == source_side ? MeetingEdge::pack(u, v) : MeetingEdge::pack(v, u));
        __threadfence();
        return false;
    }
    __device__ void commit(Vertex u, Vertex v, Offer) const { parent[v] = static_cast<int>(u); }
};

// Hands arcs on to an `Expansion` until the searches have met. A call loads whether they have, and the next call
// uses it, so no thread waits for that load.
template <class Expansion>
class StopWhenMet {
    Expansion& expansion;
    const Count* const meeting;
    unsigned seen = 0;

public:
    static constexpr bool needs_owner = Expansion::needs_owner;

    __device__ StopWhenMet(Expansion& expansion, const Count* meeting) : expansion(expansion), meeting(meeting) {}

    template <int arcs, class Offset>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        if (any_lane(seen != 0)) return;
        seen = load_relaxed(MeetingEdge::half(meeting));
        expansion.visit(owner, arc, active);
    }
};

}  // namespace warpath

// Relaxation with the owner next to the distance: one atomic lowers v and says whose edge did.
//
// A vertex is a word of 64 bits (core/packed.cuh), its distance above the vertex before it on the path. So no pass over the
// edges finds predecessors afterwards. Against a distance alone, a look-up reads as many sectors, where distances
// do not fit into L2; where they do, words may not.
//
// Sums: as in relax.cuh. Of two edges that offer the same, the one of the smaller owner may stay, whichever came last. An edge
// that offered a final distance left a final one, so it is tight.
//
// Each edge makes a path longer, so a predecessor is nearer than its vertex. Edges of length 0 could make a cycle: u and v
// may be lowered in one iteration, u through v, and u may still find v's old distance in L1.
#pragma once

#include "core/memory.cuh"
#include "core/packed.cuh"
#include "core/warp.cuh"
#include "core/weight.cuh"
#include "operators/operator.cuh"

namespace warpath {

// What u offers, or has.
template <class Key>
struct OwnedOffer {
    Key distance;
    Vertex owner;

    __device__ operator Key() const { return distance; }
};
template <class Key>
__device__ __forceinline__ OwnedOffer<Key> from_lane_below(const OwnedOffer<Key>& offer, unsigned distance) {
    return {from_lane_below(offer.distance, distance), from_lane_below(offer.owner, distance)};
}

// What `distance` out of date does: see operators/relax.cuh.
template <class Weight, class Distance>
struct RelaxTree {
    using K = Key<Distance>;
    using Packed = PackedWord<sizeof(K)>;
    using Word = typename Packed::Word;
    static constexpr bool needs_owner = true;
    using From = OwnedOffer<K>;
    using Offer = OwnedOffer<K>;
    using Status = K;
    using Result = Word;

    const Weight* weights;
    Word* words;

    static __device__ Word pack(const Offer& offer) { return Packed::pack(offer.distance, offer.owner); }

    __device__ Offer at_source() const { return {key_of(source_distance<Weight, Distance>()), invalid_vertex}; }
    __device__ From from(Vertex u, bool pred) const { return {load_if(Packed::distance_in(words + u), pred), u}; }
    template <class Offset>
    __device__ Offer offer(const From& from, Offset arc, bool pred) const {
        return {extend<Distance>(from.distance, read_only_if(weights + arc, pred)), from.owner};
    }
    __device__ Status status(Vertex v, const Offer&, bool pred) const { return load_once_if(Packed::distance_in(words + v), pred); }
    __device__ bool cond(Vertex, const Offer& offer, Status known, bool pred) const { return pred && offer.distance < known; }
    __device__ Result update_atomic(Vertex v, const Offer& offer, bool pred) const { return Packed::fetch_min_if(words + v, pack(offer), pred); }
    __device__ bool updated(Vertex, const Offer& offer, const Result& before) const { return Packed::distance_of(before) > offer.distance; }
    __device__ void commit(Vertex, Vertex, const Offer&) const {}
};

// Vertices' distances, as an array.
template <class Key>
struct DistancesInWords {
    using Packed = PackedWord<sizeof(Key)>;
    const typename Packed::Word* words;

    __device__ const Key* operator+(Count v) const { return Packed::distance_in(words + v); }
    __device__ Key operator[](Count v) const { return *(*this + v); }
};

}  // namespace warpath

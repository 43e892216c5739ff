// Relaxation with the iteration next to the distance: one atomic lowers v and finds duplicates.
//
// F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
// architectures", IEEE TPDS 2016 (H-BF), section 4.2: a vertex is a 64-bit word, its distance above
// the iteration that it was lowered in. Several arcs may lower v in an iteration. The first finds an
// older iteration there, and v enters the queue; edges that lower it afterwards find this one.
//
// Sums: as in relax.cuh. Iterations do not wrap: there are fewer than 2³², one for each queue.
//
// Against a stamp of its own (frontier/near_far.cuh), an arc that lowers v makes one atomic instead
// of two; all others look up words of twice the size. Distances of 64 bits need 128-bit atomics
// (core/packed.cuh).
#pragma once

#include "core/memory.cuh"
#include "core/packed.cuh"
#include "core/weight.cuh"
#include "operators/operator.cuh"

namespace warpath {

template <class Key>
struct PackedOffer {
    Key distance;
    bool is_fresh;  // whether v was not lowered in this iteration before, once it was taken
};

// What `distance` out of date does: see operators/relax.cuh.
template <class Weight, class Distance, bool with_parents>
struct RelaxPacked {
    using K = Key<Distance>;
    using Packed = PackedWord<sizeof(K)>;
    using Word = typename Packed::Word;
    static constexpr bool needs_owner = true;
    using From = K;
    using Offer = PackedOffer<K>;
    using Status = K;
    using Result = Word;

    const Weight* weights;
    Word* words;
    int* parents;
    const unsigned& iteration;  // in shared memory: see frontier/near_far.cuh

    static __device__ Word pack(K distance, unsigned iteration) { return Packed::pack(distance, iteration); }
    static __device__ K distance_of(const Word& word) { return Packed::distance_of(word); }

    __device__ Offer at_source() const { return {key_of(source_distance<Weight, Distance>()), false}; }
    __device__ From from(Vertex u, bool pred) const { return load_if(Packed::distance_in(words + u), pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset arc, bool pred) const {
        return {extend<Distance>(from, read_only_if(weights + arc, pred)), false};
    }
    __device__ Status status(Vertex v, const Offer&, bool pred) const {
        return load_once_if(Packed::distance_in(words + v), pred);
    }
    __device__ bool cond(Vertex, const Offer& offer, Status known, bool pred) const { return pred && offer.distance < known; }
    __device__ Result update_atomic(Vertex v, const Offer& offer, bool pred) const {
        return Packed::fetch_min_if(words + v, pack(offer.distance, iteration), pred);
    }
    __device__ bool updated(Vertex, Offer& offer, const Result& before) const {
        offer.is_fresh = Packed::tag_of(before) != iteration;
        return distance_of(before) > offer.distance;
    }
    __device__ void store(Vertex v, Offer& offer, bool pred) const {
        Packed::store_if(words + v, pack(offer.distance, iteration), pred);
        offer.is_fresh |= pred;
    }
    __device__ void commit(Vertex u, Vertex v, const Offer&) const {
        if constexpr (with_parents) parents[v] = static_cast<int>(u);
    }
};

// The frontier policy that goes with it.
struct PassFresh : PassAll {
    template <class Offer>
    __device__ unsigned test(Vertex, const Offer& offer, bool pred) const { return pred && offer.is_fresh; }
};

}  // namespace warpath

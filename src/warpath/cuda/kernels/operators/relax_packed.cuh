// Relaxation with the iteration beside the distance: one atomic lowers v and tells duplicates.
//
// F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
// architectures", IEEE TPDS 2015 (H-BF), section 4.2: a vertex is a 64-bit word, its distance above
// the iteration that it was lowered in. Of all arcs that lower v in an iteration, the first finds an
// older iteration there, and v enters the queue; whoever lowers it afterwards finds this one.
//
// Against a stamp of its own (frontier/near_far.cuh), an arc that lowers v makes one atomic instead
// of two; all others look up words of twice the size. Distances of 32 bits only.
#pragma once

#include "core/distance.cuh"
#include "core/memory.cuh"
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
    static_assert(sizeof(K) == 4);
    static constexpr bool needs_owner = true;
    using From = K;
    using Offer = PackedOffer<K>;
    using Ticket = long long;

    const Weight* weights;
    long long* words;
    int* parents;
    const unsigned& iteration;  // in shared memory: see frontier/near_far.cuh

    static __device__ long long pack(K distance, unsigned iteration) {
        return static_cast<long long>(static_cast<Count>(static_cast<unsigned>(distance)) << 32 | iteration);
    }
    static __device__ K distance_of(long long word) { return static_cast<K>(word >> 32); }

    __device__ K look_up(Vertex v, bool wanted) const { return load_if(reinterpret_cast<const K*>(words + v) + 1, wanted); }

    __device__ From from(Vertex u, bool wanted) const { return look_up(u, wanted); }
    template <class Offset>
    __device__ Offer offer(From from, Offset arc, bool wanted) const {
        return {extend<Distance>(from, read_only_if(weights + arc, wanted)), false};
    }
    __device__ bool open(Vertex v, const Offer& offer, bool wanted) const {
        return wanted && offer.distance < look_up(v, wanted);
    }
    __device__ Ticket claim(Vertex v, const Offer& offer, bool wanted) const {
        return fetch_min_if(words + v, pack(offer.distance, iteration), wanted);
    }
    __device__ bool won(Vertex, Offer& offer, Ticket before) const {
        offer.is_fresh = static_cast<unsigned>(before) != iteration;
        return distance_of(before) > offer.distance;
    }
    __device__ void settle(Vertex u, Vertex v, const Offer&) const {
        if constexpr (with_parents) parents[v] = static_cast<int>(u);
    }
};

// The frontier policy that goes with it.
struct AdmitFresh {
    template <class Offer>
    __device__ unsigned admit(Vertex, const Offer& offer, bool wanted) const { return wanted && offer.is_fresh; }
    template <class Offer>
    __device__ bool admitted(Vertex, const Offer&, unsigned ticket) const { return ticket != 0; }
};

}  // namespace warpath

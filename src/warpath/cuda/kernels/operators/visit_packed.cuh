// Breadth-first search by atomics of 64 bits: a vertex's word is its distance and an iteration.
//
// F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
// architectures", IEEE TPDS 2016 (H-BF), section 4.2. The first arc that reaches v in a level
// lowers its word, and the others find this level there. With arcs that all count 1 a distance is
// lowered once, so that level and iteration are the same; operators/relax_packed.cuh is the general
// case. Compared with one bit per vertex (operators/visit.cuh) it looks up 64 times as much memory.
#pragma once

#include "core/packed.cuh"
#include "operators/operator.cuh"

namespace warpath {

template <bool with_predecessors>
struct VisitPacked {
    static constexpr bool needs_owner = with_predecessors;
    using Packed = PackedWord<4>;
    using Word = Packed::Word;
    using From = Nothing;
    using Offer = Nothing;
    using Status = int;
    using Result = Word;
    static constexpr Word unreached = ~(Word{1} << 63);  // above all distances

    Word* words;
    int* distance;
    int* predecessor;
    int level;  // of the vertices that this level finds

    __device__ From from(Vertex, bool) const { return {}; }
    template <class Offset>
    __device__ Offer offer(From, Offset, bool) const { return {}; }
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_if(Packed::distance_in(words + v), pred); }
    __device__ bool cond(Vertex, Offer, Status known, bool pred) const { return pred && known > level; }
    __device__ Result update_atomic(Vertex v, Offer, bool pred) const {
        return Packed::fetch_min_if(words + v, Packed::pack(level, static_cast<unsigned>(level)), pred);
    }
    __device__ bool updated(Vertex, Offer, Result before) const { return Packed::distance_of(before) > level; }
    __device__ void commit(Vertex u, Vertex v, Offer) const {
        distance[v] = level;
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
};

}  // namespace warpath

// Breadth-first search where every arc is handed out in every level: only few bring anything.
//
// VisitSwept       u → v, as P. Harish, P. J. Narayanan, HiPC 2007: if u was reached in the last level
// VisitGathered    v ← u, along the reverse graph: one product of its boolean matrix with the vector of
//                  what was reached in the last level, masked by what was reached at all (Y. Deng, B. D.
//                  Wang, S. Mu, "Taming irregular EDA applications on GPUs", ICCAD 2009, the survey's
//                  [26]). A row's owner is v, and it looks at all of its u: no early exit
#pragma once

#include "operators/visit_unclaimed.cuh"

namespace warpath {

template <bool with_predecessors>
struct VisitSwept : VisitUnclaimed<with_predecessors> {
    static constexpr bool needs_owner = true, takes_all_arcs = true;
    using From = int;
    using Offer = bool;  // whether u is in the frontier

    // Balances that take a vertex at a time ask (frontier/topology_driven.cuh).
    __device__ bool expands(Vertex u) const { return this->distance[u] == this->level - 1; }

    __device__ From from(Vertex u, bool pred) const { return load_if(this->distance + u, pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset, bool) const { return from == this->level - 1; }
    __device__ bool cond(Vertex, Offer offer, Nothing, bool pred) const { return pred && offer; }
};

template <bool with_predecessors>
struct VisitGathered {
    static constexpr bool needs_owner = true, takes_all_arcs = true;
    using From = int;
    using Offer = bool;  // whether v is unreached
    using Status = int;
    using Result = bool;

    int* distance;
    int* predecessor;
    int level;

    __device__ From from(Vertex v, bool pred) const { return load_if(distance + v, pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset, bool) const { return from == -1; }
    __device__ Status status(Vertex u, Offer offer, bool pred) const { return load_if(distance + u, pred && offer); }
    __device__ bool cond(Vertex, Offer offer, Status known, bool pred) const { return pred && offer && known == level - 1; }
    __device__ Result update_atomic(Vertex, Offer, bool pred) const { return pred; }
    __device__ bool updated(Vertex, Offer, Result taken) const { return taken; }
    __device__ void commit(Vertex v, Vertex u, Offer) const {
        distance[v] = level;
        if constexpr (with_predecessors) predecessor[v] = static_cast<int>(u);
    }
};

}  // namespace warpath

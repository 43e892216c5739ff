// Shortest-path trees: a search that follows only arcs which a shortest path may take.
#pragma once

#include "core/memory.cuh"
#include "core/weight.cuh"
#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"

namespace warpath {

// The first tight arc u → v decides, as in a breadth-first search: the thread that sets v's bit writes u, which is in
// the tree, as v's predecessor. So predecessors make a tree whatever the weights' signs, also with cycles of weight zero.
//
// Sums: u is in the tree, so it was reached, and `beyond` stops at the dtype's limits; a sum that
// stopped is the distance of no reached vertex.
//
// A seed comes without an arc. It is a root if its distance is a source's: of several sources, one
// may lie below 0, behind another one.
template <class Weight, class Distance>
struct VisitTight {
    static constexpr bool needs_owner = true;
    using From = Distance;
    using Offer = Distance;
    struct Status {
        unsigned word;  // of `reached`
        Distance distance;
    };
    using Result = unsigned;

    Bitmap reached;
    const Weight* weights;
    const Distance* distance;
    int* predecessor;

    __device__ Offer at_source() const { return source_distance<Weight, Distance>(); }

    // Whether a vertex this far away is as far as the offer says.
    static __device__ bool is_tight(Offer offer, Distance to) { return to == offer && is_reached(to); }

    __device__ From from(Vertex u, bool pred) const { return load_if(distance + u, pred); }
    template <class Offset>
    __device__ Offer offer(From from, Offset arc, bool pred) const {
        return beyond(from, read_only_if(weights + arc, pred));
    }
    __device__ Status status(Vertex v, Offer, bool pred) const { return {reached.word(v, pred), load_if(distance + v, pred)}; }
    __device__ bool cond(Vertex v, Offer offer, const Status& known, bool pred) const {
        return pred && is_tight(offer, known.distance) && !Bitmap::contains(known.word, v);
    }
    // `cond` may not have been asked.
    __device__ Result update_atomic(Vertex v, Offer offer, bool pred) const {
        return reached.insert(v, pred && is_tight(offer, load_if(distance + v, pred)));
    }
    __device__ bool updated(Vertex v, Offer, Result ticket) const { return reached.added(v, ticket); }
    __device__ void commit(Vertex u, Vertex v, Offer) const { predecessor[v] = static_cast<int>(u); }
};

}  // namespace warpath

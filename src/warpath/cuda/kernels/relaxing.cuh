// Ways to find shortest paths, as relaxation.cuh composes them: an operator with the frontier
// policy and the arrays that go with it.
//
//     static constexpr bool has_queue     false: every vertex is in the frontier of every iteration
//     static constexpr bool has_list      whether far vertices are in a list, not in a bitmap alone
//     Operator op(weights, space, p)
//     Policy admission(space, p, any)     who enters the next queue; `any`: see MarkChanged
//     void reset(space, v)                before the first iteration
//     void finish(space, v)               after the last one: distance[v] as the caller wants it
#pragma once

#include "frontier/near_far.cuh"
#include "frontier/near_far_list.cuh"
#include "operators/relax.cuh"
#include "operators/relax_changed.cuh"
#include "operators/relax_packed.cuh"

namespace warpath {

template <class Weight_, class Distance_, bool with_parents_>
struct Relaxing {
    using Weight = Weight_;
    using Distance = Distance_;
    using K = Key<Distance>;
    static constexpr bool with_parents = with_parents_, has_queue = true, has_list = false;
    static constexpr K unreachable = Ordered<Distance>::unreachable;

    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        space.distance[v] = unreachable;
        space.stamp[v] = 0;
        if constexpr (with_parents) space.parents[v] = -1;
    }
    // Negative floats stand as other bits until now.
    template <class Space>
    static __device__ void finish(const Space& space, Vertex v) {
        if constexpr (is_float<Distance>) space.distance[v] = Ordered<Distance>::turn(space.distance[v]);
    }
};

// Near and far vertices, and a stamp each against duplicates.
template <class Weight, class Distance, bool with_parents>
struct NearFarRelaxing : Relaxing<Weight, Distance, with_parents> {
    template <class Space, class Progress>
    static __device__ Relax<Weight, Distance, with_parents> op(const Weight* weights, const Space& space, const Progress&) {
        return {weights, space.distance, space.parents};
    }
    template <class Space, class Progress>
    static __device__ NearFar<Key<Distance>> admission(const Space& space, const Progress& p, bool&) {
        return {space.stamp, {space.far}, p.queue, p.threshold};
    }
};

// The same with a list.
template <class Weight, class Distance, bool with_parents>
struct NearFarListRelaxing : NearFarRelaxing<Weight, Distance, with_parents> {
    static constexpr bool has_list = true;

    template <class Space, class Progress>
    static __device__ NearFarList<Key<Distance>> admission(const Space& space, const Progress& p, bool&) {
        return {{space.stamp, {space.far}, p.queue, p.threshold}, space.pile(p.splits)};
    }
};

// Everything is near; the iteration beside the distance. `stamp` is n words of 64 bits.
template <class Weight, class Distance, bool with_parents>
struct PackedRelaxing : Relaxing<Weight, Distance, with_parents> {
    using Operator = RelaxPacked<Weight, Distance, with_parents>;

    template <class Space>
    static __device__ long long* words(const Space& space) { return reinterpret_cast<long long*>(space.stamp); }
    template <class Space, class Progress>
    static __device__ Operator op(const Weight* weights, const Space& space, const Progress& p) {
        return {weights, words(space), space.parents, p.queue};
    }
    template <class Space, class Progress>
    static __device__ AdmitFresh admission(const Space&, const Progress&, bool&) { return {}; }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        words(space)[v] = Operator::pack(Ordered<Distance>::unreachable, 0);
        if constexpr (with_parents) space.parents[v] = -1;
    }
    template <class Space>
    static __device__ void finish(const Space& space, Vertex v) {
        const auto distance = Operator::distance_of(words(space)[v]);
        if constexpr (is_float<Distance>) space.distance[v] = Ordered<Distance>::turn(distance);
        else space.distance[v] = distance;
    }
};

// Everything is near, and in every iteration's frontier.
template <class Weight, class Distance, bool with_parents>
struct QueuelessRelaxing : Relaxing<Weight, Distance, with_parents> {
    static constexpr bool has_queue = false;

    template <class Space, class Progress>
    static __device__ RelaxChanged<Weight, Distance, with_parents> op(const Weight* weights, const Space& space, const Progress& p) {
        return {{weights, space.distance, space.parents}, space.stamp, p.queue};
    }
    template <class Space, class Progress>
    static __device__ MarkChanged admission(const Space& space, const Progress& p, bool& any) {
        return {space.stamp, p.queue, any};
    }
};

}  // namespace warpath

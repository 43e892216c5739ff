// Ways to find shortest paths, as relaxation.cuh composes them: an operator with the frontier
// policy, the queue and the arrays that go with it.
//
//     static constexpr bool has_queue     false: every vertex is in the frontier of every iteration
//     static constexpr bool has_far       whether vertices may be far; if not, Δ is infinite
//     static constexpr bool has_list      whether far vertices are in a list, not in a bitmap alone
//     static constexpr bool has_buckets   whether that list is sorted (frontier/buckets.cuh)
//     static constexpr bool lists_bits    whether the next frontier is a bitmap, listed once it is complete
//     static constexpr bool compacts      whether a complete queue is rid of its duplicates
//     Operator op(problem, space, p)
//     Policy admission(space, p, any)     who enters the next queue; `any`, in shared memory, becomes true
//                                         where a vertex is far, or changes (MarkChanged)
//     Writer<Offset, Limit>, Limit        how they are written there (frontier/queue.cuh)
//     Limit limit(problem, space, p)
//     void reset(space, v)                before the first iteration
//     void finish(space, v)               after the last one: distance[v] as the caller wants it
//
// The last ones, from FilteredRelaxing on, change one thing about another method; all of H-BF is put
// together from these (warpath/cuda/sssp.py).
#pragma once

#include "frontier/bitmap_queue.cuh"
#include "frontier/culling.cuh"
#include "frontier/hash_table.cuh"
#include "frontier/near_far.cuh"
#include "frontier/near_far_list.cuh"
#include "operators/classified.cuh"
#include "operators/relax.cuh"
#include "operators/relax_changed.cuh"
#include "operators/relax_packed.cuh"

namespace warpath {

template <class Weight_, class Distance_, bool with_parents_>
struct Relaxing {
    using Weight = Weight_;
    using Distance = Distance_;
    using K = Key<Distance>;
    static constexpr bool with_parents = with_parents_, has_queue = true, has_far = false, has_list = false, has_buckets = false;
    static constexpr bool lists_bits = false, compacts = false;
    static constexpr K unreachable = Ordered<Distance>::unreachable;

    using Limit = NoCrowding;
    template <class Offset, class AnyLimit = Limit>
    using Writer = QueueWriter<Offset, AnyLimit>;

    template <class Problem, class Space, class Progress>
    static __device__ Relax<Weight, Distance, with_parents> op(const Problem& problem, const Space& space, const Progress&) {
        return {problem.weights, space.distance, space.parents};
    }
    template <class Problem, class Space, class Progress>
    static __device__ NoCrowding limit(const Problem&, const Space&, const Progress&) { return {}; }
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
    static constexpr bool has_far = true;

    template <class Space, class Progress>
    static __device__ NearFar<Key<Distance>> admission(const Space& space, const Progress& p, bool& any) {
        return {space.stamp, {space.far}, p.queue, p.threshold, any};
    }
};

// The same with a list.
template <class Weight, class Distance, bool with_parents>
struct NearFarListRelaxing : NearFarRelaxing<Weight, Distance, with_parents> {
    static constexpr bool has_list = true;

    template <class Space, class Progress>
    static __device__ NearFarList<Key<Distance>> admission(const Space& space, const Progress& p, bool& any) {
        return {{space.stamp, {space.far}, p.queue, p.threshold, any}, space.pile(p.splits)};
    }
};

// Likewise, sorted by buckets.
template <class Weight, class Distance, bool with_parents>
struct BucketsRelaxing : NearFarListRelaxing<Weight, Distance, with_parents> {
    static constexpr bool has_buckets = true;
};

// Everything is near; the iteration beside the distance. `stamp` is n words of 64 bits, of 128 for
// distances of 64.
template <class Weight, class Distance, bool with_parents>
struct PackedRelaxing : Relaxing<Weight, Distance, with_parents> {
    using Operator = RelaxPacked<Weight, Distance, with_parents>;

    template <class Space>
    static __device__ auto words(const Space& space) { return reinterpret_cast<typename Operator::Word*>(space.stamp); }
    template <class Problem, class Space, class Progress>
    static __device__ Operator op(const Problem& problem, const Space& space, const Progress& p) {
        return {problem.weights, words(space), space.parents, p.queue};
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

// Everything is near, and a vertex enters the queue as often as it is lowered.
template <class Weight, class Distance, bool with_parents>
struct DuplicatesRelaxing : Relaxing<Weight, Distance, with_parents> {
    using Limit = Crowding;
    template <class Offset, class AnyLimit = Limit>
    using Writer = QueueWriter<Offset, AnyLimit>;

    template <class Problem, class Space, class Progress>
    static __device__ Crowding limit(const Problem& problem, const Space& space, const Progress& p) {
        const auto& graph = problem.graph;
        return {space.stamp, p.queue, graph.vertices, read_only(graph.row_offsets + graph.vertices)};
    }
    template <class Space, class Progress>
    static __device__ AdmitAll admission(const Space&, const Progress&, bool&) { return {}; }
};

// Everything is near; who is lowered gets a bit.
template <class Weight, class Distance, bool with_parents>
struct BitmapRelaxing : Relaxing<Weight, Distance, with_parents> {
    static constexpr bool lists_bits = true;

    template <class Space, class Progress>
    static __device__ AdmitToBitmap admission(const Space& space, const Progress&, bool&) { return {{space.far}}; }
};

// Everything is near, and in every iteration's frontier.
template <class Weight, class Distance, bool with_parents>
struct QueuelessRelaxing : Relaxing<Weight, Distance, with_parents> {
    static constexpr bool has_queue = false;

    template <class Problem, class Space, class Progress>
    static __device__ RelaxChanged<Weight, Distance, with_parents> op(const Problem& problem, const Space& space, const Progress& p) {
        return {{problem.weights, space.distance, space.parents}, space.stamp, p.queue};
    }
    template <class Space, class Progress>
    static __device__ MarkChanged admission(const Space& space, const Progress& p, bool& any) {
        return {space.stamp, p.queue, any};
    }
};

// `Method`, with duplicates dropped by what a block or a warp remembers of this iteration: whoever is left
// is expanded in the next, when the distance is what all have lowered it to. (A history would not do: a
// vertex that was lowered again must enter again.)
template <class Method, class Duplicates>
struct FilteredRelaxing : Method {
    static constexpr int most_warps = 16;  // of a block

    template <class Space, class Progress>
    static __device__ auto admission(const Space&, const Progress&, bool&) {
        __shared__ typename Duplicates::template Shared<most_warps> shared;
        return Duplicates::filter(shared);
    }
};
template <class Method>
struct HashedRelaxing : FilteredRelaxing<Method, HashTable> {};
template <class Method>
struct CulledRelaxing : FilteredRelaxing<Method, WarpCulling> {};

// `Method`, with duplicates dropped by a lookup table of n places, in `piles`, after each iteration.
template <class Method>
struct CompactedRelaxing : Method {
    static constexpr bool compacts = true;
};

// `Method`, with columns that are marked.
template <class Method>
struct ClassifiedRelaxing : Method {
    static constexpr bool has_classes = true;

    template <class Problem, class Space, class Progress>
    static __device__ auto op(const Problem& problem, const Space& space, const Progress& p) {
        using Operator = decltype(Method::op(problem, space, p));
        return Classified<Operator>{Method::op(problem, space, p), problem.source_edges && p.level == 0};
    }
};

// `Method`, with queues that are written without shared memory.
template <class Method>
struct ScatteredRelaxing : Method {
    template <class Offset, class AnyLimit = typename Method::Limit>
    using Writer = ScatteredWriter<Offset, AnyLimit>;
};

}  // namespace warpath

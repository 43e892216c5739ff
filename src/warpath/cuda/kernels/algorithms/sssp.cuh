// Shortest paths, as algorithms of engine/program.cuh: how a distance is lowered, and which vertices are expanded
// next.
#pragma once

#include "algorithms/frontiers.cuh"
#include "balance/all.cuh"
#include "engine/program.cuh"
#include "frontier/near_far.cuh"
#include "frontier/near_far_async.cuh"
#include "frontier/near_far_list.cuh"
#include "frontier/settled_sets.cuh"
#include "operators/classified.cuh"
#include "operators/limited.cuh"
#include "operators/prefiltered.cuh"
#include "operators/relax.cuh"
#include "operators/relax_changed.cuh"
#include "operators/relax_packed.cuh"
#include "operators/relax_tree.cuh"

namespace warpath {

template <class Weight_, class Distance_, bool with_parents_>
struct Relaxing : PlainFrontier {
    using Weight = Weight_;
    using Distance = Distance_;
    using K = Key<Distance>;
    using Offer = K;  // what edges offer, where some are kept (engine/expansion.cuh)
    using Value = K;
    static constexpr bool with_parents = with_parents_, relaxes = true;
    static constexpr K unreachable = Ordered<Distance>::unreachable;

    template <class Problem, class Space>
    static __device__ Relax<Weight, Distance, with_parents> op(const Problem& problem, const Space& space, const unsigned&) {
        return {problem.weights, space.distance, space.parents};
    }
    template <class Problem, class Space>
    static __device__ Relax<Weight, Distance, with_parents, true> local_op(const Problem& problem, const Space& space, const unsigned&) {
        return {problem.weights, space.distance, space.parents};
    }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        space.distance[v] = unreachable;
        space.stamp[v] = 0;
        if constexpr (with_parents) space.parents[v] = -1;
    }
    template <class Space>
    static __device__ Value* values(const Space& space) { return space.distance; }
    static __device__ Offer offer_in(Value value) { return value; }
    static __device__ const K* distance_in(const Value* value) { return value; }
    // Negative floats stand as other bits until now.
    template <class Space>
    static __device__ void finish(const Space& space, Vertex v) {
        if constexpr (is_float<Distance>) space.distance[v] = Ordered<Distance>::reorder(space.distance[v]);
    }
};

// Near and far vertices, and a stamp each against duplicates.
template <class Weight, class Distance, bool with_parents>
struct NearFarRelaxing : Relaxing<Weight, Distance, with_parents> {
    static constexpr bool has_far = true, has_bits = true;

    template <class Space, class Progress, class Shared>
    static __device__ NearFar<Key<Distance>> filter(const Space& space, const Progress& p, Shared& shared) {
        return {space.stamp, {space.far}, p.queue, p.threshold, shared.any};
    }
    template <class Problem, class Space, class Progress, class Shared>
    static __device__ AsyncNearFar<Weight, Key<Distance>> async_filter(const Problem& problem, const Space& space, const Progress& p, Shared& shared) {
        return {filter(space, p, shared), p.threshold, problem.weights};
    }
};

// The same with predecessors, of integers of 32 bits and positive weights. `parents` are written at the end.
template <class Weight, class Distance, bool with_parents>
struct NearFarTreeRelaxing : NearFarRelaxing<Weight, Distance, with_parents> {
    static_assert(!with_parents && !is_float<Distance>);
    using K = Key<Distance>;
    using Offer = OwnedOffer<K>;
    using Words = DistancesInWords<K>;
    using Packed = typename Words::Packed;
    using Value = typename Packed::Word;

    template <class Problem, class Space>
    static __device__ RelaxTree<Weight, Distance> op(const Problem& problem, const Space& space, const unsigned&) { return {problem.weights, space.words}; }
    // Asynchronous blocks would have to read owners past L1, and take less time with a sweep afterwards.
    template <class Problem, class Space, class Progress, class Shared>
    static __device__ void async_filter(const Problem&, const Space&, const Progress&, Shared&) = delete;
    template <class Space>
    static __device__ Words distances(const Space& space) { return {space.words}; }
    template <class Space>
    static __device__ Value* values(const Space& space) { return space.words; }
    static __device__ Offer offer_in(Value word) { return {Packed::distance_of(word), Packed::tag_of(word)}; }
    static __device__ const K* distance_in(const Value* word) { return Packed::distance_in(word); }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        space.words[v] = Packed::pack(Ordered<Distance>::unreachable, invalid_vertex);
        space.stamp[v] = 0;
    }
    template <class Space>
    static __device__ void finish(const Space& space, Vertex v) {
        const auto word = space.words[v];
        space.distance[v] = Packed::distance_of(word);
        space.parents[v] = static_cast<int>(Packed::tag_of(word));
    }
};

// The same with a list.
template <class Weight, class Distance, bool with_parents>
struct NearFarListRelaxing : NearFarRelaxing<Weight, Distance, with_parents> {
    static constexpr bool has_list = true;

    template <class Space, class Progress, class Shared>
    static __device__ NearFarList<Key<Distance>> filter(const Space& space, const Progress& p, Shared& shared) {
        return {{space.stamp, {space.far}, p.queue, p.threshold, shared.any}, space.pile(p.splits)};
    }
};

// Likewise, sorted by buckets.
template <class Weight, class Distance, bool with_parents>
struct BucketsRelaxing : NearFarListRelaxing<Weight, Distance, with_parents> {
    static constexpr bool has_buckets = true;
};

// Δ is 0, and a bucket ends with what Dijkstra's criterion settles.
template <class Weight, class Distance, bool with_parents>
struct DijkstraRelaxing : NearFarListRelaxing<Weight, Distance, with_parents> {
    static_assert(is_number<Weight>);
    static constexpr bool settles = true;

    template <class Offset>
    struct Problem : ProgramProblem<Offset, Weight, Distance> {
        Weight* lightest;  // n; of each vertex's edges, if it has any
    };
    template <class Problem>
    static __device__ void prepare_graph(const Problem& problem, Workers workers) {
        find_lightest_edges(problem.graph, problem.weights, problem.lightest, workers);
    }
    template <class Problem, class Space>
    static __device__ Key<Distance> bound(const Problem& problem, const Space& space, const FarList& pile, Key<Distance> before, Workers workers) {
        return bound_of_settled<Distance>(pile.vertices, *pile.size, space.distance, before, Ordered<Distance>::unreachable,
                                          problem.graph, problem.lightest, workers);
    }
};

// All vertices are near; a word holds the distance and the iteration. `stamp` is n words of 64 bits, of 128 for
// distances of 64.
template <class Weight, class Distance, bool with_parents>
struct PackedRelaxing : Relaxing<Weight, Distance, with_parents> {
    using Operator = RelaxPacked<Weight, Distance, with_parents>;

    template <class Space>
    static __device__ auto words(const Space& space) { return reinterpret_cast<typename Operator::Word*>(space.stamp); }
    template <class Problem, class Space>
    static __device__ Operator op(const Problem& problem, const Space& space, const unsigned& iteration) {
        return {problem.weights, words(space), space.parents, iteration};
    }
    template <class Space, class Progress, class Shared>
    static __device__ PassFresh filter(const Space&, const Progress&, Shared&) { return {}; }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        words(space)[v] = Operator::pack(Ordered<Distance>::unreachable, 0);
        if constexpr (with_parents) space.parents[v] = -1;
    }
    template <class Space>
    static __device__ void finish(const Space& space, Vertex v) {
        const auto distance = Operator::distance_of(words(space)[v]);
        if constexpr (is_float<Distance>) space.distance[v] = Ordered<Distance>::reorder(distance);
        else space.distance[v] = distance;
    }
};

// All vertices are near, and a vertex enters the queue as often as it is lowered.
template <class Weight, class Distance, bool with_parents>
struct DuplicatesRelaxing : Repeating<Relaxing<Weight, Distance, with_parents>, OverflowLimit> {};

// All vertices are near, and in every iteration's frontier.
template <class Weight, class Distance, bool with_parents>
struct QueuelessRelaxing : Relaxing<Weight, Distance, with_parents> {
    static constexpr bool has_queue = false, starts_everywhere = true;

    template <class Problem, class Space>
    static __device__ RelaxChanged<Weight, Distance, with_parents> op(const Problem& problem, const Space& space, const unsigned& iteration) {
        return {{problem.weights, space.distance, space.parents}, space.stamp, iteration};
    }
    template <class Space, class Progress, class Shared>
    static __device__ MarkChanged filter(const Space& space, const Progress& p, Shared& shared) {
        return {{}, space.stamp, p.queue, shared.any};
    }
};

// `Algorithm`, of near and far vertices, with a bit of those below a limit.
template <class Algorithm>
struct PrefilteredRelaxing : Algorithm {
    static constexpr bool has_prefilter = true;
    using K = Key<typename Algorithm::Distance>;

    template <class Problem, class Space, class Progress>
    static __device__ auto op(const Problem& problem, const Space& space, const unsigned& iteration, const Progress& p) {
        using Operator = decltype(operator_of<Algorithm>(problem, space, iteration, p));
        return Prefiltered<Operator>{operator_of<Algorithm>(problem, space, iteration, p), Bitmap{space.prefilter}, p.prefilter_limit};
    }
    template <class Space, class Progress, class Shared>
    static __device__ auto filter(const Space& space, const Progress& p, Shared& shared) {
        using Filter = decltype(Algorithm::filter(space, p, shared));
        return MarkingBelow<Filter, K>{Algorithm::filter(space, p, shared), Bitmap{space.prefilter}, p.prefilter_limit};
    }
    template <class Space>
    static __device__ Prefilter<K> prefilter(const Space& space, K limit) { return {Bitmap{space.prefilter}, limit}; }
};

// `Algorithm`, of near and far vertices and an undirected graph, with a limit of paths.
template <class Algorithm>
struct LimitedRelaxing : Algorithm {
    static_assert(!Algorithm::with_parents);  // what survives has no owner, but in its offer (engine/expansion.cuh)
    static constexpr bool has_path_limit = true;

    template <class Problem, class Space, class Progress>
    static __device__ auto op(const Problem& problem, const Space& space, const unsigned& iteration, const Progress& p) {
        using Operator = decltype(Algorithm::op(problem, space, iteration));
        return Limited<Operator>{Algorithm::op(problem, space, iteration), p.path_limit};
    }
    template <class Problem, class Space>
    static __device__ auto backwards_op(const Problem& problem, const Space& space, const unsigned& iteration) {
        using Operator = decltype(Algorithm::op(problem, space, iteration));
        return Backwards<Operator>{Algorithm::op(problem, space, iteration)};
    }
};

// `Algorithm`, with columns that are marked.
template <class Algorithm>
struct ClassifiedRelaxing : Algorithm {
    static constexpr bool has_classes = true;

    template <class Problem, class Space>
    static __device__ auto op(const Problem& problem, const Space& space, const unsigned& iteration) {
        using Operator = decltype(Algorithm::op(problem, space, iteration));
        return Classified<Operator>{Algorithm::op(problem, space, iteration), problem.source_edges && iteration == first_queue};
    }
};

}  // namespace warpath

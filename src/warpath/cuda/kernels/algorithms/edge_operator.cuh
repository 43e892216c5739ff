// A traversal with an operator that is written in Python, as an algorithm of engine/program.cuh: `warpath.traverse`
// and `advance`.
#pragma once

#include "algorithms/frontiers.cuh"
#include "balance/all.cuh"
#include "engine/program.cuh"
#include "frontier/stamped.cuh"
#include "operators/follow.cuh"

namespace warpath {

template <class Body>
struct EdgeOperator : PlainFrontier {
    using Weight = typename Body::Weight;
    using Distance = int;  // there are none
    static constexpr bool with_parents = false, relaxes = false;

    template <class Offset>
    struct Problem : ProgramProblem<Offset, Weight, int> {
        Body body;
    };

    template <class AnyProblem, class Space>
    static __device__ typename FollowOf<Body>::type op(const AnyProblem& problem, const Space&, const unsigned&) {
        return {problem.body, problem.weights};
    }
    template <class AnyProblem, class Space>
    static __device__ typename FollowOf<Body, true>::type local_op(const AnyProblem& problem, const Space&, const unsigned&) {
        return {problem.body, problem.weights};
    }
    template <class AnyProblem, class Space>
    static __device__ Enter source_op(const AnyProblem&, const Space&) { return {}; }
    template <class AnyProblem, class Space, class Progress, class Shared>
    static __device__ PassLowered<Weight> async_filter(const AnyProblem& problem, const Space& space, const Progress& p, Shared& shared) {
        static_assert(Body::staged, "only a vertex that is lowered may be expanded again at any time");
        return {{}, filter(space, p, shared), Body::loads_weight ? problem.weights : nullptr};
    }
    template <class Space, class Progress, class Shared>
    static __device__ PassStamped filter(const Space& space, const Progress& p, Shared&) { return {{}, space.stamp, p.queue}; }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) { space.stamp[v] = 0; }
};

// The same in the other direction: each vertex looks at the edges that come in. The graph is the reverse one, so an
// edge's owner is v, its end u. Frontier k are the vertices whose stamp in set k mod 2 is k: `stamp` is 2n words.
template <class Body>
struct SweptEdgeOperator : EdgeOperator<Body> {
    static constexpr bool has_queue = false, pulls = true, starts_everywhere = true;

    template <class AnyProblem, class Space>
    static __device__ FollowBack<Body> op(const AnyProblem& problem, const Space& space, const unsigned& iteration) {
        return {{problem.body, problem.weights}, space.stamp, space.n, iteration};
    }
    template <class AnyProblem, class Space>
    static __device__ EnterStamped source_op(const AnyProblem&, const Space& space) { return {{}, space.stamp + space.n}; }
    template <class Space, class Progress, class Shared>
    static __device__ NoteAny filter(const Space&, const Progress&, Shared& shared) { return NoteAny(shared.any); }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) { space.stamp[v] = space.stamp[v + space.n] = 0; }
};

}  // namespace warpath

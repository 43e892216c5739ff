// Breadth-first search level by level, top-down, as algorithms of engine/program.cuh: with each frontier of the
// papers. traverse.cuh is the one that is fast.
#pragma once

#include "algorithms/frontiers.cuh"
#include "balance/all.cuh"
#include "engine/program.cuh"
#include "operators/visit.cuh"
#include "operators/visit_packed.cuh"
#include "operators/visit_swept.cuh"
#include "operators/visit_unclaimed.cuh"

namespace warpath {

// An edge takes a vertex that has no distance yet; several edges of a level may.
template <bool with_predecessors>
struct Levels : PlainFrontier {
    using Weight = int;  // there are none
    using Distance = int;
    static constexpr bool with_parents = with_predecessors, relaxes = false;

    // The level of the vertices that an iteration finds.
    static __device__ int level(unsigned iteration) { return static_cast<int>(iteration - (first_queue - 1)); }

    template <class Problem, class Space>
    static __device__ VisitUnclaimed<with_predecessors> op(const Problem&, const Space& space, const unsigned& iteration) {
        return {space.distance, space.parents, level(iteration)};
    }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        space.distance[v] = -1;
        if constexpr (with_predecessors) space.parents[v] = -1;
    }
};

// It enters the queue as often.
template <bool with_predecessors>
struct LevelsWithDuplicates : Repeating<Levels<with_predecessors>, DedupHighDegree> {
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        Levels<with_predecessors>::reset(space, v);
        space.stamp[v] = 0;
    }
};

// The first edge takes it: by a bit, in `far`, that an atomic sets,
template <bool with_predecessors>
struct LevelsWithStatusBits : Levels<with_predecessors> {
    static constexpr bool has_bits = true, has_one_queue = true;

    template <class Problem, class Space>
    static __device__ Visit<with_predecessors> op(const Problem&, const Space& space, const unsigned& iteration) {
        return {{space.far}, space.distance, space.parents, LevelsWithStatusBits::level(iteration)};
    }
};

// or by an atomic on a word of 64 bits (operators/visit_packed.cuh), in `stamp`.
template <bool with_predecessors>
struct LevelsPacked : Levels<with_predecessors> {
    static constexpr bool has_one_queue = true;
    using Operator = VisitPacked<with_predecessors>;

    template <class Space>
    static __device__ auto words(const Space& space) { return reinterpret_cast<typename Operator::Word*>(space.stamp); }
    template <class Problem, class Space>
    static __device__ Operator op(const Problem&, const Space& space, const unsigned& iteration) {
        return {words(space), space.distance, space.parents, LevelsPacked::level(iteration)};
    }
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        Levels<with_predecessors>::reset(space, v);
        words(space)[v] = Operator::unreached;
    }
};

// All vertices are in every level's frontier. `Operator` is of operators/visit_swept.cuh; with VisitGathered the
// graph is the reverse one.
template <bool with_predecessors, template <bool> class Operator>
struct SweptLevels : Levels<with_predecessors> {
    static constexpr bool has_queue = false, starts_everywhere = true;
    static constexpr bool pulls = !requires(const Operator<false>& op) { op.expands(0); };

    template <class Problem, class Space>
    static __device__ Operator<with_predecessors> op(const Problem&, const Space& space, const unsigned& iteration) {
        if constexpr (pulls) return {space.distance, space.parents, SweptLevels::level(iteration)};
        else return {{space.distance, space.parents, SweptLevels::level(iteration)}};
    }
    template <class Problem, class Space>
    static __device__ auto source_op(const Problem& problem, const Space& space) {
        return Levels<with_predecessors>::op(problem, space, first_queue - 1);
    }
    template <class Space, class Progress, class Shared>
    static __device__ NoteAny filter(const Space&, const Progress&, Shared& shared) { return NoteAny(shared.any); }
};

}  // namespace warpath

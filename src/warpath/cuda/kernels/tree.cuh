// Predecessors from final distances: always a tree.
//
// An arc u → v is *tight* if d(u) + w is d(v). Each reached vertex but a root has a tight arc into
// it, and any choice of them is right as long as it makes no circle. Two ways to choose:
//
//   tight_sweep   All arcs at once; the last write stays. Where d(u) < d(v), distances are an order,
//                 so there is no circle. That finds all predecessors if every arc lengthens a
//                 path. Weights of 0 do not, nor do floats that are rounded away in a sum, nor
//                 most arcs where distances are not sums. Negative weights leave no such order;
//                 but there is a circle only if one weighs 0, which parent_cycle.cuh finds.
//   tight_search  Breadth-first along tight arcs (operators/visit_tight.cuh): always a tree.
//                 It runs if vertices are left over, or there is a circle.
//
// Relaxing kernels so need not keep predecessors: a distance and its predecessor would have to
// change as one, which 64-bit atomics do for 32-bit distances only.
#pragma once

#include "algorithms/frontiers.cuh"
#include "balance/two_phase_search.cuh"
#include "engine/program.cuh"
#include "operators/visit_tight.cuh"
#include "sweep.cuh"

namespace warpath {

// The predecessors that a warp's arcs bring.
//
// With `pull`, an arc is looked at from its end: in a symmetric graph, u → v stands in v's row as
// v → u with the same weight. Then all that is needed of v is near at hand, and few arcs need a
// look at d(u): no weight above d(v) can be tight, as no d(u) is below a source's. That rules out most
// arcs of a hub, whose distance is small.
//
// `ordered`: only of an arc that lengthens its path.
//
// Sums: `beyond` stops at the dtype's limits, and only sums that are the distance of a reached vertex
// count. If `ordered`, a start that was not reached has no smaller distance than anything. If not, it
// does not come up: without `pull` the owner must be reached, and with it, in a symmetric graph, a vertex
// with an arc to a reached vertex is reached.
template <class Offset, class Weight, class Distance, bool pull, bool ordered = true>
struct TightArcs {
    static constexpr bool needs_owner = true;

    const Vertex* column_indices;
    const Weight* weights;
    const Distance* distance;
    int* predecessor;

    // `owner` is the row's vertex, `other` what stands in it.
    template <int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        Vertex other[arcs];
        Weight weight[arcs];
        Distance own[arcs], its[arcs];
        bool asks[arcs];
        // Columns and weights are read once: they shall not drive the distances out of L2.
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            const bool mine = active >> j & 1u;
            other[j] = mine ? __ldcs(column_indices + arc[j]) : 0;
            weight[j] = mine ? read_once(weights + arc[j]) : Weight{};
            own[j] = mine ? read_only(distance + owner[j]) : 0;
        }
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            asks[j] = (active >> j & 1u) && is_reached(own[j]) && (!pull || nearest_beyond<Distance>(weight[j]) <= own[j]);
            its[j] = asks[j] ? read_only(distance + other[j]) : own[j];  // where equal, no order is found
        }
#pragma unroll
        for (int j = 0; j < arcs; ++j) {
            const Distance from = pull ? its[j] : own[j], to = pull ? own[j] : its[j];
            if ((ordered ? from < to : asks[j]) && is_reached(to) && beyond(from, weight[j]) == to)
                predecessor[pull ? owner[j] : other[j]] = static_cast<int>(pull ? other[j] : owner[j]);
        }
    }
};

// Arcs in flight in each lane: as many as fit into 64 registers.
template <class Offset, class Weight, class Distance>
constexpr int tight_arcs_in_flight = 2 * sizeof(Offset) + sizeof(Weight) + sizeof(Distance) <= 16 ? 8
                                   : 2 * sizeof(Offset) + sizeof(Weight) + sizeof(Distance) <= 24 ? 4 : 2;

// What predecessors are made of; as in warpath/cuda/tree.py.
template <class Offset, class Weight, class Distance>
struct TreeArguments {
    Csr<Offset> graph;
    Offset arcs;
    const Weight* weights;
    const Distance* distance;
    int* predecessor;
};

// `predecessor` is -1 everywhere before; every warp owns equal shares of the arcs.
template <class Offset, class Weight, class Distance, bool pull, bool ordered, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
tight_sweep(const __grid_constant__ TreeArguments<Offset, Weight, Distance> a) {
    TightArcs<Offset, Weight, Distance, pull, ordered> body{a.graph.column_indices, a.weights, a.distance, a.predecessor};
    sweep<tight_arcs_in_flight<Offset, Weight, Distance>>(a.graph, a.arcs, grid_warps(), body);
}

// As in warpath/cuda/tree.py.
template <class Distance>
struct RootsArguments {
    Vertex vertices;
    const Distance* distance;
    const int* predecessor;
    unsigned* roots;
};

// Add to `roots` how many vertices are reached and have no predecessor. A thread owns every n-th
// vertex, of n threads.
template <class Distance>
__device__ void count_roots(Vertex vertices, const Distance* distance, const int* predecessor, unsigned thread, unsigned threads, unsigned* roots) {
    unsigned mine = 0;
    for (Vertex v = thread; v < vertices; v += threads) mine += predecessor[v] < 0 && is_reached(distance[v]);
    mine = __reduce_add_sync(all_lanes, mine);
    if (lane_id() == 0 && mine > 0) atomicAdd(roots, mine);
}

template <class Distance, int threads>
__global__ void __launch_bounds__(threads)
count_roots(const __grid_constant__ RootsArguments<Distance> a) {
    count_roots(a.vertices, a.distance, a.predecessor, blockIdx.x * threads + threadIdx.x, gridDim.x * threads, a.roots);
}

// Breadth-first along tight edges (operators/visit_tight.cuh), as an algorithm of engine/program.cuh. Distances are
// final; predecessors are all -1, or tight.
template <class Weight_, class Distance_>
struct TightSearch : PlainFrontier {
    using Weight = Weight_;
    using Distance = Distance_;
    static constexpr bool with_parents = true, relaxes = false, has_bits = true, has_one_queue = true;

    template <class Problem, class Space>
    static __device__ VisitTight<Weight, Distance> op(const Problem& problem, const Space& space, const unsigned&) {
        return {{space.far}, problem.weights, reinterpret_cast<const Distance*>(space.distance), space.parents};
    }
    template <class Space>
    static __device__ void reset(const Space&, Vertex) {}
};

// As in warpath/cuda/tree.py.
template <class Offset, class Weight, class Distance>
struct TightSearchArguments {
    ProgramArguments<Offset, TightSearch<Weight, Distance>> program;
    const unsigned* found;
    unsigned expected;
};

// The search, unless `found` is `expected`: then the sweep has made a tree. Its offers take
// more registers than a breadth-first search's: 80 per thread, so 768 are resident.
template <class Offset, class Weight, class Distance, int threads>
__global__ void __launch_bounds__(threads, 768 / threads)
tight_search(const __grid_constant__ TightSearchArguments<Offset, Weight, Distance> a) {
    using Algorithm = SmallFrontiers<TightSearch<Weight, Distance>>;
    using Balance = TwoPhaseSearch<4>;
    __shared__ ProgramShared<Offset, Algorithm, Balance, false, threads> shared;
    if (*a.found == a.expected) return;
    const auto& [problem, sources, run, space, trace] = a.program;
    Program<Offset, Algorithm, Balance, false, false, threads>(problem, sources, run, space, trace, shared).run();
}

}  // namespace warpath

// Classes of arcs: marked on a copy of the columns before a search; deferred ones are relaxed after it.
//
// What the classes are, and the paper: operators/classified.cuh. All three kernels are sweeps of all
// arcs in equal shares for all warps (sweep.cuh). The marks do not depend on a source, so a graph is
// marked once; only the signs of its weights matter.
#pragma once

#include "core/distance.cuh"
#include "operators/arithmetic.cuh"
#include "operators/classified.cuh"
#include "operators/visit_tight.cuh"
#include "sweep.cuh"

namespace warpath {

constexpr int marking_arcs = 4;  // in flight in each lane: a guess

// A loop that no relaxation has anything from.
template <class Weight, class Offset>
__device__ __forceinline__ bool is_idle_loop(Vertex u, Vertex v, const Weight* weights, Offset arc) {
    return u == v && !(weights != nullptr && read_only(weights + arc) < 0);
}

template <class Offset, class Weight>
struct CountArcs {
    static constexpr bool needs_owner = true;

    const Vertex* column_indices;
    const Weight* weights;  // null: none is negative
    unsigned* in_degree;    // without idle loops
    unsigned* idle_loops;

    template <int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        for (int j = 0; j < arcs; ++j) {
            if (!(active >> j & 1u)) continue;
            const Vertex v = read_only(column_indices + arc[j]);
            atomicAdd((is_idle_loop(owner[j], v, weights, arc[j]) ? idle_loops : in_degree) + v, 1u);
        }
    }
};

// As in warpath/cuda/edge_classes.py.
template <class Offset, class Weight>
struct ClassifyArguments {
    Csr<Offset> graph;
    Offset arcs;
    const Weight* weights;
    unsigned *in_degree, *idle_loops;  // written by count_in_degrees, read by classify_edges,
    bool directed;                     // of which alone the rest is
    Vertex* marked;
    unsigned* may_be_parallel;
};

template <class Offset, class Weight, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
count_in_degrees(const __grid_constant__ ClassifyArguments<Offset, Weight> a) {
    CountArcs<Offset, Weight> body{a.graph.column_indices, a.weights, a.in_degree, a.idle_loops};
    sweep<marking_arcs>(a.graph, a.arcs, grid_warps(), body);
}

template <class Offset, class Weight>
struct MarkArcs {
    static constexpr bool needs_owner = true;

    const Csr<Offset>& graph;
    const Weight* weights;
    const unsigned* in_degree;
    const unsigned* idle_loops;
    unsigned arcs_of_a_leaf;
    Vertex* marked;
    unsigned* may_be_parallel;  // set if a row's columns do not rise strictly

    __device__ Mark mark(Vertex u, Vertex v, Offset arc) const {
        if (is_idle_loop(u, v, weights, arc)) return Mark::skipped;
        const Offset out_degree = read_only(graph.row_offsets + v + 1) - read_only(graph.row_offsets + v) - idle_loops[v];
        if (out_degree == arcs_of_a_leaf) return Mark::skipped;
        return in_degree[v] == 1 ? Mark::alone : Mark::plain;
    }

    template <int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        for (int j = 0; j < arcs; ++j) {
            if (!(active >> j & 1u)) continue;
            const Vertex v = read_only(graph.column_indices + arc[j]);
            marked[arc[j]] = with_mark(v, mark(owner[j], v, arc[j]));
            if (arc[j] > read_only(graph.row_offsets + owner[j]) && read_only(graph.column_indices + arc[j] - 1) >= v)
                *may_be_parallel = 1;
        }
    }
};

template <class Offset, class Weight, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
classify_edges(const __grid_constant__ ClassifyArguments<Offset, Weight> a) {
    MarkArcs<Offset, Weight> body{a.graph, a.weights, a.in_degree, a.idle_loops, a.directed ? 0u : 1u, a.marked, a.may_be_parallel};
    sweep<marking_arcs>(a.graph, a.arcs, grid_warps(), body);
}

// Relax what the search skipped. Whatever an arc leads to here leads nowhere, so its start is final.
// Sums: starts that were not reached are passed over, and `beyond` stops at the dtype's limits.
template <class Offset, class Weight, class Distance>
struct SettleArcs {
    static constexpr bool needs_owner = true;

    const Vertex* marked;
    const Weight* weights;
    Distance* distance;

    template <int arcs>
    __device__ __forceinline__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        Vertex column[arcs];
        for (int j = 0; j < arcs; ++j) column[j] = read_only_if(marked + arc[j], active >> j & 1u);
        for (int j = 0; j < arcs; ++j) {
            if (!(active >> j & 1u) || mark_of(column[j]) != Mark::skipped) continue;
            const Vertex v = column[j] & unmarked_bits;
            const Distance from = load_relaxed(distance + owner[j]);
            if (owner[j] == v || !is_reached(from)) continue;
            const Distance to = beyond(from, read_only(weights + arc[j]));
            if (to < load_relaxed(distance + v)) fetch_min(distance + v, to);  // the distance, not its key
        }
    }
};

// As in warpath/cuda/edge_classes.py.
template <class Offset, class Weight, class Distance>
struct RelaxDeferredArguments {
    Csr<Offset> graph;  // its columns marked
    Offset arcs;
    const Weight* weights;
    Distance* distance;
};

template <class Offset, class Weight, class Distance, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
relax_deferred_edges(const __grid_constant__ RelaxDeferredArguments<Offset, Weight, Distance> a) {
    SettleArcs<Offset, Weight, Distance> body{a.graph.column_indices, a.weights, a.distance};
    sweep<marking_arcs>(a.graph, a.arcs, grid_warps(), body);
}

}  // namespace warpath

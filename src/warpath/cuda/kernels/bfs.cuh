// Breadth-first search, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "operators/visit.cuh"
#include "traverse.cuh"

namespace warpath {

template <bool with_predecessors>
struct BreadthFirst {
    using Operator = Visit<with_predecessors>;
    int* distance;
    int* predecessor;

    __device__ Operator at(unsigned level, Bitmap reached) const {
        return {reached, distance, predecessor, static_cast<int>(level)};
    }
};

// Blocks of a multiprocessor that the registers must suffice for: 1,024 threads, 64 registers each; to
// launch child grids takes more, if there are predecessors or a trace.
template <class Balance, bool with_predecessors, bool traced, int threads>
constexpr int resident_blocks = launches_children<Balance> && (with_predecessors || traced) ? 1 : 1024 / threads;

// As in warpath/cuda/bfs.py.
template <class Offset>
struct BfsArguments {
    TraversalProblem<Offset> problem;
    Sources sources;
    Run run;
    TraversalSpace<Offset> workspace;
    int *distance, *predecessor;
    TraceRows trace;
};

// Its parameters are the fields of `BfsArguments`, one by one, which takes the same bytes: of a struct the
// compiler keeps more in registers, so that half of the instances spill (CUDA 13.5, sm_90), and a search of
// R-MAT 20 takes 4 % longer (H200, 2026-11).
template <class Offset, class Balance, bool with_predecessors, bool traced, int threads>
__global__ void __launch_bounds__(threads, resident_blocks<Balance, with_predecessors, traced, threads>)
bfs(Vertex vertices, const Offset* row_offsets, const Vertex* column_indices,
    Vertex, const Offset* reverse_offsets, const Vertex* reverse_indices, unsigned symmetric, Offset arcs,
    Direction direction, float alpha, float top_down_max_vertices, unsigned depth_limit, unsigned small_frontier_max_edges, unsigned max_small_levels, unsigned ordered_min_edges,
    const Vertex* sources, Vertex source, unsigned source_count, unsigned iterations, unsigned resumes,
    Vertex* queue, Offset* prefix, unsigned capacity, unsigned* reached, unsigned* reached_next, unsigned* summary, unsigned summary_shift, unsigned summary_max_vertices, TraversalControl<Offset>* control,
    const void* prepared, void* workspace, int* distance, int* predecessor, TraceRow* rows, unsigned row_count) {
    __shared__ TraversalShared<Offset, Balance, threads> shared;
    const TraversalProblem<Offset> problem{
        {vertices, row_offsets, column_indices}, {vertices, reverse_offsets, reverse_indices}, symmetric != 0,
        arcs, direction, alpha, top_down_max_vertices, depth_limit, small_frontier_max_edges, max_small_levels, ordered_min_edges};
    const TraversalSpace<Offset> space{queue, prefix, capacity, reached, reached_next, {summary, summary_shift, summary_max_vertices}, control, {prepared, workspace}};
    const BreadthFirst<with_predecessors> algorithm{distance, predecessor};
    Traversal<Offset, BreadthFirst<with_predecessors>, Balance, traced, threads>(
        problem, Sources{sources, source, source_count}, Run{iterations, resumes != 0}, space, algorithm,
        TraceRows{rows, row_count}, shared)
        .run(depth_limit);
}

// The same on several GPUs (engine/multi_gpu.cuh): the search's own arrays have this GPU's vertices alone.
struct MultiGpuBreadthFirst : BreadthFirst<true> {
    struct Operator : Visit<true> {
        const Peers& peers;

        __device__ void commit(Vertex u, Vertex v, Nothing) const {
            write_distance(v);
            write_predecessor(u, v);
        }
        __device__ void write_distance(Vertex v) const {
            if (peers.owns(v)) Visit<true>::write_distance(v);
        }
        __device__ void write_predecessor(Vertex u, Vertex v) const {
            if (peers.owns(v)) Visit<true>::write_predecessor(u, v);
        }
    };
    const Peers& peers;

    __device__ Operator at(unsigned level, Bitmap reached) const {
        return {BreadthFirst<true>::at(level, reached), peers};
    }
};

// Bitmaps are those of the peers, too.
template <class Offset>
struct MultiGpuBfsArguments {
    BfsArguments<Offset> search;
    Peers peers;
};

template <class Offset, class Balance, bool traced, int threads>
__global__ void __launch_bounds__(threads, resident_blocks<Balance, true, traced, threads>)
multi_gpu_bfs(const __grid_constant__ MultiGpuBfsArguments<Offset> all) {
    __shared__ TraversalShared<Offset, Balance, threads, MultiGpuScope> shared;
    const auto& a = all.search;
    const MultiGpuBreadthFirst algorithm{{a.distance, a.predecessor}, all.peers};
    Traversal<Offset, MultiGpuBreadthFirst, Balance, traced, threads, MultiGpuScope>(
        a.problem, a.sources, a.run, a.workspace, algorithm, a.trace, shared, all.peers)
        .run(a.problem.depth_limit);
}

}  // namespace warpath

// Breadth-first search with the frontiers of the papers, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "level_search.cuh"

namespace warpath {

// `Policy` is one of level_search.cuh.
template <class Offset, class Policy, class Balance, bool with_predecessors, bool traced, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
bfs_levels(Vertex vertices, const Offset* row_offsets, const Vertex* column_indices, const Vertex* sources, Vertex source,
           unsigned source_count, unsigned depth_limit, unsigned narrow_items, unsigned iterations, unsigned resumes, int* distance, int* predecessor,
           Vertex* queue, Offset* prefix, Vertex* other_queue, Offset* other_prefix, void* status, unsigned* stamp, unsigned* table,
           Vertex* edge_targets, Vertex* edge_sources, Count edge_places, LevelControl<Offset>* control, TraceRow* rows,
           unsigned row_count, const void* prepared, void* workspace) {
    __shared__ LevelShared<Offset, Policy, Balance, threads> shared;
    static_assert(sizeof(LevelControl<Offset>) <= 256);  // CONTROL_BYTES of warpath/cuda/trace.py
    const LevelProblem<Offset> problem{{vertices, row_offsets, column_indices}, sources, source, source_count,
                                       depth_limit, narrow_items, iterations, resumes != 0};
    const LevelSpace<Offset> space{distance, predecessor, {queue, other_queue}, {prefix, other_prefix}, status, stamp, table,
                                   {edge_targets, edge_sources, edge_places}, control, {prepared, workspace}};
    LevelSearch<Offset, Policy, Balance, with_predecessors, traced, threads>(problem, space, rows, row_count, shared).run();
}

}  // namespace warpath

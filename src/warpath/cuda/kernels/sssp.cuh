// Single-source shortest paths, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "relaxation.cuh"

namespace warpath {

// `Method` is one of relaxing.cuh.
template <class Offset, class Method, class Balance, bool with_narrow, bool traced, int threads>
__global__ void __launch_bounds__(threads, relaxing_blocks<Offset, Method, with_narrow, threads>)
sssp(Vertex vertices, const Offset* row_offsets, const Vertex* column_indices, const typename Method::Weight* weights,
     const Vertex* sources, Vertex source, unsigned source_count, typename Method::Distance delta, typename Method::Distance cutoff, Vertex target,
     unsigned finishes, unsigned narrow_items, unsigned iterations, unsigned resumes, typename Method::Distance* distance, int* parents,
     Vertex* queue, Offset* prefix, Vertex* other_queue, Offset* other_prefix, unsigned* stamp, unsigned* far, Vertex* piles,
     RelaxControl<Offset, typename Method::Distance>* control, TraceRow* rows, unsigned row_count) {
    using Distance = typename Method::Distance;
    static_assert(sizeof(*control) <= 256);  // CONTROL_BYTES of warpath/cuda/trace.py
    __shared__ RelaxShared<Offset, Distance, Balance, with_narrow, threads> shared;
    const RelaxProblem<Offset, typename Method::Weight, Distance> problem{
        {vertices, row_offsets, column_indices}, weights, sources, source, source_count,
        delta, cutoff, target, finishes != 0, narrow_items, iterations, resumes != 0};
    const RelaxSpace<Offset, Distance> space{
        reinterpret_cast<Key<Distance>*>(distance), parents, {queue, other_queue}, {prefix, other_prefix}, stamp, far, piles, vertices, control};
    Relaxation<Offset, Method, Balance, with_narrow, traced, threads>(problem, space, rows, row_count, shared).run();
}

}  // namespace warpath

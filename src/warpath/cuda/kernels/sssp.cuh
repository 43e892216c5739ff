// Single-source shortest paths, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "relaxation.cuh"

namespace warpath {

// `Method` is one of relaxing.cuh.
template <class Offset, class Method, class Balance, bool with_drift, bool traced, int threads>
__global__ void __launch_bounds__(threads, relaxing_blocks<Offset, Method, threads>)
sssp(Vertex vertices, const Offset* row_offsets, const Vertex* column_indices, const typename Method::Weight* weights,
     const Vertex* sources, Vertex source, unsigned source_count, typename Method::Distance delta, typename Method::Distance most_delta, typename Method::Distance cutoff, Vertex target,
     unsigned finishes, unsigned iterations, unsigned resumes, unsigned source_edges, typename Method::Distance* distance, int* parents,
     Vertex* queue, Offset* prefix, Vertex* other_queue, Offset* other_prefix, unsigned* stamp, unsigned* far, Vertex* piles,
     RelaxControl<Offset, typename Method::Distance>* control, TraceRow* rows, unsigned row_count, const void* prepared, void* workspace) {
    using Distance = typename Method::Distance;
    using Control = RelaxControl<Offset, Distance>;
    static_assert(sizeof(Control) <= 256);  // CONTROL_BYTES of warpath/cuda/trace.py
#ifdef WARPATH_EMULATOR  // NVRTC 13.0 has no offsetof
    static_assert(__builtin_offsetof(Control, lowered) == counts_offset);
#endif
    __shared__ RelaxShared<Offset, Method, Balance, with_drift, threads> shared;
    const RelaxProblem<Offset, typename Method::Weight, Distance> problem{
        {vertices, row_offsets, column_indices}, weights, sources, source, source_count,
        delta, most_delta, cutoff, target, finishes != 0, iterations, resumes != 0, source_edges != 0};
    const RelaxSpace<Offset, Distance> space{
        reinterpret_cast<Key<Distance>*>(distance), parents, {queue, other_queue}, {prefix, other_prefix}, stamp, far, piles, vertices, control, {prepared, workspace}};
    Relaxation<Offset, Method, Balance, with_drift, traced, threads>(problem, space, rows, row_count, shared).run();
}

}  // namespace warpath

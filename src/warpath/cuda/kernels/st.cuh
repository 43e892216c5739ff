// s-t connectivity, and the path of the fewest arcs between two vertices, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "two_ended.cuh"

namespace warpath {

// Threads of a multiprocessor that the registers must suffice for: 1,024, 64 registers each. Beside
// 64-bit offsets, and on older chips, that is too few for some balances; those have 128.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <class Offset>
constexpr int st_threads = 512;
#else
template <class Offset>
constexpr int st_threads = sizeof(Offset) == 4 ? 1024 : 512;
#endif

template <class Offset, class Balance, int threads>
__global__ void __launch_bounds__(threads, st_threads<Offset> / threads)
st(Vertex vertices, Offset arcs, const Offset* row_offsets, const Vertex* column_indices,
   const Offset* reverse_offsets, const Vertex* reverse_indices, Vertex source, Vertex target, unsigned wants_path,
   unsigned narrow_items, unsigned iterations, unsigned resumes, Vertex* queue, Offset* prefix, Vertex* other_queue,
   Offset* other_prefix, unsigned* colours, int* parent, TwoEndedControl<Offset>* control, TraceRow* rows,
   unsigned row_count, const void* prepared, const void* reverse_prepared, void* workspace) {
    static_assert(sizeof(*control) <= 256);  // CONTROL_BYTES of warpath/cuda/trace.py
    __shared__ TwoEndedShared<Offset, Balance, threads> shared;
    const TwoEndedProblem<Offset> problem{source, target, wants_path != 0, narrow_items, iterations, resumes != 0};
    const TwoEndedSpace<Offset> space{
        {{vertices, row_offsets, column_indices}, queue, prefix, {prepared, workspace}},
        {{vertices, reverse_offsets, reverse_indices}, other_queue, other_prefix, {reverse_prepared, workspace}},
        colours, parent, control};
    TwoEnded<Offset, Balance, threads>(problem, space, rows, row_count, shared).run();
}

}  // namespace warpath

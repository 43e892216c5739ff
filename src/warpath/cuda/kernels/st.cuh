// s-t connectivity, and the path of the fewest arcs between two vertices, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "algorithms/two_ended.cuh"

namespace warpath {

// Threads of a multiprocessor that the registers must suffice for: 1,024, 64 registers each. With
// 64-bit offsets, and on older chips, that is too few for some balances; those have 128.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <class Offset>
constexpr int st_threads = 512;
#else
template <class Offset>
constexpr int st_threads = sizeof(Offset) == 4 ? 1024 : 512;
#endif

// As in warpath/cuda/st.py.
template <class Offset>
struct TwoEndedArguments {
    TwoEndedProblem<Offset> problem;
    Run run;
    TwoEndedSpace<Offset> space;
    TraceRows trace;
};

template <class Offset, class Balance, int threads>
__global__ void __launch_bounds__(threads, st_threads<Offset> / threads)
st(const __grid_constant__ TwoEndedArguments<Offset> arguments) {
    __shared__ TwoEndedShared<Offset, Balance, threads> shared;
    TwoEnded<Offset, Balance, threads>(arguments.problem, arguments.run, arguments.space, arguments.trace, shared).run();
}

}  // namespace warpath

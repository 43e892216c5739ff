// Single-source shortest paths, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "relaxation.cuh"

namespace warpath {

// As in warpath/cuda/sssp.py.
template <class Offset, class Weight, class Distance>
struct SsspArguments {
    RelaxProblem<Offset, Weight, Distance> problem;
    Sources sources;
    Run run;
    RelaxSpace<Offset, Distance> space;
    TraceRows trace;
};

// `Method` is one of relaxing.cuh.
template <class Offset, class Method, class Balance, bool with_drift, bool traced, int threads>
__global__ void __launch_bounds__(threads, relaxing_blocks<Offset, Method, threads>)
sssp(const __grid_constant__ SsspArguments<Offset, typename Method::Weight, typename Method::Distance> arguments) {
    __shared__ RelaxShared<Offset, Method, Balance, with_drift, threads> shared;
    Relaxation<Offset, Method, Balance, with_drift, traced, threads>(
        arguments.problem, arguments.sources, arguments.run, arguments.space, arguments.trace, shared)
        .run();
}

}  // namespace warpath

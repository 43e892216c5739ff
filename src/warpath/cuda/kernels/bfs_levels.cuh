// Breadth-first search with the frontiers of the papers, as a kernel.
#pragma once

#include "balance/all.cuh"
#include "level_search.cuh"

namespace warpath {

// As in warpath/cuda/levels.py.
template <class Offset>
struct LevelArguments {
    LevelProblem<Offset> problem;
    Sources sources;
    Run run;
    LevelSpace<Offset> space;
    TraceRows trace;
};

// `Policy` is one of level_search.cuh.
template <class Offset, class Policy, class Balance, bool with_predecessors, bool traced, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
bfs_levels(const __grid_constant__ LevelArguments<Offset> arguments) {
    __shared__ LevelShared<Offset, Policy, Balance, threads> shared;
    LevelSearch<Offset, Policy, Balance, with_predecessors, traced, threads>(
        arguments.problem, arguments.sources, arguments.run, arguments.space, arguments.trace, shared)
        .run();
}

}  // namespace warpath

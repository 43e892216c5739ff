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
    Problem<Offset> problem;
    Sources sources;
    Run run;
    Workspace<Offset> workspace;
    int *distance, *predecessor;
    TraceRows trace;
};

template <class Offset, class Balance, bool with_predecessors, bool traced, int threads>
__global__ void __launch_bounds__(threads, resident_blocks<Balance, with_predecessors, traced, threads>)
bfs(const __grid_constant__ BfsArguments<Offset> arguments) {
    __shared__ SharedMemory<Offset, Balance, threads> shared;
    const BreadthFirst<with_predecessors> algorithm{arguments.distance, arguments.predecessor};
    Traversal<Offset, BreadthFirst<with_predecessors>, Balance, traced, threads>(
        arguments.problem, arguments.sources, arguments.run, arguments.workspace, algorithm, arguments.trace, shared)
        .run();
}

}  // namespace warpath

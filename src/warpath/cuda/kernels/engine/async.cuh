// Asynchronous iterations of a program (engine/program.cuh).
//
// The blocks share the queue and each continues alone: what a block finds it expands in its next round
// (engine/small_frontier.cuh), without barriers of the grid, until it has no near vertex left. A round takes 2 µs where an
// iteration takes 5 (measured, H200), but more edges are relaxed in vain; it is faster where frontiers are small. Where
// all vertices are near it ends after some rounds.
#pragma once

#include "engine/program_state.cuh"
#include "engine/small_frontier.cuh"
#include "engine/trace.cuh"
#include "operators/counted.cuh"

namespace warpath {

// Rounds of an asynchronous iteration where all vertices are near: a block that never stopped would relax what
// others have shorter paths to. 32, 64 and 256 take as long on a grid of 1024², 8 two and a half times as long
// (measured, H200, weights 1 … 255, negative and not).
constexpr unsigned sweep_rounds = 64;

// Each block expands the near vertices that it finds, without waiting for other blocks, until it has none left.
// What they lower is the fixed point of relaxations in any order, and the thread that lowers it queues the
// vertex, so nothing is missed. Vertices that a block cannot hold go to the other queue.
template <class Program>
__device__ void run_async(Program& run, unsigned set) {
    using Algorithm = typename Program::Algorithm;
    constexpr bool traced = Program::traced;
    auto& p = run.p;
    auto& shared = run.shared;
    auto spill = run.writer(next_queue<Algorithm>(p), set);
    auto filter = Program::Scope::filter(Algorithm::async_filter(run.problem, run.space, p, shared.filter), run.others);
    SmallFrontier<typename Program::Offset, decltype(filter), true, decltype(spill), traced> frontier(shared.small.value, run.problem.graph, filter);
    const auto op = counted<traced && Algorithm::relaxes>(run.local_op(p.queue), shared.counts);
    if (traced && threadIdx.x == 0) shared.expanded = {0, 0};
    frontier.take(run.frontier().vertices, run.own_size(), spill, blockIdx.x, gridDim.x);
    SmallFrontierSize count = frontier.swap_buffers();
    unsigned rounds = p.threshold == Program::unreachable ? sweep_rounds : ~0u;
    while (count.chunks > 0 && count.spilled == 0 && rounds-- > 0) {
        if (traced && threadIdx.x == 0) {
            shared.expanded.vertices += count.vertices();
            shared.expanded.arcs += count.arcs;
        }
        frontier.expand(op, count.chunks, spill);
        count = frontier.swap_buffers();
    }
    if (threadIdx.x == 0 && count.spilled != 0) atomicOr(&run.control->counters[set].overflowed, 1u);
    if (count.chunks > 0) frontier.leave(spill);
    spill.finish();
    if (traced && threadIdx.x == 0) {
        atomicAdd(&run.control->counters[set].expanded.vertices, shared.expanded.vertices);
        atomicAdd(&run.control->counters[set].expanded.arcs, shared.expanded.arcs);
    }
}

template <class Program>
__device__ void iterate_async(Program& run) {
    auto& p = run.p;
    const unsigned next = run.begin_step();
    run_async(run, next);
    if constexpr (Program::several_gpus) {
        if (!run.goes_alone()) {
            auto out = run.writer(next_queue<typename Program::Algorithm>(p), next);
            run.exchange(out);
            out.finish();
        }
    }
    run.grid.sync([&] {  // what the blocks leave is there
        const auto& set = run.total(next);
        run.trace.record(p.level, set.expanded.vertices, set.expanded.arcs, trace_top_down, mode_block, code_of::none);
        p.overflowed = set.overflowed != 0;
        p.base = p.threshold;  // it was not asked whether a vertex is far
        run.end_iteration(next);
    });
}

// Whether the blocks can hold the frontier; twice it where it may grow fast, as a bucket's first
// frontiers do.
template <class Program>
__device__ bool is_async(const Program& run) {
    using Offset = typename Program::Offset;
    const auto& p = run.p;
    const Count max_chunks = p.size + Count{p.items} / chunk_arcs<Offset>;
    return !p.overflowed && !(Program::Algorithm::has_path_limit && p.backwards) && p.size <= gridDim.x * SmallFrontier<Offset, PassAll, true>::max_taken() &&
           (p.threshold == Program::unreachable ? 1 : 2) * max_chunks <= gridDim.x * chunk_capacity;
}

}  // namespace warpath

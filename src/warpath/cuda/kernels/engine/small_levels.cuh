// Levels of small frontiers in a program (engine/program.cuh): a frontier of few edges is one cluster's
// (engine/small_frontier.cuh), level by level, until it has grown. Without clusters, and where the algorithm says so, it
// is one block's.
#pragma once

#include "engine/program_state.cuh"
#include "engine/small_frontier.cuh"
#include "engine/trace.cuh"

namespace warpath {

// What a filter knows of the progress in a small frontier.
struct SmallProgress {
    const unsigned& queue;
};

template <class Program>
using SmallFrontierOf = SmallFrontier<typename Program::Offset, PassAll, Program::Algorithm::single_block>;

// The queue that they fill: where there is one, its front. What comes back may be the frontier that it had, which has no
// second place.
template <class Algorithm, class Progress>
__device__ unsigned queue_after_small(const Progress& p) {
    return Algorithm::has_one_queue ? 0 : 1 - p.current;
}

// Levels of few edges, by the first cluster, until the frontier has grown or is empty. Afterwards it is in that queue.
template <class Program>
__device__ void run_small(Program& run, unsigned set) {
    using Algorithm = typename Program::Algorithm;
    auto& p = run.p;
    auto spill = run.writer(queue_after_small<Algorithm>(p), set);
    unsigned level = p.level, queue = p.queue;  // the number of the frontier that a level fills
    auto filter = Algorithm::filter(run.space, SmallProgress{queue}, run.shared.filter);
    SmallFrontier<typename Program::Offset, decltype(filter), Algorithm::single_block, decltype(spill)> frontier(run.shared.small.value, run.problem.graph, filter);
    frontier.take(run.frontier().vertices, p.size, spill);
    frontier.run(level, run.shared.last_level, run.problem.small_frontier_max_edges, spill,
        [&](unsigned, unsigned chunks) { frontier.expand(run.local_op(queue), chunks, spill); },
        [&](unsigned level, const SmallFrontierSize& count) {
            if (threadIdx.x == 0) run.trace.record(level, count.vertices(), count.arcs, Program::direction, frontier.mode(), code_of::none);
            ++queue;
            return true;
        });
    if (run.is_first()) run.control->progress.level = level;
}

template <class Program>
__device__ void iterate_small(Program& run) {
    auto& p = run.p;
    const unsigned next = run.begin_step();
    if (blockIdx.x < SmallFrontierOf<Program>::blocks()) run_small(run, next);
    run.grid.sync([&] {  // what the cluster leaves is there
        const unsigned levels = run.control->progress.level - p.level;
        p.level += levels - 1;
        p.queue += levels - 1;
        if constexpr (Program::Algorithm::has_one_queue) p.current = p.size = 0;  // of the queue's front
        run.template end_iteration<true>(next);  // no child is launched there
    });
    run.compact();
}

template <class Program>
__device__ bool is_small(const Program& run) {
    return run.p.items <= run.problem.small_frontier_max_edges && run.p.size <= SmallFrontierOf<Program>::max_taken();
}

}  // namespace warpath

// Several GPUs that each go on alone for some buckets (engine/program.cuh).
//
// On a road network a barrier of all GPUs takes longer than an iteration. So a GPU runs asynchronous iterations and splits
// its far pile by itself, with barriers of its own. Its threshold is its own, too. It has found what it can when no vertex below the
// *horizon* is left. Then all GPUs meet: they tell each other of the vertices that they have lowered, and agree on the next
// horizon, some buckets above the nearest vertex that any of them may have left. A GPU that was told of a shorter path
// relaxes again what it had reached by a longer one; the horizon bounds how much that is (`horizon_buckets`).
//
// A GPU *has nothing left* if no vertex is far, and it has run no iteration since the last meeting, so that no GPU will be told of
// one. The search ends at the first meeting where all have nothing left.
//
// With a target all GPUs take each step together: what is below a threshold of one GPU's may not be final.
#pragma once

#include "core/distance.cuh"
#include "engine/refill.cuh"

namespace warpath {

template <class Program, class K = typename Program::K>
__device__ K horizon_above(const Program& run, K nearest) {
#pragma unroll 1
    for (unsigned i = 0; i < run.others.horizon_buckets; ++i) nearest = raised<typename Program::Distance>(nearest, run.problem.max_delta);
    return nearest;
}

// The frontier is empty.
template <class Program>
__device__ void meet(Program& run) {
    using K = typename Program::K;
    constexpr K unreachable = Program::unreachable;
    auto& p = run.p;
    auto& local = run.shared.local.value;
    const unsigned next = run.begin_step();
    auto out = run.writer(next_queue<typename Program::Algorithm>(p), next);
    if (run.is_first())  // no other thread counts that in this step
        run.control->counters[next].min_staying = local.has_worked ? min(p.threshold, unreachable - 1) : run.shared.done ? unreachable : p.base;
    run.grid.alone = false;
    run.exchange(out);
    out.finish();
    run.grid.sync([&] { if (run.shared.filter.any) signal_any<typename Program::Algorithm>(run.control, p, next); }, [&] {  // all is queued
        const K nearest = run.total(next).min_staying;
        run.trace.record(p.level, 0, 0, trace_top_down, Program::Scope::mode, code_of::none);
        local = {horizon_above(run, nearest), false, nearest == unreachable};
        run.template end_iteration<true>(next);
        local.has_worked = false;
    });
    run.grid.alone = true;
}

// Refill the frontier, alone or by what others tell; false: the search has ended.
template <class Program>
__device__ bool refill_alone(Program& run) {
    while (true) {
        refill(run);
        if (run.p.size > 0) return true;
        meet(run);
        if (run.shared.local.value.ends) return false;
    }
}

}  // namespace warpath

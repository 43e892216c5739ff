// The persistent loop of every traversal: its counters, barriers, launches and trace.
//
// One cooperative launch runs all iterations. An iteration is one or more *steps*; a barrier of the grid ends
// each. There, the first thread of each block updates the block's own copy of the progress from the same
// counters as all other blocks, so that all take the same decisions. What outlives an iteration is in the progress.
//
// Three sets of counters rotate: step `step` adds to set (step + 1) mod 3, while one thread clears set
// (step + 2) mod 3, which no thread has touched since it was read in step − 1. So one barrier per step is
// enough.
//
// With `Run::iterations` = 1 a launch runs one iteration and leaves its progress in memory for the next
// launch: that is loop="host". Where a balance launches child grids, what they find is there when the launch
// has ended; so it ends with its first iteration that launches any.
//
// The contract of a traversal
// ---------------------------
// `Self` derives from `Loop<Self, …>`. All threads of the grid call each function together:
//
//     void prepare()          every launch: shared memory, before a barrier
//     void start()            the first launch: reset memory and make the first frontier, each before a barrier
//     void resumed()          a later launch: the first thread of each block, after `p` was read
//     bool running() const    whether there is another iteration; by default `has_frontier`
//     bool iterate()          run one; false if child grids still work on it
//     void finish(complete)   before the launch ends; not `complete` if child grids still work
//
// Its control block (zeroed before the first launch, `arrived` before each) has
//
//     unsigned arrived        of the grid barrier
//     unsigned flag           unused here
//     Progress progress       has `level`, `step` and `size`: 0 vertices in the frontier end the traversal
//     Counters counters[3]    the type is `Counters` there, and has add(other)
#pragma once

#include "core/types.cuh"
#include "engine/scope.cuh"
#include "engine/trace.cuh"

namespace warpath {

// A block's part of the loop, in shared memory.
template <class Progress_>
struct LoopShared {
    using Progress = Progress_;
    Progress progress;
    unsigned last_level;  // where this launch stops
    unsigned barrier_target;
    Count trace_before;
};

template <class Self, class Control, class Shared, bool traced, class Scope_ = GridScope>
class Loop {
    __device__ Self& self() { return static_cast<Self&>(*this); }

protected:
    using Scope = Scope_;

    const Run& launch;
    Control* const control;
    Shared& shared;
    typename Shared::Progress& p;  // each block's own, written by its first thread while the others wait
    typename Scope::template Barrier<Control, Shared> grid;
    Trace<traced, Scope> trace;

    __device__ Loop(const Run& launch, Control* control, const TraceRows& rows, Shared& shared, const typename Scope::Others& others = {})
        : launch(launch), control(control), shared(shared), p(shared.progress), grid(Scope::barrier(control, shared, others)),
          trace(rows, shared.trace_before) {}

    static __device__ __forceinline__ bool is_first() { return Scope::is_first_block() && threadIdx.x == 0; }

    // The number of this step's counters.
    __device__ unsigned set_of_step() const { return (p.step + 1) % 3; }

    // The same; the set after it is cleared for the next step.
    __device__ unsigned begin_step() {
        if (is_first()) control->counters[(p.step + 2) % 3] = {};
        return set_of_step();
    }

    // What all that run the program have counted in that step, once a barrier has ended it.
    __device__ const auto& total(unsigned set) const { return Scope::total(*control, set); }
    // The tail of the queue that the last step has filled, on this GPU.
    __device__ Count own_tail() const { return control->counters[p.step % 3].tail; }

    // The first thread of each block calls, in `start`: run up to `max_level`.
    __device__ void limit(unsigned max_level = ~0u) { shared.last_level = min(max_level, launch.iterations); }

    // Go on where another launch stopped.
    __device__ void resume(unsigned max_level) {
        block_sync([&] {
            p = control->progress;
            shared.last_level = static_cast<unsigned>(min(Count{max_level}, Count{p.level} + launch.iterations));
            self().resumed();
        });
        grid.sync([] {});  // all blocks have read it, so block 0 may change it
    }

    __device__ bool has_frontier() const { return p.size > 0 && p.level < shared.last_level; }

    __device__ void end(bool complete) {
        self().finish(complete);
        if (is_first()) control->progress = p;
    }

public:
    __device__ void prepare() {}
    __device__ void resumed() {}
    __device__ bool running() const { return has_frontier(); }
    __device__ void finish(bool) {}

    __device__ void run(unsigned max_level = ~0u) {
        trace.start();
        self().prepare();
        if (launch.resumes) resume(max_level);
        else self().start();
        while (self().running())
            if (!self().iterate()) return end(false);  // child grids still work on it
        end(true);
    }
};

}  // namespace warpath

// What a child grid of a program (engine/program.cuh) does.
#pragma once

#include "core/child_grid.cuh"
#include "engine/child_rows.cuh"
#include "engine/expansion.cuh"
#include "engine/program_state.cuh"

namespace warpath {

// A child grid: the row of a vertex of the frontier, which the iteration left out. It adds to the
// queue that the iteration fills, and to its tail.
template <class Offset, class Algorithm, bool traced>
__global__ void __launch_bounds__(child_threads)
expand_row_of_program(ProblemOf<Offset, Algorithm> problem,
                      ProgramSpace<Offset, typename Algorithm::Distance> space,
                      ProgramProgress<Offset, typename Algorithm::Distance> p, unsigned set, Vertex u, Offset begin, Offset end) {
    using Writer = typename Algorithm::template Writer<Offset>;
    __shared__ Staging<Writer, child_threads / warp_lanes> staging;
    __shared__ Counts counts;
    __shared__ SurvivorsShared<Algorithm, child_threads / warp_lanes> survivors;
    __shared__ FilterShared<Algorithm, child_threads / warp_lanes> filter;
    if (threadIdx.x == 0) {
        counts = {0, 0, 0};
        filter.any = false;
    }
    Algorithm::prepare(filter.table);
    __syncthreads();  // nothing is counted
    Writer out(staging.own(), problem.graph.row_offsets,
               queue_at<Algorithm>(space, next_queue<Algorithm>(p), &space.control->counters[set].tail), Algorithm::limit(problem, space, p));
    const auto op = counted<traced && Algorithm::relaxes>(operator_of<Algorithm>(problem, space, p.queue, p), counts);
    Expansion expansion(problem.graph, op, out, Algorithm::filter(space, p, filter), own_survivors(survivors));
    visit_row(u, begin, end, grid_warps(), expansion);
    expansion.finish();
    out.finish();
    __syncthreads();  // all is counted
    if (threadIdx.x == 0) {
        if (filter.any) signal_any<Algorithm>(space.control, p, set);
        if constexpr (traced) {
            add_counts(*space.control, counts);
        }
    }
}

}  // namespace warpath

// A limit of paths: a program (engine/program.cuh) leaves out what leads there or beyond, and fetches it once.
//
// V. T. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal, "Scalable single source shortest path algorithms for
// massively parallel systems", IPDPS 2014: push and pull of long edges. There each bucket has its long edges. Here there is
// one limit, some way ahead of the bucket in which the search has met a 512th of the edges.
//
// An early edge that offers much lowers a distance that other edges lower again: in a random graph of 2²⁷ vertices each is
// lowered 3.1 times, and to lower one takes more than to look at ten edges. Below the limit lie most vertices; so an edge
// that offers as much is not looked at further. Once all distances below it are final, the vertices beyond, which are few,
// look along their own edges (`backwards`).
//
// If they are not few, the limit was too near. Then the edges of the vertices below it are followed again, under another limit
// twice as far ahead. If these are few themselves, the graph grows slowly: nothing is left out any more.
//
// On several GPUs each has its own vertices beyond the limit, and first reads all others' distances: below the limit they
// are final, so those that its edges have found no longer matter.
//
// An edge that was left out offers the limit or more. So vertices below it need none, and of a vertex beyond each is its
// reverse's, in an undirected graph.
#pragma once

#include "core/distance.cuh"
#include "core/grid_barrier.cuh"
#include "core/memory.cuh"
#include "core/types.cuh"
#include "core/warp.cuh"

namespace warpath {

// The edges that a search has met before it sets its limit, as a part of all. R-MAT 27 and G(2²⁷, 2³¹) take 50 and 93 ms
// with this, 68 and 122 with a 16th (H200; before survivors were kept, engine/expansion.cuh).
constexpr Count met_part = 512;
// Vertices beyond look back if they have at most this part of the edges; a guess.
constexpr Count few_beyond_part = 4;
// With less than this part below the limit, a graph grows slowly. A mesh of 128³ vertices takes 10 % longer with an 8th.
constexpr Count few_below_part = 2;

// `times` widths ahead of `from`.
template <class Program, class K = typename Program::K>
__device__ K path_limit(const Program& run, K from, unsigned times) {
#pragma unroll 1
    for (; times > 0; --times) from = raised<typename Program::Distance>(from, run.problem.path_limit_width);
    return from;
}

// The first thread of each block, at the end of an iteration.
template <class Program>
__device__ void set_path_limit(Program& run) {
    if constexpr (Program::Algorithm::has_path_limit) {
        auto& p = run.p;
        p.met_edges += p.items;
        if (p.path_limits > 0 || p.met_edges * met_part < run.problem.edges) return;
        p.path_limit = path_limit(run, p.threshold, 1);
        p.path_limits = 1;
    }
}

// Whether all distances below the limit are final, now that no vertex is near.
template <class Program>
__device__ bool reaches_path_limit(const Program& run) {
    if constexpr (Program::Algorithm::has_path_limit) return run.p.path_limit < Program::unreachable && run.p.base >= run.p.path_limit;
    else return false;
}

// Queue the vertices beyond the limit, or those below it. The first thread of each block calls `then` when they are there.
// A warp owns some times 32 neighbouring vertices at a time, a lane one of each 32.
template <class Program, class Then>
__device__ void queue_side(Program& run, bool beyond, Then then) {
    using K = typename Program::K;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    auto out = run.writer(p.current, next);
    constexpr unsigned rows = decltype(out)::rows, at_once = rows * warp_lanes;
    const Vertex begin = run.own_begin(), n = run.own_end();
    const Workers workers = Program::Scope::warps();
    for (Count first = begin + Count{workers.rank} * at_once; first < n; first += Count{workers.count} * at_once) {
        K d[rows];
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            const Count v = first + j * warp_lanes + lane_id();
            d[j] = load_if(Program::Algorithm::distances(run.space) + v, v < n);
        }
#pragma unroll
        for (unsigned j = 0; j < rows; ++j) {
            const Count v = first + j * warp_lanes + lane_id();
            out.push(static_cast<Vertex>(v), v < n && (d[j] >= p.path_limit) == beyond);
        }
        out.flush();
    }
    out.finish();
    run.grid.sync([&] {  // the queue and its tail are complete
        run.end_step(next);
        then();
    });
}

// The next iteration finds what the limit left out.
template <class Program>
__device__ void lift_path_limit(Program& run) {
    if constexpr (Program::Algorithm::has_path_limit) {
        auto& p = run.p;
        queue_side(run, true, [&] { p.backwards = p.items * few_beyond_part <= run.problem.edges; });
        if (!p.backwards) queue_side(run, false, [] {});
        else run.read_others();
        block_sync([&] {
            const bool grows = !p.backwards && p.items * few_below_part >= run.problem.edges;
            p.path_limit = grows ? path_limit(run, p.path_limit, 1u << min(p.path_limits, 16u)) : Program::unreachable;
            ++p.path_limits;
            run.shared.done = p.size == 0 && is_done(run);
        });
    }
}

}  // namespace warpath

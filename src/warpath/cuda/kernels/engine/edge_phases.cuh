// Iterations of a program (engine/program.cuh) through a queue of edges (frontier/edge_queue.cuh).
//
//   two phases       Edges are gathered in the queue, then filtered. If the queue cannot hold them, it is one phase.
//   contract-expand  An iteration begins with the edges in the queue: blocks filter them and expand what they find.
//   hybrid           While few edges are in the queue, contract-expand; else it is filtered into a queue of vertices.
//
// The last two are for searches whose edges bring nothing of their own. An edge that brings a distance would be gathered with
// the one that its owner has then, and other blocks may lower that in the same iteration.
#pragma once

#include "balance/balance.cuh"
#include "engine/expansion.cuh"
#include "engine/program_state.cuh"
#include "frontier/edge_queue.cuh"

namespace warpath {

// The edges and what they offer go to the edge queue,
template <class Program>
__device__ void gather(Program& run) {
    using Algorithm = typename Program::Algorithm;
    using Scope = typename Program::Scope;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    const auto op = Algorithm::op(run.problem, run.space, p.queue);
    Gathering<decltype(op), Program::with_parents> gathering(run.problem.graph.column_indices, op, run.space.edges, &run.control->counters[next].tail);
    const int code = run.push(gathering);
    run.grid.sync([&] {  // the edge queue is complete
        run.trace.record(p.level, p.size, p.items, Program::direction, Scope::mode, code);
        run.shared.gathered = run.control->counters[next].tail;
        ++p.step;
    });
}
// and then their ends to the other queue.
template <class Program>
__device__ void contract(Program& run) {
    using Algorithm = typename Program::Algorithm;
    using Scope = typename Program::Scope;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    auto out = run.writer(next_queue<Algorithm>(p), next);
    const Gathered<decltype(run.op()), Program::with_parents> op{run.op(), run.space.edges};
    Expansion contraction(run.space.edges, op, out, run.filter());
    visit_edges(run.space.edges, run.shared.gathered, Scope::warps(), contraction);
    run.list_bits(out);
    out.finish();
    // The other queue, its tail and the distances are complete.
    run.grid.sync([&] { if (Program::signals && run.shared.filter.any) signal_any<Algorithm>(run.control, p, next); }, [&] { run.end_iteration(next); });
}

// A half of the edge queue.
template <class Program>
__device__ EdgeQueue edges_of(const Program& run, unsigned which) {
    const Count first = which * run.space.edges.capacity;
    return {run.space.edges.targets + first, Program::with_parents ? run.space.edges.sources + first : nullptr, nullptr, run.space.edges.capacity};
}

// The frontier's edges go to its half of the edge queue.
template <class Program>
__device__ void gather_frontier(Program& run) {
    using Algorithm = typename Program::Algorithm;
    auto& p = run.p;
    if (p.size == 0) return;
    const unsigned next = run.begin_step();
    const auto op = Algorithm::op(run.problem, run.space, p.queue);
    const EdgeQueue edges = edges_of(run, p.current);
    Gathering<decltype(op), Program::with_parents> gathering(run.problem.graph.column_indices, op, edges, &run.control->counters[next].tail);
    run.push(gathering);
    run.grid.sync([&] { ++p.step; });  // they are there
}

// Where a vertex may come several times, one of high degree still comes once: returns whether it is such a one.
template <class Program>
__device__ bool comes_once(const Program& run, KeepOne& passed) {
    using Algorithm = typename Program::Algorithm;
    if constexpr (!Algorithm::may_repeat) return false;
    else {
        const auto* const row = run.problem.graph.row_offsets + passed.vertex;
        const auto limit = Algorithm::limit(run.problem, run.space, run.p);
        if (!passed.is_there || !limit.is_high_degree(read_only(row + 1) - read_only(row))) return false;
        passed.is_there = limit.first_time(passed.vertex);
        return true;
    }
}

// Whether these edges, of a block's tile, are among the first that the graph has as many of. Later ones are those of
// vertices that come once each, so a half holds twice the graph's edges at most.
template <class Program>
__device__ bool reserves(Program& run, Count edges, unsigned set) {
    if (threadIdx.x == 0) run.shared.gathered = atomicAdd(&run.control->counters[set].inspected, edges) + edges;
    __syncthreads();  // the sum is there
    return run.shared.gathered <= run.problem.graph.row_offsets[run.problem.graph.vertices];
}

// Blocks filter the edges of their tiles of the queue; what passes is the next frontier, whose edges go to the other
// half. A block expands what it found, by the balance.
template <class Program>
__device__ void contract_expand(Program& run) {
    using Algorithm = typename Program::Algorithm;
    using Balance = typename Program::Balance;
    using Scope = typename Program::Scope;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    Count* const tail = &run.control->counters[next].tail;
    const EdgeQueue edges = edges_of(run, p.current), others = edges_of(run, 1 - p.current);
    const auto plain = Algorithm::op(run.problem, run.space, p.queue);
    static_assert(!has_offers<decltype(plain)>, "an offer may be out of date when its edge is contracted");
    const Gathered<decltype(run.op()), Program::with_parents> op{run.op(), edges};
    Gathering<decltype(plain), Program::with_parents> gathering(run.problem.graph.column_indices, plain, others, tail);
    KeepOne passed;
    Expansion contraction(edges, op, passed, run.filter());
    const Workers blocks = blocks_of(Scope::warps());
    const Resources resources = run.space.balance.resources(run.shared.push.balance[warp_in_block()], run.space.n, Scope::for_balance(run.grid, run.shared.barrier_target));
    int code = code_of::none;
    for (Count first = Count{blocks.rank} * blockDim.x; first < p.items; first += Count{blocks.count} * blockDim.x) {
        const Count place[1] = {first + threadIdx.x};
        const bool is_there = place[0] < p.items;
        const Vertex owner[1] = {decltype(op)::needs_owner ? load_if(edges.sources + place[0], is_there) : 0};
        contraction.visit(owner, place, is_there);
        const bool is_first = comes_once(run, passed);
        SharedSegments<typename Program::Offset> found = run.shared.found.value.fill(passed.vertex, passed.is_there, run.problem.graph.row_offsets);
        if constexpr (Algorithm::may_repeat) {
            if (!reserves(run, found.items, next)) {
                const auto limit = Algorithm::limit(run.problem, run.space, p);
                passed.is_there = passed.is_there && (is_first || limit.first_time(passed.vertex));
                found = run.shared.found.value.fill(passed.vertex, passed.is_there, run.problem.graph.row_offsets);
            }
        }
        if (threadIdx.x == 0 && found.size > 0) atomicAdd(tail, Tail<typename Program::Offset>::pack(found.size, 0));
        if (found.size > 0) code = Balance::advance(found, run.problem.graph.row_offsets, block_warps(), resources, gathering);
    }
    run.grid.sync([&] {  // the other half, its tail and the distances are complete
        run.trace.record(p.level, p.size, p.items, Program::direction, Scope::mode, code);
        run.end_iteration(next);
    });
}

// The same through a queue of vertices, of which all blocks take equal shares.
template <class Program>
__device__ void contract_and_gather(Program& run) {
    using Scope = typename Program::Scope;
    auto& p = run.p;
    const unsigned next = run.begin_step();
    auto out = run.writer(1 - p.current, next);
    const EdgeQueue edges = edges_of(run, p.current);
    const Gathered<decltype(run.op()), Program::with_parents> op{run.op(), edges};
    Expansion contraction(edges, op, out, run.filter());
    visit_edges(edges, p.items, Scope::warps(), contraction);
    out.finish();
    run.grid.sync([&] {  // the other queue, its tail and the distances are complete
        run.trace.record(p.level, p.size, p.items, Program::direction, Scope::mode, code_of::none);
        run.end_iteration(next);
    });
    if constexpr (Program::Algorithm::may_repeat) {
        while (p.items > run.space.edges.capacity && p.level < run.problem.max_level) run.expand();
    }
    gather_frontier(run);
}

}  // namespace warpath

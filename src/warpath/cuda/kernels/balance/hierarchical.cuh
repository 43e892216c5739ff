// Hierarchical processing: sub-iterations, in which each vertex has at most MDT of its arcs visited.
//
// The "HP" of the paper on dynamic load-balancing strategies for graph applications (Mishra et al.),
// section III-C.
//
//     sub-iteration k    thread = vertex of the list; walks its arcs k · MDT … + MDT − 1. Vertices that
//                        have more go to the next list, and after a barrier the next one begins
//     few vertices       lists of fewer than `switch_below`, the first one too, go to workload
//                        decomposition (balance/workload_decomposition.cuh); 0: none
//
// Threads differ by at most MDT arcs in a sub-iteration, and no graph is changed, for the price of a
// barrier each. Lists come with prefix sums (core/worklist.cuh), so decomposing one needs no scan.
#pragma once

#include "balance/virtual_warp.cuh"
#include "balance/workload_decomposition.cuh"

namespace warpath {

template <unsigned switch_below>
struct Hierarchical {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 16;
    static constexpr bool fills_registers = true;  // more of an expansion would spill

    // One of two lists, which alternate.
    template <class Offset>
    static __device__ Worklist<Offset> list_of(const Resources& resources, unsigned which) {
        auto* const prefix = resources.workspace_at<Offset>() + Count{which} * resources.max_vertices;
        auto* const vertices = reinterpret_cast<Vertex*>(resources.workspace_at<Offset>() + 2 * Count{resources.max_vertices}) + Count{which} * resources.max_vertices;
        return {static_cast<typename Worklist<Offset>::Counters*>(resources.workspace) + which, vertices, prefix};
    }

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        const Offset mdt = static_cast<Offset>(*static_cast<const Count*>(resources.prepared));  // MDT
        // Which list it is, and how long; where it lies is computed each time: registers are scarce.
        unsigned size = frontier.size, iteration = 0;
        Offset items = frontier.items;
        const auto list_now = [&]() -> Segments<Offset> {
            if (iteration == 0) return frontier;
            const auto list = list_of<Offset>(resources, iteration % 2);
            return {list.vertices, list.prefix, size, items};
        };
#pragma unroll 1
        for (; size >= max(1u, switch_below); ++iteration) {
            const auto list = list_now();
            const auto rest = list_of<Offset>(resources, (iteration + 1) % 2);
            const Offset skip = iteration * mdt;
            const WarpMember me(1, workers);
#pragma unroll 1
            for (unsigned first = me.first_warp(); first < size; first += me.warps())
                visit_rows_of(me, first, size, [&](unsigned i, bool mine) {
                    Row<Offset> row{0, 0, 0};
                    if (mine) {
                        row.vertex = list.vertices[i];
                        row.begin = read_only(row_offsets + row.vertex) + skip;
                        row.end = read_only(row_offsets + row.vertex + 1);
                    }
                    const bool has_more = row.end - row.begin > mdt;
                    rest.push(row.vertex, row.end - row.begin - mdt, has_more);
                    if (has_more) row.end = row.begin + mdt;
                    return row;
                }, body);
            const auto left = rest.meet(resources.grid, *static_cast<Count*>(resources.of_block<scratch_bytes<Offset>>()));
            size = left.size;
            items = left.items;
        }
        // Two: four would not fit into the registers of sm_80.
        if (size > 0) visit_decomposed<2, 0>(list_now(), row_offsets, static_cast<Offset>(iteration * mdt), workers, body);
        return code_of::hierarchical;
    }
};

}  // namespace warpath

// Dynamic virtual warps: as wide as the frontier leaves threads for each vertex.
//
// F. Busato, N. Bombieri, "BFS-4K", IEEE TPDS 2015, and "An efficient implementation of the
// Bellman-Ford algorithm for Kepler GPU architectures" (H-BF), IEEE TPDS 2016; survey 5.2.1.
//
//     width = the largest power of two in minimum … 32 with width · |F| <= threads
//
// Few vertices get a warp each, many get `minimum` lanes. It knows nothing of degrees: a hub keeps
// one warp busy. The papers launch small blocks; here the warps stay and take vertices until there are no more.
//
//     dynamic_parallelism    T_DP: vertices of more arcs than that get a child grid each, launched by one
//                            lane of their virtual warp, as long as the device takes more
//                            (core/child_grid.cuh); 0: none. A level is a launch then
//     edge_discover          in each level BFS-4K looks at the frontier and may take edge-discover
//                            (balance/local_warp_search.cuh) instead. Here it does where a lane would have more
//                            than that many arcs on average, since then degrees matter; 0: never. The paper
//                            has its own rule, the survey does not say which
//     warp_workload          vertices of a virtual warp, at least: balance/virtual_warp.cuh. H-BF has 32; 0: as many
//                            warps as there are share the frontier
#pragma once

#include "balance/local_warp_search.cuh"
#include "balance/virtual_warp.cuh"
#include "core/child_grid.cuh"

namespace warpath {

template <unsigned minimum, unsigned dynamic_parallelism = 0, unsigned edge_discover = 0, unsigned warp_workload = 0>
struct DynamicVirtualWarp {
    static constexpr unsigned threshold = dynamic_parallelism;
    static constexpr bool launches_children = threshold > 0;

    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        unsigned width = warp_lanes;
        while (width > minimum && Count{width} * frontier.size > Count{workers.count} * warp_lanes) width /= 2;
        if constexpr (edge_discover > 0) {
            if (frontier.items > Count{edge_discover} * width * frontier.size)
                return LocalWarpSearch::advance(frontier, row_offsets, workers, resources, body);
        }
        if constexpr (launches_children && requires { body.launch(Vertex{}, Offset{}, Offset{}); }) {
            const WarpMember me(width, busy_warps(workers, width, frontier.size, warp_workload));
            for (unsigned first = me.first_warp(); first < frontier.size; first += me.warps())
                visit_rows_of(me, first, frontier.size, [&](unsigned i, bool mine) -> Row<Offset> {
                    if (!mine) return {0, 0, 0};
                    const Vertex u = frontier.vertices[i];
                    const Row<Offset> row{u, read_only(row_offsets + u), read_only(row_offsets + u + 1)};
                    const unsigned is_left = me.once([&] {
                        return static_cast<unsigned>(row.end - row.begin > threshold && body.launch(u, row.begin, row.end));
                    });
                    return is_left != 0 ? Row<Offset>{u, row.end, row.end} : row;
                }, body);
        } else {
            visit_by_virtual_warps<warp_workload>(width, frontier, row_offsets, workers, body);
        }
        return code_of::dynamic_virtual_warp;
    }
};

}  // namespace warpath

// Node splitting: a graph whose vertices of many arcs are cut into several, one per thread.
//
// The "NS" of the paper on dynamic load-balancing strategies for graph applications (Mishra et al.),
// section III-B.
//
//     graph     once: a vertex of d arcs becomes ⌈d / MDT⌉ nodes that have d arcs together, in equal
//               shares. Rows stay as they are, so the split graph is a finer array of row offsets
//     push      the nodes of each frontier vertex go to a worklist: the first one is the paper's
//               parent, the others its children
//     visit     after a barrier: thread = node of the worklist; walks its at most MDT arcs
//
// No thread walks more than MDT arcs. Children have no distances of their own, which would have to
// follow their parent's; what an arc leaves is the parent.
#pragma once

#include "balance/virtual_warp.cuh"

namespace warpath {

// As warpath/balance/node_splitting.py prepares it.
template <class Offset>
struct SplitGraph {
    const Offset* offsets;   // of the nodes
    const unsigned* first;   // node of each vertex, one more at the end
    const Vertex* vertex;    // of each node
};

struct NodeSplitting {
    template <class Offset>
    static constexpr unsigned scratch_bytes = 16;

    // Append the nodes of my warp's vertices: one atomic for 32.
    template <class Offset>
    static __device__ void push(const Segments<Offset>& frontier, const SplitGraph<Offset>& split, Workers workers,
                                unsigned* worklist, Count* tail) {
        for (unsigned first = workers.rank * warp_lanes; first < frontier.size; first += workers.count * warp_lanes) {
            const unsigned i = first + lane_id();
            unsigned my_node = 0, my_nodes = 0;
            if (i < frontier.size) {
                const Vertex u = frontier.vertices[i];
                my_node = read_only(split.first + u);
                my_nodes = read_only(split.first + u + 1) - my_node;
            }
            const Count sum = inclusive_scan(Count{my_nodes});
            Count my_place = 0;
            if (lane_id() == warp_lanes - 1) my_place = atomicAdd(tail, sum);
            my_place = from_lane(my_place, warp_lanes - 1) + sum - my_nodes;
            if (my_nodes > 0) worklist[my_place] = my_node;
            // Children: a warp writes those of one vertex side by side.
            for (unsigned parents = lanes_where(my_nodes > 1); parents != 0; parents &= parents - 1) {
                const unsigned k = lowest_bit(parents);
                const unsigned node = from_lane(my_node, k), nodes = from_lane(my_nodes, k);
                const Count place = from_lane(my_place, k);
                for (unsigned j = 1 + lane_id(); j < nodes; j += warp_lanes) worklist[place + j] = node + j;
            }
        }
    }

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset*, Workers workers, const Resources& resources,
                                  Body& body) {
        const auto& split = *static_cast<const SplitGraph<Offset>*>(resources.prepared);
        const Worklist<Offset> list{static_cast<typename Worklist<Offset>::Counters*>(resources.workspace), resources.workspace_at<Vertex>(), nullptr};
        push(frontier, split, workers, list.vertices, &list.counters->tail);
        const Count nodes = list.meet_count(resources.grid, *static_cast<Count*>(resources.of_block<scratch_bytes<Offset>>()));
        const WarpMember me(1, workers);
        for (Count first = me.first_warp(); first < nodes; first += me.warps())
            visit_rows_of(me, static_cast<unsigned>(first), static_cast<unsigned>(nodes), [&](unsigned i, bool mine) -> Row<Offset> {
                if (!mine) return {0, 0, 0};
                const unsigned node = list.vertices[i];
                return {read_only(split.vertex + node), read_only(split.offsets + node), read_only(split.offsets + node + 1)};
            }, body);
        return code_of::node_splitting;
    }
};

}  // namespace warpath

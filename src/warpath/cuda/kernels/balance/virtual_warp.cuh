// Virtual warps: `width` neighbouring lanes share a frontier vertex.
//
// S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun, "Accelerating CUDA graph algorithms at maximum
// warp", PPoPP 2011; survey 5.1.2. Written in their model (core/virtual_warp.cuh).
//
//     vertex = thread / width;   its arc number thread mod width, and each width-th after it
//
// Where all vertices are in the frontier, and most expand nothing (frontier/topology_driven.cuh), a virtual warp takes a
// chunk of `width` vertices: each lane looks at one, and then all lanes visit the rows of those that expand, one
// after the other. The paper's figure 4 copies the chunk's levels and row offsets to shared memory; here they stay in registers.
//
// Loads of the columns coalesce within a virtual warp. A vertex of more arcs than the others keeps
// its whole warp waiting, and a hub one virtual warp for long: good where degrees are about
// `width`, bad on skewed graphs. Section 3.2 has two remedies:
//
//     defer_outliers          vertices of more arcs than that go to a queue in global memory. After a
//                             barrier, which is the paper's next kernel, all warps take equal shares
//                             of the queue's arcs: it comes with prefix sums, so that
//                             balance/two_phase_search.cuh does it
//     dynamic_distribution    each warp draws its next vertices, that many for each virtual warp, from
//                             a counter, so that no virtual warp waits behind a hub
//
// 0 is neither. A third is H-BF's (F. Busato, N. Bombieri, IEEE TPDS 2016, section 5.2):
//
//     warp_workload           only as many warps work as have that many vertices for each virtual warp: small
//                             frontiers are fewer warps', whose queues fill before they are written; 0: all warps
#pragma once

#include "balance/two_phase_search.cuh"
#include "core/virtual_warp.cuh"
#include "frontier/topology_driven.cuh"

namespace warpath {

template <class Offset>
constexpr int virtual_lane_arcs = arcs_in_flight<Offset>;  // a guess: of short rows few lanes have more

// Those of a vertex that its virtual warp visits.
template <class Offset>
struct Row {
    Vertex vertex;
    Offset begin, end;
};

// Visit a row with each virtual warp; all lanes of a warp call.
template <class Offset, class Body>
__device__ __forceinline__ void visit_row(const WarpMember& me, const Row<Offset>& row, Body& body) {
    constexpr int arcs = virtual_lane_arcs<Offset>;
    me.template simd_rows<arcs>(row.begin, row.end, [&](const Offset (&arc)[arcs], unsigned active) {
        Vertex owner[arcs];
#pragma unroll
        for (int j = 0; j < arcs; ++j) owner[j] = row.vertex;
        body.visit(owner, arc, active);
    });
}

// Visit, with each virtual warp, the row that `row_of(i)` gives, i = first + its number in the warp,
// unless that is `end` or more. All lanes of a warp call.
template <class RowOf, class Body>
__device__ __forceinline__ void visit_rows_of(const WarpMember& me, unsigned first, unsigned end, RowOf row_of, Body& body) {
    const unsigned i = first + lane_id() / me.width();
    visit_row(me, row_of(i, i < end), body);
}

// The same for chunks of `size` vertices, at most `width`: i = first + size times its number + the lane in it.
template <class Offset, class RowOf, class Body>
__device__ __forceinline__ void visit_chunks_of(const WarpMember& me, unsigned first, unsigned end, unsigned size, RowOf row_of, Body& body) {
    const unsigned i = first + lane_id() / me.width() * size + me.lane();
    const Row<Offset> mine = row_of(i, me.lane() < size && i < end);
    unsigned left = lanes_where(mine.begin < mine.end) & me.mask();
    while (any_lane(left != 0)) {
        const unsigned lane = left != 0 ? lowest_bit(left) : 0;
        Row<Offset> row{from_lane(mine.vertex, lane), from_lane(mine.begin, lane), from_lane(mine.end, lane)};
        if (left == 0) row.end = row.begin;  // only other virtual warps of this warp have one left
        visit_row(me, row, body);
        left &= left - 1;
    }
}

// Whether virtual warps take chunks, as above; those of one lane have no use for them. By default the width is not known yet.
template <class Body, unsigned width = warp_lanes>
constexpr bool takes_chunks = asks_each_vertex<Body> && width > 1;

// The warps that `workload` vertices for each of their virtual warps keep busy; 0: all. To the others all vertices
// are beyond the last: some are left over only where these are few.
__device__ __forceinline__ Workers busy_warps(Workers workers, unsigned width, unsigned size, unsigned workload) {
    if (workload == 0) return workers;
    const unsigned vertices = workload * (warp_lanes / width);  // of a warp
    const unsigned count = min(workers.count, (size + vertices - 1) / vertices);
    return {workers.rank < count ? workers.rank : size, count};
}

// Visit some vertices of the frontier with each virtual warp, from `first` on. `take(row)` may change a row.
template <bool in_chunks, class Offset, class Body, class Take>
__device__ __forceinline__ void visit_vertices(const WarpMember& me, unsigned first, unsigned each, const Segments<Offset>& frontier,
                                               const Offset* row_offsets, Take take, Body& body) {
    const auto row_of = [&](unsigned i, bool mine) {
        Row<Offset> row{0, 0, 0};
        if (mine) {
            row.vertex = frontier.vertices[i];
            if constexpr (in_chunks) {
                if (!leaves_out(body, row.vertex)) {
                    row.begin = read_only(row_offsets + row.vertex);
                    row.end = read_only(row_offsets + row.vertex + 1);
                }
            } else {  // one load is in flight with that of what is asked
                row.begin = read_only(row_offsets + row.vertex);
                row.end = leaves_out(body, row.vertex) ? row.begin : read_only(row_offsets + row.vertex + 1);
            }
        }
        take(row);
        return row;
    };
    if constexpr (in_chunks) visit_chunks_of<Offset>(me, first, frontier.size, each, row_of, body);
    else visit_rows_of(me, first, frontier.size, row_of, body);
}

// Visit the frontier; `width` is the same in all lanes.
template <unsigned warp_workload = 0, class Offset, class Body>
__device__ __forceinline__ int visit_by_virtual_warps(unsigned width, const Segments<Offset>& frontier,
                                                      const Offset* row_offsets, Workers workers, Body& body) {
    const WarpMember me(width, busy_warps(workers, width, frontier.size, warp_workload));
    const unsigned each = takes_chunks<Body> ? width : 1;
    for (unsigned first = me.first_warp() * each; first < frontier.size; first += me.warps() * each)
        visit_vertices<takes_chunks<Body>>(me, first, each, frontier, row_offsets, [](const Row<Offset>&) {}, body);
    return width == 1 ? code_of::thread_mapped : code_of::virtual_warp;
}

template <unsigned width, unsigned defer_outliers = 0, unsigned dynamic_distribution = 0, unsigned warp_workload = 0>
struct VirtualWarp {
    static_assert(width >= 1 && width <= warp_lanes && (width & (width - 1)) == 0);
    static constexpr unsigned threshold = defer_outliers, chunk = dynamic_distribution;
    template <class Offset>
    static constexpr unsigned scratch_bytes = threshold > 0 ? 16 : 0;

    // In the workspace: counters of the two queues, then the outliers.
    template <class Offset>
    static __device__ OutlierQueue<Offset> outliers(const Resources& resources) {
        auto* const prefix = resources.workspace_at<Offset>();
        return {static_cast<typename OutlierQueue<Offset>::Counters*>(resources.workspace),
                reinterpret_cast<Vertex*>(prefix + resources.max_vertices), prefix};
    }
    static __device__ WorkQueue chunks(const Resources& resources) {
        return {static_cast<unsigned*>(resources.workspace) + workspace_counters / sizeof(unsigned) / 2};
    }

    // Visit `each` vertices with each virtual warp, from `first` on, but for outliers.
    template <class Offset, class Body>
    static __device__ void visit(const WarpMember& me, unsigned first, unsigned each, const Segments<Offset>& frontier,
                                 const Offset* row_offsets, const Resources& resources, Body& body) {
        visit_vertices<takes_chunks<Body, width>>(me, first, each, frontier, row_offsets, [&](Row<Offset>& row) {
            if constexpr (threshold > 0) {
                const Offset length = row.end - row.begin;
                // Without chunks all lanes of a virtual warp have the same row: one of them pushes it.
                const bool is_outlier = length > threshold, pushes = takes_chunks<Body, width> || me.lane() == 0;
                outliers<Offset>(resources).push(row.vertex, length, is_outlier && pushes);
                if (is_outlier) row.end = row.begin;
            }
        }, body);
    }

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  const Resources& resources, Body& body) {
        const WarpMember me(width, busy_warps(workers, width, frontier.size, warp_workload));
        constexpr unsigned a_warp = warp_lanes / width;
        if constexpr (chunk > 0) {
            // All lanes draw together, as they visit together.
            const WarpMember whole(warp_lanes, workers);
            const unsigned each = min(chunk, takes_chunks<Body, width> ? width : 1);
            constexpr unsigned many = chunk * a_warp;
            const unsigned all = (frontier.size + many - 1) / many;
            for (unsigned mine = chunks(resources).draw(whole, all); mine < all; mine = chunks(resources).draw(whole, all))
#pragma unroll 1
                for (unsigned k = 0; k < many; k += a_warp * each) visit(me, mine * many + k, each, frontier, row_offsets, resources, body);
        } else {
            constexpr unsigned each = takes_chunks<Body, width> ? width : 1;
            for (unsigned first = me.first_warp() * each; first < frontier.size; first += me.warps() * each)
                visit(me, first, each, frontier, row_offsets, resources, body);
        }
        if constexpr (threshold > 0) {
            const auto left = outliers<Offset>(resources).meet(resources.grid, *static_cast<Count*>(resources.of_block<scratch_bytes<Offset>>()));
            if (left.size > 0) TwoPhaseSearch<4>::advance(left, row_offsets, workers, resources, body);
        }
        return width == 1 ? code_of::thread_mapped : code_of::virtual_warp;
    }
};

}  // namespace warpath

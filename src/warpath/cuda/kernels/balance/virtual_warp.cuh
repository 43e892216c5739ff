// Virtual warps: `width` neighbouring lanes share a frontier vertex.
//
// S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun, "Accelerating CUDA graph algorithms at maximum
// warp", PPoPP 2011; survey 5.1.2.
//
//     vertex = thread / width;   its arc number thread mod width, and each width-th after it
//
// Loads of the columns coalesce within a virtual warp. A vertex of more arcs than the others keeps
// its whole warp waiting, and a hub one virtual warp for long: good where degrees are about
// `width`, bad on skewed graphs.
#pragma once

#include "balance/balance.cuh"

namespace warpath {

template <class Offset>
constexpr int virtual_lane_arcs = 4;  // in flight in a lane; a guess: of short rows few lanes have more

// Visit, with my warp, 32 / width vertices at a time; `width` is a power of two up to 32, the same
// in all lanes.
template <class Offset, class Body>
__device__ __forceinline__ int visit_by_virtual_warps(unsigned width, const Segments<Offset>& frontier,
                                                      const Offset* row_offsets, Workers workers, Body& body) {
    constexpr int arcs = virtual_lane_arcs<Offset>;
    const unsigned vertices = warp_lanes / width;
    for (unsigned first = workers.rank * vertices; first < frontier.size; first += workers.count * vertices) {
        const unsigned i = first + lane_id() / width;
        Vertex u = 0;
        Offset next = 0, end = 0;
        if (i < frontier.size) {
            u = frontier.vertices[i];
            next = read_only(row_offsets + u) + lane_id() % width;
            end = read_only(row_offsets + u + 1);
        }
        while (any_lane(next < end)) {
            Vertex owner[arcs];
            Offset arc[arcs];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < arcs; ++j) {
                owner[j] = u;
                arc[j] = next;
                if (next < end) {
                    active |= 1u << j;
                    next += width;
                }
            }
            body.visit(owner, arc, active);
        }
    }
    return width == 1 ? code_of::thread_mapped : code_of::virtual_warp;
}

template <unsigned width>
struct VirtualWarp {
    static_assert(width >= 1 && width <= warp_lanes && (width & (width - 1)) == 0);
    template <class Offset>
    static constexpr unsigned scratch_bytes = 0;

    template <class Offset, class Body>
    static __device__ int advance(const Segments<Offset>& frontier, const Offset* row_offsets, Workers workers,
                                  void*, Body& body) {
        return visit_by_virtual_warps(width, frontier, row_offsets, workers, body);
    }
};

}  // namespace warpath

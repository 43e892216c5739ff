// Triangles of a simple graph, each edge of which leads one way: per-vertex hashing.
//
// S. Pandey et al., "TRUST: triangle counting reloaded on GPUs", IEEE TPDS 32 (2021). A group of threads, a warp or a
// block, takes a vertex u at a time and puts its neighbours into a hash table in shared memory. Its warps take the
// neighbours v, interleaved, and look up the neighbours w of each: loads are coalesced, and most look-ups take a probe.
// Each w that is found closes a triangle u, v, w:
//
//     u = vertices[group], vertices[group + groups], …;   v = column[first(u) + warp], …;   w = column[first(v) + lane], …
//
// The rows of 32 neighbours v are looked up at once, a lane each.
//
// More neighbours of u than half the table come in parts, one after the other, and each part sees all v. Edges that lead to
// the end of more neighbours keep both lists short.
//
// Counts: the table has a number of hits next to each w, which are added to w's count once per part; a warp adds
// v's hits once per v, and u's at the end.
#pragma once

#include "core/memory.cuh"
#include "core/warp.cuh"
#include "frontier/duplicates.cuh"

namespace warpath {

// As in warpath/cuda/triangles.py.
template <class Offset>
struct TriangleArguments {
    const int* vertices;  // whose neighbours are put into tables
    unsigned size;
    Csr<Offset> graph;
    unsigned long long* count;
};

template <unsigned slots>
struct NeighborTable {
    Vertex key[slots];
    unsigned hits[slots];

    // The place of w, or where it is missed.
    __device__ __forceinline__ unsigned find(Vertex w) const {
        unsigned place = hashed<slots>(w);
        while (key[place] != w && key[place] != invalid_vertex) place = (place + 1) % slots;
        return place;
    }
    __device__ __forceinline__ void insert(Vertex w) {
        unsigned place = hashed<slots>(w);
        while (atomicCAS(&key[place], invalid_vertex, w) != invalid_vertex) place = (place + 1) % slots;
    }
};

// `in_block`: the group is the block; else each warp is one.
template <bool in_block>
__device__ __forceinline__ void group_sync() {
    if constexpr (in_block) __syncthreads();
    else __syncwarp();
}

template <class Offset, unsigned slots, bool in_block, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
triangles(const __grid_constant__ TriangleArguments<Offset> a) {
    constexpr unsigned warps = threads / warp_lanes, groups = in_block ? 1 : warps, members = threads / groups;
    __shared__ NeighborTable<slots> tables[groups];
    const unsigned own = in_block ? 0 : warp_in_block();  // this group, of the block's
    const unsigned warp = in_block ? warp_in_block() : 0, step = in_block ? warps : 1;  // this warp, of the group's
    const unsigned member = in_block ? threadIdx.x : lane_id();
    NeighborTable<slots>& table = tables[own];
    const auto column = [&](Offset edge) { return read_only(a.graph.column_indices + edge); };
    const auto row = [&](Vertex v) { return read_only(a.graph.row_offsets + v); };

    for (unsigned i = blockIdx.x * groups + own; i < a.size; i += gridDim.x * groups) {
        const Vertex u = static_cast<Vertex>(a.vertices[i]);
        const Offset first = row(u), last = row(u + 1);
        unsigned long long found_of_u = 0;
        for (Offset part = first; part < last; part += slots / 2) {
            const Offset end = last - part > slots / 2 ? part + slots / 2 : last;
            for (unsigned place = member; place < slots; place += members) {
                table.key[place] = invalid_vertex;
                table.hits[place] = 0;
            }
            group_sync<in_block>();  // the table is empty
            for (Offset edge = part + member; edge < end; edge += members) table.insert(column(edge));
            group_sync<in_block>();  // the table is full
            for (Offset group = first + warp; group < last; group += step * warp_lanes) {
                // Lane k has the row of the warp's k-th neighbour from here on: 32 rows cost the latency of one.
                const Offset edge = group + step * lane_id();
                const bool mine = edge < last;
                const Vertex neighbor = mine ? column(edge) : 0;
                const Offset begin = mine ? row(neighbor) : 0, end_of_row = mine ? row(neighbor + 1) : 0;
                for (unsigned rows = lanes_where(begin < end_of_row); rows != 0; rows &= rows - 1) {
                    const unsigned k = lowest_bit(rows);
                    const Vertex v = from_lane(neighbor, k);
                    const Offset stop = from_lane(end_of_row, k);
                    unsigned found = 0;
                    for (Offset next = from_lane(begin, k) + lane_id(); next < stop; next += warp_lanes) {
                        const Vertex w = column(next);
                        const unsigned place = table.find(w);
                        if (table.key[place] == w) {
                            atomicAdd(&table.hits[place], 1u);
                            ++found;
                        }
                    }
                    found = __reduce_add_sync(all_lanes, found);
                    if (lane_id() == 0 && found > 0) atomicAdd(a.count + v, static_cast<unsigned long long>(found));
                    found_of_u += found;
                }
            }
            group_sync<in_block>();  // all hits are counted
            for (unsigned place = member; place < slots; place += members)
                if (table.hits[place] > 0) atomicAdd(a.count + table.key[place], static_cast<unsigned long long>(table.hits[place]));
            group_sync<in_block>();  // the table may be emptied
        }
        if (lane_id() == 0 && found_of_u > 0) atomicAdd(a.count + u, found_of_u);
    }
}

}  // namespace warpath

// Duplicates dropped by what a warp sees together, and by what a block saw last.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, section 4.4.
//
//     warp culling       each lane writes its vertex to the warp's table, at its hash; a lane that finds it
//                        there writes its number, and one that does not find its number there has a
//                        duplicate: another lane has the same vertex
//     history culling    the block's table holds vertices that were found lately, each at its hash: a vertex
//                        that is there is a duplicate, another one is written there
//
// Both let some through: other tables, or another vertex with that hash in between.
#pragma once

#include "core/warp.cuh"
#include "frontier/duplicates.cuh"

namespace warpath {

template <unsigned slots>
struct WarpFilter : PassAll {
    volatile Vertex* table;  // this warp's

    __device__ explicit WarpFilter(Vertex* table) : table(table) {}
    // All lanes of a warp call.
    template <class Offer>
    __device__ bool passes(Vertex v, const Offer&, unsigned ticket) const {
        volatile Vertex& place = table[hashed<slots>(v)];
        if (ticket != 0) place = v;
        __syncwarp();  // the vertices are there
        const bool vies = ticket != 0 && place == v;
        __syncwarp();  // they were read
        if (vies) place = lane_id();
        __syncwarp();  // the numbers are there
        const bool is_other = vies && place != lane_id();
        __syncwarp();  // they were read
        return ticket != 0 && !is_other;
    }
};

template <unsigned slots>
struct HistoryFilter : PassAll {
    volatile Vertex* table;

    __device__ explicit HistoryFilter(Vertex* table) : table(table) {}
    template <class Offer>
    __device__ bool passes(Vertex v, const Offer&, unsigned ticket) const {
        volatile Vertex& place = table[hashed<slots>(v)];
        if (ticket == 0 || place == v) return false;
        place = v;
        return true;
    }
};

// What passes one and then the other.
template <class First, class Second>
struct BothFilters : PassAll {
    First first;
    Second second;

    __device__ BothFilters(const First& first, const Second& second) : first(first), second(second) {}
    template <class Offer>
    __device__ bool passes(Vertex v, const Offer& offer, unsigned ticket) const {
        const bool passes = first.passes(v, offer, ticket);
        return second.passes(v, offer, passes);
    }
};

template <int warps, unsigned bytes>
struct WarpTables {
    static constexpr unsigned slots = bytes / sizeof(Vertex) / warps;
    Vertex of_warp[warps][slots];

    __device__ WarpFilter<slots> filter() { return WarpFilter<slots>(of_warp[warp_in_block()]); }
};

template <unsigned bytes>
struct HistoryTable {
    static constexpr unsigned slots = bytes / sizeof(Vertex);
    Vertex vertices[slots];

    // Before the first level no vertex was found.
    __device__ void clear() {
        for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) vertices[i] = invalid_vertex;
    }
    __device__ HistoryFilter<slots> filter() { return HistoryFilter<slots>(vertices); }
};

struct WarpCulling {
    template <int warps>
    using Table = WarpTables<warps, filter_bytes>;

    template <class AnyTable>
    static __device__ void prepare(AnyTable&) {}
    template <class AnyTable>
    static __device__ auto filter(AnyTable& table) { return table.filter(); }
};

struct HistoryCulling {
    template <int warps>
    using Table = HistoryTable<filter_bytes>;

    template <class AnyTable>
    static __device__ void prepare(AnyTable& table) { table.clear(); }
    template <class AnyTable>
    static __device__ auto filter(AnyTable& table) { return table.filter(); }
};

struct WarpAndHistoryCulling {
    template <int warps>
    struct Table {
        WarpTables<warps, filter_bytes / 2> warp;
        HistoryTable<filter_bytes / 2> history;
    };

    template <class AnyTable>
    static __device__ void prepare(AnyTable& table) { table.history.clear(); }
    template <class AnyTable>
    static __device__ auto filter(AnyTable& table) { return BothFilters(table.warp.filter(), table.history.filter()); }
};

}  // namespace warpath

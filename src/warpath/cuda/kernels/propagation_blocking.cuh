// Sums over the edges that come in to each vertex, of what their sources contribute: by blocks of vertices that shared memory holds.
//
// S. Beamer, K. Asanović, D. Patterson, "Reducing PageRank communication via propagation blocking", IPDPS 2017; here as
// its deterministic form, which keeps where the edges lead. A block of columns are the sources whose contributions shared
// memory holds, a block of rows the targets whose sums it holds. A *tile* are the edges from the one to the other. Tiles are made once:
//
//     by_row      tiles lie by blocks of rows, and in each by blocks of columns
//     by_column   the same edges in the same order within each tile, but tiles lie by blocks of columns
//
// and then sums take two sweeps, with no access to memory at random:
//
//     propagate   by_column: the contributions of the edges' sources, from shared memory, written to where by_row has the edges
//     accumulate  by_row: the contributions added to the edges' targets, in shared memory
//
// An edge takes 2 bytes in each order, for its end's number in the block, and its contribution once. A tile is padded
// to a multiple of eight edges, an *octet*: a sector of memory of 32-bit contributions, which one thread block alone writes.
#pragma once

#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/warp.cuh"

namespace warpath {

constexpr unsigned octet = 8;

// As in warpath/cuda/propagation_blocking.py.
template <class Offset>
struct TileArguments {
    Csr<Offset> graph;  // the reverse one: its rows are the edges that come in
    unsigned rows;      // of a block
    unsigned column_blocks;
    unsigned at_once;         // edges that shared memory holds
    unsigned* octets;         // of each tile, by row
    const unsigned* by_row;   // of each tile, by row: its first octet
    unsigned* edges;          // by row: the target's number in its block, and in the lower half the source's in its block
};

// Likewise.
struct SplitArguments {
    unsigned tiles;
    const unsigned* by_column;  // of each tile, by column: its first octet; and the number of all
    const unsigned* by_row;     // likewise, but the first octet by row
    const unsigned* edges;
    unsigned* destination;      // of each octet by column: which it is by row
    unsigned short* rows;  // of each edge by row: its target in the block
    unsigned short* columns;  // of each edge by column: its source in the block; of padding, one more than the last
};

template <class Value>
struct PropagateArguments {
    const Value* contribution;  // of each vertex
    unsigned vertices, blocks;
    const unsigned* first;  // of each block of columns: its first octet; and the number of all
    const unsigned short* columns;
    const unsigned* destination;
    Value* contributions;  // of each edge by row
};

template <class Value>
struct AccumulateArguments {
    const Value* contributions;  // of each edge by row
    unsigned vertices, size, blocks;  // a block has `size` rows
    const unsigned* first;  // of each block of rows, likewise
    const unsigned short* rows;
    unsigned long long* sums;  // 0
};

template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) Four {
    T of[4];
};

// Each thread block has an equal part of the octets: body(block, begin, end) for its octets of each block of vertices.
template <class Body>
__device__ __forceinline__ void for_own_octets(const unsigned* first, unsigned blocks, const Body& body) {
    const Count all = first[blocks];
    const unsigned begin = static_cast<unsigned>(all * blockIdx.x / gridDim.x);
    const unsigned end = static_cast<unsigned>(all * (blockIdx.x + 1) / gridDim.x);
    unsigned block = 0;
    for (unsigned beyond = blocks; beyond - block > 1;) {
        const unsigned middle = (block + beyond) / 2;
        if (first[middle] <= begin) block = middle;
        else beyond = middle;
    }
    for (unsigned at = begin; at < end; ++block) {
        const unsigned stop = min(end, first[block + 1]);
        if (stop <= at) continue;
        body(block, at, stop);
        at = stop;
    }
}

// A thread takes four edges at a time, neighbours those that follow: threads 2i and 2i + 1 write an octet.
template <class Value, unsigned size, int threads>
__global__ void __launch_bounds__(threads, 1) propagate(const __grid_constant__ PropagateArguments<Value> a) {
    constexpr unsigned unrolled = 4;
    WARPATH_DYNAMIC_SHARED(Value, contribution);  // of the block's vertices, and 0 of padding
    const auto* const columns = reinterpret_cast<const Four<unsigned short>*>(a.columns);
    auto* const contributions = reinterpret_cast<Four<Value>*>(a.contributions);
    for_own_octets(a.first, a.blocks, [&](unsigned block, unsigned begin, unsigned end) {
        const unsigned base = block * size;
        __syncthreads();  // the contributions of the block before have been read
#pragma unroll 8
        for (unsigned i = threadIdx.x; i <= size; i += threads)
            contribution[i] = i < size && base + i < a.vertices ? read_only(a.contribution + base + i) : Value{0};
        __syncthreads();  // the contributions are there
        const Count stop = Count{2} * end;
        for (Count at = Count{2} * begin + threadIdx.x; at < stop; at += unrolled * threads) {
            Four<unsigned short> column[unrolled];
            unsigned destination[unrolled];
#pragma unroll
            for (unsigned j = 0; j < unrolled; ++j)
                if (const Count four = at + j * threads; four < stop) {
                    column[j] = columns[four];
                    destination[j] = read_only(a.destination + four / 2);
                }
#pragma unroll
            for (unsigned j = 0; j < unrolled; ++j)
                if (const Count four = at + j * threads; four < stop) {
                    Four<Value> value;
#pragma unroll
                    for (unsigned k = 0; k < 4; ++k) value.of[k] = contribution[column[j].of[k]];
                    contributions[Count{2} * destination[j] + four % 2] = value;
                }
        }
    });
}

// Shared memory adds 32 bits at once, but not 64: the lower half's carry goes to the upper one.
__device__ __forceinline__ void add_halves(unsigned* low, unsigned* high, unsigned row, unsigned long long value) {
    const unsigned lower = static_cast<unsigned>(value);
    const unsigned carry = atomicAdd(low + row, lower) + lower < lower;
    if (const unsigned upper = static_cast<unsigned>(value >> 32) + carry; upper != 0) atomicAdd(high + row, upper);
}

// A thread takes four edges at a time, as above. Where a hub has all of a warp's edges, the warp adds once.
template <class Value, int threads>
__global__ void __launch_bounds__(threads, 1) accumulate(const __grid_constant__ AccumulateArguments<Value> a) {
    constexpr unsigned unrolled = 4;
    WARPATH_DYNAMIC_SHARED(unsigned, low);
    unsigned* const high = low + a.size;
    const auto* const rows = reinterpret_cast<const Four<unsigned short>*>(a.rows);
    const auto* const contributions = reinterpret_cast<const Four<Value>*>(a.contributions);
    for_own_octets(a.first, a.blocks, [&](unsigned block, unsigned begin, unsigned end) {
        for (unsigned i = threadIdx.x; i < 2 * a.size; i += threads) low[i] = 0;
        __syncthreads();  // the sums are 0
        const Count stop = Count{2} * end;
        for (Count first = Count{2} * begin; first < stop; first += unrolled * threads) {
            Four<unsigned short> row[unrolled];
            Four<Value> value[unrolled];
#pragma unroll
            for (unsigned j = 0; j < unrolled; ++j) {
                const Count four = first + j * threads + threadIdx.x;
                row[j] = four < stop ? rows[four] : Four<unsigned short>{};
                value[j] = four < stop ? contributions[four] : Four<Value>{};
            }
#pragma unroll
            for (unsigned j = 0; j < unrolled; ++j) {
                unsigned long long sum[4];
                bool same = true;
                const unsigned one = from_lane(unsigned{row[j].of[0]}, 0);
#pragma unroll
                for (unsigned k = 0; k < 4; ++k) {
                    sum[k] = static_cast<unsigned long long>(static_cast<long long>(value[j].of[k]));
                    same &= row[j].of[k] == one;
                }
                if (__all_sync(all_lanes, same)) {
                    const unsigned long long all = warp_sum(sum[0] + sum[1] + sum[2] + sum[3]);
                    if (lane_id() == 0) add_halves(low, high, one, all);
                    continue;
                }
#pragma unroll
                for (unsigned k = 0; k < 4; ++k) {  // neighbours of one row are added together
                    if (k < 3 && row[j].of[k] == row[j].of[k + 1]) sum[k + 1] += sum[k];
                    else if (sum[k] != 0) add_halves(low, high, row[j].of[k], sum[k]);
                }
            }
        }
        __syncthreads();  // all is added
        const bool whole = begin == a.first[block] && end == a.first[block + 1];  // else other thread blocks add, too
        const unsigned base = block * a.size;
        for (unsigned i = threadIdx.x; i < a.size && base + i < a.vertices; i += threads) {
            const unsigned long long sum = static_cast<unsigned long long>(high[i]) << 32 | low[i];
            if (whole) a.sums[base + i] = sum;
            else if (sum != 0) atomicAdd(a.sums + base + i, sum);
        }
        __syncthreads();  // the sums have been read
    });
}

// A thread block takes blocks of rows, interleaved: body(begin, end, tile) for the rows of each, and its first tile.
template <class Offset, class Body>
__device__ __forceinline__ void for_own_rows(const TileArguments<Offset>& a, const Body& body) {
    const Vertex n = a.graph.vertices;
    for (Count block = blockIdx.x; block * a.rows < n; block += gridDim.x) {
        const Vertex begin = static_cast<Vertex>(block * a.rows);
        body(begin, begin + min(n - begin, a.rows), block * a.column_blocks);
    }
}

// Count edges of a block of rows by their tile: threads of the block take neighbouring ones.
template <unsigned columns_of_block, int threads>
__device__ __forceinline__ void count_edges(const Vertex* columns, Count edges, unsigned* of_tile) {
    constexpr unsigned unrolled = 8;
    for (Count first = threadIdx.x; first < edges; first += threads * unrolled) {
        Vertex u[unrolled];
#pragma unroll
        for (unsigned j = 0; j < unrolled; ++j)
            if (first + j * threads < edges) u[j] = read_only(columns + first + j * threads);
#pragma unroll
        for (unsigned j = 0; j < unrolled; ++j)
            if (first + j * threads < edges) atomicAdd(of_tile + u[j] / columns_of_block, 1u);
    }
}

template <class Offset, unsigned columns_of_block, int threads>
__global__ void __launch_bounds__(threads, 1) count_tiles(const __grid_constant__ TileArguments<Offset> a) {
    WARPATH_DYNAMIC_SHARED(unsigned, edges);
    for_own_rows(a, [&](Vertex begin, Vertex end, Count tile) {
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) edges[c] = 0;
        __syncthreads();  // all are 0
        const Offset first = a.graph.row_offsets[begin];
        count_edges<columns_of_block, threads>(a.graph.column_indices + first, a.graph.row_offsets[end] - first, edges);
        __syncthreads();  // all are counted
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) a.octets[tile + c] = (edges[c] + octet - 1) / octet;
        __syncthreads();  // all are read
    });
}

// Each value becomes the sum of those before it; all threads call, between barriers.
template <int threads>
__device__ __forceinline__ void scan_by_block(unsigned* values, unsigned size) {
    __shared__ unsigned of_warp[threads / warp_lanes];
    const unsigned each = (size + threads - 1) / threads, begin = min(size, each * threadIdx.x), end = min(size, begin + each);
    unsigned mine = 0;
    for (unsigned i = begin; i < end; ++i) mine += values[i];
    const unsigned upto = inclusive_scan(mine);
    if (lane_id() == warp_lanes - 1) of_warp[warp_in_block()] = upto;
    __syncthreads();  // the warps' sums are there
    unsigned sum = upto - mine;
    for (unsigned warp = 0; warp < warp_in_block(); ++warp) sum += of_warp[warp];
    for (unsigned i = begin; i < end; ++i) {
        const unsigned value = values[i];
        values[i] = sum;
        sum += value;
    }
}

// The row of each edge, for a warp whose lanes ask for edges side by side, and later for later ones.
template <class Offset>
struct RowsOfEdges {
    const Offset* offsets;
    Vertex end;  // of the rows
    Vertex first;
    Offset mine;  // offset of row first + lane

    // The warp's edges begin with `edge`, one of the rows from `begin` on; all lanes call.
    __device__ __forceinline__ RowsOfEdges(const Offset* offsets, Vertex begin, Vertex end, Offset edge)
        : offsets(offsets), end(end), first(begin + find_owner(offsets + begin, end - begin, edge)) {
        look();
    }
    __device__ __forceinline__ void look() { mine = read_only(offsets + min(end, first + lane_id())); }

    // All lanes call. Without an edge the row is any.
    __device__ __forceinline__ Vertex of(Offset edge, bool is_there) {
        constexpr unsigned last = warp_lanes - 1;
        Vertex row = first;
        for (bool found = !is_there;;) {
            unsigned lane = 0;
#pragma unroll
            for (unsigned half = warp_lanes / 2; half > 0; half /= 2)
                if (from_lane(mine, lane + half) <= edge) lane += half;
            if (!found && lane < last) {  // else the row may end beyond those that the warp looks at
                row = first + lane;
                found = true;
            }
            if (__all_sync(all_lanes, found)) return row;
            first += last;
            look();
        }
    }
};

// Write the edges of each tile by row. A thread block takes some edges of a block of rows at a time: it sorts them by
// their tile in shared memory, so that what it writes to a tile lies together.
template <class Offset, unsigned columns_of_block, int threads>
__global__ void __launch_bounds__(threads, 1) fill_tiles(const __grid_constant__ TileArguments<Offset> a) {
    constexpr unsigned unrolled = 8;
    WARPATH_DYNAMIC_SHARED(unsigned, column);        // of each edge, sorted
    unsigned* const next = column + a.at_once;       // of each tile: where its next edge goes, sorted
    unsigned* const place = next + a.column_blocks;  // of each tile: plus where an edge is, sorted: which of the tile's it is
    unsigned* const by_row = place + a.column_blocks;
    unsigned short* const row = reinterpret_cast<unsigned short*>(by_row + a.column_blocks);  // of each edge, sorted
    for_own_rows(a, [&](Vertex begin, Vertex end, Count tile) {
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) {
            place[c] = 0;
            by_row[c] = a.by_row[tile + c];
        }
        const Offset stop = a.graph.row_offsets[end];
        for (Offset first = a.graph.row_offsets[begin]; first < stop;) {
            const Vertex* const columns = a.graph.column_indices + first;
            const unsigned size = static_cast<unsigned>(min(Offset{a.at_once}, stop - first));
            for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) next[c] = 0;
            __syncthreads();  // the counts are 0, and the edges before are written
            count_edges<columns_of_block, threads>(columns, size, next);
            __syncthreads();  // the tiles' edges are counted
            scan_by_block<threads>(next, a.column_blocks);
            __syncthreads();  // `next` is where they begin
            for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) place[c] -= next[c];
            __syncthreads();  // that has been read
            const unsigned each = (size + threads - 1) / threads * warp_lanes;
            const unsigned from = each * warp_in_block(), upto = min(size, from + each);
            if (from < upto) {
                RowsOfEdges<Offset> rows(a.graph.row_offsets, begin, end, first + from);
                for (unsigned at = from; at < upto; at += unrolled * warp_lanes) {
                    Vertex u[unrolled];
#pragma unroll
                    for (unsigned j = 0; j < unrolled; ++j)
                        if (const unsigned i = at + j * warp_lanes + lane_id(); i < upto) u[j] = read_only(columns + i);
#pragma unroll
                    for (unsigned j = 0; j < unrolled; ++j) {
                        const unsigned i = at + j * warp_lanes + lane_id();
                        const bool is_there = i < upto;
                        const Vertex v = rows.of(first + i, is_there);
                        if (!is_there) continue;
                        const unsigned sorted = atomicAdd(next + u[j] / columns_of_block, 1u);
                        column[sorted] = u[j];
                        row[sorted] = static_cast<unsigned short>(v - begin);
                    }
                }
            }
            __syncthreads();  // the edges are sorted; `next` is where the tiles' end
            for (unsigned i = threadIdx.x; i < size; i += threads) {
                const unsigned c = column[i] / columns_of_block;
                const unsigned edge = place[c] + i;  // modulo 2³²
                a.edges[Count{octet} * by_row[c] + edge] = unsigned{row[i]} << 16 | column[i] % columns_of_block;
            }
            __syncthreads();  // `place` has been read
            for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) place[c] += next[c];
            first += size;
        }
        __syncthreads();  // `place` is how many edges a tile has
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads)
            for (unsigned edge = place[c]; edge % octet != 0; ++edge) a.edges[Count{octet} * by_row[c] + edge] = columns_of_block;
        __syncthreads();  // the block's arrays have been read
    });
}

// Part each edge's numbers: a stream in each order. Each warp has an equal part of the octets by column,
// and a thread takes four edges at a time.
template <int threads>
__global__ void __launch_bounds__(threads) split_tiles(const __grid_constant__ SplitArguments a) {
    constexpr unsigned unrolled = 4, at_once = warp_lanes / 2;  // octets
    const auto* const edges = reinterpret_cast<const Four<unsigned>*>(a.edges);
    auto* const rows = reinterpret_cast<Four<unsigned short>*>(a.rows);
    auto* const columns = reinterpret_cast<Four<unsigned short>*>(a.columns);
    const Count all = a.by_column[a.tiles], warps = Count{gridDim.x} * (threads / warp_lanes);
    const Count warp = Count{blockIdx.x} * (threads / warp_lanes) + warp_in_block();
    const unsigned begin = static_cast<unsigned>(all * warp / warps), end = static_cast<unsigned>(all * (warp + 1) / warps);
    if (begin == end) return;
    RowsOfEdges<unsigned> tiles(a.by_column, 0, a.tiles, begin);
    const unsigned half = lane_id() % 2;
    for (Count first = begin; first < end; first += at_once * unrolled) {
        unsigned by_row[unrolled];
        Four<unsigned> edge[unrolled];
#pragma unroll
        for (unsigned j = 0; j < unrolled; ++j) {
            const Count by_column = first + j * at_once + lane_id() / 2;
            const bool is_there = by_column < end;
            const unsigned tile = tiles.of(static_cast<unsigned>(by_column), is_there);
            if (!is_there) continue;
            by_row[j] = read_only(a.by_row + tile) + (static_cast<unsigned>(by_column) - read_only(a.by_column + tile));
            edge[j] = edges[Count{2} * by_row[j] + half];
        }
#pragma unroll
        for (unsigned j = 0; j < unrolled; ++j) {
            const Count by_column = first + j * at_once + lane_id() / 2;
            if (by_column >= end) break;
            Four<unsigned short> row, column;
#pragma unroll
            for (unsigned k = 0; k < 4; ++k) {
                row.of[k] = static_cast<unsigned short>(edge[j].of[k] >> 16);
                column.of[k] = static_cast<unsigned short>(edge[j].of[k]);
            }
            rows[Count{2} * by_row[j] + half] = row;
            columns[2 * by_column + half] = column;
            if (half == 0) a.destination[by_column] = by_row[j];
        }
    }
}

}  // namespace warpath

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
    unsigned row_blocks, column_blocks;
    unsigned at_once;           // edges that shared memory holds
    unsigned* octets;           // of each tile, by row
    const unsigned* by_row;     // of each tile, by row: its first octet by row,
    const unsigned* by_column;  // and by column
    unsigned* edges;            // by row: the target's number in its block, and in the lower half the source's in its block
    unsigned* destination;      // of each octet by column: which it is by row
};

// Likewise.
struct SplitArguments {
    const unsigned* first;  // of each block of columns: its first octet; and the number of all
    unsigned blocks;
    const unsigned* edges;
    const unsigned* destination;
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
    unsigned vertices, blocks;
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
template <class Value, unsigned log_columns, int threads>
__global__ void __launch_bounds__(threads, 1) propagate(const __grid_constant__ PropagateArguments<Value> a) {
    constexpr unsigned size = 1u << log_columns, unrolled = 4;
    WARPATH_DYNAMIC_SHARED(Value, contribution);  // of the block's vertices, and 0 of padding
    const auto* const columns = reinterpret_cast<const Four<unsigned short>*>(a.columns);
    auto* const contributions = reinterpret_cast<Four<Value>*>(a.contributions);
    for_own_octets(a.first, a.blocks, [&](unsigned block, unsigned begin, unsigned end) {
        const unsigned base = block << log_columns;
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
template <class Value, unsigned log_rows, int threads>
__global__ void __launch_bounds__(threads, 1) accumulate(const __grid_constant__ AccumulateArguments<Value> a) {
    constexpr unsigned size = 1u << log_rows, unrolled = 4;
    WARPATH_DYNAMIC_SHARED(unsigned, low);
    unsigned* const high = low + size;
    const auto* const rows = reinterpret_cast<const Four<unsigned short>*>(a.rows);
    const auto* const contributions = reinterpret_cast<const Four<Value>*>(a.contributions);
    for_own_octets(a.first, a.blocks, [&](unsigned block, unsigned begin, unsigned end) {
        for (unsigned i = threadIdx.x; i < 2 * size; i += threads) low[i] = 0;
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
        const unsigned base = block << log_rows;
        for (unsigned i = threadIdx.x; i < size && base + i < a.vertices; i += threads) {
            const unsigned long long sum = static_cast<unsigned long long>(high[i]) << 32 | low[i];
            if (whole) a.sums[base + i] = sum;
            else if (sum != 0) atomicAdd(a.sums + base + i, sum);
        }
        __syncthreads();  // the sums have been read
    });
}

template <unsigned log_rows, class Offset, class Body>
__device__ __forceinline__ void for_own_rows(const TileArguments<Offset>& a, const Body& body) {
    const Vertex n = a.graph.vertices;
    for (unsigned block = blockIdx.x; block < a.row_blocks; block += gridDim.x)
        body(block, block << log_rows, min(n, (block + 1) << log_rows));
}

// Count the edges of each tile. A thread block takes blocks of rows, interleaved.
template <class Offset, unsigned log_rows, unsigned log_columns, int threads>
__global__ void __launch_bounds__(threads, 1) count_tiles(const __grid_constant__ TileArguments<Offset> a) {
    WARPATH_DYNAMIC_SHARED(unsigned, edges);
    for_own_rows<log_rows>(a, [&](unsigned block, Vertex begin, Vertex end) {
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) edges[c] = 0;
        __syncthreads();  // all are 0
        for (Offset edge = a.graph.row_offsets[begin] + threadIdx.x; edge < a.graph.row_offsets[end]; edge += threads)
            atomicAdd(edges + (read_only(a.graph.column_indices + edge) >> log_columns), 1u);
        __syncthreads();  // all are counted
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads)
            a.octets[Count{block} * a.column_blocks + c] = (edges[c] + octet - 1) / octet;
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

    // The warp's edges begin with `edge`, one of the rows from `begin` on.
    __device__ __forceinline__ RowsOfEdges(const Offset* offsets, Vertex begin, Vertex end, Offset edge) : offsets(offsets), end(end), first(begin) {
        for (Vertex beyond = end; beyond - first > 1;) {
            const Vertex middle = first + (beyond - first) / 2;
            if (read_only(offsets + middle) <= edge) first = middle;
            else beyond = middle;
        }
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

// Write the edges of each tile by row. A thread block takes blocks of rows, interleaved, and of each some edges at a
// time: it sorts them by their tile in shared memory, so that what it writes to a tile lies together.
template <class Offset, unsigned log_rows, unsigned log_columns, int threads>
__global__ void __launch_bounds__(threads, 1) fill_tiles(const __grid_constant__ TileArguments<Offset> a) {
    WARPATH_DYNAMIC_SHARED(unsigned, column);        // of each edge, sorted
    unsigned* const next = column + a.at_once;       // of each tile: where its next edge goes, sorted
    unsigned* const place = next + a.column_blocks;  // of each tile: plus where an edge is, sorted: which of the tile's it is
    unsigned* const by_row = place + a.column_blocks;
    unsigned* const by_column = by_row + a.column_blocks;
    unsigned short* const row = reinterpret_cast<unsigned short*>(by_column + a.column_blocks);  // of each edge, sorted
    for_own_rows<log_rows>(a, [&](unsigned block, Vertex begin, Vertex end) {
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) {
            const Count tile = Count{block} * a.column_blocks + c;
            place[c] = 0;
            by_row[c] = a.by_row[tile];
            by_column[c] = a.by_column[tile];
        }
        const Offset stop = a.graph.row_offsets[end];
        for (Offset first = a.graph.row_offsets[begin]; first < stop; first += a.at_once) {
            const unsigned size = static_cast<unsigned>(min(Offset{a.at_once}, stop - first));
            for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) next[c] = 0;
            __syncthreads();  // the counts are 0, and the edges before are written
            for (unsigned i = threadIdx.x; i < size; i += threads)
                atomicAdd(next + (read_only(a.graph.column_indices + first + i) >> log_columns), 1u);
            __syncthreads();  // the tiles' edges are counted
            scan_by_block<threads>(next, a.column_blocks);
            __syncthreads();  // `next` is where they begin
            for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) place[c] -= next[c];
            __syncthreads();  // that has been read
            const unsigned each = (size + threads - 1) / threads * warp_lanes;
            const unsigned from = each * warp_in_block(), upto = min(size, from + each);
            if (from < upto) {
                RowsOfEdges<Offset> rows(a.graph.row_offsets, begin, end, first + from);
                for (unsigned at = from; at < upto; at += warp_lanes) {
                    const unsigned i = at + lane_id();
                    const bool is_there = i < upto;
                    const Vertex u = is_there ? read_only(a.graph.column_indices + first + i) : 0;
                    const Vertex v = rows.of(first + i, is_there);
                    if (!is_there) continue;
                    const unsigned sorted = atomicAdd(next + (u >> log_columns), 1u);
                    column[sorted] = u;
                    row[sorted] = static_cast<unsigned short>(v - begin);
                }
            }
            __syncthreads();  // the edges are sorted; `next` is where the tiles' end
            for (unsigned i = threadIdx.x; i < size; i += threads) {
                const unsigned c = column[i] >> log_columns;
                const unsigned edge = place[c] + i;  // modulo 2³²
                a.edges[Count{octet} * by_row[c] + edge] = unsigned{row[i]} << 16 | (column[i] & ((1u << log_columns) - 1));
            }
            __syncthreads();  // `place` has been read
            for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) place[c] += next[c];
        }
        __syncthreads();  // `place` is how many edges a tile has
        for (unsigned c = threadIdx.x; c < a.column_blocks; c += threads) {
            const unsigned edges = place[c], octets = (edges + octet - 1) / octet;
            for (unsigned i = 0; i < octets; ++i) a.destination[by_column[c] + i] = by_row[c] + i;
            for (unsigned edge = edges; edge < octet * octets; ++edge) a.edges[Count{octet} * by_row[c] + edge] = 1u << log_columns;
        }
        __syncthreads();  // the block's arrays have been read
    });
}

// Part each edge's numbers: a stream in each order. A thread takes four edges at a time.
template <int threads>
__global__ void __launch_bounds__(threads) split_tiles(const __grid_constant__ SplitArguments a) {
    const auto* const edges = reinterpret_cast<const Four<unsigned>*>(a.edges);
    auto* const rows = reinterpret_cast<Four<unsigned short>*>(a.rows);
    auto* const columns = reinterpret_cast<Four<unsigned short>*>(a.columns);
    const Count stop = Count{2} * a.first[a.blocks];
    for (Count four = Count{blockIdx.x} * threads + threadIdx.x; four < stop; four += Count{gridDim.x} * threads) {
        const Count by_row = Count{2} * read_only(a.destination + four / 2) + four % 2;
        const Four<unsigned> edge = edges[by_row];
        Four<unsigned short> row, column;
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) {
            row.of[k] = static_cast<unsigned short>(edge.of[k] >> 16);
            column.of[k] = static_cast<unsigned short>(edge.of[k]);
        }
        rows[by_row] = row;
        columns[four] = column;
    }
}

}  // namespace warpath

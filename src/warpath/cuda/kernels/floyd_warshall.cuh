// Floyd and Warshall's algorithm, step by step: for each k, d[i][j] = best(d[i][j], d[i][k] + d[k][j]).
//
// Rows are closed in groups of `base`. Steps through a group first change its own rows alone:
// `close_pivot` does its diagonal tile and keeps each column as it was when its step came (its
// factor), with which `close_panel` does the other tiles of these rows, each by itself. What the
// steps do to all other rows is one product (minplus.cuh) of their columns of before and the
// group's closed rows; apsp.py has the order. Each thread has 4 × 4 distances in registers.
//
// Sums: see minplus.cuh.
//
// After Venkataraman, Sahni, Mukhopadhyaya, A blocked all-pairs shortest-paths algorithm (2003),
// and Katz & Kider, All-pairs shortest-paths for large graphs on the GPU (2008).
#pragma once

#include "core/path_algebra.cuh"

namespace warpath {

constexpr unsigned patch = 4;  // rows and columns of a thread

// As memory holds it. Less than 16 bits hold is only what goes through a negative cycle.
template <class Word>
__device__ __forceinline__ Memory<Word> stored(Scalar<Word> distance) {
    if constexpr (sizeof(Memory<Word>) < sizeof(Scalar<Word>) && Scalar<Word>(-1) < 0) return max(distance, -0x8000);
    else return distance;
}

// A thread's distances and predecessors.
template <class Algebra, class Word, bool predecessors>
struct Patch {
    using Number = Scalar<Word>;
    Number distance[patch][patch];
    int predecessor[predecessors ? patch : 1][predecessors ? patch : 1];

    __device__ __forceinline__ void load(const Memory<Word>* d, const int* p, size_t pitch) {
#pragma unroll
        for (unsigned i = 0; i < patch; ++i)
#pragma unroll
            for (unsigned j = 0; j < patch; ++j) {
                distance[i][j] = d[i * pitch + j];
                if constexpr (predecessors) predecessor[i][j] = p[i * pitch + j];
            }
    }
    __device__ __forceinline__ void store(Memory<Word>* d, int* p, size_t pitch) const {
#pragma unroll
        for (unsigned i = 0; i < patch; ++i)
#pragma unroll
            for (unsigned j = 0; j < patch; ++j) {
                d[i * pitch + j] = stored<Word>(distance[i][j]);
                if constexpr (predecessors) p[i * pitch + j] = predecessor[i][j];
            }
    }
    // One step: `column` is d[i][k], `row` is d[k][j].
    __device__ __forceinline__ void relax(const Number* column, const Number* row, const int* row_predecessor) {
        Number through[patch], onward[patch];
#pragma unroll
        for (unsigned i = 0; i < patch; ++i) through[i] = column[i], onward[i] = row[i];
#pragma unroll
        for (unsigned i = 0; i < patch; ++i)
#pragma unroll
            for (unsigned j = 0; j < patch; ++j) {
                const Number candidate = Algebra::extend(through[i], onward[j]);
                if constexpr (predecessors) {
                    const bool better = Algebra::is_better(candidate, distance[i][j]);
                    predecessor[i][j] = better ? row_predecessor[j] : predecessor[i][j];
                    distance[i][j] = better ? candidate : distance[i][j];
                } else {
                    distance[i][j] = Algebra::best(distance[i][j], candidate);
                }
            }
    }
};

template <unsigned base>
constexpr unsigned pivot_threads = (base / patch) * (base / patch);

// Rows of a matrix; as in warpath/cuda/elimination.py.
template <class Word>
struct CloseArguments {
    Memory<Word>* distance;  // of the tile on the diagonal, and to the panel of the first tile in its rows
    int* predecessor;        // likewise
    Scalar<Word>* factor;    // factor[k][i] is d[i][k] when step k came: written by the pivot, read by the panel
    unsigned pitch;
    unsigned pivot;          // to the panel: which tile is the pivot's
};

// Close the tile on the diagonal, one block.
template <class Algebra, class Word, unsigned base, bool predecessors>
__global__ void __launch_bounds__(pivot_threads<base>, 2)
close_pivot(const __grid_constant__ CloseArguments<Word> a) {
    const auto [distance, predecessor, factor, pitch, pivot] = a;
    using Number = Scalar<Word>;
    // Double-buffered: while some threads still read one step's, others write the next one's.
    __shared__ __align__(16) Number rows[2][base], columns[2][base];
    __shared__ __align__(16) int row_predecessors[2][predecessors ? base : 4];
    const unsigned across = base / patch, x = threadIdx.x % across, y = threadIdx.x / across;
    const size_t corner = static_cast<size_t>(y) * patch * pitch + x * patch;
    Patch<Algebra, Word, predecessors> mine;
    mine.load(distance + corner, predecessor + (predecessors ? corner : 0), pitch);
    for (unsigned group = 0; group < across; ++group)
#pragma unroll
        for (unsigned k = 0; k < patch; ++k) {  // so that k names registers
            const unsigned buffer = k % 2;
            if (y == group) {
#pragma unroll
                for (unsigned j = 0; j < patch; ++j) {
                    rows[buffer][x * patch + j] = mine.distance[k][j];
                    if constexpr (predecessors) row_predecessors[buffer][x * patch + j] = mine.predecessor[k][j];
                }
            }
            if (x == group) {
#pragma unroll
                for (unsigned i = 0; i < patch; ++i) {
                    columns[buffer][y * patch + i] = mine.distance[i][k];
                    factor[(group * patch + k) * base + y * patch + i] = mine.distance[i][k];
                }
            }
            __syncthreads();  // the row and the column are there
            mine.relax(&columns[buffer][y * patch], &rows[buffer][x * patch],
                       &row_predecessors[buffer][predecessors ? x * patch : 0]);
        }
    mine.store(distance + corner, predecessor + (predecessors ? corner : 0), pitch);
}

// The same steps for the other tiles of these rows, one per block: all but the tile number `pivot`.
template <class Algebra, class Word, unsigned base, bool predecessors>
__global__ void __launch_bounds__(pivot_threads<base>, 2)
close_panel(const __grid_constant__ CloseArguments<Word> a) {
    const auto [distance, predecessor, factor, pitch, pivot] = a;
    using Number = Scalar<Word>;
    __shared__ __align__(16) Number factors[base][base];
    __shared__ __align__(16) Number rows[2][base];
    __shared__ __align__(16) int row_predecessors[2][predecessors ? base : 4];
    const unsigned across = base / patch, x = threadIdx.x % across, y = threadIdx.x / across;
    const unsigned tile = blockIdx.x + (blockIdx.x >= pivot);
    const size_t corner = static_cast<size_t>(y) * patch * pitch + tile * base + x * patch;
    for (unsigned i = threadIdx.x; i < base * base; i += pivot_threads<base>) factors[i / base][i % base] = factor[i];
    Patch<Algebra, Word, predecessors> mine;
    mine.load(distance + corner, predecessor + (predecessors ? corner : 0), pitch);
    for (unsigned group = 0; group < across; ++group)
#pragma unroll
        for (unsigned k = 0; k < patch; ++k) {
            const unsigned buffer = k % 2;
            if (y == group) {
#pragma unroll
                for (unsigned j = 0; j < patch; ++j) {
                    rows[buffer][x * patch + j] = mine.distance[k][j];
                    if constexpr (predecessors) row_predecessors[buffer][x * patch + j] = mine.predecessor[k][j];
                }
            }
            __syncthreads();  // the row is there, and at the first step all factors
            mine.relax(&factors[group * patch + k][y * patch], &rows[buffer][x * patch],
                       &row_predecessors[buffer][predecessors ? x * patch : 0]);
        }
    mine.store(distance + corner, predecessor + (predecessors ? corner : 0), pitch);
}

// As in warpath/cuda/apsp.py.
template <class Word>
struct StepArguments {
    Memory<Word>* distance;
    int* predecessor;
    unsigned n, k;
};

// One step of the plain algorithm, a thread per distance. Row and column k stay as they are unless
// a negative cycle goes through k.
template <class Algebra, class Word, bool predecessors>
__global__ void __launch_bounds__(256)
relax_through(const __grid_constant__ StepArguments<Word> a) {
    const auto& [distance, predecessor, n, k] = a;
    const unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    const size_t row = static_cast<size_t>(k) * n;
    const Scalar<Word> onward = distance[row + j];
    for (unsigned i = blockIdx.y; i < n; i += gridDim.y) {
        const size_t at = static_cast<size_t>(i) * n + j;
        const Scalar<Word> candidate =
            Algebra::extend(static_cast<Scalar<Word>>(distance[static_cast<size_t>(i) * n + k]), onward);
        if (!Algebra::is_better(candidate, static_cast<Scalar<Word>>(distance[at]))) continue;
        distance[at] = stored<Word>(candidate);
        if constexpr (predecessors) predecessor[at] = predecessor[row + j];
    }
}

}  // namespace warpath

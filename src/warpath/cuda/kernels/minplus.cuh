// The matrix product over a path algebra: c = best(c, a ⊗ b), for shortest paths min(c, min_k a + b).
//
// A block owns a tile of c, a thread some of its rows and columns, in registers. Chunks of a and b
// go through shared memory, a few of them on their way (cp.async) while one is used. Per step a
// thread loads its rows' words of a and its columns' words of b, 16 bytes per load, and extends each
// by each: rows · columns relaxations for (rows + columns) / 4 loads of 16 bytes.
//
// The limit is issue: a float's relaxation is an FADD and half a VIMNMX3 (ShortestNonNegative), else
// FADD and FMNMX; an integer's or a pair's one VIADDMNMX. VIMNMX3, FMNMX and VIADDMNMX are taken
// to start every other cycle on a scheduler.
//
// Predecessors: a word remembers which group of `together` steps improved it last, a comparison and
// a selection for that many relaxations. In the end the first step of that group which gives the
// distance is looked for in memory, where a warp's words are far apart: 2 · together − 1 loads of
// as many sectors as lanes. A larger group is cheaper on the way and dearer in the end. The
// predecessor is that of the column in that step's row of b; so ties go to the lowest step.
//
// Lazily (the lazy minimum of Harish, Vineet & Narayanan, Large graph algorithms for massively
// multithreaded architectures, 2009): `look_for_paths` says before of each operand's chunks whether
// they have a path at all, and a block fetches and uses those for which both have one. What else
// would come is no better than what is there, but for "no path" and negative integers, where one
// number for "no path" may be lowered to another.
//
// Sums: what stands for "no path" is so far from all distances that neither wraps when extended, and the
// host refuses weights whose paths do not leave it that room (warpath/cuda/representation.py, `represent`).
// Past a negative cycle sums may wrap; its diagonal is below 0 by then, and stays so, since minima only fall.
//
// After Lund & Smith, A multi-stage CUDA kernel for Floyd-Warshall (2010), and the tiling of
// matrix products in registers.
#pragma once

#include "core/copy_async.cuh"
#include "core/path_algebra.cuh"
#include "core/warp.cuh"

namespace warpath {

// rows × columns words of c per block, of which a thread has thread_rows × thread_columns; `depth`
// steps per chunk, `stages` chunks in shared memory; `together` steps whose operands a thread has in
// registers; `blocks` that a multiprocessor shall hold.
template <int rows_, int columns_, int depth_, int stages_, int thread_rows_, int thread_columns_, int together_,
          int blocks_>
struct ProductTile {
    static constexpr int rows = rows_, columns = columns_, depth = depth_, stages = stages_;
    static constexpr int thread_rows = thread_rows_, thread_columns = thread_columns_;
    static constexpr int together = together_, blocks = blocks_;
    static constexpr int threads_down = rows / thread_rows, threads_across = columns / thread_columns;
    static constexpr int threads = threads_down * threads_across;
    // A warp is 4 × 8 threads: its 16-byte loads of a are 4 neighbours, those of b 8, no bank twice.
    static constexpr int warp_down = 4, warp_across = 8;
    static_assert(threads_down % warp_down == 0 && threads_across % warp_across == 0);
    static_assert(depth % together == 0 && together % 2 == 0);
};

template <class Word> struct alignas(16) SixteenBytes {
    static constexpr int words = 16 / sizeof(Word);
    Word word[words];
};

// Rows of c that a product covers: `size` of them from the first, without the `gap` rows from `gap_at`.
struct RowRange {
    unsigned size, gap_at, gap;
    __device__ __forceinline__ unsigned operator[](unsigned i) const { return i + (i >= gap_at ? gap : 0); }
};

// The words of c that a thread has. In a warp vectors of 16 bytes are neighbours; a thread's own
// are a whole row of threads apart.
template <class Word, class Tile>
struct ProductShare {
    static constexpr unsigned words = SixteenBytes<Word>::words;
    unsigned first_row, first_column, x, y;  // of the block's tile; of the thread in it

    __device__ __forceinline__ ProductShare() : first_row(blockIdx.y * Tile::rows), first_column(blockIdx.x * Tile::columns) {
        constexpr unsigned warps_across = Tile::threads_across / Tile::warp_across;
        const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
        x = warp % warps_across * Tile::warp_across + lane % Tile::warp_across;
        y = warp / warps_across * Tile::warp_down + lane / Tile::warp_across;
    }
    __device__ __forceinline__ unsigned row(unsigned i) const {
        return first_row + i / words * words * Tile::threads_down + y * words + i % words;
    }
    __device__ __forceinline__ unsigned column(unsigned vector) const {
        return first_column + (vector * Tile::threads_across + x) * words;
    }
};

// Chunks of a and b in shared memory.
template <class Word, class Tile>
struct Chunks {
    using Vector = SixteenBytes<Word>;
    static constexpr unsigned a_vectors = Tile::rows / Vector::words, b_vectors = Tile::columns / Vector::words;  // a step
    Vector a[Tile::stages][Tile::depth][a_vectors], b[Tile::stages][Tile::depth][b_vectors];
};

// Fetches a block's chunks one after the other; a thread the same vector of each `group` of steps.
template <class Word, class Tile>
struct Fetch {
    using Ring = Chunks<Word, Tile>;
    static constexpr unsigned words = SixteenBytes<Word>::words;
    static constexpr unsigned a_steps = Tile::threads / Ring::a_vectors, b_steps = Tile::threads / Ring::b_vectors;
    static_assert(Tile::threads % Ring::a_vectors == 0 && Tile::depth % a_steps == 0);
    static_assert(Tile::threads % Ring::b_vectors == 0 && Tile::depth % b_steps == 0);
    const Word *a, *b;

    __device__ __forceinline__ Fetch(const ProductShare<Word, Tile>& mine, const Word* packed, unsigned packed_pitch,
                                     const Word* b, unsigned pitch, unsigned columns)
        : a(packed + static_cast<size_t>(threadIdx.x / Ring::a_vectors) * packed_pitch + mine.first_row +
            threadIdx.x % Ring::a_vectors * words),
          b(b + static_cast<size_t>(threadIdx.x / Ring::b_vectors) * pitch +
            min(mine.first_column + threadIdx.x % Ring::b_vectors * words, columns - words)) {}

    // This number of chunks is not needed.
    __device__ __forceinline__ void pass(unsigned number, unsigned packed_pitch, unsigned pitch) {
        a += static_cast<size_t>(number) * Tile::depth * packed_pitch;
        b += static_cast<size_t>(number) * Tile::depth * pitch;
    }
    __device__ __forceinline__ void operator()(Ring& chunks, unsigned stage, unsigned packed_pitch, unsigned pitch) {
#pragma unroll
        for (unsigned k = 0; k < Tile::depth; k += a_steps, a += static_cast<size_t>(a_steps) * packed_pitch)
            copy_sixteen_async(&chunks.a[stage][threadIdx.x / Ring::a_vectors + k][threadIdx.x % Ring::a_vectors], a);
#pragma unroll
        for (unsigned k = 0; k < Tile::depth; k += b_steps, b += static_cast<size_t>(b_steps) * pitch)
            copy_sixteen_async(&chunks.b[stage][threadIdx.x / Ring::b_vectors + k][threadIdx.x % Ring::b_vectors], b);
    }
};

// The numbers of the chunks in which both operands of a block's tile have a path, one after the
// other, then `count`. A warp looks at 32 flags of each operand at once; all warps find the same.
struct ChunksWithPaths {
    const unsigned char *a, *b;  // a flag per chunk
    unsigned count, end = 0, left = 0;  // `left`: those of the 32 chunks before `end` that are still to come

    __device__ __forceinline__ ChunksWithPaths(const unsigned char* a_paths, const unsigned char* b_paths, unsigned count)
        : a(a_paths + static_cast<size_t>(blockIdx.y) * count), b(b_paths + static_cast<size_t>(blockIdx.x) * count), count(count) {}
    __device__ __forceinline__ unsigned next() {
        for (; left == 0 && end < count; end += warp_lanes) {
            const unsigned chunk = end + lane_id();
            left = lanes_where(chunk < count && a[chunk] != 0 && b[chunk] != 0);
        }
        if (left == 0) return count;
        const unsigned chunk = end - warp_lanes + lowest_bit(left);
        left &= left - 1;
        return chunk;
    }
};

// The numbers of the groups that improved a word's distances last: one, or two of 16 bits.
constexpr unsigned no_group = ~0u;
template <int which, class Word>
__device__ __forceinline__ unsigned group_of(unsigned improved_by) {
    if constexpr (WordOf<Word>::distances == 1) return improved_by;
    else return improved_by >> 16 * which & 0xFFFF;
}
template <class Algebra, class Word>
__device__ __forceinline__ void remember(unsigned& improved_by, unsigned group, Word now, Word before) {
    if (Algebra::is_better(now, before)) improved_by = group;
}
template <class Algebra, class Kind>
__device__ __forceinline__ void remember(unsigned& improved_by, unsigned group, Pair<Kind> now, Pair<Kind> before) {
    const Halves better = Algebra::is_better(now, before);
    if (better.low) improved_by = __byte_perm(improved_by, group, 0x3254);
    if (better.high) improved_by = __byte_perm(improved_by, group, 0x5410);
}

// The predecessor of a word's distance number `which`. All pointers are at the word's row or column.
template <class Algebra, class Tile, int which, class Word>
__device__ __forceinline__ void find_predecessor(unsigned improved_by, Word now, const Word* through, unsigned packed_pitch,
                                                 const Word* onward, unsigned pitch, const int* onward_predecessor, int* predecessor) {
    const unsigned group = group_of<which, Word>(improved_by);
    if (group == group_of<which, Word>(no_group)) return;
    const size_t start = static_cast<size_t>(group) * Tile::together;
    through += start * packed_pitch;
    onward += start * pitch;
    unsigned first = Tile::together - 1;  // if no other
#pragma unroll
    for (unsigned k = Tile::together - 1; k-- > 0;) {
        const Scalar<Word> a = distance_of<which>(through[static_cast<size_t>(k) * packed_pitch]);
        const Scalar<Word> b = distance_of<which>(onward[static_cast<size_t>(k) * pitch]);
        if (static_cast<Memory<Word>>(Algebra::extend(a, b)) == distance_of<which>(now)) first = k;
    }
    const size_t wide_pitch = static_cast<size_t>(pitch) * WordOf<Word>::distances;
    predecessor[which] = onward_predecessor[(start + first) * wide_pitch + which];
}

// A product; as in warpath/cuda/product.py.
template <class Word>
struct ProductArguments {
    // a by columns: step k's words for all rows begin at k · packed_pitch. What lies after the last row, up to the
    // tile's end, may be read.
    const Word* packed;
    unsigned packed_pitch;
    unsigned pitch;  // words between rows of b, and of c; no row is in both
    const Word* b;
    Word* c;         // the first row of the range
    RowRange rows;
    unsigned columns;  // words per row of b and c
    unsigned depth;    // steps: a multiple of the tile's; with predecessors of pairs, fewer than 2¹⁶ groups
    // Predecessors of b's and c's distances: `columns` times a word's distances per row, as far apart.
    const int* b_predecessor;
    int* c_predecessor;
    // Lazily: what `look_for_paths` says of the block tiles' rows and columns.
    const unsigned char *a_paths, *b_paths;
};

template <class Algebra, class Word, class Tile, bool predecessors, bool lazy = false>
__global__ void __launch_bounds__(Tile::threads, Tile::blocks)
minplus(const __grid_constant__ ProductArguments<Word> a) {
    const auto [packed, packed_pitch, pitch, b, c, rows, columns, depth, b_predecessor, c_predecessor, a_paths, b_paths] = a;
    using Vector = SixteenBytes<Word>;
    constexpr unsigned words = Vector::words, distances = WordOf<Word>::distances;
    static_assert(Tile::thread_rows % words == 0 && Tile::thread_columns % words == 0);
    __shared__ Chunks<Word, Tile> chunks;
    const ProductShare<Word, Tile> mine;
    const auto at = [&](unsigned row, unsigned column) { return static_cast<size_t>(rows[row]) * pitch + column; };

    // Each iteration commits one group of copies, if an empty one, so that they can be counted.
    constexpr unsigned ahead = Tile::stages - 1;  // chunks on their way
    const unsigned count = depth / Tile::depth;
    Fetch<Word, Tile> fetch(mine, packed, packed_pitch, b, pitch, columns);
    ChunksWithPaths with_paths(a_paths, b_paths, count);
    unsigned coming[ahead];  // lazily: the numbers of the chunks on their way
    const auto fetch_next = [&](unsigned into, unsigned last) {
        const unsigned chunk = with_paths.next();
        if (chunk == count) return count;
        fetch.pass(chunk - last - 1, packed_pitch, pitch);
        fetch(chunks, into, packed_pitch, pitch);
        return chunk;
    };
#pragma unroll
    for (unsigned chunk = 0; chunk < ahead; ++chunk) {
        if constexpr (lazy) coming[chunk] = fetch_next(chunk, chunk > 0 ? coming[chunk - 1] : ~0u);
        else if (chunk < count) fetch(chunks, chunk, packed_pitch, pitch);
        commit_copies();
    }

    Word best[Tile::thread_rows][Tile::thread_columns];
#pragma unroll
    for (unsigned i = 0; i < Tile::thread_rows; ++i)
#pragma unroll
        for (unsigned vector = 0; vector < Tile::thread_columns / words; ++vector) {
            const unsigned row = min(mine.row(i), rows.size - 1), column = min(mine.column(vector), columns - words);
            const Vector old = *reinterpret_cast<const Vector*>(c + at(row, column));
#pragma unroll
            for (unsigned j = 0; j < words; ++j) best[i][vector * words + j] = old.word[j];
        }
    unsigned improved_by[predecessors ? Tile::thread_rows : 1][predecessors ? Tile::thread_columns : 1];
    if constexpr (predecessors) {
#pragma unroll
        for (unsigned i = 0; i < Tile::thread_rows; ++i)
#pragma unroll
            for (unsigned j = 0; j < Tile::thread_columns; ++j) improved_by[i][j] = no_group;
    }

    unsigned stage = 0, group = 0;
    for (unsigned chunk = 0; lazy || chunk < count; ++chunk) {
        wait_copies<ahead - 1>();  // this thread's part of the chunk is there
        __syncthreads();           // all of it has; and no thread reads the chunk before it any more
        if constexpr (lazy) {
            if (coming[0] == count) break;  // for the whole block
            group = coming[0] * (Tile::depth / Tile::together);
#pragma unroll
            for (unsigned i = 0; i + 1 < ahead; ++i) coming[i] = coming[i + 1];
            coming[ahead - 1] = fetch_next(stage > 0 ? stage - 1 : ahead, coming[ahead - 1]);
        } else {
            if (chunk + ahead < count) fetch(chunks, stage > 0 ? stage - 1 : ahead, packed_pitch, pitch);  // into its place
        }
        commit_copies();
#pragma unroll
        for (unsigned k = 0; k < Tile::depth; k += Tile::together, ++group) {
            Word through[Tile::together][Tile::thread_rows], onward[Tile::together][Tile::thread_columns];
#pragma unroll
            for (unsigned step = 0; step < Tile::together; ++step) {
#pragma unroll
                for (unsigned i = 0; i < Tile::thread_rows; ++i)
                    through[step][i] = chunks.a[stage][k + step][i / words * Tile::threads_down + mine.y].word[i % words];
#pragma unroll
                for (unsigned j = 0; j < Tile::thread_columns; ++j)
                    onward[step][j] = chunks.b[stage][k + step][j / words * Tile::threads_across + mine.x].word[j % words];
            }
#pragma unroll
            for (unsigned i = 0; i < Tile::thread_rows; ++i)
#pragma unroll
                for (unsigned j = 0; j < Tile::thread_columns; ++j) {
                    const Word before = best[i][j];
#pragma unroll
                    for (unsigned step = 0; step < Tile::together; step += 2)
                        best[i][j] = Algebra::relax_two(best[i][j], through[step][i], onward[step][j],
                                                        through[step + 1][i], onward[step + 1][j]);
                    if constexpr (predecessors) remember<Algebra>(improved_by[i][j], group, best[i][j], before);
                }
        }
        stage = stage + 1 < Tile::stages ? stage + 1 : 0;
    }

#pragma unroll
    for (unsigned i = 0; i < Tile::thread_rows; ++i)
#pragma unroll
        for (unsigned vector = 0; vector < Tile::thread_columns / words; ++vector) {
            const unsigned row = mine.row(i), column = mine.column(vector);
            if (row >= rows.size || column >= columns) continue;
            Vector now;
#pragma unroll
            for (unsigned j = 0; j < words; ++j) now.word[j] = best[i][vector * words + j];
            *reinterpret_cast<Vector*>(c + at(row, column)) = now;
            if constexpr (predecessors) {
#pragma unroll
                for (unsigned j = 0; j < words; ++j) {
                    const unsigned by = improved_by[i][vector * words + j];
                    const int* const from = b_predecessor + (column + j) * distances;
                    int* const to = c_predecessor + (at(row, column) + j) * distances;
                    find_predecessor<Algebra, Tile, 0>(by, now.word[j], packed + row, packed_pitch, b + column + j, pitch, from, to);
                    if constexpr (distances == 2)
                        find_predecessor<Algebra, Tile, 1>(by, now.word[j], packed + row, packed_pitch, b + column + j, pitch, from, to);
                }
            }
        }
}

// Whether there is a path in an operand of a lazy product: in chunk y of `depth` rows and tile x of
// `width` columns, a block's, at paths[x · chunks + y]. Rows are `pitch` distances apart.
// As in warpath/cuda/product.py.
template <class Word>
struct LookArguments {
    const Memory<Word>* operand;
    unsigned pitch, columns, width, depth;
    Memory<Word> none;  // "no path"
    unsigned char* paths;
};

template <class Word>
__global__ void __launch_bounds__(256)
look_for_paths(const __grid_constant__ LookArguments<Word> a) {
    const unsigned first = blockIdx.x * a.width;
    const Memory<Word>* const chunk = a.operand + static_cast<size_t>(blockIdx.y) * a.depth * a.pitch + first;
    bool found = false;
    for (unsigned i = threadIdx.x; i < a.depth * a.width; i += blockDim.x)
        if (first + i % a.width < a.columns) found |= chunk[static_cast<size_t>(i / a.width) * a.pitch + i % a.width] != a.none;
    found = __syncthreads_or(found) != 0;
    if (threadIdx.x == 0) a.paths[static_cast<size_t>(blockIdx.x) * gridDim.y + blockIdx.y] = found;
}

// Some columns of a matrix, by columns, each distance spread over a word, for `minplus`. A block
// transposes a square of 32 × 32 in shared memory, so that it reads rows and writes columns.
// As in warpath/cuda/product.py.
template <class Word>
struct PackArguments {
    const Memory<Word>* source;
    unsigned pitch;
    RowRange rows;
    Word* packed;
    unsigned packed_pitch;
};

template <class Word>
__global__ void __launch_bounds__(256)
pack(const __grid_constant__ PackArguments<Word> a) {
    const auto& [source, pitch, rows, packed, packed_pitch] = a;
    __shared__ Memory<Word> square[warp_lanes][warp_lanes + 1];  // one more: columns in different banks
    const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes, warps = blockDim.x / warp_lanes;
    const unsigned row = blockIdx.x * warp_lanes, column = blockIdx.y * warp_lanes;
    for (unsigned i = warp; i < warp_lanes; i += warps)
        if (row + i < rows.size) square[i][lane] = source[static_cast<size_t>(rows[row + i]) * pitch + column + lane];
    __syncthreads();  // the square is there
    for (unsigned i = warp; i < warp_lanes; i += warps)
        if (row + lane < rows.size)
            packed[static_cast<size_t>(column + i) * packed_pitch + row + lane] = spread<Word>(square[lane][i]);
}

}  // namespace warpath

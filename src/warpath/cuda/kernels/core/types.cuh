// The words that all kernels speak.
#pragma once

namespace warpath {

using Vertex = unsigned;  // ids are below 2³¹, so arrays of int32 are read as they are
using Count = unsigned long long;
constexpr Vertex invalid_vertex = ~0u;  // read as int32, -1

constexpr unsigned warp_lanes = 32;
constexpr unsigned all_lanes = ~0u;

// Arcs out of u stand at row_offsets[u] … row_offsets[u + 1] − 1. `Offset` is unsigned below
// 2³² arcs, else unsigned long long. `column_indices` is aligned to 16 bytes and may be read
// (not used) up to the next multiple of four elements.
template <class Offset>
struct Csr {
    Vertex vertices;
    const Offset* row_offsets;
    const Vertex* column_indices;
};

// Where a search begins.
struct Sources {
    const Vertex* several;  // null: there is one, `first`
    Vertex first;
    unsigned count;

    __device__ Vertex operator[](unsigned i) const { return several != nullptr ? several[i] : first; }
};

// What one launch does of a search.
struct Run {
    unsigned iterations;  // at most
    bool resumes;         // whether it continues where another launch stopped
};

// Warps that share a level's work, of a block, a cluster or the grid: `rank` of `count`.
struct Workers {
    unsigned rank, count;
};

}  // namespace warpath

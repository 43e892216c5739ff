// From a graph's arcs to rows of the matrix that dense methods work on.
#pragma once

#include "core/scan.cuh"
#include "core/types.cuh"

namespace warpath {

// As in warpath/cuda/dense.py.
template <class Offset, class Distance>
struct FillArguments {
    const Offset* row_offsets;     // of these rows; they need not begin with 0
    const Vertex* column_indices;  // of their arcs alone, in order: parallel ones stand together
    const Distance* weights;
    Count arcs;
    Vertex rows, first;  // how many there are, and whose the first one is
    Count pitch;         // elements between two rows of the matrix
    Distance* distance;
    int* predecessor;  // or null
    Distance source, none;  // on the diagonal, and where there is no arc: the matrix holds them
    bool larger;            // whether the larger weight is the better one
};

// Write the best arc's weight where it is better than what the matrix holds, and its row as the predecessor. Each thread
// owns one arc. The first of parallel arcs looks at all of them. A self-loop matters only if it is a negative cycle.
template <class Offset, class Distance, int threads>
__global__ void __launch_bounds__(threads)
fill_arcs(const __grid_constant__ FillArguments<Offset, Distance> a) {
    const Count place = Count{blockIdx.x} * threads + threadIdx.x;
    if (place >= a.arcs) return;
    const Offset before = a.row_offsets[0], arc = before + static_cast<Offset>(place);
    const unsigned row = find_owner_by_lane(a.row_offsets, a.rows, arc);
    const Vertex u = a.first + row, v = a.column_indices[place];
    if (arc > a.row_offsets[row] && a.column_indices[place - 1] == v) return;
    const auto is_better = [&](Distance one, Distance other) { return a.larger ? one > other : one < other; };
    Distance best = a.weights[place];
    const Count end = a.row_offsets[row + 1] - before;
    for (Count other = place + 1; other < end && a.column_indices[other] == v; ++other)
        if (is_better(a.weights[other], best)) best = a.weights[other];
    if (!is_better(best, v == u ? a.source : a.none)) return;
    a.distance[row * a.pitch + v] = best;
    if (a.predecessor != nullptr) a.predecessor[row * a.pitch + v] = static_cast<int>(u);
}

}  // namespace warpath

// One bottom-up level (engine/pull.cuh) in a launch of its own, for a part of a graph whose levels end with an
// exchange between GPUs.
#pragma once

#include "engine/pull.cuh"
#include "operators/visit.cuh"

namespace warpath {

// As in warpath/cuda/pull_level.py.
template <class Offset>
struct PullLevelArguments {
    Csr<Offset> reverse;
    unsigned* before;  // a bit for each vertex that was reached, on whichever GPU; those after the last are set
    unsigned* after;
    int* distance;
    int level;  // of the vertices that are found
};

// Every n-th words of the bitmaps are a warp's, of n warps.
template <class Offset, int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
pull_level(const __grid_constant__ PullLevelArguments<Offset> a) {
    __shared__ PullScratch scratch[threads / warp_lanes];
    const Visit<false> op{{a.before}, a.distance, nullptr, a.level};
    pull(a.reverse, op, Bitmap{a.before}, [&](unsigned i, unsigned word) { a.after[i] = word; }, false, grid_warps(),
         scratch[warp_in_block()], {0, words_of(a.reverse.vertices)}, NoSummary{});
}

}  // namespace warpath

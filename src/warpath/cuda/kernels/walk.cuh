// The path to one vertex, read out of a tree of predecessors where that is.
#pragma once

#include "core/types.cuh"

namespace warpath {

// One thread goes from `v` to its root: path[i] is the i-th vertex that it meets, and `arcs` how
// many arcs that takes. A path's vertices follow from each other, so there is nothing to share.
__global__ void walk_back(const int* predecessor, int v, int* path, unsigned* arcs) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    unsigned place = 0;
    path[place] = v;
    for (int u = predecessor[v]; u >= 0; u = predecessor[u]) path[++place] = u;
    *arcs = place;
}

}  // namespace warpath

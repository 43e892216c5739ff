// The path to one vertex, read out of a tree of predecessors where that is.
#pragma once

#include "core/types.cuh"

namespace warpath {

// As in warpath/cuda/walk.py.
struct WalkArguments {
    const int* predecessor;
    int target;
    int* path;
    unsigned* arcs;
};

// One thread goes from the target to its root: path[i] is the i-th vertex that it meets, and `arcs` how
// many arcs that takes. A path's vertices follow from each other, so there is nothing to share.
__global__ void walk_back(const __grid_constant__ WalkArguments a) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    unsigned place = 0;
    a.path[place] = a.target;
    for (int u = a.predecessor[a.target]; u >= 0; u = a.predecessor[u]) a.path[++place] = u;
    *a.arcs = place;
}

}  // namespace warpath

// An operator on vertices that is written in Python: `warpath.compute`, `filter` and `reduce`.
#pragma once

#include "operators/arithmetic.cuh"

namespace warpath {

// As in warpath/cuda/operators.py. Without `vertices` they are 0 … count − 1. `out` takes what the operator
// returns, unless it is null.
template <class Body>
struct VertexArguments {
    Body body;
    const int* vertices;
    Count count;
    typename Body::Result* out;
};

// Thread t of T owns the vertices t, t + T, t + 2T, …
template <class Body, int threads>
__global__ void __launch_bounds__(threads)
for_vertices(const __grid_constant__ VertexArguments<Body> a) {
    for (Count i = Count{blockIdx.x} * threads + threadIdx.x; i < a.count; i += Count{gridDim.x} * threads) {
        const auto value = a.body(a.vertices != nullptr ? a.vertices[i] : static_cast<int>(i));
        if (a.out != nullptr) a.out[i] = value;
    }
}

}  // namespace warpath

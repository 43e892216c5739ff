// Small kernels that take one struct, and what is wrong with some.
#pragma once

#include "core/child_grid.cuh"

namespace warpath {

struct SumArguments {
    const int* values;
    int* sums;  // one per block
    unsigned n;
    bool twice;
};

// sums[block] = the sum of the block's share of `values`.
template <int threads>
__global__ void sum_by_block(const SumArguments a) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();  // the sum is 0
    for (unsigned i = blockIdx.x * threads + threadIdx.x; i < a.n; i += gridDim.x * threads)
        atomicAdd(&sum, a.values[i] * (a.twice ? 2 : 1));
    __syncthreads();  // the sum is complete
    if (threadIdx.x == 0) a.sums[blockIdx.x] = sum;
}

struct WriteArguments {
    int* at;
    long long index;
};

__global__ void write_one(const WriteArguments a) {
    if (blockIdx.x == 0 && threadIdx.x == 0) a.at[a.index] = 1;
}

struct CounterArguments {
    int* counter;
};

// A read and a write where there should be one atomic operation.
__global__ void lose_updates(const __grid_constant__ CounterArguments a) {
    const int old = *a.counter;
    if (old >= 0) *a.counter = old + 1;
}

__global__ void wait_for_more(const CounterArguments a) {
    if (threadIdx.x == 0)
        while (warpath::load_acquire(a.counter) == 0) warpath::spin();
}

// As above, but the scheduler does not know that it waits: without a value it never ends.
__global__ void poll(const CounterArguments a) {
    while (warpath::load_acquire(a.counter) == 0) {
    }
}

struct OrderArguments {
    int* order;
    int* size;
};

// The threads of the grid in the order in which they ran.
__global__ void record_order(const OrderArguments a) {
    a.order[atomicAdd(a.size, 1)] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

struct ShapeArguments {
    unsigned* blocks_threads_cluster;
};

__global__ void record_shape(const ShapeArguments a) {
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    a.blocks_threads_cluster[0] = gridDim.x;
    a.blocks_threads_cluster[1] = blockDim.x;
    a.blocks_threads_cluster[2] = cluster_size();
}

__global__ void count_child(int* counter) { atomicAdd(counter, 1); }

__global__ void launch_children(const CounterArguments a) {
    if (threadIdx.x == 0) launch_child<count_child>(3, a.counter);
}

}  // namespace warpath

// Small kernels that use what the emulator has, and a few that are wrong.
#pragma once

// sum[block] = the sum of the block's share of `values`, by halving in shared memory.
template <int threads>
__global__ void __launch_bounds__(threads) block_sum(const int* __restrict__ values, int n, int* sum) {
    __shared__ int partial[threads];
    int mine = 0;
    for (int i = static_cast<int>(blockIdx.x * threads + threadIdx.x); i < n; i += static_cast<int>(gridDim.x * threads))
        mine += __ldg(values + i);
    partial[threadIdx.x] = mine;
#pragma unroll
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();  // `partial` is complete for 2 * half threads
        if (static_cast<int>(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sum[blockIdx.x] = partial[0];
}

// Inclusive scan of one value a lane, in groups of `width` lanes.
template <int width>
__device__ int warp_scan(int value) {
    const int lane = static_cast<int>(threadIdx.x) % width;
    for (int distance = 1; distance < width; distance *= 2) {
        const int before = __shfl_up_sync(~0u, value, distance, width);
        if (lane >= distance) value += before;
    }
    return value;
}

template <int width>
__global__ void scan(const int* values, int* sums) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    sums[thread] = warp_scan<width>(values[thread]);
}

// One 64-bit atomic per warp appends the marked elements to a queue.
__global__ void filter(const int* values, int n, int* queue, unsigned long long* size) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const bool keep = i < n && values[i] % 3 == 0;
    const unsigned kept = __ballot_sync(~0u, keep);
    const int lane = static_cast<int>(threadIdx.x) % warpSize;
    unsigned long long start = 0;
    if (lane == 0 && kept) start = atomicAdd(size, static_cast<unsigned long long>(__popc(kept)));
    start = __shfl_sync(~0u, start, 0);
    if (keep) queue[start + static_cast<unsigned>(__popc(kept & ((1u << lane) - 1)))] = values[i];
}

// A barrier of all blocks: the last to arrive opens the gate that the others watch.
__device__ inline void grid_barrier(unsigned* arrived, unsigned* gate) {
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned phase = warpath::load_relaxed(gate);
        if (warpath::fetch_add_acq_rel(arrived, 1) == gridDim.x - 1) {
            warpath::store_relaxed(arrived, 0u);
            warpath::store_release(gate, phase + 1);
        } else {
            while (warpath::load_acquire(gate) == phase) warpath::spin();
        }
    }
    __syncthreads();
}

struct Barrier {
    unsigned arrived, gate;
};

// Breadth-first search of a ring by a persistent kernel: three rotating counters, of which one
// is read, one is filled and one is cleared for the next but one, so one barrier per level is enough.
__global__ void ring_bfs(int n, int* level, int* queues, unsigned* counters, Barrier* barrier) {
    const unsigned threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int depth = 0;; ++depth) {
        const unsigned size = __ldcg(counters + depth % 3);
        if (size == 0) return;
        const int* frontier = queues + depth % 2 * n;
        int* next = queues + (depth + 1) % 2 * n;
        if (thread == 0) counters[(depth + 2) % 3] = 0;
        for (unsigned i = thread; i < size; i += threads) {
            const int vertex = __ldcg(frontier + i);
            for (int step = -1; step <= 1; step += 2) {
                const int neighbour = (vertex + step + n) % n;
                if (atomicCAS(level + neighbour, -1, depth + 1) == -1)
                    next[atomicAdd(counters + (depth + 1) % 3, 1u)] = neighbour;
            }
        }
        grid_barrier(&barrier->arrived, &barrier->gate);
    }
}

// Each block of a cluster passes what it holds to its neighbour, `rounds` times.
__global__ void pass_around(int rounds, int* held) {
    __shared__ int box[2];
    WARPATH_DYNAMIC_SHARED(int, counts);
    const unsigned rank = warpath::cluster_rank(), size = warpath::cluster_size();
    if (threadIdx.x == 0) {
        box[0] = static_cast<int>(blockIdx.x);
        counts[0] = 0;
    }
    warpath::cluster_sync();  // every box is filled
    const unsigned neighbour = (rank + 1) % size;
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x == 0) warpath::map_shared_rank(box, neighbour)[(round + 1) % 2] = box[round % 2];
        atomicAdd(warpath::map_shared_rank(counts, neighbour), 1);
        warpath::cluster_arrive();
        warpath::cluster_wait();  // what was passed has arrived; after the last, blocks may leave
    }
    if (threadIdx.x == 0) {
        held[2 * blockIdx.x] = box[rounds % 2];
        held[2 * blockIdx.x + 1] = counts[0];
    }
}

// One of each collective: what lane gets what.
__global__ void collectives(int* out, int stride) {
    const int lane = static_cast<int>(threadIdx.x), odd = lane % 2;
    const unsigned mask = odd ? 0xAAAAAAAAu : 0x55555555u;
    int column = 0;
    const auto put = [&](auto value) { out[column++ * stride + lane] = static_cast<int>(value); };
    put(__shfl_sync(~0u, lane, 3));
    put(__shfl_sync(~0u, lane, 9, 8));  // lane 1 of each 8
    put(__shfl_up_sync(~0u, lane, 2));
    put(__shfl_down_sync(~0u, lane, 2, 16));
    put(__shfl_xor_sync(~0u, 2.5 * lane, 1) * 2);
    put(__shfl_sync(mask, static_cast<long long>(lane) << 40, odd) >> 40);  // by halves of the warp
    put(__ballot_sync(mask, lane < 4));
    put(__any_sync(mask, lane == 6));
    put(__all_sync(mask, lane != 6));
    put(__match_any_sync(~0u, lane / 16) == (lane < 16 ? 0xFFFFu : 0xFFFF0000u));
    put(__reduce_add_sync(~0u, lane));
    put(__reduce_min_sync(mask, lane));
    put(__reduce_max_sync(mask, static_cast<unsigned>(lane)));
    put(__reduce_or_sync(~0u, 1u << lane));
    put(__activemask() >> lane & 1u);
    __syncwarp(mask);
    put(__syncthreads_count(lane < 5));
    put(__syncthreads_or(lane == 31));
    put(__syncthreads_and(lane != 31));
}

__global__ void atomics(int* ints, unsigned long long* longs, float* floats, double* doubles) {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(ints, thread);
    atomicMin(ints + 1, -thread);
    atomicMax_block(ints + 2, thread);
    atomicOr(ints + 3, 1 << thread % 31);
    atomicAnd_system(ints + 4, ~(1 << thread % 31));
    int expected = 0, seen = __ldcv(ints + 5);
    do {
        expected = seen;
        seen = atomicCAS(ints + 5, expected, expected + 2);
    } while (seen != expected);
    atomicAdd(longs, 1ull << 32 | 1ull);
    atomicExch(longs + 1, static_cast<unsigned long long>(thread));
    atomicAdd(floats, 0.5f);
    atomicAdd(doubles, 0.25);
}

// The threads of a grid in the order in which they first ran, interrupted or not.
__global__ void order_of_threads(int* order, int* size) {
    order[atomicAdd(size, 1)] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

// What shared memory holds before a thread has written to it.
__global__ void uninitialised(int* value) {
    __shared__ int shared;
    if (*value) shared = *value;
    *value = shared;
}

// Counts visits, and clusters along x.
__global__ void shapes(int* seen) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    seen[block * blockDim.x + threadIdx.x] += 1 + static_cast<int>(warpath::cluster_rank() == blockIdx.x);
}

// ---- wrong ones --------------------------------------------------------------------------------

// A load from global memory gets the address of shared memory.
__global__ void loads_shared_as_global(int* out) {
    __shared__ int box;
    box = 1;
    out[threadIdx.x] = __ldg(&box);
}

// A read and a write where there should be one atomic, and no call of the emulator between.
__global__ void lost_update(int* counter) {
    const int old = *counter;
    if (old >= 0) *counter = old + 1;
}

__global__ void missing_lane(int* out) {
    if (threadIdx.x != 7) out[threadIdx.x] = __shfl_sync(~0u, static_cast<int>(threadIdx.x), 0);
}
__global__ void mismatched_mask(int* out) {
    out[threadIdx.x] = __any_sync(threadIdx.x < 16 ? 0x0000FFFFu : ~0u, 1);
}
__global__ void different_operations(int* out) {
    out[threadIdx.x] = threadIdx.x < 16 ? __any_sync(~0u, 1) : __all_sync(~0u, 1);
}
__global__ void not_in_mask(int* out) {
    out[threadIdx.x] = __any_sync(0xFFFFu, 1);
}
__global__ void thread_leaves_before_barrier(int* out) {
    if (threadIdx.x == 40) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void divergent_barrier(int* out) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}
// One block does not come to the grid's barrier.
__global__ void missing_block(Barrier* barrier) {
    if (blockIdx.x != 1) grid_barrier(&barrier->arrived, &barrier->gate);
}
__global__ void endless_loop(int* out) {
    while (__ldcv(out) == 0) {}
}
__global__ void cluster_misses_one(int* out) {
    if (threadIdx.x != 3 || warpath::cluster_rank() != 1) warpath::cluster_sync();
    out[threadIdx.x] = 1;
}
// Reads a neighbour's shared memory without knowing that the neighbour still runs.
__global__ void reads_after_exit(int* out) {
    __shared__ int box;
    box = 1;
    warpath::cluster_sync();
    if (warpath::cluster_rank() == 0) out[threadIdx.x] = *warpath::map_shared_rank(&box, 1);
}
template <int threads>
__global__ void writes_behind_shared(int* out, int where) {
    __shared__ int before[threads];
    __shared__ int after[threads];
    int* volatile start = before;  // of unknown size to the compiler and to UBSan
    after[threadIdx.x] = 0;
    start[where] = 1;
    out[threadIdx.x] = before[threadIdx.x] + after[threadIdx.x];
}
__global__ void writes_behind_dynamic_shared(int* out, int where) {
    WARPATH_DYNAMIC_SHARED(int, box);
    box[where] = 1;
    out[threadIdx.x] = box[0];
}
__global__ void writes_behind_global(int* out, int where) { out[where] = 1; }
__global__ void overflows(int* out, int value) { out[threadIdx.x] = value + value; }
__global__ void misaligned(int* out) { out[0] = reinterpret_cast<const int4*>(out + 1)->x; }
__device__ inline int sum_below(int depth) {
    volatile int filler[256] = {depth};
    return depth > 0 ? sum_below(depth - 1) + filler[0] : 0;
}
__global__ void uses_up_stack(int* out, int depth) { out[0] = sum_below(depth); }

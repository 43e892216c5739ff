// Breadth-first searches as a textbook would write them: what warpath's balances are held against.
//
// One launch per level (a sub-iteration, for `hierarchical`), a queue of vertices, atomicCAS on
// distances. benchmarks/gpu_plain.py launches them. All take a list that a level has to process,
// `size` long, the graph's rows, the distances, the `level` that is found, and the `next` list with its
// length. What they do to arcs is `visit`; they differ only in how arcs reach threads.

constexpr unsigned block = 256, warp = 32, all_lanes = 0xffffffff;
constexpr unsigned arcs_a_thread = 8;  // of the survey's two phases, a guess
constexpr unsigned arcs_a_block = block * arcs_a_thread;

__device__ unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Whether v was not reached before.
__device__ bool claim(int* distance, unsigned v, int level) {
    return distance[v] < 0 && atomicCAS(distance + v, -1, level) < 0;
}

__device__ void visit(unsigned v, int* distance, int level, unsigned* next, unsigned* next_size) {
    if (claim(distance, v, level)) next[atomicAdd(next_size, 1u)] = v;
}

// The last of `size` places whose prefix sum is not above `item`; or, if each vertex `ends` by 1, the last that
// begins not after this step of the merge path.
__device__ unsigned owner_of(const unsigned* prefix, unsigned size, unsigned item, unsigned ends = 0) {
    unsigned low = 0, high = size;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (prefix[middle] + ends * middle <= item) low = middle;
        else high = middle;
    }
    return low;
}

// Arcs that each vertex has in addition to the first `skip`; the searches need their prefix sums.
extern "C" __global__ void degrees(const unsigned* __restrict__ list, unsigned size,
                                   const unsigned* __restrict__ offsets, unsigned skip, unsigned* degree) {
    const unsigned i = thread();
    if (i < size) degree[i] = offsets[list[i] + 1] - offsets[list[i]] - skip;
}

// Thread = vertex. Harish and Narayanan, 2007.
extern "C" __global__ void thread_mapped(const unsigned* __restrict__ list, unsigned size,
                                         const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                         int* distance, int level, unsigned* next, unsigned* next_size) {
    const unsigned i = thread();
    if (i >= size) return;
    const unsigned u = list[i], end = offsets[u + 1];
    for (unsigned arc = offsets[u]; arc < end; ++arc) visit(columns[arc], distance, level, next, next_size);
}

// `width` threads = vertex. Hong et al., 2011.
extern "C" __global__ void virtual_warp(const unsigned* __restrict__ list, unsigned size,
                                        const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                        int* distance, int level, unsigned* next, unsigned* next_size,
                                        unsigned width) {
    const unsigned i = thread() / width;
    if (i >= size) return;
    const unsigned u = list[i], end = offsets[u + 1];
    for (unsigned arc = offsets[u] + thread() % width; arc < end; arc += width)
        visit(columns[arc], distance, level, next, next_size);
}

// The same, but vertices of more than `most` arcs go to the list `large`. Hong et al., 3.2.
extern "C" __global__ void defer_outliers(const unsigned* __restrict__ list, unsigned size,
                                          const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                          int* distance, int level, unsigned* next, unsigned* next_size,
                                          unsigned width, unsigned most, unsigned* large, unsigned* large_size) {
    const unsigned i = thread() / width, lane = thread() % width;
    if (i >= size) return;
    const unsigned u = list[i], begin = offsets[u], end = offsets[u + 1];
    if (end - begin > most) {
        if (lane == 0) large[atomicAdd(large_size, 1u)] = u;
        return;
    }
    for (unsigned arc = begin + lane; arc < end; arc += width) visit(columns[arc], distance, level, next, next_size);
}

// Block = vertex: what becomes of the large ones.
extern "C" __global__ void outliers(const unsigned* __restrict__ list, unsigned size,
                                    const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                    int* distance, int level, unsigned* next, unsigned* next_size) {
    const unsigned u = list[blockIdx.x], end = offsets[u + 1];
    for (unsigned arc = offsets[u] + threadIdx.x; arc < end; arc += block)
        visit(columns[arc], distance, level, next, next_size);
}

// Virtual warps whose warp draws `chunk` vertices for each of them from a counter. Hong et al., 3.2.
extern "C" __global__ void dynamic_distribution(const unsigned* __restrict__ list, unsigned size,
                                                const unsigned* __restrict__ offsets,
                                                const unsigned* __restrict__ columns, int* distance, int level,
                                                unsigned* next, unsigned* next_size, unsigned width,
                                                unsigned chunk, unsigned* drawn) {
    const unsigned lane = threadIdx.x % warp, many = chunk * (warp / width);
    while (true) {
        unsigned first = 0;
        if (lane == 0) first = atomicAdd(drawn, many);
        first = __shfl_sync(all_lanes, first, 0);
        if (first >= size) return;
        for (unsigned i = first + lane / width; i < min(first + many, size); i += warp / width) {
            const unsigned u = list[i], end = offsets[u + 1];
            for (unsigned arc = offsets[u] + lane % width; arc < end; arc += width)
                visit(columns[arc], distance, level, next, next_size);
        }
    }
}

// Thread = arc, whose vertex it searches in the prefix sums of the whole list. Survey 5.3.1.
extern "C" __global__ void direct_search(const unsigned* __restrict__ list, unsigned size,
                                         const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                         int* distance, int level, unsigned* next, unsigned* next_size,
                                         const unsigned* __restrict__ prefix, unsigned items) {
    const unsigned item = thread();
    if (item >= items) return;
    const unsigned place = owner_of(prefix, size, item);
    visit(columns[offsets[list[place]] + item - prefix[place]], distance, level, next, next_size);
}

// Warp = 32 vertices, whose prefix sums it has in shared memory. Survey 5.3.2.
extern "C" __global__ void local_warp_search(const unsigned* __restrict__ list, unsigned size,
                                             const unsigned* __restrict__ offsets,
                                             const unsigned* __restrict__ columns, int* distance, int level,
                                             unsigned* next, unsigned* next_size,
                                             const unsigned* __restrict__ prefix) {
    __shared__ unsigned prefixes[block], rows[block];
    const unsigned lane = threadIdx.x % warp, mine = threadIdx.x - lane, first = thread() - lane;
    if (first >= size) return;
    const unsigned count = min(warp, size - first);
    if (lane < count) {
        prefixes[threadIdx.x] = prefix[first + lane];
        rows[threadIdx.x] = offsets[list[first + lane]];
    }
    __syncwarp();
    const unsigned end = prefix[first + count];
    for (unsigned item = prefix[first] + lane; item < end; item += warp) {
        const unsigned place = mine + owner_of(prefixes + mine, count, item);
        visit(columns[rows[place] + item - prefixes[place]], distance, level, next, next_size);
    }
}

// Block = as many vertices as threads; a thread searches once, and walks its share. Survey 5.3.3.
extern "C" __global__ void block_search(const unsigned* __restrict__ list, unsigned size,
                                        const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                        int* distance, int level, unsigned* next, unsigned* next_size,
                                        const unsigned* __restrict__ prefix) {
    __shared__ unsigned prefixes[block + 1], rows[block];
    const unsigned first = blockIdx.x * block, count = min(block, size - first);
    if (threadIdx.x < count) {
        prefixes[threadIdx.x] = prefix[first + threadIdx.x];
        rows[threadIdx.x] = offsets[list[first + threadIdx.x]];
    }
    if (threadIdx.x == 0) prefixes[count] = prefix[first + count];
    __syncthreads();
    const unsigned items = prefixes[count] - prefixes[0], share = (items + block - 1) / block;
    unsigned item = prefixes[0] + min(items, threadIdx.x * share);
    const unsigned end = min(item + share, prefixes[count]);
    for (unsigned place = owner_of(prefixes, count, item); item < end; ++item) {
        while (prefixes[place + 1] <= item) ++place;
        visit(columns[rows[place] + item - prefixes[place]], distance, level, next, next_size);
    }
}

// The vertex with which each block of the next kernels begins. Survey 5.3.4, the first phase.
extern "C" __global__ void partition(const unsigned* __restrict__ prefix, unsigned size, unsigned parts,
                                     unsigned ends, unsigned* places) {
    if (thread() < parts) places[thread()] = owner_of(prefix, size, thread() * arcs_a_block, ends);
}

// What a block searches in: its vertices, as far as the one with which the next block begins. All but
// sources have arcs, so there are no more than its share of arcs, or of steps, and that one.
struct Vertices {
    unsigned prefixes[arcs_a_block + 2], rows[arcs_a_block + 1];

    // Take them up; returns how many there are.
    __device__ unsigned load(const unsigned* list, unsigned size, const unsigned* offsets, const unsigned* prefix,
                             const unsigned* places) {
        const unsigned first = places[blockIdx.x];
        const unsigned count = (blockIdx.x + 1 < gridDim.x ? places[blockIdx.x + 1] + 1 : size) - first;
        for (unsigned i = threadIdx.x; i < count; i += block) {
            prefixes[i] = prefix[first + i];
            rows[i] = offsets[list[first + i]];
        }
        if (threadIdx.x == 0) prefixes[count] = prefix[first + count];
        __syncthreads();
        return count;
    }
};

// Block = as many arcs as all others; its vertices' prefix sums are in shared memory, where each thread
// searches once. The second phase.
extern "C" __global__ void two_phase_search(const unsigned* __restrict__ list, unsigned size,
                                            const unsigned* __restrict__ offsets,
                                            const unsigned* __restrict__ columns, int* distance, int level,
                                            unsigned* next, unsigned* next_size,
                                            const unsigned* __restrict__ prefix, unsigned items,
                                            const unsigned* __restrict__ places) {
    __shared__ Vertices mine;
    const unsigned count = mine.load(list, size, offsets, prefix, places);
    unsigned item = thread() * arcs_a_thread;
    if (item >= items) return;
    const unsigned end = min(item + arcs_a_thread, items);
    for (unsigned place = owner_of(mine.prefixes, count, item); item < end; ++item) {
        while (mine.prefixes[place + 1] <= item) ++place;
        visit(columns[mine.rows[place] + item - mine.prefixes[place]], distance, level, next, next_size);
    }
}

// The same, but threads write their items' arcs to shared memory, for the block to take side by side.
struct Redistribution {
    Vertices vertices;
    unsigned arcs[arcs_a_block];
    unsigned begin, end;  // the block's items

    // A thread's share of the level is a number of neighbouring items; or of steps, which include the `ends`
    // of vertices, whether or not they have arcs.
    __device__ void walk(const unsigned* list, unsigned size, const unsigned* offsets, const unsigned* prefix,
                         unsigned items, const unsigned* places, unsigned ends) {
        const unsigned count = vertices.load(list, size, offsets, prefix, places);
        const unsigned* const prefixes = vertices.prefixes;
        const unsigned first = places[blockIdx.x], before = blockIdx.x * arcs_a_block - ends * first;  // items
        if (threadIdx.x == 0) {
            begin = before;
            end = items;
            if (blockIdx.x + 1 < gridDim.x) end = (blockIdx.x + 1) * arcs_a_block - ends * places[blockIdx.x + 1];
        }
        unsigned step = thread() * arcs_a_thread;
        const unsigned stop = min(step + arcs_a_thread, items + ends * size);
        unsigned place = owner_of(prefixes, count, step - ends * first, ends);
        unsigned item = step - ends * (first + place);
        while (step < stop) {
            if (item == prefixes[place + 1]) {
                ++place;
                step += ends;
            } else {
                arcs[item - before] = vertices.rows[place] + item - prefixes[place];
                ++item;
                ++step;
            }
        }
        __syncthreads();
    }
};

// Multi-phase search, survey 5.5; that is merge path with balanced gathering, too. Where `ends` are steps, with
// balanced redistribution. Zhu et al., 4.2 and 4.3.
extern "C" __global__ void coalesced_expansion(const unsigned* __restrict__ list, unsigned size,
                                               const unsigned* __restrict__ offsets,
                                               const unsigned* __restrict__ columns, int* distance, int level,
                                               unsigned* next, unsigned* next_size,
                                               const unsigned* __restrict__ prefix, unsigned items,
                                               const unsigned* __restrict__ places, unsigned ends) {
    __shared__ Redistribution mine;
    mine.walk(list, size, offsets, prefix, items, places, ends);
    for (unsigned item = mine.begin + threadIdx.x; item < mine.end; item += block)
        visit(columns[mine.arcs[item - mine.begin]], distance, level, next, next_size);
}

// Merge path with both balanced, through global memory: the arcs of all items. Zhu et al., 4.1.
extern "C" __global__ void redistribution(const unsigned* __restrict__ list, unsigned size,
                                          const unsigned* __restrict__ offsets, const unsigned* __restrict__ prefix,
                                          unsigned items, const unsigned* __restrict__ places, unsigned* arcs) {
    __shared__ Redistribution mine;
    mine.walk(list, size, offsets, prefix, items, places, 1);
    for (unsigned item = mine.begin + threadIdx.x; item < mine.end; item += block)
        arcs[item] = mine.arcs[item - mine.begin];
}

// Thread = one of them.
extern "C" __global__ void gathering(const unsigned* __restrict__ arcs, unsigned size,
                                     const unsigned* __restrict__, const unsigned* __restrict__ columns,
                                     int* distance, int level, unsigned* next, unsigned* next_size) {
    if (thread() < size) visit(columns[arcs[thread()]], distance, level, next, next_size);
}

// Vertices of many arcs by the block, of some by a warp, the rest through a list in shared memory.
// Merrill et al., 2012.
extern "C" __global__ void cta_warp_scan(const unsigned* __restrict__ list, unsigned size,
                                         const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                         int* distance, int level, unsigned* next, unsigned* next_size) {
    __shared__ unsigned winner, begin_of_block, end_of_block, sums[block], gathered[block];
    const unsigned i = thread(), lane = threadIdx.x % warp;
    unsigned arc = 0, end = 0;
    if (i < size) {
        arc = offsets[list[i]];
        end = offsets[list[i] + 1];
    }
    while (__syncthreads_or(end - arc >= block)) {
        if (end - arc >= block) winner = threadIdx.x;
        __syncthreads();
        if (winner == threadIdx.x) {
            begin_of_block = arc;
            end_of_block = end;
            arc = end;
        }
        __syncthreads();
        for (unsigned j = begin_of_block + threadIdx.x; j < end_of_block; j += block)
            visit(columns[j], distance, level, next, next_size);
    }
    while (const unsigned large = __ballot_sync(all_lanes, end - arc >= warp)) {
        const int k = __ffs(static_cast<int>(large)) - 1;
        const unsigned begin_of_warp = __shfl_sync(all_lanes, arc, k), end_of_warp = __shfl_sync(all_lanes, end, k);
        if (lane == static_cast<unsigned>(k)) arc = end;
        for (unsigned j = begin_of_warp + lane; j < end_of_warp; j += warp)
            visit(columns[j], distance, level, next, next_size);
    }
    sums[threadIdx.x] = end - arc;
    __syncthreads();
    for (unsigned step = 1; step < block; step *= 2) {
        const unsigned before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    unsigned place = sums[threadIdx.x] - (end - arc);
    for (unsigned done = 0; done < sums[block - 1]; done += block) {
        for (; arc < end && place < done + block; ++arc, ++place) gathered[place - done] = arc;
        __syncthreads();
        if (done + threadIdx.x < sums[block - 1])
            visit(columns[gathered[threadIdx.x]], distance, level, next, next_size);
        __syncthreads();
    }
}

// Thread = `share` neighbouring arcs. Mishra et al., III-A. The first `skip` arcs of vertices are done.
extern "C" __global__ void workload_decomposition(const unsigned* __restrict__ list, unsigned size,
                                                  const unsigned* __restrict__ offsets,
                                                  const unsigned* __restrict__ columns, int* distance, int level,
                                                  unsigned* next, unsigned* next_size,
                                                  const unsigned* __restrict__ prefix, unsigned items,
                                                  unsigned share, unsigned skip) {
    unsigned item = thread() * share;
    if (item >= items) return;
    const unsigned end = min(item + share, items);
    for (unsigned place = owner_of(prefix, size, item); item < end; ++item) {
        while (prefix[place + 1] <= item) ++place;
        visit(columns[offsets[list[place]] + skip + item - prefix[place]], distance, level, next, next_size);
    }
}

// A thread owns an arc of a list; if it reaches a vertex, it appends the vertex's arcs. Mishra et al., II-B: with work
// chunking, all by one atomic.
extern "C" __global__ void edge_parallel(const unsigned* __restrict__ list, unsigned size,
                                         const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                         int* distance, int level, unsigned* next, unsigned* next_size,
                                         unsigned chunking) {
    const unsigned i = thread();
    if (i >= size) return;
    const unsigned v = columns[list[i]];
    if (!claim(distance, v, level)) return;
    const unsigned begin = offsets[v], degree = offsets[v + 1] - begin;
    if (chunking) {
        const unsigned place = atomicAdd(next_size, degree);
        for (unsigned j = 0; j < degree; ++j) next[place + j] = begin + j;
    } else {
        for (unsigned j = 0; j < degree; ++j) next[atomicAdd(next_size, 1u)] = begin + j;
    }
}

// A thread owns a node of a graph whose vertices were split into several, from first_node[v] on: if it reaches
// the parent, it appends its children. Mishra et al., III-B.
extern "C" __global__ void node_splitting(const unsigned* __restrict__ list, unsigned size,
                                          const unsigned* __restrict__ node_offsets,
                                          const unsigned* __restrict__ columns, int* distance, int level,
                                          unsigned* next, unsigned* next_size,
                                          const unsigned* __restrict__ first_node) {
    const unsigned i = thread();
    if (i >= size) return;
    const unsigned node = list[i], end = node_offsets[node + 1];
    for (unsigned arc = node_offsets[node]; arc < end; ++arc) {
        const unsigned v = columns[arc];
        if (!claim(distance, v, level)) continue;
        const unsigned parent = first_node[v], nodes = first_node[v + 1] - parent;
        if (nodes > 0) next[atomicAdd(next_size, 1u)] = parent;
        if (nodes > 1) {
            const unsigned place = atomicAdd(next_size, nodes - 1);
            for (unsigned j = 1; j < nodes; ++j) next[place + j - 1] = parent + j;
        }
    }
}

// Thread = vertex, of which it visits at most `most` arcs, from the `skip`-th on; vertices that have more
// go to the list of the next sub-iteration. Mishra et al., III-C.
extern "C" __global__ void hierarchical(const unsigned* __restrict__ list, unsigned size,
                                        const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns,
                                        int* distance, int level, unsigned* next, unsigned* next_size,
                                        unsigned skip, unsigned most, unsigned* rest, unsigned* rest_size) {
    const unsigned i = thread();
    if (i >= size) return;
    const unsigned u = list[i], begin = offsets[u] + skip;
    unsigned end = offsets[u + 1];
    if (end - begin > most) {
        rest[atomicAdd(rest_size, 1u)] = u;
        end = begin + most;
    }
    for (unsigned arc = begin; arc < end; ++arc) visit(columns[arc], distance, level, next, next_size);
}

// Keep the device busy while launches are queued.
extern "C" __global__ void hold(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
}

// The plain kernel that launches others, apart from plain.cu since it is linked with the device's run time.
#include "core/child_grid.cuh"
#include "plain.cu"

// Grid = the arcs from `begin` on of a vertex.
extern "C" __global__ void child(unsigned begin, unsigned end, const unsigned* __restrict__ columns, int* distance,
                                 int level, unsigned* next, unsigned* next_size) {
    for (unsigned arc = begin + thread(); arc < end; arc += gridDim.x * blockDim.x)
        visit(columns[arc], distance, level, next, next_size);
}

// `width` threads = vertex, but one of them launches a grid for a vertex of more than `most` arcs; if the device
// has no room for one more, they walk it themselves. BFS-4K, Busato and Bombieri, 2015; survey 5.2.1.
extern "C" __global__ void virtual_warp_with_children(const unsigned* __restrict__ list, unsigned size,
                                                      const unsigned* __restrict__ offsets,
                                                      const unsigned* __restrict__ columns, int* distance, int level,
                                                      unsigned* next, unsigned* next_size, unsigned width,
                                                      unsigned most) {
    const unsigned i = thread() / width, lane = thread() % width;
    if (i >= size) return;
    const unsigned u = list[i], begin = offsets[u], end = offsets[u + 1];
    if (end - begin > most) {
        const unsigned mates = all_lanes >> (warp - width) << (threadIdx.x % warp - lane);
        const unsigned blocks = (end - begin + arcs_a_block - 1) / arcs_a_block;
        unsigned launched = 0;
        if (lane == 0)
            launched = warpath::launch_child<child>(blocks, begin, end, columns, distance, level, next, next_size);
        if (__shfl_sync(mates, launched, 0, static_cast<int>(width))) return;
    }
    for (unsigned arc = begin + lane; arc < end; arc += width) visit(columns[arc], distance, level, next, next_size);
}

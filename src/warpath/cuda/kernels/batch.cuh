// Searches from several sources at once, one per block.
//
// A small graph's search keeps few of a device's threads busy, and its launch takes as long. So here
// each block is a search by itself: it takes the next source from a counter,
// searches in its own part of memory, writes that source's row of the answer, and takes another.
// Blocks never wait for each other.
//
//   batch        a program (engine/program.cuh) that a block runs by itself
//   batch_tree   predecessors from distances, as tree.cuh has them. It is another kernel, since its
//                loads take distances for data that no thread writes.
#pragma once

#include "algorithms/bfs_levels.cuh"
#include "algorithms/sssp.cuh"
#include "engine/program.cuh"
#include "tree.cuh"

namespace warpath {

// Threads of a multiprocessor, 80 registers each: what near and far vertices and trees take.
constexpr int batch_threads = 768;

// Zeroed before the launch.
struct BatchControl {
    unsigned taken;       // rows, so far
    unsigned iterations;  // of all searches
};

// The searches of a launch, one per row. As in warpath/cuda/batch.py.
struct Batch {
    const Vertex* sources;
    unsigned size;
    BatchControl* control;
    TraceRow* rows;

    // The next row for this block, beyond the last when there is none left. All threads call.
    __device__ unsigned take(unsigned& shared) const {
        block_sync([&] { shared = atomicAdd(&control->taken, 1u); });
        return shared;
    }

    // The trace of a row's search: one row, which all of its iterations are added to.
    __device__ TraceRows trace(unsigned row) const { return {rows + row, 1}; }
    // One thread calls.
    __device__ void begin(unsigned row) const { rows[row] = {0, 0, 0, trace_top_down, mode_block, code_of::two_phase_search, {}}; }
};

// Row i of an answer, of `stride` elements, is the i-th source's.
template <class T>
struct Rows {
    T* first;
    Count stride;

    __device__ T* operator[](unsigned i) const { return first + i * stride; }
};

// A block's part of memory: in each, as many places as there are vertices, for each of its queues. As in warpath/cuda/batch.py.
template <class Offset>
struct BatchQueues {
    Vertex* vertices;
    Offset* prefix;
};

// As in warpath/cuda/batch.py.
template <class Offset, class Weight, class Distance>
struct BatchArguments {
    ProgramProblem<Offset, Weight, Distance> problem;
    Batch batch;
    BatchQueues<Offset> queues;
    unsigned* stamp;  // of each block what `ProgramSpace` has
    unsigned* far;
    Rows<Distance> distance;
    Rows<int> predecessor;
};

// A block's programs, one for each row that it takes.
template <class Offset, class Algorithm, bool traced, int threads>
struct BatchBlock {
    using Weight = typename Algorithm::Weight;
    using Distance = typename Algorithm::Distance;
    using Balance = TwoPhaseSearch<4>;  // whose warps work each by itself
    static_assert(Balance::scratch_bytes<Offset> == 0);
    using Arguments = BatchArguments<Offset, Weight, Distance>;
    using Control = ProgramControl<Offset, Distance>;
    static constexpr unsigned queues = Algorithm::has_one_queue ? 1 : 2;

    ProgramShared<Offset, Algorithm, Balance, false, threads> shared;
    ProgramSpace<Offset, Distance> space;
    unsigned row;
    __align__(16) unsigned char control[sizeof(Control)];

    // All threads of the block call both.
    __device__ bool take(const Batch& batch) { return batch.take(row) < batch.size; }

    __device__ void run(const Arguments& a) {
        const Vertex n = a.problem.graph.vertices;
        auto& mine = *reinterpret_cast<Control*>(control);
        block_sync([&] {
            Vertex* const queue = a.queues.vertices + Count{blockIdx.x} * queues * n;
            Offset* const prefix = a.queues.prefix + Count{blockIdx.x} * queues * n;
            mine = {};
            // Weights of sums are not negative here, so all keys are the distances' own bits.
            space = {reinterpret_cast<Key<Distance>*>(a.distance[row]), a.predecessor[row], {queue, queue + n}, {prefix, prefix + n},
                     a.stamp + Count{blockIdx.x} * n, a.far + Count{blockIdx.x} * words_of(n), nullptr, nullptr, n, {}, &mine, {}};
            if constexpr (traced) a.batch.begin(row);
        });
        const Sources source{nullptr, a.batch.sources[row], 1};
        const Run whole{~0u, false};
        Program<Offset, Algorithm, Balance, false, traced, threads, BlockScope>(a.problem, source, whole, space, a.batch.trace(row), shared)
            .run(a.problem.max_level);
        if (threadIdx.x == 0) atomicAdd(&a.batch.control->iterations, shared.progress.level);
    }
};

template <class Offset, class Algorithm, bool traced, int threads>
__global__ void __launch_bounds__(threads, batch_threads / threads)
batch(const __grid_constant__ BatchArguments<Offset, typename Algorithm::Weight, typename Algorithm::Distance> a) {
    __shared__ BatchBlock<Offset, Algorithm, traced, threads> block;
    while (block.take(a.batch)) block.run(a);
}

// As in warpath/cuda/batch.py.
template <class Offset, class Weight, class Distance>
struct BatchTreeArguments {
    BatchArguments<Offset, Weight, Distance> of;
    Offset arcs;
    bool any_weights;  // whether an edge may not lengthen a path
};

// `pull` as in tree.cuh: whether the graph is symmetric.
template <class Offset, class Weight, class Distance, bool pull, int threads>
__global__ void __launch_bounds__(threads, batch_threads / threads)
batch_tree(const __grid_constant__ BatchTreeArguments<Offset, Weight, Distance> a) {
    __shared__ BatchBlock<Offset, TightSearch<Weight, Distance>, false, threads> block;
    __shared__ unsigned roots;
    const Csr<Offset>& graph = a.of.problem.graph;
    const Vertex vertices = graph.vertices;
    while (block.take(a.of.batch)) {
        int* const predecessors = a.of.predecessor[block.row];
        for (Vertex v = threadIdx.x; v < vertices; v += threads) predecessors[v] = -1;
        block_sync([&] { roots = 0; });  // the row is empty
        TightArcs<Offset, Weight, Distance, pull> body{graph.column_indices, a.of.problem.weights, a.of.distance[block.row], predecessors};
        // Two fewer than in a sweep alone: with the search behind it, no more fit into the registers.
        constexpr int in_flight = tight_arcs_in_flight<Offset, Weight, Distance>;
        sweep<in_flight - 2 * (in_flight > 4)>(graph, a.arcs, block_warps(), body);
        if (!a.any_weights) continue;
        __syncthreads();  // the predecessors are there
        count_roots(vertices, a.of.distance[block.row], a.of.predecessor[block.row], threadIdx.x, threads, &roots);
        __syncthreads();  // they are counted
        if (roots != 1) block.run(a.of);
    }
}

}  // namespace warpath

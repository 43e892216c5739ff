// Searches from several sources at once, one a block.
//
// A small graph's search keeps few of a device's threads busy, and its launch takes as long. So here
// each block is a search by itself (engine/single_block.cuh): it takes the next source from a counter,
// searches in its own part of memory, writes that source's row of the answer, and takes another.
// Blocks never wait for each other.
//
// Sums are those of the operators, and `raised`, which stops at "unreachable".
//
//   batch_bfs    breadth-first, top-down
//   batch_sssp   near and far vertices, as engine/program.cuh has them; no weight betters a path
//   batch_tree   predecessors from distances, as tree.cuh has them. It is another kernel, since its
//                loads take distances for data that no thread writes.
#pragma once

#include "engine/single_block.cuh"
#include "core/distance.cuh"
#include "frontier/near_far.cuh"
#include "operators/relax.cuh"
#include "operators/visit.cuh"
#include "engine/trace.cuh"
#include "tree.cuh"

namespace warpath {

// Threads of a multiprocessor, 80 registers each: what near and far vertices and trees take.
constexpr int batch_threads = 768;

// Zeroed before the launch.
struct BatchControl {
    unsigned taken;       // rows, so far
    unsigned iterations;  // of all searches
};

// The searches of a launch, one a row. As in warpath/cuda/batch.py.
struct Batch {
    const Vertex* sources;
    unsigned size;
    BatchControl* control;
    TraceRow* rows;  // null: there is no trace

    // The next row for this block, beyond the last when there is none left. All threads call.
    __device__ unsigned take(unsigned& shared) const {
        block_sync([&] { shared = atomicAdd(&control->taken, 1u); });
        return shared;
    }

    template <class Search>
    __device__ void record(unsigned row, const Search& search, Count began) const {
        if (threadIdx.x != 0 || rows == nullptr) return;
        atomicAdd(&control->iterations, search.levels);
        rows[row] = {search.expanded, search.inspected, global_timer() - began, way_top_down, mode_block,
                     code_of::two_phase_search, {}};
    }
};

// Row i of an answer, of `stride` elements, is the i-th source's.
template <class T>
struct Rows {
    T* first;
    Count stride;

    __device__ T* operator[](unsigned i) const { return first + i * stride; }
};

// A block's queues, of all blocks'.
template <class Offset>
__device__ SingleBlockQueues<Offset> my_queues(const SingleBlockQueues<Offset>& all, Vertex vertices) {
    const Count place = Count{blockIdx.x} * 2 * vertices;
    return {all.vertices + place, all.prefix + place};
}

// Every thread of the block fills its part.
template <class Value>
__device__ void fill_row(Value* row, Vertex size, Value value) {
    for (Vertex v = threadIdx.x; v < size; v += blockDim.x) row[v] = value;
}

// As in warpath/cuda/batch.py.
template <class Offset>
struct BatchBfsArguments {
    Csr<Offset> graph;
    Batch batch;
    SingleBlockQueues<Offset> queues;
    unsigned* reached;  // a bitmap a block
    Rows<int> distance, predecessor;
    unsigned depth_limit;
};

template <class Offset, bool with_predecessors, int threads>
__global__ void __launch_bounds__(threads, batch_threads / threads)
batch_bfs(const __grid_constant__ BatchBfsArguments<Offset> a) {
    __shared__ SingleBlockShared<Offset, threads> shared;
    __shared__ unsigned taken;
    const Csr<Offset>& graph = a.graph;
    const Batch& batch = a.batch;
    const Vertex vertices = graph.vertices;
    const SingleBlockQueues<Offset> queues = my_queues<Offset>(a.queues, vertices);
    const Bitmap mine{a.reached + Count{blockIdx.x} * words_of(vertices)};
    for (unsigned row = batch.take(taken); row < batch.size; row = batch.take(taken)) {
        const Count began = global_timer();
        int* const distances = a.distance[row];
        int* const predecessors = with_predecessors ? a.predecessor[row] : nullptr;
        fill_row(distances, vertices, -1);
        if constexpr (with_predecessors) fill_row(predecessors, vertices, -1);
        fill_row(mine.words, words_of(vertices), 0u);
        SingleBlockSearch<Offset, threads> search(graph, queues, shared);  // its barrier is the reset's
        Visit<with_predecessors> op{mine, distances, predecessors, 0};
        search.seed(batch.sources[row], op, PassAll{});
        while (search.size > 0 && search.levels < a.depth_limit) {
            op.level = static_cast<int>(search.levels + 1);
            search.expand(op, PassAll{});
        }
        batch.record(row, search, began);
    }
}

// Δ above `from`, but at least the next number.
template <class Distance>
__device__ Key<Distance> raised(Key<Distance> from, Distance delta) {
    constexpr Key<Distance> unreachable = Ordered<Distance>::unreachable;
    return from >= unreachable - 1 ? unreachable : max(extend<Distance>(from, delta), from + 1);
}

// Of a search that begins with a source; that may be too far below zero for an infinite Δ.
template <class Weight, class Distance>
__device__ Key<Distance> first_threshold(Distance delta) {
    constexpr Key<Distance> unreachable = Ordered<Distance>::unreachable;
    if (!is_number<Weight> && key_of(delta) >= unreachable) return unreachable;
    return raised<Distance>(key_of(source_distance<Weight, Distance>()), delta);
}

template <class Key>
struct NearFarShared {
    unsigned taken;
    unsigned queue;  // the number of the one that is filled, counted from 1
    Key threshold;   // nearer vertices are near; "unreachable": all are
    Key least;       // of what a split left in the far pile
    bool any_far;    // whether a vertex was found to be far since
};

// As in warpath/cuda/batch.py.
template <class Offset, class Weight, class Distance>
struct BatchSsspArguments {
    Csr<Offset> graph;
    const Weight* weights;
    Batch batch;
    SingleBlockQueues<Offset> queues;
    unsigned* stamp;  // a word a vertex and block
    unsigned* far;    // a bitmap a block
    Rows<Distance> distance;
    Distance delta;
    Distance cutoff;  // vertices beyond it need not be right,
    Vertex target;    // as those farther than this one, unless it is `invalid_vertex`
};

template <class Offset, class Weight, class Distance, int threads>
__global__ void __launch_bounds__(threads, batch_threads / threads)
batch_sssp(const __grid_constant__ BatchSsspArguments<Offset, Weight, Distance> a) {
    using K = Key<Distance>;
    constexpr K unreachable = Ordered<Distance>::unreachable;
    __shared__ SingleBlockShared<Offset, threads> shared;
    __shared__ NearFarShared<K> state;
    const Csr<Offset>& graph = a.graph;
    const Batch& batch = a.batch;
    const Vertex vertices = graph.vertices, target = a.target;
    const SingleBlockQueues<Offset> queues = my_queues<Offset>(a.queues, vertices);
    const NearFar<K> filter{a.stamp + Count{blockIdx.x} * vertices, {a.far + Count{blockIdx.x} * words_of(vertices)},
                               state.queue, state.threshold, state.any_far};
    for (unsigned row = batch.take(state.taken); row < batch.size; row = batch.take(state.taken)) {
        const Count began = global_timer();
        // Of sums, whose weights are not negative, all keys are the distances' own bits.
        K* const distances = reinterpret_cast<K*>(a.distance[row]);
        const Relax<Weight, Distance, false> op{a.weights, distances, nullptr};
        fill_row(distances, vertices, unreachable);
        fill_row(filter.stamp, vertices, 0u);
        fill_row(filter.far.words, words_of(vertices), 0u);
        K base = unreachable;  // no vertex that is far is nearer; "unreachable": none is far
        if (threadIdx.x == 0) {
            state.queue = 1;
            state.threshold = first_threshold<Weight, Distance>(a.delta);
            state.least = unreachable;
            state.any_far = false;
        }
        SingleBlockSearch<Offset, threads> search(graph, queues, shared);  // its barrier is the reset's
        search.seed(batch.sources[row], op, filter);
        while (true) {
            while (search.size > 0) {
                block_sync([&] { ++state.queue; });
                search.expand(op, filter);
            }
            const K before = state.threshold;
            if (state.any_far) base = before;
            // Nobody changes a distance until the split is over, so all threads find the same.
            const bool is_found = target != invalid_vertex && distances[target] < before;
            if (before == unreachable || base == unreachable || base > key_of(a.cutoff) || is_found) break;
            const K threshold = raised<Distance>(base, a.delta);
            auto out = search.writer();
            const K least = warp_least(split_far(filter.far, vertices, distances, before, threshold, unreachable, block_warps(), out));
            out.finish();
            if (lane_id() == 0 && least < unreachable) atomicMin(&state.least, least);
            search.turn();  // the frontier, the bitmap and the minimum are there
            base = state.least;
            block_sync([&] {
                state.threshold = threshold;
                state.least = unreachable;
                state.any_far = false;
            });
        }
        if constexpr (is_float<Distance> && !is_number<Weight>) {
            __syncthreads();  // all have seen the target's distance
            for (Vertex v = threadIdx.x; v < vertices; v += threads) distances[v] = Ordered<Distance>::turn(distances[v]);
        }
        batch.record(row, search, began);
    }
}

// As in warpath/cuda/batch.py.
template <class Offset, class Weight, class Distance>
struct BatchTreeArguments {
    Csr<Offset> graph;
    Offset arcs;
    const Weight* weights;
    Batch batch;
    SingleBlockQueues<Offset> queues;
    unsigned* reached;  // a bitmap a block
    Rows<const Distance> distance;
    Rows<int> predecessor;
    bool any_weights;  // whether an arc may not lengthen a path
};

// `pull` as in tree.cuh: whether the graph is symmetric.
template <class Offset, class Weight, class Distance, bool pull, int threads>
__global__ void __launch_bounds__(threads, batch_threads / threads)
batch_tree(const __grid_constant__ BatchTreeArguments<Offset, Weight, Distance> a) {
    __shared__ SingleBlockShared<Offset, threads> shared;
    __shared__ unsigned taken, roots;
    const Csr<Offset>& graph = a.graph;
    const Batch& batch = a.batch;
    const Vertex vertices = graph.vertices;
    const SingleBlockQueues<Offset> queues = my_queues<Offset>(a.queues, vertices);
    const Bitmap mine{a.reached + Count{blockIdx.x} * words_of(vertices)};
    for (unsigned row = batch.take(taken); row < batch.size; row = batch.take(taken)) {
        const Distance* const distances = a.distance[row];
        int* const predecessors = a.predecessor[row];
        fill_row(predecessors, vertices, -1);
        fill_row(mine.words, words_of(vertices), 0u);
        block_sync([&] { roots = 0; });  // the row is empty
        TightArcs<Offset, Weight, Distance, pull> body{graph.column_indices, a.weights, distances, predecessors};
        sweep<tight_arcs_in_flight<Offset, Weight, Distance>>(graph, a.arcs, block_warps(), body);
        if (!a.any_weights) continue;
        __syncthreads();  // the predecessors are there
        unsigned without = 0;
        for (Vertex v = threadIdx.x; v < vertices; v += threads)
            without += predecessors[v] < 0 && is_reached(distances[v]);
        without = __reduce_add_sync(all_lanes, without);
        if (lane_id() == 0) atomicAdd(&roots, without);
        __syncthreads();  // they are counted
        if (roots == 1) continue;
        SingleBlockSearch<Offset, threads> search(graph, queues, shared);
        const VisitTight<Weight, Distance> op{mine, a.weights, distances, predecessors};
        search.seed(batch.sources[row], op, PassAll{});
        while (search.size > 0) search.expand(op, PassAll{});
    }
}

}  // namespace warpath

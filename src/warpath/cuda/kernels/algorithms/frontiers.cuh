// How the next frontier comes to be, and which duplicates are dropped from it: for any algorithm of
// engine/program.cuh.
//
// `PlainFrontier` is the beginning of an algorithm; the others change one thing about it, and are put on top of
// each other: SingleBlock<Filtered<LevelsWithDuplicates<…>, HashTable>> (warpath/cuda/instances.py).
#pragma once

#include "engine/program.cuh"
#include "frontier/bitmap_queue.cuh"
#include "frontier/culling.cuh"
#include "frontier/duplicates.cuh"
#include "frontier/hash_table.cuh"
#include "frontier/queue.cuh"

namespace warpath {

// A vertex enters the queue as soon as an edge has taken it.
struct PlainFrontier {
    static constexpr bool has_queue = true, has_one_queue = false, has_far = false, has_list = false, has_buckets = false, settles = false, has_small = false, single_block = false;
    static constexpr bool has_bits = false, has_prefilter = false, has_path_limit = false, gathers = false, contracts = false, is_hybrid = false, lists_bits = false, compacts = false, pulls = false, may_repeat = false;
    static constexpr bool starts_everywhere = false, starts_far = false;

    struct AllVertices {
        __device__ bool operator()(Vertex) const { return true; }
    };
    template <class Problem, class Space, class Sync>
    static __device__ AllVertices first_frontier(const Problem&, const Space&, const Sync&) { return {}; }

    template <int warps>
    using FilterTable = Nothing;
    static __device__ void prepare(Nothing&) {}
    template <class Space, class Progress, class Shared>
    static __device__ PassAll filter(const Space&, const Progress&, Shared&) { return {}; }

    using Limit = NoLimit;
    template <class Offset, class AnyLimit = Limit>
    using Writer = QueueWriter<Offset, AnyLimit>;
    template <class Problem, class Space, class Progress>
    static __device__ NoLimit limit(const Problem&, const Space&, const Progress&) { return {}; }

    template <class Space, class Key>
    static __device__ NoPrefilter prefilter(const Space&, Key) { return {}; }

    template <class Space>
    static __device__ auto distances(const Space& space) { return space.distance; }

    template <class Space>
    static __device__ void finish(const Space&, Vertex) {}
};

// A vertex may enter a queue several times; `Limit_` says how often. `stamp` is n words, zero at first.
template <class Algorithm, class Limit_>
struct Repeating : Algorithm {
    static constexpr bool may_repeat = true;
    using Limit = Limit_;
    template <class Offset, class AnyLimit = Limit>
    using Writer = QueueWriter<Offset, AnyLimit>;

    template <class Problem, class Space, class Progress>
    static __device__ Limit limit(const Problem& problem, const Space& space, const Progress& p) {
        const auto& graph = problem.graph;
        return {space.stamp, p.queue, graph.vertices, read_only(graph.row_offsets + graph.vertices)};
    }
};

// In two phases, through a queue of edges (frontier/edge_queue.cuh).
template <class Algorithm>
struct ThroughEdgeQueue : Algorithm {
    static constexpr bool gathers = true;
};

// Or an iteration begins with the edges in the queue: contract-expand,
template <class Algorithm>
struct ContractExpand : Algorithm {
    static constexpr bool contracts = true, has_one_queue = false;
};
// or so while they are few, else in two phases.
template <class Algorithm>
struct HybridQueue : ContractExpand<Algorithm> {
    static constexpr bool is_hybrid = true;
};

// Of vertices that were taken, `far` gets bits, which are listed once it is complete.
template <class Algorithm>
struct ThroughBitmap : Algorithm {
    static constexpr bool has_bits = true, lists_bits = true;

    template <class Space, class Progress, class Shared>
    static __device__ PassToBitmap filter(const Space& space, const Progress&, Shared&) { return {{}, {space.far}}; }
};

// Duplicates dropped by what a block or a warp remembers (frontier/duplicates.cuh).
template <class Algorithm, class Duplicates>
struct Filtered : Algorithm {
    template <int warps>
    using FilterTable = typename Duplicates::template Table<warps>;

    template <class Table>
    static __device__ void prepare(Table& table) { Duplicates::prepare(table); }
    template <class Space, class Progress, class Shared>
    static __device__ auto filter(const Space&, const Progress&, Shared& shared) { return Duplicates::filter(shared.table); }
};

// Duplicates dropped by a lookup table of n places, in `piles`, after each iteration.
template <class Algorithm>
struct Compacted : Algorithm {
    static constexpr bool compacts = true;
};

// Levels of few edges are one cluster's, which keeps its frontier in shared memory (engine/small_frontier.cuh),
template <class Algorithm>
struct SmallFrontiers : Algorithm {
    static constexpr bool has_small = true;
};
// or one block's: the single-block kernel of BFS-4K.
template <class Algorithm>
struct SingleBlock : SmallFrontiers<Algorithm> {
    static constexpr bool single_block = true;
};

// Vertices take their places in a queue one by one (frontier/queue.cuh),
template <class Algorithm>
struct Scattered : Algorithm {
    template <class Offset, class AnyLimit = typename Algorithm::Limit>
    using Writer = ScatteredWriter<Offset, AnyLimit>;
};
// by blocks,
template <class Algorithm>
struct Blockwise : Algorithm {
    template <class Offset, class AnyLimit = typename Algorithm::Limit>
    using Writer = BlockWriter<Offset, AnyLimit>;
};
// by blocks whose warps have queues of their own,
template <class Algorithm>
struct Warpwise : Algorithm {
    template <class Offset, class AnyLimit = typename Algorithm::Limit>
    using Writer = BlockWriter<Offset, AnyLimit, true>;
};
// or by warps.
template <class Algorithm>
struct Summed : Algorithm {
    template <class Offset, class AnyLimit = typename Algorithm::Limit>
    using Writer = SummedWriter<Offset, AnyLimit>;
};

}  // namespace warpath

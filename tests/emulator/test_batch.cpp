// Searches from several sources at once, one a block.

#include "batch.cuh"

using namespace warpath;

namespace {

constexpr int threads = 64;

// What the kernels share: the graph, the sources, a block's part of memory times the blocks.
struct Case {
    std::vector<unsigned> offsets;
    std::vector<uint4> columns;
    std::vector<Vertex> sources, queue;
    std::vector<unsigned> prefix, bits, stamp;
    std::vector<BatchControl> control;
    std::vector<TraceRow> rows;
    Vertex n;
    Count stride;
    unsigned blocks;

    explicit Case(const emulate::Input& in)
        : offsets(in.array<unsigned>("row_offsets")), sources(in.array<Vertex>("sources")), control(1),
          rows(sources.size()), n(static_cast<Vertex>(offsets.size() - 1)), stride(in.count("stride")), blocks(in.count("blocks")) {
        const auto from = in.array<Vertex>("column_indices");
        columns.resize((from.size() + 3) / 4);
        std::copy(from.begin(), from.end(), reinterpret_cast<Vertex*>(columns.data()));
        queue.assign(2 * n * blocks, 12345);
        prefix = stamp = bits = queue;
        bits.resize(words_of(n) * blocks);
        stamp.resize(n * blocks);
    }
    const Vertex* column_indices() const { return reinterpret_cast<const Vertex*>(columns.data()); }
    unsigned count() const { return static_cast<unsigned>(sources.size()); }
    template <class Value>
    std::vector<Value> answer() const { return std::vector<Value>(stride * sources.size(), 77); }

    void report(emulate::Output& out) const {
        out.array("iterations", std::vector<unsigned>{control[0].iterations});
        std::vector<Count> trace;
        for (const auto& row : rows) trace.insert(trace.end(), {row.vertices, row.arcs, row.mode, row.balance});
        out.array("trace", trace);
    }
};

template <bool with_predecessors>
void breadth_first(const emulate::Input& in, emulate::Output& out) {
    Case c(in);
    auto distance = c.answer<int>(), predecessor = c.answer<int>();
    emulate::launch(c.blocks, threads, 1, 0, in.seed(), batch_bfs<unsigned, with_predecessors, threads>, c.n,
                    c.offsets.data(), c.column_indices(), c.sources.data(), c.count(), in.count("depth_limit"),
                    distance.data(), with_predecessors ? predecessor.data() : nullptr, c.stride, c.queue.data(),
                    c.prefix.data(), c.bits.data(), c.control.data(), c.rows.data());
    out.array("distance", distance);
    out.array("predecessor", predecessor);
    c.report(out);
}

template <class Weight, class Distance>
void shortest(const emulate::Input& in, emulate::Output& out) {
    Case c(in);
    const auto weights = in.array<Weight>("weights");
    auto distance = c.answer<Distance>();
    emulate::launch(c.blocks, threads, 1, 0, in.seed(), batch_sssp<unsigned, Weight, Distance, threads>, c.n,
                    c.offsets.data(), c.column_indices(), weights.data(), c.sources.data(), c.count(),
                    in.array<Distance>("delta")[0], in.array<Distance>("cutoff")[0],
                    static_cast<Vertex>(in.count("target")), distance.data(), c.stride, c.queue.data(),
                    c.prefix.data(), c.stamp.data(), c.bits.data(), c.control.data(), c.rows.data());
    out.array("distance", distance);
    c.report(out);
}

template <class Weight, class Distance, bool pull>
void tree(const emulate::Input& in, emulate::Output& out) {
    Case c(in);
    const auto weights = in.array<Weight>("weights");
    const auto distance = in.array<Distance>("distance");
    auto predecessor = c.answer<int>();
    emulate::launch(c.blocks, threads, 1, 0, in.seed(), batch_tree<unsigned, Weight, Distance, pull, threads>, c.n,
                    c.offsets.back(), c.offsets.data(), c.column_indices(), weights.data(), c.sources.data(), c.count(),
                    in.count("any_weights"), distance.data(), Count{c.n}, predecessor.data(), c.stride, c.queue.data(),
                    c.prefix.data(), c.bits.data(), c.control.data());
    out.array("predecessor", predecessor);
}

}  // namespace

EMULATOR_TEST(bfs) { breadth_first<true>(in, out); }
EMULATOR_TEST(bfs_distances) { breadth_first<false>(in, out); }
EMULATOR_TEST(sssp_int32) { shortest<int, int>(in, out); }
EMULATOR_TEST(sssp_int64) { shortest<int, long long>(in, out); }
EMULATOR_TEST(sssp_float32) { shortest<float, float>(in, out); }
EMULATOR_TEST(tree_int32) { tree<int, int, false>(in, out); }
EMULATOR_TEST(tree_int32_pull) { tree<int, int, true>(in, out); }
EMULATOR_TEST(tree_float32) { tree<float, float, false>(in, out); }
EMULATOR_TEST(tree_float32_pull) { tree<float, float, true>(in, out); }
EMULATOR_TEST(minimax_int32) { shortest<Largest<int>, int>(in, out); }
EMULATOR_TEST(minimax_float32) { shortest<Largest<float>, float>(in, out); }
EMULATOR_TEST(widest_int32) { shortest<Least<int>, int>(in, out); }
EMULATOR_TEST(most_reliable_float32) { shortest<Product<float>, float>(in, out); }
EMULATOR_TEST(minimax_float32_tree) { tree<Largest<float>, float, false>(in, out); }
EMULATOR_TEST(minimax_float32_tree_pull) { tree<Largest<float>, float, true>(in, out); }
EMULATOR_TEST(widest_int32_tree_pull) { tree<Least<int>, int, true>(in, out); }
EMULATOR_TEST(most_reliable_float32_tree) { tree<Product<float>, float, false>(in, out); }

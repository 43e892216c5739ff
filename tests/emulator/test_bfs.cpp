// Breadth-first search, each balance in each direction.

#include "balance_memory.h"
#include "bfs.cuh"
#include "bfs_drift.cuh"

using namespace warpath;

namespace {

template <class T>
T* data(std::vector<T>& values) { return values.empty() ? nullptr : values.data(); }

template <class Offset, class Balance, bool with_predecessors, bool traced>
void search(const emulate::Input& in, emulate::Output& out) {
    constexpr int threads = 64;
    auto offsets = in.array<Offset>("row_offsets"), reverse_offsets = in.array<Offset>("reverse_offsets");
    auto columns = in.array<Vertex>("column_indices"), reverse_columns = in.array<Vertex>("reverse_indices");
    // Aligned as on the device, and exactly as long as a kernel may read.
    const auto padded = [](std::vector<Vertex>& from) {
        const std::size_t size = (from.size() + 3) / 4;
        std::vector<uint4> to(size);
        std::copy(from.begin(), from.end(), reinterpret_cast<Vertex*>(to.data()));
        return to;
    };
    auto column_indices = padded(columns), reverse_indices = padded(reverse_columns);
    auto sources = in.array<Vertex>("sources");
    const Vertex n = static_cast<Vertex>(offsets.size() - 1);
    std::vector<uint4> distance((n + 3) / 4, uint4{7, 7, 7, 7}), predecessor(with_predecessors ? (n + 3) / 4 : 0, uint4{7, 7, 7, 7});
    const unsigned places = in.count("places");
    std::vector<Vertex> queue(in.count("bucket") > 0 ? n : places, 12345);
    std::vector<Offset> prefix(places, 12345);
    const unsigned fours = (words_of(n) + 3) / 4;
    std::vector<uint4> reached(fours, uint4{5, 5, 5, 5}), reached_too(fours, uint4{5, 5, 5, 5});
    std::vector<TraceRow> rows(traced ? in.count("rows") : 1);
    std::vector<Control<Offset>> control(1);
    const unsigned direction = in.count("direction"), iterations = in.count("iterations");
    const auto ints = [](std::vector<uint4>& values) { return reinterpret_cast<int*>(data(values)); };
    const auto words = [](std::vector<uint4>& values) { return reinterpret_cast<unsigned*>(data(values)); };
    BalanceInput memory(in);
    unsigned launches = 0, level = ~0u;
    do {
        // One a level at most, one more behind child grids; the last level may be empty.
        if (launches > n + 2) emulate::fail("no end after %u launches", launches);
        control[0].arrived = 0;
        emulate::launch(in.count("blocks"), threads, in.count("cluster"), 0, in.seed(), bfs<Offset, Balance, with_predecessors, traced, threads>,
                        n, offsets.back(), offsets.data(), words(column_indices), reverse_offsets.data(), words(reverse_indices),
                        in.count("symmetric"), sources.size() == 1 ? nullptr : data(sources), sources[0], static_cast<unsigned>(sources.size()), direction,
                        static_cast<float>(in.number("alpha")), static_cast<float>(n / in.number("beta")), in.count("depth_limit"),
                        in.count("block_items"), in.count("patience"), iterations, launches > 0, ints(distance), ints(predecessor), data(queue),
                        data(prefix), places, words(reached), words(reached_too), control.data(), rows.data(),
                        static_cast<unsigned>(rows.size()), memory.prepared(), memory.workspace());
        ++launches;
        // Behind a level with child grids comes one more launch.
        const bool at_end = launches_children<Balance> ? control[0].progress.level == level : control[0].progress.level >= in.count("depth_limit");
        if (control[0].progress.size == 0 || at_end || in.count("bucket") > 0) break;
        level = control[0].progress.level;
    } while (true);
    out.array("handed_over", std::vector<unsigned>{control[0].progress.size});
    if (in.count("bucket") > 0) {
        std::vector<HopControl> own(1);
        emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(), bfs_drift<Offset, traced, threads>, n, offsets.data(),
                        words(column_indices), reverse_offsets.data(), words(reverse_indices), in.count("bucket"), words(distance),
                        ints(predecessor), data(queue), words(reached), words(reached_too), control.data(), own.data(), rows.data(),
                        static_cast<unsigned>(rows.size()));
    }
    const auto give = [&](const char* name, std::vector<uint4>& values) {
        const int* const first = ints(values);
        out.array(name, std::vector<int>(first, first + (values.empty() ? 0 : n)));
    };
    give("distance", distance);
    if constexpr (with_predecessors) give("predecessor", predecessor);
    out.array("launches", std::vector<unsigned>{launches});
    out.array("level", std::vector<unsigned>{control[0].progress.level});
    if constexpr (traced) {
        std::vector<Count> trace;
        for (const auto& row : rows)
            trace.insert(trace.end(), {row.vertices, row.arcs, row.nanoseconds, row.way, row.mode, row.balance});
        out.array("trace", trace);
    }
}

}  // namespace

#define SEARCHES(name, ...)                                                                              \
    EMULATOR_TEST(name) { search<unsigned, __VA_ARGS__, true, true>(in, out); }                          \
    EMULATOR_TEST(name##_distances) { search<unsigned, __VA_ARGS__, false, false>(in, out); }
SEARCHES(thread_mapped, ThreadMapped)
SEARCHES(virtual_warp, VirtualWarp<8, 0, 0>)
SEARCHES(local_warp_search, LocalWarpSearch)
SEARCHES(two_phase_search, TwoPhaseSearch<4>)
SEARCHES(merge_path, MergePath<Coupling::hybrid, 10>)
SEARCHES(direct_search, DirectSearch)
SEARCHES(dynamic_virtual_warp, DynamicVirtualWarp<4>)
SEARCHES(child_grids, DynamicVirtualWarp<4, 8>)
SEARCHES(multi_phase_search, MultiPhaseSearch<4, 2, Access::coalesced>)
SEARCHES(cta_warp_scan, CtaWarpScan<512, 32>)
SEARCHES(block_search, BlockSearch<4>)
SEARCHES(workload_decomposition, WorkloadDecomposition<0>)
SEARCHES(edge_parallel, EdgeParallel<Chunking::on>)
SEARCHES(node_splitting, NodeSplitting)
SEARCHES(hierarchical, Hierarchical<1024>)
SEARCHES(auto, Auto<Degrees::any, 4>)
SEARCHES(auto_alike, Auto<Degrees::alike, 4>)
SEARCHES(eight_shares, TwoPhaseSearch<4, 8>)
EMULATOR_TEST(wide_offsets) { search<unsigned long long, TwoPhaseSearch<4>, true, true>(in, out); }

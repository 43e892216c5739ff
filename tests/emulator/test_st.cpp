// Breadth-first search from two ends.

#include "balance_memory.h"
#include "st.cuh"

using namespace warpath;

namespace {

template <class Offset, class Balance>
void search(const emulate::Input& in, emulate::Output& out) {
    constexpr int threads = 64;
    auto offsets = in.array<Offset>("row_offsets"), reverse_offsets = in.array<Offset>("reverse_offsets");
    // Aligned as on the device, and exactly as long as a kernel may read.
    const auto padded = [](const std::vector<Vertex>& from) {
        std::vector<uint4> to((from.size() + 3) / 4);
        std::copy(from.begin(), from.end(), reinterpret_cast<Vertex*>(to.data()));
        return to;
    };
    auto columns = padded(in.array<Vertex>("column_indices")), reverse_columns = padded(in.array<Vertex>("reverse_indices"));
    const Vertex n = static_cast<Vertex>(offsets.size() - 1);
    std::vector<Vertex> queue(n, 12345), other_queue(n, 12345);
    std::vector<Offset> prefix(n, 12345), other_prefix(n, 12345);
    std::vector<unsigned> colours(colour_words(n), 0x55555555);
    std::vector<int> parent(n, 12345);
    std::vector<TraceRow> rows(in.count("rows"));
    std::vector<TwoEndedControl<Offset>> control(1);
    const auto words = [](std::vector<uint4>& values) { return reinterpret_cast<Vertex*>(values.data()); };
    const auto& progress = control[0].progress;
    BalanceInput memory(in), reverse_memory(in, "reverse_prepared");
    unsigned launches = 0;
    do {
        control[0].arrived = 0;
        emulate::launch(in.count("blocks"), threads, in.count("cluster"), 0, in.seed(), st<Offset, Balance, threads>, n,
                        offsets.back(), offsets.data(), words(columns), reverse_offsets.data(), words(reverse_columns),
                        in.count("source"), in.count("target"), in.count("wants_path"), in.count("narrow_items"),
                        in.count("iterations"), launches > 0, queue.data(), prefix.data(), other_queue.data(),
                        other_prefix.data(), colours.data(), parent.data(), control.data(), rows.data(),
                        static_cast<unsigned>(rows.size()), memory.prepared(), reverse_memory.prepared(), memory.workspace());
        ++launches;
    } while (progress.size > 0);
    out.array("answer", std::vector<int>{static_cast<int>(progress.level), static_cast<int>(progress.tail),
                                         static_cast<int>(progress.head), static_cast<int>(progress.tail_depth)});
    out.array("launches", std::vector<unsigned>{launches});
    out.array("queue", queue);
    std::vector<Count> trace;
    for (unsigned i = 0; i < std::min<std::size_t>(progress.level, rows.size()); ++i)
        trace.insert(trace.end(), {rows[i].vertices, rows[i].arcs, rows[i].way, rows[i].mode, rows[i].balance});
    out.array("trace", trace);
}

}  // namespace

// One of each kind: warps by themselves, with shared memory, with barriers of the block and of the grid,
// with what is prepared of a graph. All run on a device (tests/cuda/test_st_gpu.py).
#define SEARCH(name, ...) \
    EMULATOR_TEST(name) { search<unsigned, __VA_ARGS__>(in, out); }
SEARCH(thread_mapped, ThreadMapped)
SEARCH(two_phase_search, TwoPhaseSearch<4>)
SEARCH(merge_path, MergePath<Coupling::hybrid, 10>)
SEARCH(cta_warp_scan, CtaWarpScan<512, 32>)
SEARCH(block_search, BlockSearch<4>)
SEARCH(workload_decomposition, WorkloadDecomposition<0>)
SEARCH(node_splitting, NodeSplitting)
SEARCH(hierarchical, Hierarchical<1024>)
EMULATOR_TEST(wide_offsets) { search<unsigned long long, TwoPhaseSearch<4>>(in, out); }

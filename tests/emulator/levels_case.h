// Breadth-first search with the frontiers of the papers; test_levels.py writes the cases: policies ×
// duplicates × balances.
#pragma once

#include "balance_memory.h"
#include "bfs_levels.cuh"

using namespace warpath;

namespace {

template <class Offset, class Policy, class Balance, bool with_predecessors, bool traced>
void search(const emulate::Input& in, emulate::Output& out) {
    constexpr int threads = 64;
    auto offsets = in.array<Offset>("row_offsets");
    auto columns = in.array<Vertex>("column_indices");
    auto sources = in.array<Vertex>("sources");
    // Aligned as on the device, and exactly as long as a kernel may read.
    std::vector<uint4> column_indices((columns.size() + 3) / 4);
    std::copy(columns.begin(), columns.end(), reinterpret_cast<Vertex*>(column_indices.data()));
    const Vertex n = static_cast<Vertex>(offsets.size() - 1);
    const unsigned blocks = in.count("blocks"), places = in.count("places");
    std::vector<int> distance(n, 7), predecessor(with_predecessors ? n : 0, 7);
    std::vector<Vertex> queue(places, 12345), other_queue(places, 12345);
    std::vector<Offset> prefix(places, 12345), other_prefix(places, 12345);
    std::vector<Count> status(n, 12345);  // the most that a way to drop duplicates needs
    std::vector<unsigned> stamp(n, 12345), table(n, 12345);
    const unsigned edge_places = in.count("edge_places");
    std::vector<Vertex> edge_targets(edge_places, 12345), edge_sources(with_predecessors ? edge_places : 0, 12345);
    std::vector<TraceRow> rows(traced ? in.count("rows") : 1);
    std::vector<LevelControl<Offset>> control(1);
    BalanceInput memory(in);
    unsigned launches = 0;
    do {
        control[0].arrived = 0;
        emulate::launch(blocks, threads, 1, 0, in.seed(), bfs_levels<Offset, Policy, Balance, with_predecessors, traced, threads>,
                        n, offsets.data(), reinterpret_cast<Vertex*>(column_indices.data()),
                        sources.size() == 1 ? nullptr : sources.data(), sources[0], static_cast<unsigned>(sources.size()),
                        in.count("depth_limit"), in.count("narrow_items"), in.count("iterations"), launches > 0, distance.data(), predecessor.data(),
                        queue.data(), prefix.data(), other_queue.data(), other_prefix.data(), status.data(), stamp.data(),
                        table.data(), edge_targets.data(), edge_sources.data(), Count{edge_places}, control.data(), rows.data(),
                        static_cast<unsigned>(rows.size()), memory.prepared(), memory.workspace());
        ++launches;
    } while (control[0].progress.size > 0 && control[0].progress.level < in.count("depth_limit"));
    out.array("distance", distance);
    if constexpr (with_predecessors) out.array("predecessor", predecessor);
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

#define LEVELS(name, ...) EMULATOR_TEST(name) { search<__VA_ARGS__>(in, out); }

// A search for shortest paths: arrays in, launches to the end, arrays out.
#pragma once

#include "marking.cuh"
#include "sssp.cuh"

#include "balance_memory.h"

using namespace warpath;

template <class T>
T* data(std::vector<T>& values) { return values.empty() ? nullptr : values.data(); }

template <class Offset, class Method, class Balance, bool with_drift = false>
void search(const emulate::Input& in, emulate::Output& out) {
    using Weight = typename Method::Weight;
    using Distance = typename Method::Distance;
    constexpr bool with_parents = Method::with_parents;
    constexpr int threads = 64;
    auto offsets = in.array<Offset>("row_offsets");
    auto columns = in.array<Vertex>("column_indices"), sources = in.array<Vertex>("sources");
    auto weights = in.array<Weight>("weights");
    // Aligned as on the device, and exactly as long as a kernel may read.
    std::vector<uint4> column_indices((columns.size() + 3) / 4);
    std::copy(columns.begin(), columns.end(), reinterpret_cast<Vertex*>(data(column_indices)));
    const Vertex n = static_cast<Vertex>(offsets.size() - 1);
    std::vector<Distance> distance(n, 77);
    std::vector<int> parents(with_parents ? n : 0, 77);
    // What may be crowded has room for a batch of each warp.
    const size_t places = Method::Limit::limits ? 2 * n + in.count("blocks") * (threads / warp_lanes) * 64 : n;
    std::vector<Vertex> queue(places, 12345), other_queue(places, 12345);
    std::vector<Offset> prefix(places, 12345), other_prefix(places, 12345);
    std::vector<uint4> stamp((n * 2 * sizeof(Distance) + 15) / 16, uint4{5, 5, 5, 5});
    std::vector<unsigned> far(words_of(n), 5);
    std::vector<Vertex> piles(Method::compacts ? n : Method::has_list ? 2 * n + (Method::has_buckets ? bucket_counters : 0) : 0, 12345);
    std::vector<TraceRow> rows(in.count("rows"));
    std::vector<RelaxControl<Offset, Distance>> control(1);
    auto* columns_of_graph = reinterpret_cast<const Vertex*>(data(column_indices));
    const auto sweep_arcs = [&](auto kernel, auto... arguments) {
        emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(), kernel, n, offsets.back(), offsets.data(), arguments...);
    };
    std::vector<uint4> marked(column_indices.size());
    unsigned may_be_parallel = 0;
    if constexpr (has_classes<Method>) {
        std::vector<unsigned> in_degree(n), idle_loops(n);
        auto* const marks = reinterpret_cast<Vertex*>(data(marked));
        sweep_arcs(count_arcs<Offset, Weight, threads>, columns_of_graph, data(weights), data(in_degree), data(idle_loops));
        sweep_arcs(mark_arcs<Offset, Weight, threads>, columns_of_graph, data(weights), data(in_degree), data(idle_loops),
                   in.count("directed"), marks, &may_be_parallel);
        columns_of_graph = marks;
        out.array("marked", std::vector<Vertex>(marks, marks + columns.size()));
        out.array("may_be_parallel", std::vector<unsigned>{may_be_parallel});
    }
    const bool source_edges = has_classes<Method> && sources.size() == 1 && may_be_parallel == 0;
    // As warpath/cuda/sssp.py has it.
    const auto is_packed = [](const auto& space) { return requires { Method::words(space); }; };
    auto* const bits = is_packed(RelaxSpace<Offset, Distance>{}) ? reinterpret_cast<unsigned*>(data(distance)) : data(far);
    const auto delta = in.array<Distance>("delta").at(0), most_delta = in.array<Distance>("most_delta").at(0), cutoff = in.array<Distance>("cutoff").at(0);
    BalanceInput memory(in);
    unsigned launches = 0;
    do {
        control[0].arrived = 0;
        emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(),
                        sssp<Offset, Method, Balance, with_drift, true, threads>, n, offsets.data(), columns_of_graph, data(weights), sources.size() == 1 ? nullptr : data(sources), sources[0],
                        static_cast<unsigned>(sources.size()), delta, most_delta, cutoff, in.count("target"), in.count("finishes"),
                        in.count("iterations"), launches > 0, source_edges, data(distance), data(parents), data(queue), data(prefix),
                        data(other_queue), data(other_prefix), reinterpret_cast<unsigned*>(data(stamp)), bits, data(piles), control.data(), rows.data(),
                        static_cast<unsigned>(rows.size()), memory.prepared(), memory.workspace());
        ++launches;
    } while (control[0].progress.size > 0 && launches < in.count("launches"));
    if constexpr (has_classes<Method>)
        sweep_arcs(settle_arcs<Offset, Weight, Distance, threads>, columns_of_graph, data(weights), data(distance));
    out.array("distance", distance);
    out.array("lowered", std::vector<Count>{control[0].lowered});
    out.array("skipped", std::vector<Count>{control[0].skipped});
    if constexpr (with_parents) out.array("parents", parents);
    out.array("launches", std::vector<unsigned>{launches});
    out.array("level", std::vector<unsigned>{control[0].progress.level});
    out.array("splits", std::vector<unsigned>{control[0].progress.splits});
    out.array("size", std::vector<unsigned>{control[0].progress.size});
    std::vector<Count> trace;
    for (const auto& row : rows)
        trace.insert(trace.end(), {row.vertices, row.arcs, row.nanoseconds, row.way, row.mode, row.balance});
    out.array("trace", trace);
}

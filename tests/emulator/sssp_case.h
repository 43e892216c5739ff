// A search for shortest paths: arrays in, launches to the end, arrays out.
#pragma once

#include "sssp.cuh"

using namespace warpath;

template <class T>
T* data(std::vector<T>& values) { return values.empty() ? nullptr : values.data(); }

template <class Offset, class Method, class Balance, bool with_narrow = false>
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
    std::vector<Vertex> queue(n, 12345), other_queue(n, 12345);
    std::vector<Offset> prefix(n, 12345), other_prefix(n, 12345);
    std::vector<unsigned> stamp(2 * n, 5), far(words_of(n), 5);
    std::vector<Vertex> piles(Method::has_list ? 2 * n : 0, 12345);
    std::vector<TraceRow> rows(in.count("rows"));
    std::vector<RelaxControl<Offset, Distance>> control(1);
    const auto delta = in.array<Distance>("delta").at(0), cutoff = in.array<Distance>("cutoff").at(0);
    unsigned launches = 0;
    do {
        control[0].arrived = 0;
        emulate::launch(in.count("blocks"), threads, in.count("cluster"), 0, in.seed(),
                        sssp<Offset, Method, Balance, with_narrow, true, threads>, n, offsets.data(), reinterpret_cast<const Vertex*>(data(column_indices)),
                        data(weights), sources.size() == 1 ? nullptr : data(sources), sources[0],
                        static_cast<unsigned>(sources.size()), delta, cutoff, in.count("target"), in.count("finishes"),
                        in.count("narrow_items"),
                        in.count("iterations"), launches > 0, data(distance), data(parents), data(queue), data(prefix),
                        data(other_queue), data(other_prefix), data(stamp), data(far), data(piles), control.data(), rows.data(),
                        static_cast<unsigned>(rows.size()));
        ++launches;
    } while (control[0].progress.size > 0 && launches < in.count("launches"));
    out.array("distance", distance);
    if constexpr (with_parents) out.array("parents", parents);
    out.array("launches", std::vector<unsigned>{launches});
    out.array("level", std::vector<unsigned>{control[0].progress.level});
    out.array("size", std::vector<unsigned>{control[0].progress.size});
    std::vector<Count> trace;
    for (const auto& row : rows)
        trace.insert(trace.end(), {row.vertices, row.arcs, row.nanoseconds, row.way, row.mode, row.balance});
    out.array("trace", trace);
}

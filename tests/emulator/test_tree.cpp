// Predecessors from final distances, and cycles of predecessors.

#include "parent_cycle.cuh"
#include "tree.cuh"

using namespace warpath;

namespace {

constexpr int threads = 64;

template <class T>
T* data(std::vector<T>& values) { return values.empty() ? nullptr : values.data(); }

// The sweep, the count of roots, and the search that it decides on; with "search_only", that alone. With
// "signed", the sweep without an order, and the look for a circle.
template <class Offset, class Weight, class Distance>
void tree(const emulate::Input& in, emulate::Output& out) {
    auto offsets = in.array<Offset>("row_offsets");
    const auto packed = in.array<Vertex>("column_indices");
    std::vector<uint4> aligned_columns((packed.size() + 3) / 4);  // as long as a kernel may read
    Vertex* const columns = reinterpret_cast<Vertex*>(aligned_columns.data());
    std::copy(packed.begin(), packed.end(), columns);
    auto weights = in.array<Weight>("weights");
    auto distance = in.array<Distance>("distance");
    auto sources = in.array<Vertex>("sources");
    const Vertex n = static_cast<Vertex>(distance.size());
    const bool search_only = in.count("search_only") != 0;
    std::vector<uint4> aligned((n + 3) / 4, uint4{~0u, ~0u, ~0u, ~0u});
    int* const predecessor = reinterpret_cast<int*>(aligned.data());
    const auto give = [&](const char* name) { out.array(name, std::vector<int>(predecessor, predecessor + n)); };
    std::vector<unsigned> roots(1);
    std::vector<CycleControl> circle(1);
    unsigned* found = roots.data();
    unsigned expected = static_cast<unsigned>(sources.size());
    const unsigned blocks = in.count("blocks");
    if (search_only) {
        found = nullptr;
    } else if (in.count("signed") != 0) {
        emulate::launch(blocks, threads, 1, 0, in.seed(), tight_sweep<Offset, Weight, Distance, false, false, threads>, n,
                        offsets.back(), offsets.data(), columns, data(weights), distance.data(), predecessor);
        for (const Vertex s : sources)
            if (distance[s] == 0) predecessor[s] = -1;
        give("swept");
        std::vector<int> pointer(n, 12345);
        emulate::launch(blocks, threads, 1, 0, in.seed(), parent_cycle<threads>, n, predecessor, pointer.data(), circle.data());
        found = &circle[0].on_a_cycle;
        expected = 0;
    } else {
        const auto kernel = in.count("pull") != 0 ? tight_sweep<Offset, Weight, Distance, true, true, threads>
                                                  : tight_sweep<Offset, Weight, Distance, false, true, threads>;
        emulate::launch(blocks, threads, 1, 0, in.seed(), kernel, n, offsets.back(), offsets.data(), columns,
                        data(weights), distance.data(), predecessor);
        give("swept");
        emulate::launch(blocks, threads, 1, 0, in.seed(), count_roots<Distance, threads>, n, distance.data(),
                        predecessor, roots.data());
        out.array("roots", roots);
    }
    std::vector<Vertex> queue(n, 12345);
    std::vector<Offset> prefix(n, 12345);
    std::vector<uint4> reached((words_of(n) + 3) / 4, uint4{5, 5, 5, 5});
    std::vector<Control<Offset>> control(1);
    emulate::launch(blocks, threads, in.count("cluster"), 0, in.seed(), tight_search<Offset, Weight, Distance, threads>,
                    n, offsets.back(), offsets.data(), columns, data(weights), distance.data(), predecessor,
                    found, expected, sources.size() == 1 ? nullptr : data(sources), sources[0],
                    static_cast<unsigned>(sources.size()), in.count("narrow_items"), queue.data(), prefix.data(),
                    reinterpret_cast<unsigned*>(reached.data()), control.data());
    give("predecessor");
    out.array("searched", std::vector<unsigned>{control[0].arrived});
}

// Counts visits of each arc, and writes down who its owner was.
template <class Offset>
struct Counting {
    static constexpr bool needs_owner = true;

    unsigned* visits;
    Vertex* owner_of;

    template <int arcs>
    __device__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        __syncwarp();  // all lanes are here
        for (int j = 0; j < arcs; ++j) {
            if (!(active >> j & 1u)) continue;
            atomicAdd(visits + arc[j], 1u);
            owner_of[arc[j]] = owner[j];
        }
    }
};

template <class Offset>
__global__ void count(Csr<Offset> graph, Offset arcs, Counting<Offset> counting) {
    sweep<4>(graph, arcs, grid_warps(), counting);
}

template <class Offset>
void visits(const emulate::Input& in, emulate::Output& out) {
    const auto offsets = in.array<Offset>("row_offsets");
    std::vector<unsigned> visits(offsets.back());
    std::vector<Vertex> owner(offsets.back(), 12345);
    emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(), count<Offset>,
                    Csr<Offset>{static_cast<Vertex>(offsets.size() - 1), offsets.data(), nullptr}, offsets.back(),
                    Counting<Offset>{data(visits), data(owner)});
    out.array("visits", visits);
    out.array("owner", owner);
}

}  // namespace

EMULATOR_TEST(tree_int32) { tree<unsigned, int, int>(in, out); }
EMULATOR_TEST(tree_int64) { tree<unsigned, int, long long>(in, out); }
EMULATOR_TEST(tree_float32) { tree<unsigned, float, float>(in, out); }
EMULATOR_TEST(tree_wide) { tree<unsigned long long, double, double>(in, out); }
EMULATOR_TEST(minimax_int32) { tree<unsigned, Largest<int>, int>(in, out); }
EMULATOR_TEST(widest_int64) { tree<unsigned, Least<int>, long long>(in, out); }
EMULATOR_TEST(widest_float32) { tree<unsigned, Least<float>, float>(in, out); }
EMULATOR_TEST(most_reliable_float64) { tree<unsigned long long, Product<double>, double>(in, out); }
EMULATOR_TEST(visits) { visits<unsigned>(in, out); }
EMULATOR_TEST(visits_wide) { visits<unsigned long long>(in, out); }

// Predecessors whose offers hold; with "packed", distances are every second of as many words.
template <class Offset, class Weight, class Distance>
void kept(const emulate::Input& in, emulate::Output& out) {
    const auto offsets = in.array<Offset>("row_offsets");
    const auto columns = in.array<Vertex>("column_indices");
    const auto weights = in.array<Weight>("weights");
    const auto distance = in.array<Distance>("distance");
    const auto predecessor = in.array<int>("predecessor");
    const unsigned stride = 1 + in.count("packed");
    std::vector<Key<Distance>> keys(distance.size() * stride, 7);
    for (size_t v = 0; v < distance.size(); ++v) keys[v * stride] = key_of(distance[v]);
    std::vector<int> kept(predecessor.size(), -1);
    emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(), keep_offers<Offset, Weight, Distance, threads>,
                    static_cast<Vertex>(predecessor.size()), offsets.back(), offsets.data(), columns.data(), weights.data(),
                    keys.data(), stride, predecessor.data(), kept.data());
    out.array("kept", kept);
}
EMULATOR_TEST(kept_int32) { kept<unsigned, int, int>(in, out); }
EMULATOR_TEST(kept_float64) { kept<unsigned long long, double, double>(in, out); }

void cycle(const emulate::Input& in, emulate::Output& out) {
    const auto predecessor = in.array<int>("predecessor");
    std::vector<int> pointer(predecessor.size(), 12345);
    std::vector<CycleControl> control(1);
    emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(), parent_cycle<threads>,
                    static_cast<Vertex>(predecessor.size()), predecessor.data(), pointer.data(), control.data());
    out.array("pointer", pointer);
    out.array("on_a_cycle", std::vector<unsigned>{control[0].on_a_cycle});
}
EMULATOR_TEST(parent_cycle) { cycle(in, out); }

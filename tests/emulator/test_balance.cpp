// Balances and the queue that they read: each arc of the frontier exactly once.

#include "balance/all.cuh"
#include "frontier/queue.cuh"

#include "balance_memory.h"

using namespace warpath;

namespace {

constexpr unsigned max_threads = 128, max_warps = max_threads / warp_lanes;

// Queue these vertices, all but those without arcs.
template <class Offset>
__global__ void enqueue(const Vertex* vertices, unsigned count, const Offset* row_offsets, Queue<Offset> queue) {
    __shared__ Vertex staging[max_warps][QueueWriter<Offset>::staging_size];
    QueueWriter<Offset> out(staging[warp_in_block()], row_offsets, queue);
    const Workers workers = grid_warps();
    for (unsigned first = workers.rank * warp_lanes; first < count; first += workers.count * warp_lanes) {
        const unsigned i = first + lane_id();
        for (unsigned half = 0; half < 2; ++half)  // so that what a lane brings, another one appends
            out.push(i < count ? vertices[i] : 0, i < count && i % 2 == half);
        out.flush();
    }
    out.finish();
}

// Counts visits of each arc, and writes down who its owner was.
template <class Offset, bool with_owner>
struct Counting {
    static constexpr bool needs_owner = with_owner;

    Offset first_arc;  // of the graph
    unsigned* visits;
    Vertex* owner_of;

    template <int arcs>
    __device__ void visit(const Vertex (&owner)[arcs], const Offset (&arc)[arcs], unsigned active) {
        __syncwarp();  // all lanes are here
        for (int j = 0; j < arcs; ++j) {
            if (!(active >> j & 1u)) continue;
            atomicAdd(visits + (arc[j] - first_arc), 1u);
            owner_of[arc[j] - first_arc] = owner[j];
        }
    }
};

template <class Offset, class Balance, bool with_owner>
__global__ void advance(Segments<Offset> frontier, const Offset* row_offsets, Counting<Offset, with_owner> counting,
                        BalanceMemory memory, Vertex max_vertices, unsigned* arrived, int* code) {
    constexpr unsigned scratch_bytes = Balance::template scratch_bytes<Offset>;
    __shared__ __align__(16) unsigned char scratch[max_warps][scratch_bytes > 0 ? scratch_bytes : 16];
    __shared__ unsigned barrier_target;
    GridBarrier grid(arrived, barrier_target);
    const Resources resources = memory.resources(scratch[warp_in_block()], max_vertices, grid);
    for (unsigned level = 0; level < 2; ++level) {  // twice, as what is left behind must not matter
        *code = Balance::advance(frontier, row_offsets, grid_warps(), resources, counting);
        grid.sync([] {});
    }
}

// One function for the kernels of all balances, which builds much sooner than one for each.
template <class Offset, bool with_owner>
void visits(const emulate::Input& in, emulate::Output& out,
            void (*advance)(Segments<Offset>, const Offset*, Counting<Offset, with_owner>, BalanceMemory, Vertex,
                            unsigned*, int*)) {
    const auto row_offsets = in.array<Offset>("row_offsets");
    const auto wanted = in.array<Vertex>("frontier");
    std::vector<Vertex> vertices(wanted.size(), 12345);
    std::vector<Offset> prefix(wanted.size(), 12345);
    std::vector<Count> tail(1);
    const unsigned blocks = in.count("blocks"), threads = in.count("threads");
    emulate::launch(blocks, threads, 1, 0, in.seed(), enqueue<Offset>, wanted.data(),
                    static_cast<unsigned>(wanted.size()), row_offsets.data(),
                    Queue<Offset>{vertices.data(), prefix.data(), tail.data()});
    vertices.resize(Tail<Offset>::vertices(tail[0]));
    prefix.resize(vertices.size());
    vertices.shrink_to_fit();  // so that reading beyond the queue is seen
    prefix.shrink_to_fit();
    const Offset arcs = row_offsets.back() - row_offsets.front();
    std::vector<unsigned> count(arcs);
    std::vector<Vertex> owner(arcs, 12345);
    std::vector<int> code(1);
    const unsigned size = static_cast<unsigned>(vertices.size());
    BalanceInput memory(in);
    unsigned arrived = 0;
    if (size > 0)
        emulate::launch(blocks, threads, 1, 0, in.seed(), advance,
                        Segments<Offset>{vertices.data(), prefix.data(), size, Tail<Offset>::arcs(tail[0])},
                        row_offsets.data(), Counting<Offset, with_owner>{row_offsets.front(), count.data(), owner.data()},
                        BalanceMemory{memory.prepared(), memory.workspace()}, static_cast<Vertex>(row_offsets.size() - 1),
                        &arrived, code.data());
    out.array("vertices", vertices);
    out.array("prefix", prefix);
    out.array("items", std::vector<Offset>{Tail<Offset>::arcs(tail[0])});
    out.array("visits", count);
    out.array("owner", owner);
    out.array("code", code);
}

}  // namespace

// `test_balance.py` appends a case for each technique and setting of its knobs.
#define VISITS(name, Offset, with_owner, ...) \
    EMULATOR_TEST(name) { visits<Offset, with_owner>(in, out, advance<Offset, __VA_ARGS__, with_owner>); }

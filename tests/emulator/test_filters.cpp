// Filters of duplicates: each thread of a block offers a vertex, twice.
#include "frontier/culling.cuh"
#include "frontier/hash_table.cuh"

using namespace warpath;

namespace {

constexpr int threads = 64;

template <class Duplicates>
__global__ void offer_twice(const Vertex* vertices, unsigned* passed) {
    __shared__ typename Duplicates::template Table<threads / warp_lanes> table;
    Duplicates::prepare(table);
    __syncthreads();
    const auto filter = Duplicates::filter(table);
    for (unsigned round = 0; round < 2; ++round) {
        const Vertex v = vertices[threadIdx.x];
        const unsigned ticket = filter.test(v, 0, true);
        __syncthreads();  // all have offered
        passed[round * threads + threadIdx.x] = filter.passes(v, 0, ticket);
        __syncthreads();  // all have asked
    }
}

template <class Duplicates>
void run(const emulate::Input& in, emulate::Output& out) {
    const auto vertices = in.array<Vertex>("vertices");
    std::vector<unsigned> passed(2 * threads, 7);
    emulate::launch(1, threads, 1, 0, in.seed(), offer_twice<Duplicates>, vertices.data(), passed.data());
    out.array("passed", passed);
}

}  // namespace

EMULATOR_TEST(hash) { run<HashTable>(in, out); }
EMULATOR_TEST(warp_culling) { run<WarpCulling>(in, out); }
EMULATOR_TEST(history_culling) { run<HistoryCulling>(in, out); }
EMULATOR_TEST(warp_and_history_culling) { run<WarpAndHistoryCulling>(in, out); }

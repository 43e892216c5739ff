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

// A case for each technique and setting of its knobs, named as it prints. A copy of some cases has
// them only with 32-bit offsets, which builds sooner.
#define VISITS(name, Offset, with_owner, ...) \
    EMULATOR_TEST(name) { visits<Offset, with_owner>(in, out, advance<Offset, __VA_ARGS__, with_owner>); }
#ifdef EMULATOR_ONLY
#define BALANCE(name, ...)                    \
    VISITS(name, unsigned, true, __VA_ARGS__) \
    VISITS(name##_without_owners, unsigned, false, __VA_ARGS__)
#else
#define BALANCE(name, ...)                                      \
    VISITS(name, unsigned, true, __VA_ARGS__)                   \
    VISITS(name##_without_owners, unsigned, false, __VA_ARGS__) \
    VISITS(name##_wide, unsigned long long, true, __VA_ARGS__)
#endif
BALANCE(thread_mapped_defer_outliers_0, ThreadMapped<0>)
BALANCE(thread_mapped_defer_outliers_64, ThreadMapped<64>)
BALANCE(virtual_warp_width_2_defer_outliers_0_dynamic_distribution_0_warp_workload_0, VirtualWarp<2, 0, 0, 0>)
BALANCE(virtual_warp_width_4_defer_outliers_0_dynamic_distribution_0_warp_workload_0, VirtualWarp<4, 0, 0, 0>)
BALANCE(virtual_warp_width_8_defer_outliers_0_dynamic_distribution_0_warp_workload_0, VirtualWarp<8, 0, 0, 0>)
BALANCE(virtual_warp_width_16_defer_outliers_0_dynamic_distribution_0_warp_workload_0, VirtualWarp<16, 0, 0, 0>)
BALANCE(virtual_warp_width_32_defer_outliers_0_dynamic_distribution_0_warp_workload_0, VirtualWarp<32, 0, 0, 0>)
BALANCE(virtual_warp_width_8_defer_outliers_64_dynamic_distribution_0_warp_workload_0, VirtualWarp<8, 64, 0, 0>)
BALANCE(virtual_warp_width_8_defer_outliers_0_dynamic_distribution_1_warp_workload_0, VirtualWarp<8, 0, 1, 0>)
BALANCE(virtual_warp_width_8_defer_outliers_0_dynamic_distribution_32_warp_workload_0, VirtualWarp<8, 0, 32, 0>)
BALANCE(virtual_warp_width_8_defer_outliers_0_dynamic_distribution_2048_warp_workload_0, VirtualWarp<8, 0, 2048, 0>)
BALANCE(virtual_warp_width_8_defer_outliers_0_dynamic_distribution_0_warp_workload_32, VirtualWarp<8, 0, 0, 32>)
BALANCE(virtual_warp_width_32_defer_outliers_256_dynamic_distribution_8_warp_workload_0, VirtualWarp<32, 256, 8, 0>)
BALANCE(local_warp_search, LocalWarpSearch)
BALANCE(two_phase_search_K_2_shares_1_partition_searched, TwoPhaseSearch<2, 1, Partition::searched>)
BALANCE(two_phase_search_K_2_shares_8_partition_searched, TwoPhaseSearch<2, 8, Partition::searched>)
BALANCE(two_phase_search_K_4_shares_1_partition_searched, TwoPhaseSearch<4, 1, Partition::searched>)
BALANCE(two_phase_search_K_4_shares_8_partition_searched, TwoPhaseSearch<4, 8, Partition::searched>)
BALANCE(two_phase_search_K_4_shares_1_partition_array, TwoPhaseSearch<4, 1, Partition::array>)
BALANCE(merge_path_coupling_global_f0_10, MergePath<Coupling::global, 10>)
BALANCE(merge_path_coupling_balanced_gathering_f0_10, MergePath<Coupling::balanced_gathering, 10>)
BALANCE(merge_path_coupling_balanced_redistribution_f0_10, MergePath<Coupling::balanced_redistribution, 10>)
BALANCE(merge_path_coupling_hybrid_f0_5, MergePath<Coupling::hybrid, 5>)
BALANCE(merge_path_coupling_hybrid_f0_10, MergePath<Coupling::hybrid, 10>)
BALANCE(merge_path_coupling_hybrid_f0_20, MergePath<Coupling::hybrid, 20>)
BALANCE(direct_search, DirectSearch)
BALANCE(dynamic_virtual_warp_minimum_2_dynamic_parallelism_0_edge_discover_0_warp_workload_0, DynamicVirtualWarp<2, 0, 0, 0>)
BALANCE(dynamic_virtual_warp_minimum_4_dynamic_parallelism_0_edge_discover_0_warp_workload_0, DynamicVirtualWarp<4, 0, 0, 0>)
BALANCE(dynamic_virtual_warp_minimum_8_dynamic_parallelism_0_edge_discover_0_warp_workload_0, DynamicVirtualWarp<8, 0, 0, 0>)
BALANCE(dynamic_virtual_warp_minimum_4_dynamic_parallelism_4096_edge_discover_0_warp_workload_0, DynamicVirtualWarp<4, 4096, 0, 0>)
BALANCE(dynamic_virtual_warp_minimum_4_dynamic_parallelism_0_edge_discover_1_warp_workload_0, DynamicVirtualWarp<4, 0, 1, 0>)
BALANCE(dynamic_virtual_warp_minimum_4_dynamic_parallelism_0_edge_discover_0_warp_workload_32, DynamicVirtualWarp<4, 0, 0, 32>)
BALANCE(multi_phase_search_K_2_searches_1_access_coalesced, MultiPhaseSearch<2, 1, Access::coalesced>)
BALANCE(multi_phase_search_K_2_searches_1_access_scattered, MultiPhaseSearch<2, 1, Access::scattered>)
BALANCE(multi_phase_search_K_2_searches_2_access_coalesced, MultiPhaseSearch<2, 2, Access::coalesced>)
BALANCE(multi_phase_search_K_2_searches_2_access_scattered, MultiPhaseSearch<2, 2, Access::scattered>)
BALANCE(multi_phase_search_K_4_searches_1_access_coalesced, MultiPhaseSearch<4, 1, Access::coalesced>)
BALANCE(multi_phase_search_K_4_searches_1_access_scattered, MultiPhaseSearch<4, 1, Access::scattered>)
BALANCE(multi_phase_search_K_4_searches_2_access_coalesced, MultiPhaseSearch<4, 2, Access::coalesced>)
BALANCE(multi_phase_search_K_4_searches_2_access_scattered, MultiPhaseSearch<4, 2, Access::scattered>)
BALANCE(cta_warp_scan_cta_128_warp_16_gather_listed, CtaWarpScan<128, 16, Gather::listed>)
BALANCE(cta_warp_scan_cta_128_warp_32_gather_listed, CtaWarpScan<128, 32, Gather::listed>)
BALANCE(cta_warp_scan_cta_128_warp_64_gather_listed, CtaWarpScan<128, 64, Gather::listed>)
BALANCE(cta_warp_scan_cta_512_warp_16_gather_listed, CtaWarpScan<512, 16, Gather::listed>)
BALANCE(cta_warp_scan_cta_512_warp_32_gather_listed, CtaWarpScan<512, 32, Gather::listed>)
BALANCE(cta_warp_scan_cta_512_warp_64_gather_listed, CtaWarpScan<512, 64, Gather::listed>)
BALANCE(cta_warp_scan_cta_2048_warp_16_gather_listed, CtaWarpScan<2048, 16, Gather::listed>)
BALANCE(cta_warp_scan_cta_2048_warp_32_gather_listed, CtaWarpScan<2048, 32, Gather::listed>)
BALANCE(cta_warp_scan_cta_2048_warp_64_gather_listed, CtaWarpScan<2048, 64, Gather::listed>)
BALANCE(cta_warp_scan_cta_512_warp_32_gather_contest, CtaWarpScan<512, 32, Gather::contest>)
BALANCE(cta_warp_scan_cta_128_warp_16_gather_contest, CtaWarpScan<128, 16, Gather::contest>)
BALANCE(block_search_chunk_1_slots_interleaved, BlockSearch<1, Slots::interleaved>)
BALANCE(block_search_chunk_2_slots_interleaved, BlockSearch<2, Slots::interleaved>)
BALANCE(block_search_chunk_4_slots_interleaved, BlockSearch<4, Slots::interleaved>)
BALANCE(block_search_chunk_4_slots_contiguous, BlockSearch<4, Slots::contiguous>)
BALANCE(workload_decomposition_edges_0_share_interleaved, WorkloadDecomposition<0, Share::interleaved>)
BALANCE(workload_decomposition_edges_4_share_interleaved, WorkloadDecomposition<4, Share::interleaved>)
BALANCE(workload_decomposition_edges_8_share_interleaved, WorkloadDecomposition<8, Share::interleaved>)
BALANCE(workload_decomposition_edges_16_share_interleaved, WorkloadDecomposition<16, Share::interleaved>)
BALANCE(workload_decomposition_edges_0_share_contiguous, WorkloadDecomposition<0, Share::contiguous>)
BALANCE(edge_parallel_chunking_on, EdgeParallel<Chunking::on>)
BALANCE(edge_parallel_chunking_off, EdgeParallel<Chunking::off>)
BALANCE(node_splitting_MDT_0_bins_10, NodeSplitting)
BALANCE(node_splitting_MDT_0_bins_100, NodeSplitting)
BALANCE(node_splitting_MDT_0_bins_1000, NodeSplitting)
BALANCE(node_splitting_MDT_4_bins_1000, NodeSplitting)
BALANCE(node_splitting_MDT_16_bins_1000, NodeSplitting)
BALANCE(node_splitting_MDT_64_bins_1000, NodeSplitting)
BALANCE(node_splitting_MDT_256_bins_1000, NodeSplitting)
BALANCE(hierarchical_MDT_0_bins_10_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_0_bins_100_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_0_bins_1000_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_4_bins_100_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_16_bins_100_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_64_bins_100_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_256_bins_100_switch_1024, Hierarchical<1024>)
BALANCE(hierarchical_MDT_4_bins_100_switch_0, Hierarchical<0>)
BALANCE(hierarchical_MDT_4_bins_100_switch_256, Hierarchical<256>)
BALANCE(auto_degrees_skewed, Auto<Degrees::skewed, 4>)
BALANCE(auto_degrees_regular, Auto<Degrees::regular, 4>)

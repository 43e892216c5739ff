// Runs the kernels of kernels/shim.cuh.

#include "shim.cuh"

using emulate::launch;

EMULATOR_TEST(block_sum) {
    const auto values = in.array<int>("values");
    std::vector<int> sums(in.count("blocks"));
    launch(in.count("blocks"), 256, 1, 0, in.seed(), block_sum<256>, values.data(),
           static_cast<int>(values.size()), sums.data());
    out.array("sums", sums);
}

EMULATOR_TEST(scan) {
    const auto values = in.array<int>("values");
    std::vector<int> by_warp(values.size()), by_eight(values.size());
    const auto blocks = static_cast<unsigned>(values.size()) / 128;
    launch(blocks, 128, 1, 0, in.seed(), scan<32>, values.data(), by_warp.data());
    launch(blocks, 128, 1, 0, in.seed(), scan<8>, values.data(), by_eight.data());
    out.array("by_warp", by_warp);
    out.array("by_eight", by_eight);
}

EMULATOR_TEST(filter) {
    const auto values = in.array<int>("values");
    std::vector<int> queue(values.size());
    std::vector<unsigned long long> size(1);
    launch(static_cast<unsigned>(values.size()) / 96 + 1, 96, 1, 0, in.seed(), filter, values.data(),
           static_cast<int>(values.size()), queue.data(), size.data());
    queue.resize(size[0]);
    out.array("queue", queue);
}

EMULATOR_TEST(ring_bfs) {
    const int n = static_cast<int>(in.integer("n"));
    std::vector<int> level(static_cast<std::size_t>(n), -1), queues(2 * level.size());
    std::vector<unsigned> counters = {1, 0, 0};
    std::vector<Barrier> barrier(1);
    level[0] = 0;
    launch(in.count("blocks"), in.count("threads"), 1, 0, in.seed(), ring_bfs, n, level.data(),
           queues.data(), counters.data(), barrier.data());
    out.array("level", level);
}

EMULATOR_TEST(pass_around) {
    std::vector<int> held(2 * in.count("blocks"));
    launch(in.count("blocks"), 64, in.count("cluster"), sizeof(int), in.seed(), pass_around,
           static_cast<int>(in.integer("rounds")), held.data());
    out.array("held", held);
}

EMULATOR_TEST(collectives) {
    std::vector<int> columns(18 * 32);
    launch(1, 32, 1, 0, in.seed(), collectives, columns.data(), 32);
    out.array("columns", columns);
}

EMULATOR_TEST(atomics) {
    std::vector<int> ints = {0, 0, 0, 0, -1, 0};
    std::vector<unsigned long long> longs(2);
    std::vector<float> floats(1);
    std::vector<double> doubles(1);
    launch(4, 100, 1, 0, in.seed(), atomics, ints.data(), longs.data(), floats.data(), doubles.data());
    out.array("ints", ints);
    out.array("longs", longs);
    out.array("floats", floats);
    out.array("doubles", doubles);
}

EMULATOR_TEST(lost_update) {
    std::vector<int> counter(1);
    launch(2, 64, 1, 0, in.seed(), lost_update, counter.data());
    out.array("counter", counter);
}

// The threads of a grid in the order in which they first ran, interrupted or not.
EMULATOR_TEST(order) {
    std::vector<int> order(256), size(1);
    launch(4, 64, 1, 0, in.seed(), +[](int* order, int* size) {
        order[atomicAdd(size, 1)] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    }, order.data(), size.data());
    out.array("order", order);
}

// What shared memory holds before anybody has written to it.
EMULATOR_TEST(uninitialised) {
    std::vector<int> value(1);
    launch(1, 1, 1, 0, in.seed(), +[](int* value) {
        __shared__ int shared;
        if (*value) shared = *value;
        *value = shared;
    }, value.data());
    out.array("value", value);
}

EMULATOR_TEST(shapes) {
    std::vector<int> seen(2 * 3 * 2 * 4 * 2 * 5);
    launch({2, 3, 2}, {4, 2, 5}, 2, 0, in.seed(), +[](int* seen) {
        const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        seen[block * 40 + thread] += 1 + static_cast<int>(warpath::cluster_rank() == blockIdx.x);
    }, seen.data());
    out.array("seen", seen);
}

#define WRONG(kernel, blocks, threads, cluster, ...)                                  \
    EMULATOR_TEST(kernel) {                                                           \
        std::vector<int> result(threads);                                             \
        launch(blocks, threads, cluster, 0, in.seed(), kernel, result.data() __VA_OPT__(,) __VA_ARGS__); \
    }
WRONG(missing_lane, 1, 64, 1)
WRONG(mismatched_mask, 1, 32, 1)
WRONG(different_operations, 1, 32, 1)
WRONG(not_in_mask, 1, 32, 1)
WRONG(thread_leaves_before_barrier, 1, 64, 1)
WRONG(divergent_barrier, 1, 64, 1)
WRONG(endless_loop, 2, 32, 1)
WRONG(cluster_misses_one, 4, 64, 2)
WRONG(reads_after_exit, 2, 32, 2)
WRONG(writes_behind_global, 1, 32, 1, static_cast<int>(in.integer("where")))
WRONG(overflows, 1, 32, 1, static_cast<int>(in.integer("value")))
WRONG(misaligned, 1, 32, 1)
WRONG(uses_up_stack, 1, 32, 1, 1000)

EMULATOR_TEST(missing_block) {
    std::vector<Barrier> barrier(1);
    launch(3, 64, 1, 0, in.seed(), missing_block, barrier.data());
}
EMULATOR_TEST(writes_behind_shared) {
    std::vector<int> result(64);
    launch(2, 64, 1, 0, in.seed(), writes_behind_shared<64>, result.data(), static_cast<int>(in.integer("where")));
}
EMULATOR_TEST(writes_behind_dynamic_shared) {
    std::vector<int> result(32);
    launch(2, 32, 1, 40, in.seed(), writes_behind_dynamic_shared, result.data(), static_cast<int>(in.integer("where")));
}

// Runs a grid on the host: each CUDA thread a fibre, each block an OS thread, one fibre at a time.
//
// The blocks pass a baton, so only one of them runs, and a seed decides every choice: which fibre
// is next, where it is interrupted, when another block goes on. The same seed is the same run.
#pragma once

#include <functional>
#include <source_location>
#include <tuple>
#include <utility>

#include "types.h"

namespace emulate {

using Site = std::source_location;

struct Launch {
    dim3 grid, block;
    unsigned cluster_size;
    std::size_t shared_bytes;
    std::uint64_t seed;
};
void run(const Launch&, void (*thread)(const void*), const void* kernel_and_arguments);

// Run `kernel(arguments...)` on a grid and return when all of its blocks, all resident at once,
// have. Seed 0 runs threads in order, each until it has to wait; any other is a random schedule.
// Clusters are `cluster_size` consecutive blocks along x.
template <class... Parameters, class... Arguments>
void launch(dim3 grid, dim3 block, unsigned cluster_size, std::size_t shared_bytes,
            std::uint64_t seed, void (*kernel)(Parameters...), Arguments&&... arguments) {
    using Call = std::pair<void (*)(Parameters...), std::tuple<Parameters...>>;
    const Call call{kernel, {std::forward<Arguments>(arguments)...}};
    run({grid, block, cluster_size, shared_bytes, seed},
        [](const void* call) {
            std::apply(static_cast<const Call*>(call)->first, static_cast<const Call*>(call)->second);
        },
        &call);
}

// A child grid, launched by a thread of the grid that runs now: it runs when that has ended, before the
// parent's `launch` returns. False, and none, if `max_waiting` wait already.
bool after_grid(unsigned max_waiting, std::function<void()>);
template <class... Parameters, class... Arguments>
bool launch_child(unsigned max_waiting, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), const Arguments&... arguments);

// Print what went wrong, with the seed, and end the process.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...);
std::uint64_t seed();  // of the launch

// Basic blocks until the running fibre is interrupted: the build has every one of them call the
// scheduler (-fsanitize-coverage=trace-pc).
extern std::int64_t budget;

// While one lives, there are no interrupts.
class Instant {
    std::int64_t saved = std::exchange(budget, std::int64_t{1} << 62);

public:
    Instant() = default;
    Instant(const Instant&) = delete;
    ~Instant() { budget = saved; }
};

template <class... Parameters, class... Arguments>
bool launch_child(unsigned max_waiting, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), const Arguments&... arguments) {
    const Instant instant;
    return after_grid(max_waiting, [=, seed = seed()] { launch(blocks, threads, 1, 0, seed, kernel, arguments...); });
}

// A memory operation that other threads may see: the scheduler may switch here.
void point();
// Whether an address may be given to an instruction for global memory: if it is of the block's shared memory, fail.
void check_global(const void* address);
// Something changed that a waiting thread may wait for; a long time without is a deadlock.
void progress();
// Counts up, at least by one a call: the time, as far as there is one.
unsigned long long now();

// The lanes of `mask` (those of the block) that meet at a warp collective, and what each brought.
struct Meeting {
    const char* operation;
    unsigned mask, expected, arrived, left;
    std::uint64_t value[32];
};
// Wait for all lanes of `mask`.
Meeting meet_warp(const char* operation, unsigned mask, std::uint64_t value, Site);
// Wait for all threads of the block; return for how many of them `predicate` was true.
int meet_block(const char* operation, bool predicate, Site);
unsigned lane();
void* dynamic_shared();

}  // namespace emulate

// What the project's kernels need beyond CUDA's own names; README.md has both sides of each.
#define WARPATH_DYNAMIC_SHARED(T, name) T* const name = static_cast<T*>(emulate::dynamic_shared())

namespace warpath {

void spin();
void spin_system();
unsigned long long global_timer();
unsigned cluster_size();
unsigned cluster_rank();
void cluster_arrive(emulate::Site = emulate::Site::current());
void cluster_wait(emulate::Site = emulate::Site::current());
inline void cluster_sync(emulate::Site site = emulate::Site::current()) {
    cluster_arrive(site);
    cluster_wait(site);
}
void* map_shared_address(const void* address, unsigned rank);
template <class T>
T* map_shared_rank(T* address, unsigned rank) {
    return static_cast<T*>(map_shared_address(address, rank));
}

}  // namespace warpath

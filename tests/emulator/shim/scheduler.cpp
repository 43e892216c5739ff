// The scheduler: fibres, the baton that blocks pass, barriers, and the report of a deadlock.
//
// Compiled once, without sanitizers, which it tells about every switch of stacks.

#include "fibers.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <cstdarg>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#if !defined(__x86_64__) || !defined(__linux__)
#error "the emulator switches stacks and finds thread-local variables as x86-64 Linux does"
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

extern "C" {
void __asan_poison_memory_region(const void* address, std::size_t size);
void __asan_unpoison_memory_region(const void* address, std::size_t size);

// Every `__shared__` variable, as the build lists them: where it lies from the thread pointer, its
// size, and that of the red zone behind it. (AddressSanitizer makes none for thread_local.)
struct SharedVariable {
    std::ptrdiff_t offset;
    std::size_t size, red_zone;
};
extern const SharedVariable __start_emulator_shared[] __attribute__((weak));
extern const SharedVariable __stop_emulator_shared[] __attribute__((weak));
}

namespace emulate {
namespace {

// A marked memory operation is as likely to be interrupted as so many basic blocks.
constexpr std::int64_t point_weight = 8;
// Nothing that changes memory or lets a thread go on, for so many rounds of spinning by all who
// can, is a deadlock (real waiting ends after a few); for so many basic blocks, a few seconds, it
// is a loop without end.
constexpr int quiet_rounds_limit = 2'000;
constexpr std::int64_t quiet_work_limit = std::int64_t{1} << 30, work_of_a_switch = 16;

// ---- who is next -------------------------------------------------------------------------------

[[noreturn]] void report_deadlock(const char* what);

// The block that goes on when `block` may not or need not: one with threads that can run.
Block& choose_block(Block& block) {
    if (block.ready.warps && (grid->in_order() || grid->stay-- > 0)) return block;
    grid->stay = grid->stay_for;
    std::vector<Block*> able, spinning;
    for (Block& other : grid->blocks) {
        // Spinning threads look again now and then while others work, and when no other can.
        if (other.spinning.warps && grid->below(4) == 3) other.spinning.move_to(other.ready);
        if (other.ready.warps) able.push_back(&other);
        if (other.spinning.warps) spinning.push_back(&other);
    }
    if (able.empty()) {
        if (spinning.empty() || ++grid->quiet_rounds > quiet_rounds_limit) report_deadlock("deadlock");
        for (Block* other : spinning) other->spinning.move_to(other->ready);
        able.swap(spinning);
    }
    return *able[grid->below(static_cast<unsigned>(able.size()))];
}

Fiber& choose_fiber(Block& block) {
    unsigned warp = block.current_warp;
    const bool stay = grid->by_warp && block.ready.lanes[warp] && grid->below(32) != 31;
    if (!stay) warp = block.current_warp = grid->any_bit(block.ready.warps);
    return block.fibers[warp * 32 + grid->any_bit(block.ready.lanes[warp])];
}

void take_baton(Block& block, Fiber& self) {
    block.baton.acquire();
    running = &self;
    blockIdx = block.index;
}

// Let the scheduler decide who goes on; return when it is this fibre's turn again.
void reschedule() {
    Fiber& self = *running;
    Block& block = *self.block;
    budget = grid->in_order() ? rarely : 1 + grid->below(2 * grid->interrupt_every);
    grid->quiet_work += work_of_a_switch + budget;
    if (grid->quiet_work > quiet_work_limit)
        report_deadlock("no progress (does a loop wait without warpath::spin()?)");
    if (Block& next = choose_block(block); &next != &block) {
        next.baton.release();
        take_baton(block, self);
    }
    resume(choose_fiber(block));
}

// Wait, filed in `set` if any, until somebody adds this fibre to those that are ready.
void wait(FiberSet* set, const char* waits_at, unsigned mask, Site site) {
    Fiber& self = *running;
    self.waits_at = waits_at;
    self.mask = mask;
    self.site = site;
    self.block->ready.remove(self);
    if (set) set->add(self.warp(), 1u << self.lane());
    reschedule();
    self.waits_at = nullptr;
}

void fiber_main() {
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
    grid->thread(grid->call);
    Fiber& self = *running;
    self.exited = true;
    self.block->ready.remove(self);
    progress();
    if (++self.block->exited == self.block->fibers.size()) resume(self.block->root);
    else reschedule();
    __builtin_unreachable();
}

// ---- shared memory -----------------------------------------------------------------------------

template <class Visit>
void for_each_shared(Block& block, Visit visit) {
    for (auto v = __start_emulator_shared; v != __stop_emulator_shared; ++v)
        visit(block.thread_pointer + v->offset, v->size, v->red_zone);
    if (grid->launch.shared_bytes) visit(block.dynamic.get(), grid->launch.shared_bytes, 0);
}

void block_main(Block& block) {
    take_baton(block, block.root);
    pthread_attr_t attributes;
    void* stack;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &stack, &block.root.size);
    pthread_attr_destroy(&attributes);
    block.root.stack = static_cast<const char*>(stack);
    block.thread_pointer = static_cast<char*>(__builtin_thread_pointer());
    const int initially = static_cast<int>(grid->random() & 0xFF);  // shared memory starts as anything
    for_each_shared(block, [&](char* address, std::size_t size, std::size_t red_zone) {
        std::memset(address, initially, size);
        if (address != block.dynamic.get()) {
            block.first_shared = block.first_shared ? std::min<const char*>(block.first_shared, address) : address;
            block.last_shared = std::max<const char*>(block.last_shared, address + size);
        }
        if (red_zone) __asan_poison_memory_region(address + size, red_zone);
    });
    resume(choose_fiber(block));  // returns when all its threads have exited
    for (Fiber& fiber : block.fibers) free_stacks.push_back(fiber.stack);
    // No thread may map it any more.
    for_each_shared(block, [](char* address, std::size_t size, std::size_t) {
        __asan_poison_memory_region(address, size);
    });
    if (--grid->blocks_left == 0) grid->finished.release();
    else choose_block(block).baton.release();
    // The memory is the launch's, and of blocks that wait for this one's shared memory to go.
    block.baton.acquire();
    for_each_shared(block, [](char* address, std::size_t size, std::size_t red_zone) {
        __asan_unpoison_memory_region(address, size + red_zone);
    });
}

// ---- reports -----------------------------------------------------------------------------------

std::string describe(const Block& block, const Fiber& fiber) {
    if (fiber.exited) return "exited";
    char text[512];
    const auto bit = 1u << fiber.lane();
    if (block.ready.lanes[fiber.warp()] & bit) return "can run";
    const char* file = std::strrchr(fiber.site.file_name(), '/');
    const int written = std::snprintf(text, sizeof text, "at %s", fiber.waits_at);
    if (fiber.site.line())
        std::snprintf(text + written, sizeof text - static_cast<std::size_t>(written),
                      fiber.mask ? " (%s:%u), mask 0x%08x" : " (%s:%u)",
                      file ? file + 1 : fiber.site.file_name(), fiber.site.line(), fiber.mask);
    return text;
}

void report_deadlock(const char* what) {
    std::string report;
    for (const Block& block : grid->blocks) {
        const std::string name = "  block " + std::to_string(block.index.x) +
            (gridDim.y * gridDim.z > 1 ? "," + std::to_string(block.index.y) + "," + std::to_string(block.index.z) : "");
        for (std::size_t first = 0, next; first < block.fibers.size(); first = next) {
            const std::string state = describe(block, block.fibers[first]);
            for (next = first + 1; next < block.fibers.size(); ++next)
                if (describe(block, block.fibers[next]) != state) break;
            report += name + ": thread" + (next - first > 1 ? "s " : " ") + std::to_string(first) +
                (next - first > 1 ? "-" + std::to_string(next - 1) : "") + " " + state + "\n";
        }
    }
    fail("%s\n%s", what, report.c_str());
}

}  // namespace

void fail(const char* format, ...) {
    std::fflush(nullptr);
    std::fprintf(stderr, "emulator: ");
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (running && running != &running->block->root)
        std::fprintf(stderr, "\nemulator: seed %llu, block %u, thread %u\n",
                     static_cast<unsigned long long>(grid->launch.seed), blockIdx.x, running->index);
    std::_Exit(70);  // EX_SOFTWARE
}

// ---- what the intrinsics call ------------------------------------------------------------------

std::int64_t budget = 0;

void progress() {
    grid->quiet_rounds = 0;
    grid->quiet_work = 0;
}

void check_global(const void* address) {
    const Block& block = *running->block;
    const char *const place = static_cast<const char*>(address), *const dynamic = block.dynamic.get();
    if ((place >= block.first_shared && place < block.last_shared) ||
        (dynamic && place >= dynamic && place < dynamic + grid->launch.shared_bytes))
        fail("an instruction for global memory at %p, in shared memory", address);
}

void point() {
    ++grid->clock;
    budget -= point_weight;
    if (budget < 0) reschedule();
}

unsigned long long now() {
    point();
    return grid->clock;
}

unsigned lane() { return running->lane(); }

void* dynamic_shared() { return running->block->dynamic.get(); }

// A literal has one address in each translation unit, and AddressSanitizer makes strcmp slow.
static bool are_different(const char* a, const char* b) { return a != b && std::strcmp(a, b) != 0; }

Meeting meet_warp(const char* operation, unsigned mask, std::uint64_t value, Site site) {
    Fiber& self = *running;
    Block& block = *self.block;
    auto& meetings = block.meetings[self.warp()];
    const unsigned me = 1u << self.lane(), expected = mask & block.lanes(self.warp());
    if (!(mask & me)) fail("%s (line %u): the mask 0x%08x does not name the lane that calls, %u",
                           operation, site.line(), mask, self.lane());
    Meeting* meeting = nullptr;
    for (Meeting& open : meetings) {
        if (open.left == open.expected) meeting = meeting ? meeting : &open;  // over: may be reused
        else if (open.mask == mask && open.arrived != expected) { meeting = &open; break; }
    }
    if (!meeting) meeting = &meetings.emplace_back();
    if (meeting->left == meeting->expected) *meeting = {operation, mask, expected, 0, 0, {}};
    if (are_different(meeting->operation, operation))
        fail("lanes of a warp meet at %s and at %s (line %u), mask 0x%08x", meeting->operation,
             operation, site.line(), mask);
    meeting->value[self.lane()] = value;
    meeting->arrived |= me;
    if (meeting->arrived == expected) {
        progress();
        block.ready.add(self.warp(), expected);
        reschedule();
    } else {
        wait(nullptr, operation, mask, site);
    }
    meeting->left |= me;
    return *meeting;
}

int meet_block(const char* operation, bool predicate, Site site) {
    Block& block = *running->block;
    if (block.arrived == 0) {
        block.operation = operation;
        block.site = site;
        block.votes = 0;
    } else if (are_different(block.operation, operation) || block.site.line() != site.line() ||
               are_different(block.site.file_name(), site.file_name())) {
        fail("threads of a block meet at different barriers: %s (%s:%u) and %s (%s:%u)",
             block.operation, block.site.file_name(), block.site.line(), operation,
             site.file_name(), site.line());
    }
    block.votes += predicate;
    if (++block.arrived == block.fibers.size()) {
        block.arrived = 0;
        block.result = block.votes;
        progress();
        block.at_block_barrier.move_to(block.ready);
        reschedule();
    } else {
        wait(&block.at_block_barrier, operation, 0, site);
    }
    return block.result;  // the next barrier is not complete before all have read it
}

std::uint64_t seed() { return grid->launch.seed; }

std::vector<std::function<void()>> children;  // that wait for their parent's end
bool after_grid(unsigned max_waiting, std::function<void()> child) {
    if (children.size() >= max_waiting) return false;
    children.push_back(std::move(child));
    return true;
}

void run(const Launch& launch, void (*thread)(const void*), const void* call) {
    const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
    const unsigned blocks = launch.grid.x * launch.grid.y * launch.grid.z;
    if (grid) fail("a kernel cannot launch another here");
    if (threads == 0 || threads > max_threads || blocks == 0)
        fail("a grid of %u blocks of %u threads cannot be launched", blocks, threads);
    if (launch.cluster_size == 0 || launch.grid.x % launch.cluster_size != 0)
        fail("a grid %u blocks wide is not made of clusters of %u", launch.grid.x, launch.cluster_size);
    Grid current{launch, thread, call, std::vector<Block>(blocks),
                 std::vector<Cluster>(blocks / launch.cluster_size), blocks, launch.seed};
    grid = &current;
    if (!current.in_order()) {
        // Few and many interruptions, warps kept together or not, blocks in turns long and short:
        // each finds what the others miss.
        constexpr unsigned interrupt_every[] = {rarely, 512, 64, 8};
        constexpr int stay_for[] = {16, 64, 256, 1024};
        current.by_warp = current.below(2);
        current.interrupt_every = interrupt_every[current.below(4)];
        current.stay_for = stay_for[current.below(4)];
    }
    blockDim = launch.block;
    gridDim = launch.grid;
    for (unsigned b = 0; b < blocks; ++b) {
        Block& block = current.blocks[b];
        block.index = {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y};
        block.rank_in_cluster = b % launch.cluster_size;
        block.cluster = &current.clusters[b / launch.cluster_size];
        block.root = {&block, 0, {}};
        block.dynamic = std::make_unique_for_overwrite<char[]>(launch.shared_bytes);
        block.fibers.resize(threads);
        for (unsigned t = 0; t < threads; ++t) {
            Fiber& fiber = block.fibers[t];
            fiber = {&block, t, {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y}};
            make_fiber(fiber);
            block.ready.add(fiber.warp(), 1u << fiber.lane());
        }
    }
    // Only one of the threads ever runs; on one core the baton passes several times faster.
    cpu_set_t allowed, here;
    sched_getaffinity(0, sizeof allowed, &allowed);
    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    std::vector<std::thread> os_threads;
    for (Block& block : current.blocks) os_threads.emplace_back(block_main, std::ref(block));
    budget = 0;
    current.blocks[current.below(blocks)].baton.release();
    current.finished.acquire();
    for (Block& block : current.blocks) block.baton.release();
    for (std::thread& os_thread : os_threads) os_thread.join();
    sched_setaffinity(0, sizeof allowed, &allowed);
    running = nullptr;
    grid = nullptr;
    // One after another: the last one's child grids, whose own come behind them.
    while (!children.empty()) {
        const auto next = std::move(children.front());
        children.erase(children.begin());
        next();
    }
}

}  // namespace emulate

// Called by every basic block of a kernel.
extern "C" void __sanitizer_cov_trace_pc() {
    using namespace emulate;
    if (--budget < 0 && running) reschedule();
}

namespace warpath {

using namespace emulate;

void spin() {
    ++grid->clock;
    wait(&running->block->spinning, "spin", 0, Site{});
}

// Another process may need this core, and it is no deadlock to wait for one.
void spin_system() {
    ::usleep(20);
    progress();
    spin();
}

unsigned long long global_timer() { return now(); }
unsigned cluster_size() { return grid->launch.cluster_size; }
unsigned cluster_rank() { return running->block->rank_in_cluster; }

void cluster_arrive(Site site) {
    Fiber& self = *running;
    Cluster& cluster = *self.block->cluster;
    if (self.arrived_at_cluster) fail("line %u: cluster_arrive again before cluster_wait", site.line());
    self.arrived_at_cluster = true;
    self.cluster_phase = cluster.phase;
    if (++cluster.arrived == self.block->fibers.size() * grid->launch.cluster_size) {
        cluster.arrived = 0;
        ++cluster.phase;
        progress();
        for (Block& block : grid->blocks)
            if (block.cluster == &cluster) block.at_cluster_barrier.move_to(block.ready);
    }
    point();
}

void cluster_wait(Site site) {
    Fiber& self = *running;
    if (!self.arrived_at_cluster) fail("line %u: cluster_wait without cluster_arrive", site.line());
    self.arrived_at_cluster = false;
    if (self.block->cluster->phase == self.cluster_phase)
        wait(&self.block->at_cluster_barrier, "cluster_wait", 0, site);
}

void* map_shared_address(const void* address, unsigned rank) {
    Block& block = *running->block;
    const unsigned size = grid->launch.cluster_size;
    if (rank >= size) fail("map_shared_rank: rank %u in a cluster of %u", rank, size);
    Block& other = *(&block - block.rank_in_cluster + rank);
    if (!other.thread_pointer) fail("map_shared_rank: block %u of the cluster may not have started: cluster_sync() first", rank);
    const char* mine = static_cast<const char*>(address);
    void* mapped = nullptr;
    for_each_shared(block, [&](char* variable, std::size_t bytes, std::size_t) {
        if (mine < variable || mine > variable + bytes) return;
        const bool is_dynamic = variable == block.dynamic.get();
        char* base = is_dynamic ? other.dynamic.get() : other.thread_pointer + (variable - block.thread_pointer);
        mapped = base + (mine - variable);
    });
    if (!mapped) fail("map_shared_rank: %p is not in shared memory of the block that calls", address);
    return mapped;
}

}  // namespace warpath

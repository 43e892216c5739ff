// Fibres: a kernel's threads, their stacks, the switch from one to another, and the grid that they belong to.
//
// A part of scheduler.cpp, which alone includes it.
#pragma once

#include "scheduler.h"

#include <sys/mman.h>

#include <bit>
#include <deque>
#include <memory>
#include <semaphore>
#include <vector>

extern "C" {
void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size);
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* size);

// Save the callee-saved registers and the stack pointer, take up those of another fibre.
void emulator_switch(void** save, void* load);
asm(R"(
.text
.globl emulator_switch
.type emulator_switch, @function
emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulator_switch, . - emulator_switch
)");
}

namespace emulate {
namespace {

constexpr std::size_t stack_size = 64 << 10, guard_size = 4 << 10;
constexpr unsigned max_threads = 1024;
// Basic blocks between interruptions when a schedule is to have next to none.
constexpr unsigned rarely = 1 << 16;

struct Block;

struct Fiber {
    Block* block;
    unsigned index;  // in the block
    uint3 thread;
    const char* stack = nullptr;
    std::size_t size = 0;
    void* stack_pointer = nullptr;
    void* fake_stack = nullptr;
    // Why it does not run, for the report.
    const char* waits_at = nullptr;
    unsigned mask = 0;
    Site site{};
    bool exited = false;
    bool arrived_at_cluster = false;
    unsigned cluster_phase = 0;

    unsigned warp() const { return index / 32; }
    unsigned lane() const { return index % 32; }
};

// A set of fibres of one block, found by warp and lane.
struct FiberSet {
    unsigned warps = 0, lanes[max_threads / 32] = {};

    void add(unsigned warp, unsigned mask) {
        lanes[warp] |= mask;
        if (lanes[warp]) warps |= 1u << warp;
    }
    void remove(const Fiber& fiber) {
        lanes[fiber.warp()] &= ~(1u << fiber.lane());
        if (!lanes[fiber.warp()]) warps &= ~(1u << fiber.warp());
    }
    void move_to(FiberSet& other) {
        for (unsigned warp = 0; warp < max_threads / 32; ++warp) other.add(warp, lanes[warp]);
        *this = {};
    }
};

struct Cluster {
    unsigned arrived = 0, phase = 0;
};

struct Block {
    uint3 index;
    unsigned rank_in_cluster;
    Cluster* cluster;
    std::vector<Fiber> fibers;
    Fiber root;  // the OS thread's own stack
    FiberSet ready, spinning, at_block_barrier, at_cluster_barrier;
    unsigned current_warp = 0, exited = 0;
    // The barrier that threads are gathering at.
    unsigned arrived = 0;
    int votes = 0, result = 0;
    const char* operation = nullptr;
    Site site{};
    std::deque<Meeting> meetings[max_threads / 32];
    char* thread_pointer = nullptr;
    const char *first_shared = nullptr, *last_shared = nullptr;  // of its `__shared__` variables
    std::unique_ptr<char[]> dynamic;
    std::binary_semaphore baton{0};

    unsigned lanes(unsigned warp) const {  // those that exist
        const unsigned rest = static_cast<unsigned>(fibers.size()) - warp * 32;
        return rest >= 32 ? ~0u : (1u << rest) - 1;
    }
};

struct Grid {
    Launch launch;
    void (*thread)(const void*);
    const void* call;
    std::vector<Block> blocks;
    std::vector<Cluster> clusters;
    std::size_t blocks_left;
    std::uint64_t random_state;
    std::binary_semaphore finished{0};
    // The schedule that the seed stands for.
    bool by_warp = false;               // finish what a warp can do, then take another
    unsigned interrupt_every = rarely;  // basic blocks
    int stay_for = 0;                   // switches in a block before another gets the baton
    int stay = 0;
    // How long nothing has happened.
    int quiet_rounds = 0;
    std::int64_t quiet_work = 0;
    unsigned long long clock = 0;

    unsigned random() {  // splitmix64
        std::uint64_t z = random_state += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return static_cast<unsigned>(z >> 32);
    }
    bool in_order() const { return launch.seed == 0; }
    unsigned below(unsigned n) { return in_order() ? 0 : random() % n; }
    unsigned any_bit(unsigned mask) {
        const unsigned start = below(32);
        return (static_cast<unsigned>(std::countr_zero(std::rotr(mask, start))) + start) % 32;
    }
};

// Guarded by the baton: who holds it reads and writes them.
Grid* grid;
Fiber* running;

// ---- stacks ------------------------------------------------------------------------------------

std::vector<const char*> free_stacks;  // kept between launches

const char* take_stack() {
    if (!free_stacks.empty()) {
        const char* stack = free_stacks.back();
        free_stacks.pop_back();
        return stack;
    }
    void* region = mmap(nullptr, guard_size + stack_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED || mprotect(region, guard_size, PROT_NONE) != 0)
        fail("no memory for the stacks of so many threads");
    return static_cast<const char*>(region) + guard_size;
}

void resume(Fiber& next) {
    Fiber& self = *running;
    running = &next;
    threadIdx = next.thread;
    if (&next == &self) return;
    __sanitizer_start_switch_fiber(self.exited ? nullptr : &self.fake_stack, next.stack, next.size);
    emulator_switch(&self.stack_pointer, next.stack_pointer);
    __sanitizer_finish_switch_fiber(self.fake_stack, nullptr, nullptr);
}

[[noreturn]] void fiber_main();

void make_fiber(Fiber& fiber) {
    fiber.stack = take_stack();
    fiber.size = stack_size;
    // What emulator_switch pops: six registers, then where it returns to; and a null return
    // address of fiber_main, where unwinding ends, which also aligns its frame.
    void** top = reinterpret_cast<void**>(const_cast<char*>(fiber.stack) + stack_size);
    *--top = nullptr;
    *--top = reinterpret_cast<void*>(&fiber_main);
    for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
    fiber.stack_pointer = top;
}

}  // namespace
}  // namespace emulate

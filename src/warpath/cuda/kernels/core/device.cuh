// What CUDA C++ has no portable name for: dynamic shared memory, memory order, clusters, time.
//
// The emulator (tests/emulator) has its own of these.
#pragma once

#ifndef WARPATH_EMULATOR

// The block's dynamic shared memory, aligned to 16 bytes, as `T* const name`.
#define WARPATH_DYNAMIC_SHARED(T, name)                                     \
    extern __shared__ __align__(16) unsigned char warpath_dynamic_shared[]; \
    T* const name = reinterpret_cast<T*>(warpath_dynamic_shared)

namespace warpath {

// Stands in each loop that waits for another thread,
__device__ __forceinline__ void spin() {}
// or for one of another GPU.
__device__ __forceinline__ void spin_system() {}

__device__ __forceinline__ unsigned long long global_timer() {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

// 4 or 8 bytes as one integer register.
template <int size> struct Register;
template <> struct Register<4> { using type = unsigned; };
template <> struct Register<8> { using type = unsigned long long; };

#define WARPATH_LOAD(name, instruction)                                                        \
    template <class T>                                                                         \
    __device__ __forceinline__ T name(const T* address) {                                      \
        typename Register<sizeof(T)>::type bits;                                               \
        if constexpr (sizeof(T) == 4)                                                          \
            asm volatile(instruction ".u32 %0, [%1];" : "=r"(bits) : "l"(address) : "memory"); \
        else                                                                                   \
            asm volatile(instruction ".u64 %0, [%1];" : "=l"(bits) : "l"(address) : "memory"); \
        return *reinterpret_cast<T*>(&bits);                                                   \
    }
#define WARPATH_STORE(name, instruction)                                                     \
    template <class T>                                                                       \
    __device__ __forceinline__ void name(T* address, T value) {                              \
        const auto bits = *reinterpret_cast<typename Register<sizeof(T)>::type*>(&value);    \
        if constexpr (sizeof(T) == 4)                                                        \
            asm volatile(instruction ".u32 [%0], %1;" ::"l"(address), "r"(bits) : "memory"); \
        else                                                                                 \
            asm volatile(instruction ".u64 [%0], %1;" ::"l"(address), "l"(bits) : "memory"); \
    }
WARPATH_LOAD(load_relaxed, "ld.relaxed.gpu")
WARPATH_LOAD(load_acquire, "ld.acquire.gpu")
WARPATH_STORE(store_relaxed, "st.relaxed.gpu")
WARPATH_STORE(store_release, "st.release.gpu")
// In another GPU's memory, or where another GPU writes.
WARPATH_LOAD(load_system, "ld.relaxed.sys")
WARPATH_STORE(store_system, "st.relaxed.sys")
#undef WARPATH_LOAD
#undef WARPATH_STORE

// A thread that sees a `store_system` after it also sees what was visible to this one. And this one sees likewise what was
// visible to those whose stores it has seen before.
__device__ __forceinline__ void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

__device__ __forceinline__ unsigned fetch_add_acq_rel(unsigned* address, unsigned value) {
    unsigned old;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(value) : "memory");
    return old;
}

// Accesses that happen only if `pred`; else they give zero. One predicated instruction each, in
// the order of the program: behind a branch, as C++ has it, the compiler waits for one access
// before it makes the next (seen in its machine code; the first half of a microsecond each).
#define WARPATH_LOAD_IF(name, instruction, ...)                                                             \
    template <class T>                                                                                      \
    __device__ __forceinline__ T name(const T* address, bool pred) {                                      \
        typename Register<sizeof(T)>::type bits;                                                            \
        if constexpr (sizeof(T) == 4)                                                                       \
            asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.u32 %0, 0; @p " instruction             \
                         ".u32 %0, [%1]; }" : "=r"(bits) : "l"(address), "r"(unsigned{pred}) __VA_ARGS__); \
        else                                                                                                \
            asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.u64 %0, 0; @p " instruction             \
                         ".u64 %0, [%1]; }" : "=l"(bits) : "l"(address), "r"(unsigned{pred}) __VA_ARGS__); \
        return *reinterpret_cast<T*>(&bits);                                                                \
    }
#ifdef WARPATH_CACHE_MODIFIERS
WARPATH_LOAD_IF(read_only_if, "ld.global.nc.L1::no_allocate")
#else
WARPATH_LOAD_IF(read_only_if, "ld.global.nc")
#endif
WARPATH_LOAD_IF(load_if, "ld.global", : "memory")
WARPATH_LOAD_IF(load_relaxed_if, "ld.relaxed.gpu.global", : "memory")
WARPATH_LOAD_IF(load_system_if, "ld.relaxed.sys.global", : "memory")
#ifdef WARPATH_CACHE_MODIFIERS  // see sssp_cache_modifiers.cuh
WARPATH_LOAD_IF(load_once_if, "ld.global.cg", : "memory")
#else
WARPATH_LOAD_IF(load_once_if, "ld.global", : "memory")
#endif
#undef WARPATH_LOAD_IF

// Store, if `pred`.
template <class T>
__device__ __forceinline__ void store_if(T* address, T value, bool pred) {
    const auto bits = *reinterpret_cast<typename Register<sizeof(T)>::type*>(&value);
    if constexpr (sizeof(T) == 4)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u32 [%0], %1; }"
                     :: "l"(address), "r"(bits), "r"(unsigned{pred}) : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u64 [%0], %1; }"
                     :: "l"(address), "l"(bits), "r"(unsigned{pred}) : "memory");
}

// Four elements at a multiple of 16 bytes.
__device__ __forceinline__ uint4 read_only_four_if(const unsigned* address, bool pred) {
    uint4 four;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.u32 %0, 0; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;"
                 " @p ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w) : "l"(address), "r"(unsigned{pred}));
    return four;
}

// Something in the block's shared memory. `in_register`: its address is kept there; else the compiler, to which
// it is known, works it out at each access.
template <class T, bool in_register>
class SharedReference {
    unsigned address;

public:
    __device__ explicit SharedReference(T& place) : address(static_cast<unsigned>(__cvta_generic_to_shared(&place))) {
        if constexpr (in_register) asm volatile("" : "+r"(address));
    }
    __device__ T* operator->() const { return static_cast<T*>(__cvta_shared_to_generic(address)); }
};

// atomicAdd in shared memory, by lane 0; others get 0. Where the address is known to be the same in all
// lanes, the compiler has them add up their values first, in a dozen instructions: so this one seems not to be.
__device__ __forceinline__ unsigned fetch_add_first_lane(unsigned* address, unsigned value, unsigned lane) {
    unsigned old = 0;
    asm volatile("{ .reg .pred p; .reg .u32 a; setp.eq.u32 p, %3, 0; add.u32 a, %1, %3; @p atom.relaxed.cta.shared.add.u32 %0, [a], %2; }"
                 : "+r"(old) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(address))), "r"(value), "r"(lane) : "memory");
    return old;
}

// atomicOr, if `pred`; else it gives ~0.
__device__ __forceinline__ unsigned fetch_or_if(unsigned* address, unsigned bits, bool pred) {
    unsigned old;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.u32 %0, 0xffffffff; @p atom.relaxed.gpu.global.or.b32 %0, [%1], %2; }"
                 : "=r"(old) : "l"(address), "r"(bits), "r"(unsigned{pred}) : "memory");
    return old;
}

// atomicSub of 1, if `pred`; else it gives the largest integer.
__device__ __forceinline__ int fetch_decrement_if(int* address, bool pred) {
    int old;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.s32 %0, 0x7fffffff; @p atom.relaxed.gpu.global.add.s32 %0, [%1], -1; }"
                 : "=r"(old) : "l"(address), "r"(unsigned{pred}) : "memory");
    return old;
}

// atomicExch, if `pred`; else it gives `value`.
__device__ __forceinline__ unsigned fetch_exchange_if(unsigned* address, unsigned value, bool pred) {
    unsigned old;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.u32 %0, %2; @p atom.relaxed.gpu.global.exch.b32 %0, [%1], %2; }"
                 : "=&r"(old) : "l"(address), "r"(value), "r"(unsigned{pred}) : "memory");
    return old;
}

// atomicMin, if `pred`; else it gives `value`.
#define WARPATH_FETCH_MIN_IF(T, type, letter)                                                                            \
    __device__ __forceinline__ T fetch_min_if(T* address, T value, bool pred) {                                        \
        T old;                                                                                                           \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; mov." type " %0, %2;"                                        \
                     " @p atom.relaxed.gpu.global.min." type " %0, [%1], %2; }"                                          \
                     : "=&" letter(old) : "l"(address), letter(value), "r"(unsigned{pred}) : "memory");                \
        return old;                                                                                                      \
    }
WARPATH_FETCH_MIN_IF(int, "s32", "r")
WARPATH_FETCH_MIN_IF(unsigned, "u32", "r")
WARPATH_FETCH_MIN_IF(long long, "s64", "l")
#undef WARPATH_FETCH_MIN_IF

// 16 bytes that change as one.
struct __align__(16) TwoWords {
    long long first, second;
    __device__ bool operator==(const TwoWords& other) const { return first == other.first && second == other.second; }
};
#if __CUDA_ARCH__ >= 900
// What was there; `value` is there now, if that was `expected`.
__device__ __forceinline__ TwoWords compare_and_swap(TwoWords* address, const TwoWords& expected, const TwoWords& value) {
    TwoWords old;
    asm volatile("{ .reg .b128 e, v, o; mov.b128 e, {%3, %4}; mov.b128 v, {%5, %6};"
                 " atom.relaxed.gpu.global.cas.b128 o, [%2], e, v; mov.b128 {%0, %1}, o; }"
                 : "=l"(old.first), "=l"(old.second)
                 : "l"(address), "l"(expected.first), "l"(expected.second), "l"(value.first), "l"(value.second) : "memory");
    return old;
}
#else  // no kernel asks for it (warpath/cuda/sssp.py)
__device__ TwoWords compare_and_swap(TwoWords* address, const TwoWords& expected, const TwoWords& value);
#endif

// Add bits, if `pred`; nothing is waited for.
__device__ __forceinline__ void add_bits_if(unsigned* address, unsigned bits, bool pred) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p red.relaxed.gpu.global.or.b32 [%0], %1; }"
                 :: "l"(address), "r"(bits), "r"(unsigned{pred}) : "memory");
}

#if __CUDA_ARCH__ >= 900
constexpr bool has_clusters = true;
__device__ __forceinline__ unsigned cluster_size() {
    unsigned blocks;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    return blocks;
}
__device__ __forceinline__ unsigned cluster_rank() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void cluster_arrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }
// Make what this thread wrote to its block's shared memory, and only that, visible to the cluster.
__device__ __forceinline__ void release_shared() {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
}
__device__ __forceinline__ void cluster_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
template <class T>
__device__ __forceinline__ T* map_shared_rank(T* address, unsigned rank) {
    T* mapped;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
    return mapped;
}
#else  // a cluster of one block
constexpr bool has_clusters = false;
__device__ __forceinline__ unsigned cluster_size() { return 1; }
__device__ __forceinline__ unsigned cluster_rank() { return 0; }
__device__ __forceinline__ void cluster_arrive() {}
__device__ __forceinline__ void release_shared() {}
__device__ __forceinline__ void cluster_arrive_relaxed() {}
__device__ __forceinline__ void cluster_wait() { __syncthreads(); }
template <class T>
__device__ __forceinline__ T* map_shared_rank(T* address, unsigned) { return address; }
#endif
__device__ __forceinline__ void cluster_sync() {
    cluster_arrive();
    cluster_wait();
}
// The same for shared memory alone: it does not wait for stores to global memory on their way, which
// takes three to ten times as long (measured, H200: 0.1 µs against 0.3 without and 1.1 with them).
__device__ __forceinline__ void cluster_sync_shared() {
    release_shared();
    cluster_arrive_relaxed();
    cluster_wait();
}

// A hint: bring the line at `address` to L2.
__device__ __forceinline__ void prefetch(const void* address) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

}  // namespace warpath

#else

namespace warpath {
constexpr bool has_clusters = true;
inline void prefetch(const void*) {}
inline void cluster_sync_shared() { cluster_sync(); }
template <class T> T read_only_if(const T* address, bool pred) { return pred ? __ldg(address) : T{}; }
template <class T> T load_if(const T* address, bool pred) { return pred ? *emulate::global(address) : T{}; }
template <class T> T load_once_if(const T* address, bool pred) { return load_if(address, pred); }
template <class T> void store_if(T* address, T value, bool pred) { if (pred) *emulate::global(address) = value; }
struct alignas(16) TwoWords {
    long long first, second;
    bool operator==(const TwoWords&) const = default;
};
inline TwoWords compare_and_swap(TwoWords* address, const TwoWords& expected, const TwoWords& value) {
    return emulate::exchange(address, [&](const TwoWords& old) { return old == expected ? value : old; });
}
template <class T> T load_relaxed_if(const T* address, bool pred) { return pred ? load_relaxed(address) : T{}; }
template <class T> T load_system_if(const T* address, bool pred) { return pred ? load_system(address) : T{}; }
inline uint4 read_only_four_if(const unsigned* address, bool pred) {
    return pred ? __ldg(reinterpret_cast<const uint4*>(address)) : uint4{0, 0, 0, 0};
}
inline unsigned fetch_exchange_if(unsigned* address, unsigned value, bool pred) {
    return pred ? atomicExch(address, value) : value;
}
template <class T, bool>
struct SharedReference {
    T* place;
    explicit SharedReference(T& place) : place(&place) {}
    T* operator->() const { return place; }
};
inline unsigned fetch_add_first_lane(unsigned* address, unsigned value, unsigned lane) { return lane == 0 ? atomicAdd(address, value) : 0; }
template <class T> T fetch_min_if(T* address, T value, bool pred) { return pred ? atomicMin(address, value) : value; }
inline void add_bits_if(unsigned* address, unsigned bits, bool pred) {
    if (pred) atomicOr(address, bits);
}
inline int fetch_decrement_if(int* address, bool pred) { return pred ? atomicAdd(address, -1) : 0x7fffffff; }
inline unsigned fetch_or_if(unsigned* address, unsigned bits, bool pred) { return pred ? atomicOr(address, bits) : ~0u; }
}  // namespace warpath

#endif

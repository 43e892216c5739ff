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

// Stands in each loop that waits for another thread.
__device__ __forceinline__ void spin() {}

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
#undef WARPATH_LOAD
#undef WARPATH_STORE

__device__ __forceinline__ unsigned fetch_add_acq_rel(unsigned* address, unsigned value) {
    unsigned old;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(value) : "memory");
    return old;
}

#if __CUDA_ARCH__ >= 900
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
template <class T>
__device__ __forceinline__ T* map_shared_rank(T* address, unsigned rank) {
    T* mapped;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
    return mapped;
}
#else  // a cluster of one block
__device__ __forceinline__ unsigned cluster_size() { return 1; }
__device__ __forceinline__ unsigned cluster_rank() { return 0; }
__device__ __forceinline__ void cluster_arrive() {}
__device__ __forceinline__ void cluster_wait() { __syncthreads(); }
template <class T>
__device__ __forceinline__ T* map_shared_rank(T* address, unsigned) { return address; }
#endif
__device__ __forceinline__ void cluster_sync() {
    cluster_arrive();
    cluster_wait();
}

// A hint: bring the line at `address` to L2.
__device__ __forceinline__ void prefetch(const void* address) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

}  // namespace warpath

#else

namespace warpath {
inline void prefetch(const void*) {}
}  // namespace warpath

#endif

// Copies from global to shared memory that run while the thread computes (cp.async).
//
// Each thread copies, commits what it issued as one group, and waits until all but its latest few
// groups have landed; a __syncthreads then makes them visible to the block.
#pragma once

#include "core/types.cuh"

namespace warpath {

#ifndef WARPATH_EMULATOR

// 16 bytes, both ends aligned to 16; past L1, since each tile is read once per block.
__device__ __forceinline__ void copy_sixteen_async(void* shared, const void* global) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :: "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))), "l"(global) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int latest>
__device__ __forceinline__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;" :: "n"(latest) : "memory");
}

#else

inline void copy_sixteen_async(void* shared, const void* global) {
    *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
}
inline void commit_copies() {}
template <int> void wait_copies() {}

#endif

}  // namespace warpath

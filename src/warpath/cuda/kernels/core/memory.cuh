// Loads by what may happen to the data.
//
//     read_only       never written while the kernel runs (the graph): ld.global.nc, kept in L1
//     a plain load    written in an earlier level, before a barrier, which drops L1's old lines
//     load_relaxed    written in this level by other blocks: from L2 (core/device.cuh)
#pragma once

#include "core/device.cuh"
#include "core/types.cuh"

namespace warpath {

template <class T>
__device__ __forceinline__ T read_only(const T* address) {
#ifdef WARPATH_CACHE_MODIFIERS  // row offsets: see sssp_cache_modifiers.cuh
    return __ldcs(address);
#else
    return __ldg(address);
#endif
}

// Fill array[0 … size) from all threads of the grid, 16 bytes per store; the array is aligned to 16.
__device__ __forceinline__ void fill(unsigned* array, unsigned size, unsigned value, unsigned thread, unsigned threads) {
    const unsigned fours = size / 4;
    uint4* const wide = reinterpret_cast<uint4*>(array);
    for (unsigned i = thread; i < fours; i += threads) wide[i] = make_uint4(value, value, value, value);
    if (thread < size % 4) array[fours * 4 + thread] = value;
}

}  // namespace warpath

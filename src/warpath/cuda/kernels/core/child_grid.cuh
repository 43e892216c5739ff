// Child grids: launched by a thread of a running kernel, on the device.
//
// Since CUDA 12 a parent cannot wait for its children. One that is launched "fire and forget" runs
// when there is room for it, at the latest when its parent's blocks have ended; the parent's launch
// is over, for what the host queues behind it, when all children are. So a reader of what children
// did is the next launch.
//
// Kernels that launch are compiled to relocatable code and linked with the device's run time
// (warpath/cuda/compile.py).
#pragma once

#include "core/types.cuh"

namespace warpath {

constexpr int child_threads = 256;  // a block's: a guess
#ifdef WARPATH_EMULATOR
constexpr unsigned max_pending = 2048;
#endif

// Launch `kernel`; false if it could not be: by default the device keeps 2,048 launches that
// have not begun (cudaLimitDevRuntimePendingLaunchCount). What the calling thread wrote is visible to it.
template <auto kernel, class... Arguments>
__device__ bool launch_child(unsigned blocks, const Arguments&... arguments) {
#ifdef WARPATH_EMULATOR
    return emulate::launch_child(max_pending, blocks, child_threads, kernel, arguments...);
#else
    kernel<<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(arguments...);
    return cudaGetLastError() == cudaSuccess;
#endif
}

}  // namespace warpath

// Which threads run a program together: those of the grid, of the grids of several GPUs, or of one block.
//
// A small graph's search keeps few of a device's threads busy. There each block runs a program of its own
// (batch.cuh): its barrier is __syncthreads, its counters are in shared memory, and blocks never wait for each
// other.
#pragma once

#include "core/grid_barrier.cuh"
#include "core/scan.cuh"
#include "engine/multi_gpu.cuh"
#include "engine/told_edges.cuh"
#include "engine/trace.cuh"

namespace warpath {

// A launch runs with no others.
struct NoOthers {};

// The contract: `Barrier<Control, Shared>`; `Others`, what a launch is told of those it runs with; `ControlOf`, a control
// block with what the scope needs; total(control, set), what all have counted in a step that has ended; `filter`, an algorithm's
// filter of which vertices enter the queue; `Telling`, one that lets all enter that are this launch's, and tells others of theirs.
struct GridScope {
    static constexpr Mode mode = mode_grid;
    static constexpr bool several_gpus = false;
    using Others = NoOthers;
    template <class, class>
    using Barrier = GridBarrier;
    template <class Control>
    using ControlOf = Control;

    template <class Control, class Shared>
    static __device__ __forceinline__ GridBarrier barrier(Control* control, Shared& shared, const Others&) { return {&control->arrived, shared.barrier_target}; }
    template <class Control>
    static __device__ __forceinline__ const auto& total(const Control& control, unsigned set) { return control.counters[set]; }
    template <class Filter>
    static __device__ __forceinline__ Filter filter(const Filter& filter, const Others&) { return filter; }
    struct Telling : PassAll {
        struct Staged {};
        struct Sizes {};
        __device__ Telling(const Others&, Staged&, unsigned) {}
        __device__ void finish() const {}
    };

    static __device__ __forceinline__ Workers warps() { return grid_warps(); }
    static __device__ __forceinline__ Count thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
    static __device__ __forceinline__ Count threads() { return gridDim.x * blockDim.x; }
    static __device__ __forceinline__ bool is_first_block() { return blockIdx.x == 0; }
    static __device__ __forceinline__ GridBarrier for_balance(const GridBarrier& grid, unsigned&) { return grid; }
    // A balance whose warps work each by itself uses none.
    template <class AnyBarrier>
    static __device__ __forceinline__ GridBarrier for_balance(const AnyBarrier&, unsigned& unused) { return {GridBarrier::Unused{}, unused}; }
};

// Its threads are those of this GPU; only the barrier is that of all.
struct MultiGpuScope : GridScope {
    static constexpr bool several_gpus = true;
    using Others = Peers;
    template <class Control, class Shared>
    using Barrier = MultiGpuBarrier<Control, Shared>;
    template <class Control>
    using ControlOf = SummedControl<Control>;

    template <class Control, class Shared>
    static __device__ __forceinline__ Barrier<Control, Shared> barrier(Control* control, Shared& shared, const Peers& peers) { return {control, shared, peers}; }
    template <class Control>
    static __device__ __forceinline__ const auto& total(const Control& control, unsigned) { return control.total; }
    template <class Filter>
    static __device__ __forceinline__ TellOthers<Filter> filter(const Filter& filter, const Peers& peers) { return {filter, peers}; }
    using Telling = TellEdges;
};

struct BlockScope : GridScope {
    static constexpr Mode mode = mode_block;

    // `GridBarrier` for one block.
    class BlockBarrier {
    public:
        template <class Before, class Then>
        __device__ void sync(Before before, Then then) {
            block_sync([&] {
                before();
                then();
            });
        }
        template <class Then>
        __device__ void sync(Then then) { block_sync(then); }
    };
    template <class, class>
    using Barrier = BlockBarrier;

    template <class Control, class Shared>
    static __device__ __forceinline__ BlockBarrier barrier(Control*, Shared&, const Others&) { return {}; }

    static __device__ __forceinline__ Workers warps() { return block_warps(); }
    static __device__ __forceinline__ Count thread() { return threadIdx.x; }
    static __device__ __forceinline__ Count threads() { return blockDim.x; }
    static __device__ __forceinline__ bool is_first_block() { return true; }
};

}  // namespace warpath

// Virtual warp-centric programming: kernels of phases in which a virtual warp is one thread, or one
// vector.
//
// S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun, "Accelerating CUDA graph algorithms at maximum
// warp", PPoPP 2011, section 3.
//
// A *virtual warp* is `width` neighbouring lanes, 2, 4, … or 32. A kernel alternates between
//
//     SISD     what stands in its body: all lanes of a virtual warp do the same with the same data,
//              so it works like one thread
//     SIMD     `simd_for`: lane k does items k, k + width, …; memory accesses of neighbours coalesce
//
//     the paper's           here, with `const WarpMember me(width);`
//     W_OFF, W_ID           me.lane(), me.warp()
//     NUM_WARPS             me.warps()
//     USE_PRIV_MEM          auto& mine = me.own(array_in_shared_memory);
//     DO_SIMD               me.simd_for(count, [&](unsigned i) { … });
//     if (W_OFF == 0) …     me.once([&] { return … ; }): one lane does it, all get what it returns
//     the queue of outliers OutlierQueue: `push` in the main phase, `meet` afterwards
//     the work queue        WorkQueue: `draw` until there are no more chunks
//
// The paper's breadth-first search stands in docs/load_balancing.md.
#pragma once

#include "core/types.cuh"
#include "core/warp.cuh"
#include "core/worklist.cuh"

namespace warpath {

// This thread, as one of its virtual warp's.
class WarpMember {
    unsigned lanes;
    Workers workers;

    __device__ unsigned a_warp() const { return warp_lanes / lanes; }  // virtual ones

public:
    // `width` is a power of two up to 32, the same in all lanes of a warp.
    __device__ explicit WarpMember(unsigned width, Workers workers = grid_warps()) : lanes(width), workers(workers) {}

    __device__ unsigned width() const { return lanes; }
    __device__ unsigned lane() const { return lane_id() % lanes; }
    __device__ unsigned warp() const { return workers.rank * a_warp() + lane_id() / lanes; }
    __device__ unsigned warps() const { return workers.count * a_warp(); }
    // The first of the warp's virtual warps: the same in all lanes of a warp.
    __device__ unsigned first_warp() const { return workers.rank * a_warp(); }
    __device__ unsigned mask() const {
        return lanes == warp_lanes ? all_lanes : ((1u << lanes) - 1) << (lane_id() / lanes * lanes);
    }

    // This virtual warp's element of an array in shared memory, which has one for each of
    // the block's virtual warps.
    template <class T>
    __device__ T& own(T* shared) const { return shared[warp_in_block() * a_warp() + lane_id() / lanes]; }

    // Do items 0 … count − 1, `count` the same in all lanes of the virtual warp. These meet before,
    // so that an item may overwrite what was read in a SISD phase, and after, so that what items
    // write is visible to all of them.
    template <class Index, class Item>
    __device__ void simd_for(Index count, Item item) const {
        __syncwarp(mask());
        for (Index i = lane(); i < count; i += lanes) item(i);
        __syncwarp(mask());
    }

    // The same for first … end − 1, `many` items of a lane at once, all virtual warps of a warp
    // together: until all are done, all 32 lanes call items(index, active), where bit j of `active`
    // says whether the lane has an index[j].
    template <int many, class Index, class Items>
    __device__ void simd_rows(Index first, Index end, Items items) const {
        Index next = first + lane();
        while (any_lane(next < end)) {
            Index index[many];
            unsigned active = 0;
#pragma unroll
            for (int j = 0; j < many; ++j) {
                index[j] = next;
                if (next < end) {
                    active |= 1u << j;
                    next += lanes;
                }
            }
            items(index, active);
        }
    }

    // What one lane does for all: an atomic, which the hardware would do for each.
    template <class Action>
    __device__ auto once(Action action) const {
        decltype(action()) value{};
        if (lane() == 0) value = action();
        return __shfl_sync(mask(), value, 0, static_cast<int>(lanes));
    }
};

// Chunks of work, drawn by virtual warps of the whole grid until there are no more.
struct WorkQueue {
    unsigned* tickets;  // 0 before; 0 again when all virtual warps have drawn in vain

    // The number of the next of `chunks`, or something greater when there are no more. All lanes of
    // a virtual warp call, all virtual warps until they draw in vain, and then no more.
    __device__ unsigned draw(const WarpMember& me, unsigned chunks) const {
        return me.once([&] {
            const unsigned ticket = atomicAdd(tickets, 1u);
            if (ticket == chunks + me.warps() - 1) *tickets = 0;  // no virtual warp draws after this one
            return ticket;
        });
    }
};

// Tasks that are too large for one virtual warp, for all of the grid.
template <class Offset>
using OutlierQueue = Worklist<Offset>;

}  // namespace warpath

// An operator that counts.
//
// A block counts in its shared memory, which takes no register and nothing is waited for: an arc that
// lowers a distance costs one instruction. Only traced kernels have it.
#pragma once

#include "operators/classified.cuh"

namespace warpath {

// How many arcs lowered a distance, and how many were skipped because of their class (classified.cuh);
// of one block and launch, so 32 bits are enough for hours.
struct Counts {
    unsigned lowered, skipped;
};

__device__ __forceinline__ void count_if(unsigned& counter, bool wanted) {
    if (wanted) atomicAdd(&counter, 1u);
}

template <class Base>
struct Counted : Base {
    Counts& counts;

    template <class Offer, class Ticket>
    __device__ bool won(Vertex v, Offer& offer, const Ticket& ticket) const {
        const bool lowered = Base::won(v, offer, ticket);
        count_if(counts.lowered, lowered);
        return lowered;
    }
    __device__ void sort_out(Vertex& v, bool& wanted, bool& directly) const {
        const bool was_wanted = wanted;
        Base::sort_out(v, wanted, directly);
        count_if(counts.skipped, was_wanted && !wanted);
    }
    template <class Offer>
    __device__ void put(Vertex v, Offer& offer, bool wanted) const {
        Base::put(v, offer, wanted);
        count_if(counts.lowered, wanted);
    }
};

// `op`, counting if it is wanted.
template <bool wanted, class Operator>
__device__ __forceinline__ auto counted(const Operator& op, Counts& counts) {
    if constexpr (wanted) return Counted<Operator>{op, counts};
    else return op;
}

}  // namespace warpath

// An operator that counts.
//
// A block counts in its shared memory, which takes no register and nothing is waited for: an arc that
// lowers a distance costs one instruction. Only traced kernels have it.
#pragma once

#include "operators/classified.cuh"

namespace warpath {

// How many edges lowered a distance, and by their class (classified.cuh) how many were skipped, and how many are
// direct updates, without an atomic; of one block and launch, so 32 bits are enough for hours.
struct Counts {
    unsigned lowered, skipped, direct;
};

__device__ __forceinline__ void count_if(unsigned& counter, bool pred) {
    if (pred) atomicAdd(&counter, 1u);
}

template <class Base>
struct Counted : Base {
    static constexpr bool is_counted = true;
    Counts& counts;

    template <class Offer, class Result>
    __device__ bool updated(Vertex v, Offer& offer, const Result& ticket) const {
        const bool lowered = Base::updated(v, offer, ticket);
        count_if(counts.lowered, lowered);
        return lowered;
    }
    __device__ void classify(Vertex& v, bool& pred, bool& directly) const {
        const bool was_active = pred;
        Base::classify(v, pred, directly);
        count_if(counts.skipped, was_active && !pred);
        count_if(counts.direct, pred && directly);
    }
    template <class Offer>
    __device__ void store(Vertex v, Offer& offer, bool pred) const {
        Base::store(v, offer, pred);
        count_if(counts.lowered, pred);
    }
};

template <class Operator>
constexpr bool is_counted = requires { Operator::is_counted; };

// `op`, counting if that is enabled.
template <bool enabled, class Operator>
__device__ __forceinline__ auto counted(const Operator& op, Counts& counts) {
    if constexpr (enabled) return Counted<Operator>{op, counts};
    else return op;
}

}  // namespace warpath

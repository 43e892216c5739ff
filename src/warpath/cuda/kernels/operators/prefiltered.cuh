// An operator that looks up a bit of an edge's end before its distance.
//
// A bit says that a vertex's distance is below a limit, which only rises. An edge that offers the limit or more cannot
// lower that vertex, and its distance is not looked up. The bits of 2²⁷ vertices fit into L2, their distances do not:
// a bit at random takes 7 ps, a distance 23 (measured, H200). That most edges of a search find what is no news is why
// bottom-up BFS keeps a bitmap too (S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first search",
// SC 2012).
//
// A bit that is missing, or that was set for a lower limit, costs a look-up. So bits may be out of date, and what
// lowers a distance elsewhere need not set any.
#pragma once

#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"

namespace warpath {

template <class Base>
struct Prefiltered : Base {
    static constexpr bool has_prefilter = true;
    Bitmap below;
    const typename Base::Status& limit;  // in shared memory: see frontier/near_far.cuh

    // What `may_change` needs, once it is known.
    template <class Offer>
    __device__ unsigned prefilter(Vertex v, const Offer& offer, bool pred) const { return below.word(v, pred && offer >= limit); }
    static __device__ bool may_change(Vertex v, unsigned word) { return !Bitmap::contains(word, v); }
};

template <class Operator>
constexpr bool has_prefilter = requires { Operator::has_prefilter; };

// A filter that sets the bits of what was lowered.
template <class Base, class Key>
struct MarkingBelow : Base {
    Bitmap below;
    const Key& limit;

    __device__ unsigned test(Vertex v, Key d, bool pred) const {
        below.mark(v, pred && d < limit);
        return Base::test(v, d, pred);
    }
};

}  // namespace warpath

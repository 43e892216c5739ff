// How a weight extends a path: its type says.
//
// A number is added. The others are for the path algebras of warpath/operators. In all of them the
// smallest distance is the best path's: where the larger value is better, distances are values in reversed
// order, integers as ~d and floats as −d, and the largest still says "unreachable". So all that
// compares, lowers and sorts distances is the same.
//
//     type          algebra         d extended by w                   of a source
//     a number      shortest        d + w                             0
//     MaxOf<T>      minimax         max(d, w)                         the smallest
//     MinOf<T>      widest          max(d, w reversed)                the smallest
//     Product<T>    most reliable   d · w; if 0, "unreachable"        −1
//     Custom<T, R>  a user's        R::extend(d, w)                   R::start()
//
// None of the last four makes a path better, whatever its sign. They turn both zeros of
// floats into one, so that what compares as equal is equal to the bit.
#pragma once

#include "core/distance.cuh"

namespace warpath {

template <class Distance>
__device__ __forceinline__ Distance unreachable_distance() {
    if constexpr (is_float<Distance>) return Ordered<Distance>::value(Ordered<Distance>::unreachable);
    else return Ordered<Distance>::unreachable;
}

template <class Distance>
__device__ __forceinline__ Distance min_distance() {
    if constexpr (is_float<Distance>) return -unreachable_distance<Distance>();
    else return -unreachable_distance<Distance>() - 1;
}

template <class T>
struct MaxOf {
    T number;

    template <class Distance>
    __device__ __forceinline__ Distance beyond(Distance from) const {
        const Distance w = Distance{0} + static_cast<Distance>(number);
        return w > from ? w : from;
    }
    template <class Distance>
    static __device__ __forceinline__ Distance source() { return min_distance<Distance>(); }
};

template <class T>
struct MinOf {
    T number;

    template <class Distance>
    __device__ __forceinline__ Distance beyond(Distance from) const {
        Distance w = static_cast<Distance>(number);
        if constexpr (is_float<Distance>) w = Distance{0} - w;
        else w = ~w;
        return w > from ? w : from;
    }
    template <class Distance>
    static __device__ __forceinline__ Distance source() { return min_distance<Distance>(); }
};

template <class T>
struct Product {
    T number;

    template <class Distance>
    __device__ __forceinline__ Distance beyond(Distance from) const {
        const Distance product = from * static_cast<Distance>(number);
        return product < 0 ? product : unreachable_distance<Distance>();
    }
    template <class Distance>
    static __device__ __forceinline__ Distance source() { return -1; }
};

// A user's algebra. `Rule`, of a header that is written for it (warpath/language/cpp.py), works with values, and
// says whether the larger one is the better; if it `is_limited`, `last` is the key that all paths' are below.
template <class T, class Rule>
struct Custom {
    T number;

    template <class Distance>
    __device__ __forceinline__ Distance beyond(Distance from) const {
        const Distance key = turned(static_cast<Distance>(Rule::extend(value_of(from), number)));
        const bool is_path = key >= from;  // not so if it wrapped, or is no number
        return is_path && (!Rule::is_limited || key < Rule::last()) ? key : unreachable_distance<Distance>();
    }
    template <class Distance>
    static __device__ __forceinline__ Distance source() { return Rule::start(); }

    // A value's key, and for all that is no zero of floats a key's value.
    template <class Distance>
    static __device__ __forceinline__ Distance turned(Distance value) {
        if constexpr (is_float<Distance>) return Rule::larger_is_better ? Distance{0} - value : Distance{0} + value;
        else return Rule::larger_is_better ? ~value : value;
    }
    template <class Distance>
    static __device__ __forceinline__ Distance value_of(Distance key) {
        if constexpr (Rule::larger_is_better) return turned(key);
        else return key;
    }
};

// The distance of a source.
template <class Weight, class Distance>
__device__ __forceinline__ Distance source_distance() {
    if constexpr (is_number<Weight>) return 0;
    else return Weight::template source<Distance>();
}

// The distance that an arc of `weight` from a vertex at `from` leads to, and the same of its key.
template <class Distance, class Weight>
__device__ __forceinline__ Distance beyond(Distance from, Weight weight) {
    if constexpr (!is_number<Weight>) return weight.beyond(from);
    else if constexpr (is_float<Distance>) return from + weight;
    else return extend<Distance>(from, weight);
}
template <class Distance, class Weight>
requires(!is_number<Weight>)
__device__ __forceinline__ Key<Distance> extend(Key<Distance> from, Weight weight) {
    if constexpr (is_float<Distance>) return key_of(weight.beyond(Ordered<Distance>::value(from)));
    else return weight.beyond(from);
}

// No arc of `weight` leads nearer than this.
template <class Distance, class Weight>
__device__ __forceinline__ auto nearest_beyond(Weight weight) {
    if constexpr (is_number<Weight>) return weight;  // none is negative
    else return weight.beyond(source_distance<Weight, Distance>());
}

template <class Distance>
__device__ __forceinline__ bool is_reached(Distance d) { return d < unreachable_distance<Distance>(); }

// A weight that is read once: it shall not drive others out of L2.
template <class Weight>
__device__ __forceinline__ Weight read_once(const Weight* weight) {
    if constexpr (is_number<Weight>) return __ldcs(weight);
    else return {__ldcs(&weight->number)};
}

}  // namespace warpath

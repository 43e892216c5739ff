// Path algebras on words: how a path grows, and which of two is better.
//
//     algebra        extend  better  no path           words
//     Shortest       +       least   inf; see below    all
//     Minimax        max     least   the largest       all
//     Widest         min     most    the least         all
//     MostReliable   ×       most    0                 float, double
//
// A word is one distance, or two of 16 bits (`Pair`). "No path" is extended to something no better
// than itself: so it is with floats; with integers, where no weight is negative, if sums are
// unsigned: the largest signed integer is "no path", twice that does not wrap, and what is not
// less than it never replaces anything. Signed words are for weights so small that a smaller "no
// path" keeps its distance (apsp.py has the bounds).
#pragma once

#include "core/types.cuh"

namespace warpath {

// Two integers of 16 bits, side by side.
struct Unsigned16 { using Scalar = unsigned; };
struct Signed16 { using Scalar = int; };
template <class Kind>
struct Pair { unsigned bits; };

template <class Word> struct WordOf {  // how memory holds it, and how one of its distances is computed with
    using Memory = Word;
    using Scalar = Word;
    static constexpr int distances = 1;
};
template <> struct WordOf<Pair<Unsigned16>> { using Memory = unsigned short; using Scalar = unsigned; static constexpr int distances = 2; };
template <> struct WordOf<Pair<Signed16>> { using Memory = short; using Scalar = int; static constexpr int distances = 2; };

template <class Word> using Memory = typename WordOf<Word>::Memory;
template <class Word> using Scalar = typename WordOf<Word>::Scalar;

template <class T> __device__ __forceinline__ T smaller(T a, T b) { return b < a ? b : a; }
template <class T> __device__ __forceinline__ T larger(T a, T b) { return a < b ? b : a; }
// One FMNMX; the comparison above is two instructions.
__device__ __forceinline__ float smaller(float a, float b) { return min(a, b); }
__device__ __forceinline__ float larger(float a, float b) { return max(a, b); }

__device__ __forceinline__ Pair<Unsigned16> smaller(Pair<Unsigned16> a, Pair<Unsigned16> b) { return {__vminu2(a.bits, b.bits)}; }
__device__ __forceinline__ Pair<Unsigned16> larger(Pair<Unsigned16> a, Pair<Unsigned16> b) { return {__vmaxu2(a.bits, b.bits)}; }
__device__ __forceinline__ Pair<Signed16> smaller(Pair<Signed16> a, Pair<Signed16> b) { return {__vmins2(a.bits, b.bits)}; }
__device__ __forceinline__ Pair<Signed16> larger(Pair<Signed16> a, Pair<Signed16> b) { return {__vmaxs2(a.bits, b.bits)}; }

// For the distances of a pair, one instruction on compute capability 9.0 and up.
struct Halves { bool low, high; };
struct MinIsBetter {
    template <class T> static __device__ __forceinline__ T best(T a, T b) { return smaller(a, b); }
    template <class T> static __device__ __forceinline__ bool is_better(T a, T b) { return a < b; }
    static __device__ __forceinline__ Halves is_better(Pair<Unsigned16> a, Pair<Unsigned16> b) {
        bool low, high;  // whether b is no worse
        __vibmin_u16x2(b.bits, a.bits, &high, &low);
        return {!low, !high};
    }
    static __device__ __forceinline__ Halves is_better(Pair<Signed16> a, Pair<Signed16> b) {
        bool low, high;
        __vibmin_s16x2(b.bits, a.bits, &high, &low);
        return {!low, !high};
    }
};
struct MostIsBetter {
    template <class T> static __device__ __forceinline__ T best(T a, T b) { return larger(a, b); }
    template <class T> static __device__ __forceinline__ bool is_better(T a, T b) { return b < a; }
    static __device__ __forceinline__ Halves is_better(Pair<Unsigned16> a, Pair<Unsigned16> b) {
        bool low, high;
        __vibmax_u16x2(b.bits, a.bits, &high, &low);
        return {!low, !high};
    }
    static __device__ __forceinline__ Halves is_better(Pair<Signed16> a, Pair<Signed16> b) {
        bool low, high;
        __vibmax_s16x2(b.bits, a.bits, &high, &low);
        return {!low, !high};
    }
};

// The best of `distance` and the path a, then b; and of two such paths.
template <class Self, class Better>
struct PathAlgebra : Better {
    template <class Word>
    static __device__ __forceinline__ Word relax(Word distance, Word a, Word b) {
        return Better::best(distance, Self::extend(a, b));
    }
    template <class Word>
    static __device__ __forceinline__ Word relax_two(Word distance, Word a0, Word b0, Word a1, Word b1) {
        return Self::relax(Self::relax(distance, a0, b0), a1, b1);
    }
};

struct Minimax : PathAlgebra<Minimax, MinIsBetter> {
    template <class Word> static __device__ __forceinline__ Word extend(Word a, Word b) { return larger(a, b); }
};
struct Widest : PathAlgebra<Widest, MostIsBetter> {
    template <class Word> static __device__ __forceinline__ Word extend(Word a, Word b) { return smaller(a, b); }
};
struct MostReliable : PathAlgebra<MostReliable, MostIsBetter> {
    template <class Word> static __device__ __forceinline__ Word extend(Word a, Word b) { return a * b; }
};
struct Shortest : PathAlgebra<Shortest, MinIsBetter> {
    template <class Word> static __device__ __forceinline__ Word extend(Word a, Word b) { return a + b; }
    // Only where there is a negative cycle do these wrap.
    static __device__ __forceinline__ int extend(int a, int b) {
        return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
    }
    static __device__ __forceinline__ long long extend(long long a, long long b) {
        return static_cast<long long>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
    }
    using PathAlgebra::relax;
    // One instruction on compute capability 9.0 and up.
    static __device__ __forceinline__ int relax(int d, int a, int b) { return __viaddmin_s32(a, b, d); }
    static __device__ __forceinline__ unsigned relax(unsigned d, unsigned a, unsigned b) { return __viaddmin_u32(a, b, d); }
    static __device__ __forceinline__ Pair<Unsigned16> relax(Pair<Unsigned16> d, Pair<Unsigned16> a, Pair<Unsigned16> b) {
        return {__viaddmin_u16x2(a.bits, b.bits, d.bits)};
    }
    static __device__ __forceinline__ Pair<Signed16> relax(Pair<Signed16> d, Pair<Signed16> a, Pair<Signed16> b) {
        return {__viaddmin_s16x2(a.bits, b.bits, d.bits)};
    }
};

// Floats whose sign bit is never set rise with their bits read as integers, of which one
// instruction takes the least of three; floats have none before compute capability 10.0.
struct ShortestNonNegative : Shortest {
    using Shortest::relax_two;
    static __device__ __forceinline__ float relax_two(float distance, float a0, float b0, float a1, float b1) {
        return __int_as_float(
            __vimin3_s32(__float_as_int(distance), __float_as_int(a0 + b0), __float_as_int(a1 + b1)));
    }
};

// One distance of a word.
template <int which, class Word>
__device__ __forceinline__ Memory<Word> distance_of(Word word) {
    if constexpr (WordOf<Word>::distances == 1) return word;
    else return static_cast<Memory<Word>>(word.bits >> 16 * which);
}

// A word of which each distance is this one.
template <class Word>
__device__ __forceinline__ Word spread(Memory<Word> distance) {
    if constexpr (WordOf<Word>::distances == 1) return distance;
    else {
        const unsigned half = static_cast<unsigned short>(distance);
        return {half | half << 16};
    }
}

}  // namespace warpath

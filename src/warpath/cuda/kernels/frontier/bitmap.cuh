// A set of vertices as one bit each: vertex v is bit v mod 32 of word v / 32.
#pragma once

#include "core/device.cuh"
#include "core/types.cuh"

namespace warpath {

constexpr unsigned word_bits = 32;

__host__ __device__ constexpr unsigned words_of(Vertex vertices) { return (vertices + word_bits - 1) / word_bits; }

struct Bitmap {
    unsigned* words;

    // The word that v is in, 0 if not `pred`, and whether it contains v.
    __device__ unsigned word(Vertex v, bool pred) const { return load_if(words + v / word_bits, pred); }
    static __device__ bool contains(unsigned word, Vertex v) { return (word >> v % word_bits & 1u) != 0; }
    __device__ bool contains(Vertex v, bool pred) const { return contains(word(v, pred), v); }

    // Add v, if `pred`. Returns what `added` needs, once it is known.
    __device__ unsigned insert(Vertex v, bool pred) const {
        return fetch_or_if(words + v / word_bits, 1u << v % word_bits, pred);
    }
    // The same, without a word of it.
    __device__ void mark(Vertex v, bool pred) const { add_bits_if(words + v / word_bits, 1u << v % word_bits, pred); }
    // True for the one caller that added v.
    static __device__ bool added(Vertex v, unsigned inserted) { return !contains(inserted, v); }
    __device__ void remove(Vertex v) const { atomicAnd(words + v / word_bits, ~(1u << v % word_bits)); }
};

// A bit for each 2^shift vertices, which is set where a bitmap has one of them: a *summary bitmap*, as in V. Agarwal, F. Petrini,
// D. Pasetto, D. Bader, "Scalable graph exploration on multicore processors", SC 2010. L2 holds it where it does not hold the bitmap.
struct BitmapSummary {
    unsigned* words;
    unsigned shift;
    unsigned max_vertices;  // a bitmap with more is not asked by it; 0: there is no summary

    // Its words; of all bits of the bitmap's last word.
    __host__ __device__ unsigned size(Vertex vertices) const { return words_of(((vertices - 1 | (word_bits - 1)) >> shift) + 1); }

    // Whether the bitmap may contain v; false if not `pred`.
    __device__ bool may_contain(Vertex v, bool pred) const { return Bitmap{words}.contains(v >> shift, pred); }
    __device__ void mark(Vertex v) const { Bitmap{words}.mark(v >> shift, true); }
};

struct NoSummary {
    __device__ static bool may_contain(Vertex, bool pred) { return pred; }
};

}  // namespace warpath

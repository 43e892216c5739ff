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

}  // namespace warpath

// A set of vertices as one bit each: vertex v is bit v mod 32 of word v / 32.
#pragma once

#include "core/types.cuh"

namespace warpath {

constexpr unsigned word_bits = 32;

__host__ __device__ constexpr unsigned words_of(Vertex vertices) { return (vertices + word_bits - 1) / word_bits; }

struct Bitmap {
    unsigned* words;

    __device__ bool contains(Vertex v) const { return words[v / word_bits] >> v % word_bits & 1u; }

    // True for the one caller that adds v.
    __device__ bool insert(Vertex v) const {
        const unsigned bit = 1u << v % word_bits;
        return (atomicOr(words + v / word_bits, bit) & bit) == 0;
    }
};

}  // namespace warpath

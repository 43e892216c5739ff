// The frontier as a bitmap, from which the vertices are listed once all bits are set.
//
// L. Luo, M. Wong, W. Hwu, "An effective GPU implementation of breadth-first search", DAC 2010, has the
// alternatives; S. Beamer et al., SC 2012, the conversion between them. Here an arc sets a bit and waits
// for nothing; a set has no duplicates. Listing it reads n / 32 words per level, and puts the
// vertices in order, so that rows are read in order.
#pragma once

#include "core/warp.cuh"
#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"

namespace warpath {

// A frontier policy (operators/operator.cuh): no vertex enters a queue at once.
struct PassToBitmap : PassAll {
    Bitmap bits;

    template <class Offer>
    __device__ unsigned test(Vertex v, const Offer&, bool pred) const {
        bits.mark(v, pred);
        return 0;
    }
};

// Move all vertices of a bitmap to a queue. A warp takes 32 words at a time.
template <class Writer>
__device__ void queue_bits(Bitmap bits, Vertex vertices, Workers workers, Writer& out) {
    const unsigned words = words_of(vertices);
    for (unsigned first = workers.rank * warp_lanes; first < words; first += workers.count * warp_lanes) {
        const unsigned mine = first + lane_id();
        const unsigned word = mine < words ? bits.words[mine] : 0;
        if (word != 0) bits.words[mine] = 0;
        for (unsigned filled = lanes_where(word != 0); filled != 0; filled &= filled - 1) {
            const unsigned whose = lowest_bit(filled);
            out.push((first + whose) * word_bits + lane_id(), from_lane(word, whose) >> lane_id() & 1u);
            out.flush();
        }
    }
}

}  // namespace warpath

// Relaxation by the class of an arc, which two bits of its column hold.
//
// F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
// architectures", IEEE TPDS 2016 (H-BF), section 4.1, with its four classes:
//
//     self-loop       cannot lower anything: skipped. One of negative weight can, and is no such arc.
//     out-degree 0,   v leads nowhere new: deferred until all other distances are final
//     leaf            (edge_classes.cuh). In an undirected graph that is a vertex of one arc.
//     in-degree 1     no other edge lowers v: its distance is written, not lowered by an atomic.
//     source edge     arcs that leave the only source, in the first iteration: likewise. It is not a
//                     mark, since it depends on the source; of parallel arcs it would not be true.
//
// The first two are one class: a self-loop that is relaxed at the end does no harm either. Degrees are
// counted without self-loops that are skipped, so one at every vertex hides no class.
//
// A direct write may be overtaken by an older one if u is in a queue twice (DuplicatesRelaxing of
// algorithms/sssp.cuh): then u was lowered in this iteration, and its arcs are relaxed again in the next.
#pragma once

#include "core/types.cuh"

namespace warpath {

// In the highest bits of a column; so vertices are below 2³⁰.
enum class Mark : unsigned { plain, alone, skipped };
constexpr unsigned mark_shift = 30;
constexpr Vertex unmarked_bits = (1u << mark_shift) - 1;

__device__ __forceinline__ Mark mark_of(Vertex column) { return static_cast<Mark>(column >> mark_shift); }
__device__ __forceinline__ Vertex with_mark(Vertex v, Mark mark) { return v | static_cast<unsigned>(mark) << mark_shift; }

// Operators of marked columns. `Base` has, in addition to what operator.cuh asks for,
//
//     void store(v, offer, pred)      what `update_atomic` and `updated` do where no other edge changes v
template <class Base>
struct Classified : Base {
    static constexpr bool has_classes = true;
    bool from_source;  // all arcs of this iteration leave the only source

    // Make a column a vertex. `pred`: whether the arc is still of interest; `directly`: whether it
    // is stored, without an atomic.
    __device__ void classify(Vertex& v, bool& pred, bool& directly) const {
        const Mark mark = mark_of(v);
        v &= unmarked_bits;
        pred = pred && mark != Mark::skipped;
        directly = from_source || mark == Mark::alone;
    }
};

template <class Operator>
constexpr bool has_classes = requires { Operator::has_classes; };

}  // namespace warpath

// Core numbers, as an algorithm of engine/program.cuh.
//
// S. B. Seidman, "Network structure and minimum degree", Social Networks 5 (1983); by levels and in parallel: N. S. Dasari,
// D. Ranjan, M. Zubair, "ParK: An efficient algorithm for k-core decomposition on multi-core processors", IEEE Big Data 2014.
//
// `distance[v]` is v's degree in what is left of the graph, at last its core number. It is searched as shortest paths are
// by buckets of width 1: all vertices are far at first, and those of degree k leave the pile for the frontier when the
// threshold is k + 1. An edge lowers the degree of its end (operators/peel.cuh), which enters the frontier at k. One
// launch does all k; a k without a vertex costs nothing if no degree has fallen since the pile was split.
#pragma once

#include "algorithms/frontiers.cuh"
#include "balance/all.cuh"
#include "engine/program.cuh"
#include "operators/peel.cuh"

namespace warpath {

struct Peeling : PlainFrontier {
    using Weight = int;  // there are none
    using Distance = int;
    static constexpr bool with_parents = false, relaxes = false, has_far = true, has_list = true, has_bits = true, starts_far = true;

    template <class Problem, class Space, class Progress>
    static __device__ Peel op(const Problem&, const Space& space, const unsigned&, const Progress& p) {
        return {space.distance, p.threshold};
    }
    // The caller has written the degrees.
    template <class Space>
    static __device__ void reset(const Space& space, Vertex v) {
        space.pile(0).vertices[v] = v;
        if (v == 0) *space.pile(0).size = space.n;
    }
};

}  // namespace warpath

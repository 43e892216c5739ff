// Duplicates dropped by a hash table in shared memory.
//
// F. Busato, N. Bombieri, "BFS-4K: an efficient implementation of BFS for Kepler GPU architectures",
// IEEE TPDS 2015; survey section 2.2, algorithm 3 ("hash64").
//
//     test        table[hash(v)] = (v, thread), one store of 64 bits
//     passes      (v', thread') = table[hash(v)]: a duplicate if v' = v and thread' is another
//
// There is no barrier between the two, and nothing is cleared. The last thread to write v finds its own word
// there, or another vertex's; so at least one brings v. A thread of another block brings it once more, and so does one
// that looked before the others wrote.
#pragma once

#include "frontier/duplicates.cuh"

namespace warpath {

struct HashFilter : PassAll {
    static constexpr unsigned slots = filter_bytes / sizeof(Count);
    volatile Count* table;

    __device__ explicit HashFilter(Count* table) : table(table) {}
    template <class Offer>
    __device__ unsigned test(Vertex v, const Offer&, bool pred) const {
        if (pred) table[hashed<slots>(v)] = Count{v} << 32 | threadIdx.x;
        return pred;
    }
    template <class Offer>
    __device__ bool passes(Vertex v, const Offer&, unsigned ticket) const {
        if (ticket == 0) return false;
        const Count found = table[hashed<slots>(v)];
        return static_cast<Vertex>(found >> 32) != v || static_cast<unsigned>(found) == threadIdx.x;
    }
};

struct HashTable {
    template <int warps>
    struct Table {
        Count table[HashFilter::slots];
    };

    template <class AnyTable>
    static __device__ void prepare(AnyTable&) {}
    template <class AnyTable>
    static __device__ HashFilter filter(AnyTable& table) { return HashFilter(table.table); }
};

}  // namespace warpath

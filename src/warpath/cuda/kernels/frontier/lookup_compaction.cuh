// Duplicates dropped after the level, by a lookup table in global memory.
//
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014; H-BF, section 4.2, says what it costs: four accesses
// per vertex of the frontier, two of them scattered, and two more barriers.
//
//     mark       table[queue[i]] = i, for all i; of a vertex's places one is left
//     compact    after a barrier: queue[i] stays if table[queue[i]] = i
//
// A table needs no clearing: only places of this queue are looked up, all of which were written.
#pragma once

#include "core/warp.cuh"
#include "frontier/duplicates.cuh"

namespace warpath {

// All threads of all `workers` call both.
inline __device__ void mark_places(const Vertex* queue, unsigned size, unsigned* table, Workers workers) {
    for (Count i = Count{workers.rank} * warp_lanes + lane_id(); i < size; i += Count{workers.count} * warp_lanes)
        table[queue[i]] = static_cast<unsigned>(i);
}

template <class Writer>
__device__ void compact_queue(const Vertex* queue, unsigned size, const unsigned* table, Workers workers, Writer& out) {
    for (Count first = Count{workers.rank} * warp_lanes; first < size; first += Count{workers.count} * warp_lanes) {
        const Count i = first + lane_id();
        const Vertex v = i < size ? queue[i] : 0;
        out.push(v, i < size && table[v] == i);
        out.flush();
    }
}

}  // namespace warpath

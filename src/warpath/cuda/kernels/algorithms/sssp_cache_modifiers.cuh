// algorithms/sssp.cuh, compiled with loads by what is accessed.
//
// F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
// architectures", IEEE TPDS 2016 (H-BF), section 5.1. What is read once shall not drive out what is
// read again:
//
//     frontier, row offsets       streamed: evicted first (frontier/queue.cuh, core/memory.cuh)
//     columns, weights            read-only, not kept in L1 (core/device.cuh)
//     distances of arcs' ends     from L2: scattered, and most are looked up once (core/device.cuh)
//
// It is a matter of instructions, the same in all operators, balances and frontiers, so it is chosen
// when a kernel is compiled, where these instructions stand.
#pragma once

#define WARPATH_CACHE_MODIFIERS
#include "algorithms/sssp.cuh"

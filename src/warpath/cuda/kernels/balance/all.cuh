// Every balance that Python can ask for (warpath/balance).
#pragma once

#include "balance/auto.cuh"
#include "balance/block_search.cuh"
#include "balance/cta_warp_scan.cuh"
#include "balance/direct_search.cuh"
#include "balance/dynamic_virtual_warp.cuh"
#include "balance/edge_parallel.cuh"
#include "balance/hierarchical.cuh"
#include "balance/local_warp_search.cuh"
#include "balance/merge_path.cuh"
#include "balance/multi_phase_search.cuh"
#include "balance/node_splitting.cuh"
#include "balance/thread_mapped.cuh"
#include "balance/two_phase_search.cuh"
#include "balance/virtual_warp.cuh"
#include "balance/workload_decomposition.cuh"

// Every balance that Python can ask for (warpath/balance).
#pragma once

#include "balance/auto.cuh"
#include "balance/direct_search.cuh"
#include "balance/dynamic_virtual_warp.cuh"
#include "balance/local_warp_search.cuh"
#include "balance/merge_path.cuh"
#include "balance/multi_phase_search.cuh"
#include "balance/thread_mapped.cuh"
#include "balance/two_phase_search.cuh"
#include "balance/virtual_warp.cuh"

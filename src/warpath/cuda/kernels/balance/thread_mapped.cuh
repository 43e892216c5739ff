// Work items to threads: each thread takes a frontier vertex and walks its arcs.
//
// P. Harish, P. J. Narayanan, "Accelerating large graph algorithms on the GPU using CUDA",
// HiPC 2007; survey 5.1.1; "BS" in Mishra et al.
//
// It takes the least work per vertex, and is the best where all degrees are small and regular. Neighbouring lanes
// read columns far apart, and a warp takes as long as its largest vertex. It is a virtual warp of
// one lane, and like those it may leave large vertices for a second pass (`defer_outliers`).
#pragma once

#include "balance/virtual_warp.cuh"

namespace warpath {

template <unsigned defer_outliers>
using ThreadMapped = VirtualWarp<1, defer_outliers>;

}  // namespace warpath

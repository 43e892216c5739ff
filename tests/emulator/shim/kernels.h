// What programs of kernels have in common, precompiled: the shim, and the headers that most operators
// need. They hold templates alone, so what a program does not use makes no code.
#pragma once

#include "server.h"

#include "aggregate.cuh"
#include "algorithms/edge_operator.cuh"
#include "algorithms/sssp.cuh"
#include "list_rows.cuh"
#include "vertices.cuh"

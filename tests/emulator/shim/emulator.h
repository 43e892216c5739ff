// Stands in for CUDA's device side, so that kernels compile and run with the host's compiler.
#pragma once

#include "memory.h"
#include "packed.h"
#include "scheduler.h"
#include "types.h"
#include "warp.h"

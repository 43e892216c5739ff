// Shortest paths: what faults are put into.

#include "sssp_case.h"

EMULATOR_TEST(two_phase_search) { search<unsigned, NearFarRelaxing<int, int, false>, TwoPhaseSearch<4>>(in, out); }
EMULATOR_TEST(drift) { search<unsigned, NearFarRelaxing<int, int, false>, TwoPhaseSearch<4>, true>(in, out); }
